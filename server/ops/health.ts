import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { closingOf } from "../http/shutdown";
import type { Services } from "../platform/services";
import { packageVersion } from "../platform/version";

/**
 * `/_health` tells that the process lives and who it is; `/_ready` also that its store answers, so that a
 * balancer sends no requests before and after that. Neither needs a token.
 */
export function healthPaths(app: FastifyInstance, { store, log }: Services): void {
  const about = { service: "slipway", version: packageVersion(), instance: randomUUID() };
  const isClosing = closingOf(app);
  app.get("/_health", async () => ({ status: "ok", ...about }));
  app.get("/_ready", async (_request, reply) => {
    try {
      if (isClosing()) return reply.code(503).send({ status: "closing", ...about });
      await store.read((tx) => tx.selectFrom("meta").select("name").limit(1).execute());
      return { status: "ok", ...about };
    } catch (error) {
      log.error({ err: error }, "the store does not answer");
      return reply.code(503).send({ status: "unavailable", ...about });
    }
  });
}
