import type { Operation } from "../operations";

/** An operation, what is sent to it, and the code with which it is refused. */
export type Row = readonly [operation: Operation, request: object, code?: string];

/** The names in a path, whatever the operation calls them. */
export const naming = (project: string) => ({
  idOrName: project,
  projectId: project,
  domain: "www.example.com",
  id: "unknown",
  deploymentId: "dpl_unknown",
});

export const body = (requestBody: object) => ({ requestBody });
export const variable = { key: "ONE", value: "1", type: "plain", target: ["preview"] };

/** One request of each of the specification's operations, which lacks only what its path names. */
export const everyOperation: readonly Row[] = [
  ["POST /v10/projects", body({ name: "some-name" })],
  ["GET /v9/projects", {}],
  ["GET /v9/projects/:idOrName", {}],
  ["PATCH /v9/projects/:idOrName", body({ framework: "nextjs" })],
  ["DELETE /v9/projects/:idOrName", {}],
  ["POST /v1/projects/:projectId/pause", {}],
  ["POST /v1/projects/:projectId/unpause", {}],
  ["PATCH /v1/data-cache/projects/:projectId", body({ disabled: true })],
  ["PATCH /v1/projects/:idOrName/protection-bypass", body({})],
  ["POST /v10/projects/:projectId/promote/:deploymentId", {}],
  ["GET /v1/projects/:projectId/promote/aliases", {}],
  ["POST /v10/projects/:idOrName/domains", body({ name: "www.example.com" })],
  ["GET /v9/projects/:idOrName/domains", {}],
  ["GET /v9/projects/:idOrName/domains/:domain", {}],
  ["PATCH /v9/projects/:idOrName/domains/:domain", body({ redirect: null })],
  ["DELETE /v9/projects/:idOrName/domains/:domain", body({})],
  ["POST /v9/projects/:idOrName/domains/:domain/verify", {}],
  ["POST /v10/projects/:idOrName/env", body(variable)],
  ["GET /v9/projects/:idOrName/env", {}],
  ["GET /v1/projects/:idOrName/env/:id", {}],
  ["PATCH /v9/projects/:idOrName/env/:id", body({ value: "2" })],
  ["DELETE /v9/projects/:idOrName/env/:id", {}],
];
