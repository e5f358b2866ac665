import type { App } from "../http/app";
import { type MissingPaths, noSuchPath } from "../http/router";
import { loadAssets } from "../platform/assets";
import type { Services } from "../platform/services";
import { Dashboard, type DashboardOptions, isForDashboard } from ".";

/** Adds the dashboard to the server as a middleware before the API. */
export function serveDashboard(
  app: App,
  services: Services,
  options: Omit<DashboardOptions, "services" | "assets">,
): void {
  const dashboard = new Dashboard({ ...options, services, assets: loadAssets("dashboard/app") });
  app.use(async ({ request, response }, next) => {
    if (!isForDashboard(request)) return next();
    await dashboard.handle(request, response);
    return undefined;
  });
  app.onClose(() => dashboard.close());
}

/** The answer to requests to the dashboard while the dashboard is off. */
export const dashboardOff: MissingPaths = {
  path: /^\/_dashboard(?=\/|$)/,
  refusal: () => noSuchPath("The dashboard is off: start the server with --dashboard on."),
};
