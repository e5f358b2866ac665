import * as pulumi from "@pulumi/pulumi";
import * as slipway from "@slipway/pulumi";

const config = new pulumi.Config();

const web = new slipway.Project("web", { name: "web", framework: config.get("framework") ?? "nextjs" });
const apex = new slipway.ProjectDomain("apex", { project: web.id, name: "example.com" });
new slipway.ProjectDomain("www", {
  project: web.id,
  name: config.get("redirecting") ?? "www.example.com",
  redirect: apex.name,
});
new slipway.EnvVar("secret", {
  project: web.id,
  key: "SECRET",
  value: "canary-value",
  type: "sensitive",
  target: ["production"],
});
new slipway.EnvVars("many", {
  project: web.id,
  variables: { A: "canary-a", B: { value: "canary-b", type: "plain" } },
});
new slipway.Deployment("built", { project: web.id, redeploy: "dpl_one", triggers: ["one", { two: [2] }] });
new slipway.Deployment("site", { project: web.id, directory: "site", environment: { KEY: "canary-key" } });
new slipway.Deployment("output", { project: web.id, prebuilt: "output" });
new slipway.Deployment("pushed", { project: "docs", ref: "main", onDestroy: "delete" });
new slipway.Promotion("live", { project: web.id, deployment: config.get("deployment") ?? "dpl_one" });

const beta = new slipway.Provider("beta", { token: "canary-any-team", team: "beta" });
new slipway.Project("other", {}, { provider: beta });

export const projectId = web.id;
export const challenge = apex.verification;
export const found = slipway.getProjectOutput({ project: "docs" }).framework;

const docs = { project: "docs" };
const staging = { ...docs, environment: "staging" };
const deployment = { ...docs, id: "dpl_docs" };
const domain = { ...docs, domain: "docs.test" };

export const lookups = {
  getProject: slipway.getProject(docs),
  getProjectOutput: slipway.getProjectOutput(docs),
  getProjects: slipway.getProjects({ search: "doc" }),
  getProjectsOutput: slipway.getProjectsOutput({ search: "doc" }),
  getProjectDomains: slipway.getProjectDomains(docs),
  getProjectDomainsOutput: slipway.getProjectDomainsOutput(docs),
  getEnvVars: slipway.getEnvVars(docs),
  getEnvVarsOutput: slipway.getEnvVarsOutput(docs),
  getPromoteAliases: slipway.getPromoteAliases(docs),
  getPromoteAliasesOutput: slipway.getPromoteAliasesOutput(docs),
  getCustomEnvironment: slipway.getCustomEnvironment(staging),
  getCustomEnvironmentOutput: slipway.getCustomEnvironmentOutput(staging),
  getEdgeConfig: slipway.getEdgeConfig({ edgeConfig: "docs" }),
  getEdgeConfigOutput: slipway.getEdgeConfigOutput({ edgeConfig: "docs" }),
  getBlobStore: slipway.getBlobStore({ blobStore: "docs" }),
  getBlobStoreOutput: slipway.getBlobStoreOutput({ blobStore: "docs" }),
  getProjectDomain: slipway.getProjectDomain({ id: "docs/docs.test" }),
  getProjectDomainOutput: slipway.getProjectDomainOutput({ id: "docs/docs.test" }),
  getEnvVar: slipway.getEnvVar({ id: "docs/K/preview" }),
  getEnvVarOutput: slipway.getEnvVarOutput({ id: "docs/K/preview" }),
  getEdgeConfigItem: slipway.getEdgeConfigItem({ id: "docs/K" }),
  getEdgeConfigItemOutput: slipway.getEdgeConfigItemOutput({ id: "docs/K" }),
  getTeam: slipway.getTeam(),
  getTeamOutput: slipway.getTeamOutput(),
  getAccessGroup: slipway.getAccessGroup({ accessGroup: "docs" }),
  getAccessGroupOutput: slipway.getAccessGroupOutput({ accessGroup: "docs" }),
  getMicrofrontendGroup: slipway.getMicrofrontendGroup({ microfrontendGroup: "docs" }),
  getMicrofrontendGroupOutput: slipway.getMicrofrontendGroupOutput({ microfrontendGroup: "docs" }),
  getDeployment: slipway.getDeployment(deployment),
  getDeploymentOutput: slipway.getDeploymentOutput(deployment),
  getDeployments: slipway.getDeployments(docs),
  getDeploymentsOutput: slipway.getDeploymentsOutput(docs),
  getDomainConfig: slipway.getDomainConfig(domain),
  getDomainConfigOutput: slipway.getDomainConfigOutput(domain),
};
