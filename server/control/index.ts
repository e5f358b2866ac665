import { sameSecret } from "../access/caller";
import type { App } from "../http/app";
import type { RequestContext } from "../http/context";
import { refuseForeignHost } from "../http/hosts";
import { type MissingPaths, noSuchPath } from "../http/router";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { consistencyRoutes } from "./consistency";
import { faultRoutes } from "./faults";
import { type ControlRoute, controlHandler } from "./route";
import { buildRoutes } from "./routes/builds";
import { clockRoutes } from "./routes/clock";
import { dashboardRoutes } from "./routes/dashboard";
import { deploymentRoutes } from "./routes/deployments";
import { developmentRoutes } from "./routes/development";
import { dnsRoutes } from "./routes/dns";
import { integrationRoutes } from "./routes/integrations";
import { promotionRoutes } from "./routes/promotions";
import { recordRoutes } from "./routes/records";
import { resetRoutes } from "./routes/reset";
import { seedRoutes } from "./routes/seed";
import { snapshotRoutes } from "./routes/snapshot";
import { stateRoutes } from "./routes/states";
import { teamRoutes } from "./routes/teams";
import { transferRoutes } from "./routes/transfers";
import type { ControlState } from "./state";

export const controlRoutes: readonly ControlRoute[] = [
  ...seedRoutes,
  ...snapshotRoutes,
  ...resetRoutes,
  ...stateRoutes,
  ...deploymentRoutes,
  ...dnsRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...consistencyRoutes,
  ...teamRoutes,
  ...buildRoutes,
  ...promotionRoutes,
  ...integrationRoutes,
  ...transferRoutes,
  ...recordRoutes,
  ...dashboardRoutes,
  ...developmentRoutes,
];

export interface ControlOptions {
  /** The control token. */
  token: string;
  /** The host names that requests may use, besides `localhost` and IP addresses. */
  hosts: readonly string[];
  state: ControlState;
}

/**
 * Serves the control plane, for tests and experiments. It simulates events outside the API, such as builds, DNS
 * changes, the passing of time and faults.
 */
export function serveControl(app: App, services: Services, { token, hosts, state }: ControlOptions): void {
  const guard = ({ headers }: RequestContext): void => {
    refuseForeignHost(headers.host, hosts);
    refuseWithoutToken(headers.authorization, token);
  };
  // Without the token, unknown paths get the same answer as known ones.
  app.use(async (context, next) => {
    if (/^\/_control(?=\/|$)/.test(context.routedPath)) guard(context);
    return next();
  });
  for (const route of controlRoutes) {
    const handle = controlHandler(services, state, route);
    // Each route checks the token again, because other spellings of its path, such as /%5Fcontrol, reach it too.
    app.route(route.method, `/_control${route.path}`, (context) => {
      guard(context);
      return handle(context);
    });
  }
}

function refuseWithoutToken(authorization = "", token: string): void {
  const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (given !== undefined && sameSecret(given, token)) return;
  throw new Refusal(
    401,
    "forbidden",
    "The control plane needs its control token. Send Authorization: Bearer <token>.",
  );
}

/** The answer to a request below `/_control` that no route matches. @param isOn true if the control plane is on */
export const missingControlPaths = (isOn: boolean): MissingPaths => ({
  path: /^\/_control(?=\/|$)/,
  refusal: () =>
    noSuchPath(
      isOn
        ? "GET /openapi-control.json lists the paths of the control plane."
        : "The control plane is off: start the server with --control-token <token>.",
    ),
});
