import { documented, inputSchema, json, parameters, refused, withComponents } from "../ops/openapi";
import { packageVersion } from "../platform/version";
import type { ControlRoute } from "./route";

/** The summary of each request of the control plane, with a body that a fresh server accepts. */
const about: Record<string, readonly [id: string, summary: string, example?: unknown]> = {
  "POST /seed": [
    "seed",
    "Carries out a seed document, whole or not at all.",
    { projects: [{ team: "acme", name: "web" }] },
  ],
  "GET /snapshot": ["snapshot", "Returns the whole state in a stable order and without secrets."],
  "POST /reset": ["reset", "Goes back to how the server started."],
  "POST /deployments": [
    "putDeployments",
    "Adds deployments as builds would, or lets known ones go on: one, or several in an array.",
    { team: "acme", project: "web", target: "production", readyState: "READY", gitBranch: "main" },
  ],
  "PUT /dns/:name": [
    "putDnsRecords",
    "Sets the records of a name that have the type (TXT, A or CNAME) in the embedded zone: exactly these.",
    { type: "TXT", values: ["vc-domain-verify=example.com,0123456789abcdef0123"] },
  ],
  "DELETE /dns/:name": [
    "deleteDnsRecords",
    "Removes the records of a name, or with `type` those of one type.",
  ],
  "POST /clock": [
    "advanceClock",
    "Moves time on; what became due is done before it answers.",
    { advanceMs: 60_000 },
  ],
  "POST /faults": [
    "addFaults",
    "Lets coming requests fail, be dropped or wait.",
    [{ method: "POST", path: "/v10/projects", kind: "drop-after", times: 1 }],
  ],
  "DELETE /faults": ["clearFaults", "Takes all faults back."],
  "PATCH /teams/:team": ["changeTeam", "Changes the plan, add-ons and blocks of a team.", { plan: "pro" }],
  "DELETE /teams/:team/members/:user": ["removeMember", "Has a member leave a team."],
  "POST /builds": [
    "planBuilds",
    "Says how builds go from now on; {} is a second each, and none fails.",
    { buildMs: 60_000, error: { code: "BUILD_FAILED", message: "Command exited with 1" } },
  ],
  "POST /promotions": [
    "planPromotions",
    "Says how promotions go from now on; {} is at once, and none fails.",
    { delayMs: 1000, failAliases: ["example.com"] },
  ],
  "POST /integrations/:integration/install": [
    "installIntegration",
    "Installs an integration, and returns where that sends the browser.",
    { team: "acme", installedBy: "dev", scopes: ["read-write:project"] },
  ],
  "POST /integrations/:integration/scopes": [
    "requestScopes",
    "Has an integration ask for other scopes.",
    { scopes: ["read-write:project", "read:team"] },
  ],
  "POST /installations/:id/confirm-scopes": [
    "confirmScopes",
    "Confirms the pending scopes of an installation.",
    { user: "dev" },
  ],
  "POST /installations/:id/owner": [
    "transferInstallation",
    "Hands an installation over to another owner.",
    { user: "dev" },
  ],
  "POST /installations/:id/enable": ["enableInstallation", "Enables an installation that was disabled.", {}],
  "POST /installations/:id/remove": ["removeInstallation", "Removes an installation.", { user: "dev" }],
  "POST /projects/:id/transfer": [
    "beginTransfer",
    "Begins to move a project to another account. Until that is complete, writes to it are refused.",
    { toUser: "dev" },
  ],
  "POST /projects/:id/transfer/complete": ["completeTransfer", "Completes the transfer of a project."],
  "GET /requests": ["getRequests", "Lists the last requests of the API, newest first."],
  "GET /events": [
    "getEvents",
    "Lists what happened in the accounts, newest first, and how far deliveries are.",
  ],
  "GET /mail": ["getMail", "Lists the mail that the service sent, newest first."],
  "POST /dashboard": ["openDashboard", "Makes a link to the dashboard, which opens one session."],
};

/** The control plane as OpenAPI 3.1. */
export function controlOpenApi(routes: readonly ControlRoute[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = documented(`/_control${route.path}`);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Slipway control plane",
      version: packageVersion(),
      description:
        "What no request of the API brings about: builds, DNS, time, trouble. It is off unless the server was started with --control-token, and takes that token alone.",
    },
    servers: [{ url: "/" }],
    security: [{ controlToken: [] }],
    ...withComponents(paths, { controlToken: { type: "http", scheme: "bearer" } }),
  };
}

/** The first segment of the path, as a heading. */
function tagOf(path: string): string {
  const segment = path.split("/")[1] ?? "";
  return segment === "dns" ? "DNS" : segment.charAt(0).toUpperCase() + segment.slice(1);
}

function operation({ method, path, params, query, body }: ControlRoute): Record<string, unknown> {
  const [operationId, summary, example] = about[`${method} ${path}`] ?? [];
  const content = body && json(inputSchema(body), example);
  return {
    operationId,
    summary,
    tags: [tagOf(path)],
    parameters: [...parameters(path, params, "path"), ...parameters(path, query, "query")],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      200: { description: "Done; the body tells what came of it.", content: json({}) },
      204: { description: "Done." },
      400: refused("`bad_request`: an invalid value in the body or the query"),
      401: refused("`forbidden`: the control token is missing or another one"),
      403: refused("`forbidden`: it is asked for under a name that is not allowed"),
      404: refused("`not_found`: there is no such object"),
    },
  };
}
