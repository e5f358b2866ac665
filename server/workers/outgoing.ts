import type { FastifyInstance } from "fastify";
import { startDelivery } from "../events/delivery-worker";
import { openPost } from "../events/http-post";
import type { Exchange, Traffic } from "../http/observers";
import { startLogForwarding } from "../log-drains/forwarder";
import { startMailSender } from "../mail/sender";
import type { Services } from "../platform/services";

export interface ForwardingOptions {
  /** Address of an SMTP server. Without it, mail stays in its outbox. */
  smtp?: string | undefined;
  /** How long a receiver may take to answer, in milliseconds. Default 30 s. */
  receiverTimeMs?: number | undefined;
}

/**
 * Everything that leaves the server by itself: events, log lines and mail. It works from when the server is
 * ready until it closes, and looks at once for what a request has put into the outbox.
 */
export function forwarding({ smtp, receiverTimeMs }: ForwardingOptions) {
  return (app: FastifyInstance, services: Services, traffic: Traffic): void => {
    let running: Running | undefined;
    app.addHook("onReady", async () => {
      running = start(services, smtp, receiverTimeMs);
    });
    app.addHook("onClose", async () => {
      await running?.stop();
      running = undefined;
    });
    traffic.onAnswered((exchange) => running?.answered(exchange));
  };
}

interface Running {
  /** A request was answered, and so what it changed is durable. */
  answered(exchange: Exchange): void;
  stop(): Promise<void>;
}

function start(services: Services, smtp: string | undefined, receiverTimeMs: number | undefined): Running {
  const post = openPost(receiverTimeMs);
  const delivery = startDelivery(services, post);
  const logs = startLogForwarding(services, post);
  const mail = smtp === undefined ? undefined : startMailSender(services, smtp);
  return {
    answered({ request, path, requestId, status, ms, account, projectKey }) {
      const { method = "", headers } = request;
      if (method !== "GET" && status < 400) {
        delivery.wake();
        mail?.wake();
        if (path.startsWith("/_control") || path.includes("/log-drains")) logs.drainsChanged();
      }
      if (!account || !logs.wants(account.id)) return;
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
