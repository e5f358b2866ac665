import type { FastifyInstance } from "fastify";
import { loadAssets } from "../platform/assets";
import { once } from "../platform/lazy";
import type { Services } from "../platform/services";
import type * as DashboardPart from ".";
import type { DashboardOptions } from ".";

/** Hangs the dashboard into the server: what is for it never reaches the API's own steps. */
export function dashboardPages(options: Omit<DashboardOptions, "services" | "assets">) {
  return (app: FastifyInstance, services: Services): void => {
    const assets = loadAssets("dashboard/app");
    // Not loaded before somebody looks at it.
    const part = once((): typeof DashboardPart => require("."));
    const dashboard = once(() => new (part().Dashboard)({ ...options, services, assets }));
    let opened = false;
    app.addHook("onRequest", async (request, reply) => {
      if (!isNear(request.raw.url) || !part().isForDashboard(request.raw)) return;
      opened = true;
      reply.hijack();
      await dashboard().handle(request.raw, reply.raw);
    });
    app.addHook("preClose", async () => {
      if (opened) dashboard().close();
    });
  };
}

/** Rules out almost every request without loading anything. */
const isNear = (url = ""): boolean => url.length < 2 || url.startsWith("/_d") || url.startsWith("/?");
