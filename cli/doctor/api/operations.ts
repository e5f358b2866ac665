import * as z from "zod";
import * as responses from "../../../provider/client/responses";

/** A GET operation of the provider. */
export interface Operation {
  /** The path in the OpenAPI document of the bundled server. */
  readonly path: `/${string}`;
  /** How the provider reads the answer. */
  readonly shape: z.ZodType;
  /** The kind of object, for progress and for objects that the account does not have. */
  readonly kind: string;
  /** The member of the answer that has the items of a list; "" if the answer itself is the list. */
  readonly items?: string;
  /** The member by which the list is sorted, the newest first. */
  readonly newestBy?: string;
  /** The member of an object that must equal the last parameter of the path. */
  readonly id?: string;
}

const operation = (
  path: Operation["path"],
  kind: string,
  shape: z.ZodType,
  more: Pick<Operation, "items" | "newestBy" | "id"> = {},
): Operation => ({ path, kind, shape, ...more });

export const user = operation("/v2/user", "user", responses.user);
export const teams = operation("/v2/teams", "teams", responses.teamList, { items: "teams" });
export const team = operation("/v2/teams/{teamIdOrSlug}", "team", responses.team);
export const teamMembers = operation(
  "/v3/teams/{teamIdOrSlug}/members",
  "members of the team",
  responses.memberList,
  { items: "members" },
);
export const projects = operation("/v9/projects", "projects", responses.projectList, {
  items: "projects",
  newestBy: "updatedAt",
});
export const project = operation("/v9/projects/{idOrName}", "project", responses.project, { id: "id" });
export const projectMembers = operation(
  "/v1/projects/{idOrName}/members",
  "members of projects",
  responses.projectMemberList,
  { items: "members" },
);
export const promotedAliases = operation(
  "/v1/projects/{projectId}/promote/aliases",
  "promoted aliases",
  responses.aliasList,
  { items: "aliases" },
);
export const domains = operation("/v9/projects/{idOrName}/domains", "domains", responses.domainList, {
  items: "domains",
  newestBy: "createdAt",
});
export const domain = operation("/v9/projects/{idOrName}/domains/{domain}", "domain", responses.domain, {
  id: "name",
});
export const domainConfig = operation(
  "/v6/domains/{domain}/config",
  "configurations of domains",
  responses.domainConfig,
);
export const variables = operation("/v9/projects/{idOrName}/env", "variables", responses.variableList, {
  items: "envs",
});
export const variable = operation("/v1/projects/{idOrName}/env/{id}", "variable", responses.variable, {
  id: "id",
});
export const environments = operation(
  "/v9/projects/{idOrName}/custom-environments",
  "custom environments",
  responses.customEnvironmentList,
  { items: "environments" },
);
export const environment = operation(
  "/v9/projects/{idOrName}/custom-environments/{environment}",
  "custom environment",
  responses.customEnvironment,
  { id: "id" },
);
export const bypasses = operation(
  "/v1/security/firewall/bypass",
  "firewall bypasses",
  responses.firewallBypassList,
  { items: "result" },
);
export const deployments = operation("/v6/deployments", "deployments", responses.deploymentList, {
  items: "deployments",
  newestBy: "createdAt",
});
export const deployment = operation("/v13/deployments/{id}", "deployment", responses.oneDeployment, {
  id: "id",
});
export const accountDomains = operation(
  "/v5/domains",
  "domains of the account",
  responses.accountDomainList,
  { items: "domains" },
);
export const accountDomain = operation(
  "/v5/domains/{domain}",
  "domain of the account",
  responses.accountDomain,
);
export const dnsRecords = operation("/v5/domains/{domain}/records", "DNS records", responses.dnsRecordList, {
  items: "records",
});
export const dnsRecord = operation("/v5/domains/records/{recordId}", "DNS record", responses.dnsRecord, {
  id: "id",
});
export const sharedVariables = operation("/v1/env", "shared variables", responses.sharedVariableList, {
  items: "data",
});
export const sharedVariable = operation("/v1/env/{id}", "shared variable", responses.sharedVariable, {
  id: "id",
});
export const edgeConfigs = operation("/v1/edge-config", "Edge Configs", responses.edgeConfigList, {
  items: "",
});
export const edgeConfig = operation("/v1/edge-config/{id}", "Edge Config", responses.edgeConfig, {
  id: "id",
});
export const edgeConfigItems = operation(
  "/v1/edge-config/{id}/items",
  "items of Edge Configs",
  responses.edgeConfigItemList,
  { items: "" },
);
export const edgeConfigItem = operation(
  "/v1/edge-config/{id}/item/{key}",
  "item of an Edge Config",
  responses.edgeConfigItem,
  { id: "key" },
);
export const edgeConfigTokens = operation(
  "/v1/edge-config/{id}/tokens",
  "tokens of Edge Configs",
  z.array(responses.edgeConfigToken),
  { items: "" },
);
export const webhooks = operation("/v1/webhooks", "webhooks", z.array(responses.webhook), { items: "" });
export const webhook = operation("/v1/webhooks/{id}", "webhook", responses.webhook, { id: "id" });
export const drains = operation("/v1/drains", "drains", responses.drainList, { items: "drains" });
export const drain = operation("/v1/drains/{id}", "drain", responses.drain, { id: "id" });
