import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sameSecret } from "../access/caller";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { clockRoutes } from "./clock";
import { dashboardRoutes } from "./dashboard";
import { deploymentRoutes } from "./deployments";
import { dnsRoutes } from "./dns";
import { faultRoutes } from "./faults";
import { integrationRoutes } from "./integrations";
import { promotionRoutes } from "./promotions";
import { recordRoutes } from "./records";
import { resetRoutes } from "./reset";
import { addControlRoute, type ControlRoute } from "./route";
import { seedRoutes } from "./seed";
import { snapshotRoutes } from "./snapshot";
import type { ControlState } from "./state";
import { teamRoutes } from "./teams";
import { transferRoutes } from "./transfers";

export const controlRoutes: readonly ControlRoute[] = [
  ...seedRoutes,
  ...snapshotRoutes,
  ...resetRoutes,
  ...deploymentRoutes,
  ...dnsRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...teamRoutes,
  ...promotionRoutes,
  ...integrationRoutes,
  ...transferRoutes,
  ...recordRoutes,
  ...dashboardRoutes,
];

export interface ControlOptions {
  /** What opens it. */
  token: string;
  /** Names besides `localhost` and plain addresses under which it is asked. */
  hosts: readonly string[];
  state: ControlState;
}

/**
 * The control plane: what stands around the API and no request of it can bring about (builds, the DNS, time,
 * trouble), for tests and for trying things out.
 */
export function controlPlane({ token, hosts, state }: ControlOptions) {
  return (app: FastifyInstance, services: Services): void => {
    app.register(
      async (scope) => {
        scope.addHook("onRequest", async (request) => {
          refuseForeignHost(request, hosts);
          refuseWithoutToken(request, token);
        });
        for (const route of controlRoutes) addControlRoute(scope, services, state, route);
      },
      { prefix: "/_control" },
    );
  };
}

/**
 * A page that a browser shows must not reach in by a name that it had pointed here.
 * @throws Refusal 403
 */
export function refuseForeignHost(request: FastifyRequest, hosts: readonly string[]): void {
  const name = request.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  if (name === "localhost" || isIP(name) !== 0 || hosts.includes(name)) return;
  throw new Refusal(
    403,
    "forbidden",
    `This part does not answer under the name ${JSON.stringify(name)}: allow it with --allowed-hosts.`,
  );
}

function refuseWithoutToken(request: FastifyRequest, token: string): void {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (given !== undefined && sameSecret(given, token)) return;
  throw new Refusal(
    401,
    "forbidden",
    "The control plane takes its control token: Authorization: Bearer <token>.",
  );
}
