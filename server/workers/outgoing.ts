import { startDelivery } from "../events/delivery-worker";
import { openPost, type Post } from "../events/http-post";
import { everything, type Observer } from "../http/observers";
import { startLogForwarding } from "../log-drains/forwarder";
import { drainTopic } from "../log-drains/store";
import { startMailSender } from "../mail/sender";
import type { Services } from "../platform/services";
import { copyOfName, readMeta } from "../store/meta";
import type { Store } from "../store/store";

export interface OutgoingOptions {
  /** The address of an SMTP server. Without it, mail stays in the outbox. */
  smtp?: string | undefined;
  /** How long a receiver may take to answer, in milliseconds. Default 30 s. */
  receiverTimeMs?: number | undefined;
}

export interface Outgoing {
  /** Wakes the workers after a request, when its changes are durable. */
  answered: Observer;
  stop(): Promise<void>;
}

/** Starts the workers that send events, log lines and mail. */
export function startOutgoing(services: Services, { smtp, receiverTimeMs }: OutgoingOptions): Outgoing {
  const isCopy = copyMark(services.store);
  const post = refuseFromCopy(openPost(services.egress, receiverTimeMs), isCopy);
  const delivery = startDelivery(services, post);
  const logs = startLogForwarding(services, post);
  const mail = smtp === undefined ? undefined : startMailSender(services, smtp, isCopy);
  return {
    answered({ request, path, requestId, status, ms, account, projectKey, changed }) {
      const { method = "", headers } = request;
      if (method !== "GET" && (status === null || status < 400)) {
        delivery.wake();
        mail?.wake();
        if (changed === drainTopic || changed === everything) logs.drainsChanged();
      }
      if (!account || status === null || !logs.wants(account.id)) return;
      logs.note({
        accountId: account.id,
        at: services.clock.now(),
        requestId,
        method,
        host: headers.host ?? "",
        path,
        status,
        ms: Math.round(ms * 10) / 10,
        userAgent: headers["user-agent"],
        projectKey,
      });
    },
    async stop() {
      await Promise.all([delivery.stop(), logs.stop(), mail?.stop()]);
      await post.close();
    },
  };
}

/** Returns a function that reads whether the data are a copy of an account (`copyOf` in the seed). */
const copyMark =
  (store: Store): (() => Promise<boolean>) =>
  async () =>
    (await store.read((tx) => readMeta(tx, copyOfName))) !== undefined;

const refuseFromCopy = (post: Post, isCopy: () => Promise<boolean>): Post => ({
  ...post,
  async send(message, abandon) {
    if (await isCopy())
      throw new Error("nothing is sent: the data are a copy of an account (copyOf in the seed)");
    return post.send(message, abandon);
  },
});
