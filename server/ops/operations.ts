import { unversioned } from "../http/router";

/** What the official client calls each operation, where it has it; what it has not is named in the same way. */
const ids: Record<string, string> = {
  "POST /projects": "createProject",
  "GET /projects": "getProjects",
  "GET /projects/*": "getProject",
  "PATCH /projects/*": "updateProject",
  "DELETE /projects/*": "deleteProject",
  "POST /projects/*/pause": "pauseProject",
  "POST /projects/*/unpause": "unpauseProject",
  "PATCH /data-cache/projects/*": "updateProjectDataCache",
  "PATCH /projects/*/protection-bypass": "updateProjectProtectionBypass",
  "POST /projects/*/link": "linkProject",
  "DELETE /projects/*/link": "unlinkProject",
  "PATCH /projects/*/branch": "updateProjectBranch",
  "POST /projects/*/deploy-hooks": "createDeployHook",
  "DELETE /projects/*/deploy-hooks/*": "deleteDeployHook",
  "POST /projects/*/promote/*": "requestPromote",
  "GET /projects/*/promote/aliases": "listPromoteAliases",
  "POST /projects/*/rollback/*": "requestRollback",
  "GET /projects/*/rollback/aliases": "listRollbackAliases",
  "POST /projects/*/domains": "addProjectDomain",
  "GET /projects/*/domains": "getProjectDomains",
  "GET /projects/*/domains/*": "getProjectDomain",
  "PATCH /projects/*/domains/*": "updateProjectDomain",
  "DELETE /projects/*/domains/*": "removeProjectDomain",
  "POST /projects/*/domains/*/verify": "verifyProjectDomain",
  "POST /projects/*/alias": "addProjectAlias",
  "DELETE /projects/*/alias": "removeProjectAlias",
  "GET /project-domains/*": "findProjectDomain",
  "GET /domains/*/config": "getDomainConfig",
  "GET /domains": "getDomains",
  "GET /domains/*": "getDomain",
  "GET /domains/*/project-domains": "getDomainProjectDomains",
  "GET /registrar/domains/*/price": "getDomainPrice",
  "POST /projects/*/env": "createProjectEnv",
  "GET /projects/*/env": "filterProjectEnvs",
  "GET /projects/*/env/*": "getProjectEnv",
  "PATCH /projects/*/env/*": "editProjectEnv",
  "DELETE /projects/*/env/*": "removeProjectEnv",
  "DELETE /projects/*/env": "batchRemoveProjectEnv",
  "GET /env/pull/*/*": "pullProjectEnvs",
  "GET /env/pull/*/*/*": "pullProjectEnvsOfBranch",
  "GET /projects/*/custom-environments": "getProjectsByIdOrNameCustomEnvironments",
  "POST /projects/*/custom-environments": "createCustomEnvironment",
  "GET /projects/*/custom-environments/*": "getCustomEnvironment",
  "PATCH /projects/*/custom-environments/*": "updateCustomEnvironment",
  "DELETE /projects/*/custom-environments/*": "removeCustomEnvironment",
  "GET /deployments": "getDeployments",
  "GET /deployments/*": "getDeployment",
  "GET /deployments/*/builds": "getDeploymentBuilds",
  "POST /deployments": "createDeployment",
  "POST /files": "uploadFile",
  "GET /user": "getAuthUser",
  "GET /teams": "getTeams",
  "GET /teams/*": "getTeam",
  "GET /teams/*/members": "getTeamMembers",
  "GET /integrations/configurations": "getConfigurations",
  "GET /integrations/configuration/*": "getConfiguration",
  "DELETE /integrations/configuration/*": "deleteConfiguration",
  "GET /integrations/configuration/*/project/*": "getConfigurationProject",
  "POST /integrations/configuration/*/project/*": "addConfigurationProject",
  "POST /oauth/access_token": "exchangeCode",
  "POST /webhooks": "createWebhook",
  "GET /webhooks": "getWebhooks",
  "GET /webhooks/*": "getWebhook",
  "DELETE /webhooks/*": "deleteWebhook",
  "POST /integrations/log-drains": "createLogDrain",
  "GET /integrations/log-drains": "getIntegrationLogDrains",
  "DELETE /integrations/log-drains/*": "deleteIntegrationLogDrain",
  "POST /log-drains": "createConfigurableLogDrain",
  "GET /log-drains": "getAllLogDrains",
  "GET /log-drains/*": "getConfigurableLogDrain",
  "DELETE /log-drains/*": "deleteConfigurableLogDrain",
};

/** Method and path, without its version and the names of its parameters. */
const nameless = (method: string, path: string): string =>
  `${method} ${unversioned(path).replace(/:\w+/g, "*")}`;

/** @returns undefined for an operation that is not in the list */
export const officialId = (method: string, path: string): string | undefined => ids[nameless(method, path)];

/** What stands together in the document; the first that a path fits. */
const tags: readonly (readonly [tag: string, fits: RegExp])[] = [
  ["Environment variables", /^\/projects\/\*\/env|^\/env\//],
  ["Custom environments", /\/custom-environments/],
  ["Promotions", /\/(?:promote|rollback)\//],
  ["Domains", /^\/projects\/\*\/(?:domains|alias)|domains/],
  ["Projects", /^\/(?:projects|data-cache)/],
  ["Deployments", /^\/(?:deployments|files)/],
  ["Log drains", /log-drains/],
  ["Webhooks", /^\/webhooks/],
  ["Integrations", /^\/(?:integrations|oauth)/],
];

export function tagOf(method: string, path: string): string {
  const wanted = nameless(method, path).slice(method.length + 1);
  return tags.find(([, fits]) => fits.test(wanted))?.[0] ?? "Accounts";
}

/** Bodies that a fresh server takes, by operation. */
export const examples: Record<string, unknown> = {
  createProject: {
    name: "web",
    framework: "nextjs",
    environmentVariables: [{ key: "GREETING", value: "hello", type: "plain", target: ["preview"] }],
  },
  updateProject: { framework: "astro", nodeVersion: "22.x" },
  updateProjectDataCache: { disabled: true },
  updateProjectProtectionBypass: { generate: { note: "for the tests" } },
  linkProject: { type: "github", repo: "acme/web" },
  updateProjectBranch: { branch: "main" },
  removeProjectDomain: { removeRedirects: true },
  addProjectAlias: { domain: "www.example.com" },
  addProjectDomain: { name: "www.example.com" },
  updateProjectDomain: { gitBranch: "next" },
  createProjectEnv: {
    key: "API_URL",
    value: "https://api.example.com",
    type: "plain",
    target: ["production"],
  },
  editProjectEnv: { value: "https://api.example.org", comment: "moved" },
  createCustomEnvironment: { slug: "staging", branchMatcher: { type: "startsWith", pattern: "release/" } },
  batchRemoveProjectEnv: { ids: ["env_1"] },
  updateCustomEnvironment: { description: "Release candidates" },
  removeCustomEnvironment: { deleteUnassignedEnvironmentVariables: true },
  addConfigurationProject: { allowed: true },
  exchangeCode: {
    client_id: "oac_1",
    client_secret: "secret",
    code: "code",
    redirect_uri: "https://integration.example.com/callback",
    grant_type: "authorization_code",
  },
  createLogDrain: { name: "audit", url: "https://logs.example.com", deliveryFormat: "json" },
  createConfigurableLogDrain: {
    url: "https://logs.example.com",
    deliveryFormat: "ndjson",
    sources: ["build", "edge"],
  },
  createDeployment: { name: "web", target: "production" },
  createWebhook: { url: "http://127.0.0.1:8080/hook", events: ["deployment.created"] },
};
