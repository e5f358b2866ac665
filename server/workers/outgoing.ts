import { startDelivery } from "../events/delivery-worker";
import { openPost } from "../events/http-post";
import { everything, type Observer } from "../http/observers";
import { startLogForwarding } from "../log-drains/forwarder";
import { logDrains } from "../log-drains/store";
import { startMailSender } from "../mail/sender";
import type { Services } from "../platform/services";

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
  const post = openPost(services.egress, receiverTimeMs);
  const delivery = startDelivery(services, post);
  const logs = startLogForwarding(services, post);
  const mail = smtp === undefined ? undefined : startMailSender(services, smtp);
  return {
    answered({ request, path, requestId, status, ms, account, projectKey, changed }) {
      const { method = "", headers } = request;
      if (method !== "GET" && (status === null || status < 400)) {
        delivery.wake();
        mail?.wake();
        if (changed === logDrains || changed === everything) logs.drainsChanged();
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
