import type { ScopeName } from "../../server/access/scopes";
import { addIntegration } from "./integrations";
import type { Answer, TestServer } from "./world";

/** Creates what the paths of the endpoints name. */
export async function seedEndpoints(at: TestServer): Promise<void> {
  await addIntegration(at);
  const project = { team: "acme", project: "web" };
  await at.seed({
    projects: [{ id: "prj_web", team: "acme", name: "web" }],
    deployments: [
      { id: "dpl_1", ...project, target: "production" },
      { id: "dpl_2", ...project, target: "production" },
    ],
    domains: [{ ...project, name: "www.example.com", verified: true }],
    env: [{ ...project, key: "KEY", value: "value", type: "plain", target: ["preview"] }],
    installations: [{ id: "icfg_named", integration: "cron", team: "acme" }],
  });
}

export type Endpoint = readonly [
  method: string,
  path: string,
  body: object | undefined,
  success: number,
  scopes: ScopeName[],
];

/** The endpoints of the specification, each with a request that succeeds, and the scopes of the mapping. */
export const endpoints: readonly Endpoint[] = [
  ["POST", "/v10/projects", { name: "api" }, 200, ["read-write:project"]],
  ["GET", "/v9/projects", undefined, 200, ["read:project"]],
  ["GET", "/v9/projects/web", undefined, 200, ["read:project"]],
  ["PATCH", "/v9/projects/web", { gitLFS: true }, 200, ["read-write:project"]],
  ["DELETE", "/v9/projects/web", undefined, 204, ["read-write:project"]],
  ["POST", "/v1/projects/prj_web/pause", undefined, 200, ["read-write:project"]],
  ["POST", "/v1/projects/prj_web/unpause", undefined, 200, ["read-write:project"]],
  ["PATCH", "/v1/data-cache/projects/prj_web", { disabled: true }, 200, ["read-write:project"]],
  ["PATCH", "/v1/projects/web/protection-bypass", {}, 200, ["read-write:project"]],
  ["POST", "/v10/projects/prj_web/promote/dpl_1", undefined, 201, ["read-write:deployment"]],
  ["GET", "/v1/projects/prj_web/promote/aliases", undefined, 200, ["read:project"]],
  [
    "POST",
    "/v10/projects/web/domains",
    { name: "api.example.com" },
    200,
    ["read-write:project", "read-write:domain"],
  ],
  ["GET", "/v9/projects/web/domains", undefined, 200, ["read:project"]],
  ["GET", "/v9/projects/web/domains/www.example.com", undefined, 200, ["read:project"]],
  [
    "PATCH",
    "/v9/projects/web/domains/www.example.com",
    { redirect: null },
    200,
    ["read-write:project", "read-write:domain"],
  ],
  [
    "DELETE",
    "/v9/projects/web/domains/www.example.com",
    undefined,
    200,
    ["read-write:project", "read-write:domain"],
  ],
  ["POST", "/v9/projects/web/domains/www.example.com/verify", undefined, 200, ["read-write:project"]],
  [
    "POST",
    "/v10/projects/web/env",
    { key: "NEW", value: "v", type: "plain", target: ["preview"] },
    201,
    ["read-write:global-project-env-vars"],
  ],
  ["GET", "/v9/projects/web/env", undefined, 200, ["read-write:global-project-env-vars"]],
  ["GET", "/v1/projects/web/env/:env", undefined, 200, ["read-write:global-project-env-vars"]],
  ["PATCH", "/v9/projects/web/env/:env", { value: "w" }, 200, ["read-write:global-project-env-vars"]],
  ["DELETE", "/v9/projects/web/env/:env", undefined, 200, ["read-write:global-project-env-vars"]],
  ["GET", "/v1/integrations/configurations?view=account", undefined, 200, ["read:integration-configuration"]],
  ["GET", "/v2/user", undefined, 200, ["read:user"]],
  ["GET", "/v2/teams/acme", undefined, 200, ["read:team"]],
];

/** Sends an endpoint's request. @param options as in `TestServer.call` */
export async function sendTo(
  world: TestServer,
  [method, path, body]: Endpoint,
  options: Parameters<TestServer["call"]>[2] = {},
): Promise<Answer> {
  const { envs } = (await world.call("GET", "/v9/projects/web/env")).body;
  return world.call(method, path.replace(":env", envs[0].id), { ...options, ...(body ? { body } : {}) });
}
