import type { Generation } from "./generations";

const all: readonly Generation[] = ["k3", "k6", "k28"];
const from6: readonly Generation[] = ["k6", "k28"];
const until6: readonly Generation[] = ["k3", "k6"];
const not6: readonly Generation[] = ["k3", "k28"];
const only28: readonly Generation[] = ["k28"];
const none: readonly Generation[] = [];

/** The specification's operations, and which generations have them. */
export const specified = {
  "POST /v10/projects": all,
  "GET /v9/projects": all,
  // The older two read a project by its name in the list.
  "GET /v9/projects/:idOrName": only28,
  "PATCH /v9/projects/:idOrName": all,
  "DELETE /v9/projects/:idOrName": all,
  "POST /v1/projects/:projectId/pause": from6,
  "POST /v1/projects/:projectId/unpause": from6,
  "PATCH /v1/data-cache/projects/:projectId": until6,
  "PATCH /v1/projects/:idOrName/protection-bypass": all,
  "POST /v10/projects/:projectId/promote/:deploymentId": all,
  "GET /v1/projects/:projectId/promote/aliases": all,
  "POST /v10/projects/:idOrName/domains": all,
  "GET /v9/projects/:idOrName/domains": all,
  "GET /v9/projects/:idOrName/domains/:domain": all,
  "PATCH /v9/projects/:idOrName/domains/:domain": all,
  "DELETE /v9/projects/:idOrName/domains/:domain": all,
  "POST /v9/projects/:idOrName/domains/:domain/verify": all,
  "POST /v10/projects/:idOrName/env": all,
  "GET /v9/projects/:idOrName/env": all,
  "GET /v1/projects/:idOrName/env/:id": all,
  "PATCH /v9/projects/:idOrName/env/:id": all,
  "DELETE /v9/projects/:idOrName/env/:id": all,
  // Made for the servers of integrations, which have no client of the API before it.
  "POST /v2/oauth/access_token": none,
} satisfies Record<string, readonly Generation[]>;

/** Operations that the server has beside the specification, as far as a generation has them. */
export const surrounding = {
  "GET /v2/user": all,
  "GET /v2/teams": all,
  "GET /v2/teams/:teamIdOrSlug": all,
  "PATCH /v2/teams/:teamIdOrSlug": all,
  "POST /v3/user/tokens": all,
  "GET /v6/user/tokens": all,
  "GET /v5/user/tokens/:tokenId": all,
  "DELETE /v3/user/tokens/:tokenId": all,
  // k6 has it, and never fills in the team that its path names: each call fails before it is sent.
  "GET /v3/teams/:teamIdOrSlug/members": not6,
  "POST /v2/teams/:teamIdOrSlug/members": all,
  "PATCH /v1/teams/:teamIdOrSlug/members/:uid": all,
  "DELETE /v1/teams/:teamIdOrSlug/members/:uid": all,
  "POST /v1/teams/:teamIdOrSlug/members/teams/join": all,
  "GET /v1/projects/:idOrName/members": all,
  "POST /v1/projects/:idOrName/members": all,
  "DELETE /v1/projects/:idOrName/members/:uid": all,
  // Of the Terraform provider alone.
  "PATCH /v1/projects/:idOrName/members": none,
  "POST /v1/projects/:idOrName/members/batch": none,
  "DELETE /v1/projects/:idOrName/members/batch": none,
  "PATCH /v1/projects/:idOrName/crons": none,
  "PATCH /v9/projects/:idOrName/deployment-expiration": none,
  "GET /v1/access-groups": all,
  "POST /v1/access-groups": all,
  "GET /v1/access-groups/:idOrName": all,
  "POST /v1/access-groups/:idOrName": all,
  "DELETE /v1/access-groups/:idOrName": all,
  "GET /v1/access-groups/:idOrName/members": all,
  "GET /v1/access-groups/:idOrName/projects": all,
  "POST /v1/access-groups/:accessGroupIdOrName/projects": all,
  "GET /v1/access-groups/:accessGroupIdOrName/projects/:projectId": all,
  "PATCH /v1/access-groups/:accessGroupIdOrName/projects/:projectId": all,
  "DELETE /v1/access-groups/:accessGroupIdOrName/projects/:projectId": all,
  "GET /v1/projects/:idOrName/rolling-release": only28,
  "GET /v1/projects/:idOrName/rolling-release/billing": only28,
  "GET /v1/projects/:idOrName/rolling-release/config": only28,
  // Its method sends no body.
  "PATCH /v1/projects/:idOrName/rolling-release/config": none,
  "DELETE /v1/projects/:idOrName/rolling-release/config": only28,
  "POST /v1/projects/:idOrName/rolling-release/start": only28,
  "POST /v1/projects/:idOrName/rolling-release/approve-stage": only28,
  "POST /v1/projects/:idOrName/rolling-release/complete": only28,
  "POST /v1/security/attack-mode": all,
  "GET /v1/security/firewall/bypass": all,
  "POST /v1/security/firewall/bypass": all,
  "DELETE /v1/security/firewall/bypass": all,
  "PUT /v1/security/firewall/config": ["k3", "k28"],
  "PATCH /v1/security/firewall/config": all,
  // No generation has a method for it.
  "PATCH /v1/security/firewall/config/:configVersion": none,
  "GET /v1/security/firewall/config/:configVersion": all,
  // The methods of the newest send no project.
  "GET /v1/security/firewall/config": none,
  "DELETE /v1/security/firewall/config/:configVersion": none,
  "POST /v1/security/firewall/config/:configVersion/activate": none,
  // The newest expects one object instead of a list.
  "GET /v1/edge-config": until6,
  "POST /v1/edge-config": all,
  "GET /v1/edge-config/:id": all,
  "PUT /v1/edge-config/:id": all,
  "DELETE /v1/edge-config/:id": all,
  // The older two expect one object instead of a list.
  "GET /v1/edge-config/:id/items": only28,
  "GET /v1/edge-config/:id/item/:key": all,
  // No generation has a method for it.
  "PATCH /v1/edge-config/:id/items": none,
  "GET /v1/edge-config/:id/schema": all,
  "POST /v1/edge-config/:id/schema": all,
  "DELETE /v1/edge-config/:id/schema": all,
  // Each expects one object instead of a list.
  "GET /v1/edge-config/:id/tokens": none,
  "GET /v1/edge-config/:id/token/:token": all,
  "POST /v1/edge-config/:id/token": all,
  "DELETE /v1/edge-config/:id/tokens": all,
  "GET /v6/deployments": all,
  "GET /v13/deployments/:id": all,
  "POST /v13/deployments": all,
  "GET /v6/deployments/:id/files": all,
  "GET /v3/deployments/:id/events": all,
  "PATCH /v12/deployments/:id/cancel": all,
  "DELETE /v13/deployments/:id": all,
  "POST /v2/files": from6,
  // It sells no domains.
  "GET /v1/registrar/domains/:domain/price": none,
  // The newest sends no access token with it.
  "GET /v1/registrar/domains/:domain/availability": none,
  "POST /v7/domains": all,
  "PATCH /v3/domains/:domain": all,
  "GET /v5/domains": all,
  "GET /v5/domains/:domain": all,
  "DELETE /v6/domains/:domain": all,
  "GET /v1/domains/:domain/project-domains": only28,
  "GET /v5/domains/:domain/records": all,
  "POST /v2/domains/:domain/records": all,
  // The newest sends no access token with it.
  "GET /v5/domains/records/:recordId": none,
  // It sends no file.
  "PUT /v3/domains/:domain/records": none,
  "PATCH /v1/domains/records/:recordId": all,
  "DELETE /v2/domains/:domain/records/:recordId": all,
  "GET /v1/env": only28,
  // Of the Terraform provider alone.
  "GET /v1/env/all": none,
  "POST /v1/env": only28,
  "PATCH /v1/env": only28,
  "DELETE /v1/env": only28,
  "GET /v1/env/:id": only28,
  "PATCH /v1/env/:id/unlink/:projectId": only28,
  "GET /v4/certs": only28,
  "POST /v1/projects/:idOrName/token": only28,
  // Of the command line alone.
  "POST /v1/edge-cache/purge-all": none,
  "DELETE /v1/data-cache/purge-all": none,
  "GET /v4/aliases": all,
  "GET /v4/aliases/:idOrAlias": all,
  "DELETE /v2/aliases/:aliasId": all,
  "GET /v2/deployments/:id/aliases": all,
  "POST /v2/deployments/:id/aliases": all,
  "GET /v6/domains/:domain/config": all,
  "POST /v9/projects/:projectId/rollback/:deploymentId": only28,
  "POST /v9/projects/:idOrName/custom-environments": all,
  "GET /v9/projects/:idOrName/custom-environments": all,
  "GET /v9/projects/:idOrName/custom-environments/:environment": all,
  "PATCH /v9/projects/:idOrName/custom-environments/:environment": all,
  "DELETE /v9/projects/:idOrName/custom-environments/:environment": all,
  "DELETE /v1/projects/:idOrName/env": only28,
  "GET /v1/integrations/configurations": all,
  "GET /v1/integrations/configuration/:id": all,
  "DELETE /v1/integrations/configuration/:id": all,
  "POST /v2/integrations/log-drains": all,
  "GET /v2/integrations/log-drains": all,
  "DELETE /v1/integrations/log-drains/:id": all,
  "POST /v1/log-drains": not6,
  "GET /v1/log-drains": not6,
  "GET /v1/log-drains/:id": not6,
  "DELETE /v1/log-drains/:id": all,
  "POST /v1/drains": only28,
  "GET /v1/drains": only28,
  "GET /v1/drains/:id": only28,
  "PATCH /v1/drains/:id": only28,
  "DELETE /v1/drains/:id": only28,
  "POST /v1/webhooks": all,
  "GET /v1/webhooks": all,
  "GET /v1/webhooks/:id": all,
  "DELETE /v1/webhooks/:id": all,
} satisfies Record<string, readonly Generation[]>;

/** Operations that a generation has and cannot carry out: with any server, or because this one refuses them. */
export const broken: Record<Generation, readonly Operation[]> = {
  k3: ["POST /v2/files", "GET /v1/edge-config/:id/items", "GET /v1/edge-config/:id/tokens"],
  k6: [
    "GET /v3/teams/:teamIdOrSlug/members",
    "GET /v1/edge-config/:id/items",
    "GET /v1/edge-config/:id/tokens",
  ],
  k28: [
    "PATCH /v1/projects/:idOrName/rolling-release/config",
    "GET /v1/registrar/domains/:domain/price",
    "GET /v1/registrar/domains/:domain/availability",
    "GET /v5/domains/records/:recordId",
    "PUT /v3/domains/:domain/records",
    "GET /v1/edge-config",
    "GET /v1/edge-config/:id/tokens",
    "GET /v1/security/firewall/config",
    "DELETE /v1/security/firewall/config/:configVersion",
    "POST /v1/security/firewall/config/:configVersion/activate",
  ],
};

export const operations: Record<Operation, readonly Generation[]> = { ...specified, ...surrounding };
export type Operation = keyof typeof specified | keyof typeof surrounding;
