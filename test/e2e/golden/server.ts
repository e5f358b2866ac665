import type { SeedDocument } from "../../../server";

/** The objects of the service when the golden state is right. Ids that are not given follow from the names. */

const ofWeb = { team: "acme", project: "web" };
const built = { ...ofWeb, target: "production", readyState: "READY" } as const;

/** Settings of the project that has all of them. */
const web = {
  name: "web",
  framework: "nextjs",
  buildCommand: "npm run build",
  commandForIgnoringBuildStep: "exit 1",
  devCommand: "npm run dev",
  installCommand: "npm ci",
  outputDirectory: "out",
  rootDirectory: "apps/web",
  serverlessFunctionRegion: "fra1",
  enableAffectedProjectsDeployments: true,
  publicSource: false,
  skipGitConnectDuringLink: true,
  serverlessFunctionZeroConfigFailover: true,
  oidcTokenConfig: { enabled: false },
  nodeVersion: "20.x",
  autoAssignCustomDomains: false,
  autoAssignCustomDomainsUpdatedBy: "ada",
  autoExposeSystemEnvs: false,
  customerSupportCodeVisibility: true,
  directoryListing: true,
  enablePreviewFeedback: true,
  enableProductionFeedback: false,
  gitForkProtection: false,
  gitLFS: true,
  sourceFilesOutsideRootDirectory: false,
  skewProtectionBoundaryAt: 1_700_000_000_000,
  skewProtectionMaxAge: 3600,
  optionsAllowlist: { paths: [{ value: "/api" }] },
  passwordProtection: { deploymentType: "preview", password: "canary-password" },
  ssoProtection: { deploymentType: "all" },
  trustedIps: {
    deploymentType: "production",
    addresses: [{ value: "10.0.0.0/8", note: "office" }, { value: "192.0.2.1" }],
    protectionMode: "exclusive",
  },
  paused: true,
  gitRepository: { type: "github", repo: "acme/web" },
} satisfies NonNullable<SeedDocument["projects"]>[number];

export const golden = {
  gitProviders: [{ team: "acme", type: "github", repos: ["acme/web"] }],
  deployments: [
    { ...built, id: "dpl_golden_1", createdAt: 1 },
    { ...built, id: "dpl_golden_2", createdAt: 2 },
  ],
  projects: [
    { team: "acme", id: "prj_golden_web", ...web },
    { team: "acme", id: "prj_golden_docs", name: "docs" },
    { team: "acme", id: "prj_golden_shop", name: "shop" },
  ],
  domains: [
    { ...ofWeb, name: "example.com", verified: true },
    { ...ofWeb, name: "www.example.com", redirect: "example.com", redirectStatusCode: 308 },
    { ...ofWeb, name: "next.example.org", gitBranch: "next", challenge: "0123456789abcdef0123" },
    { team: "acme", project: "shop", name: "shop.example.com" },
  ],
  env: [
    { ...ofWeb, key: "PLAIN", value: "canary-1", type: "plain", target: ["production"], comment: "why" },
    { ...ofWeb, key: "PLAIN", value: "canary-2", target: ["preview"], gitBranch: "next" },
    { ...ofWeb, key: "HIDDEN", value: "canary-3", type: "sensitive", target: ["production", "preview"] },
    { ...ofWeb, key: "VERCEL_URL", type: "system", target: ["preview"] },
    { ...ofWeb, key: "A", value: "canary-4", type: "plain", target: ["development", "preview"] },
    { ...ofWeb, key: "B", value: "canary-5", type: "sensitive", target: ["production"], comment: "why" },
    { ...ofWeb, key: "C", value: "canary-6", type: "encrypted", target: ["preview"], gitBranch: "next" },
    {
      team: "acme",
      project: "shop",
      key: "D",
      value: "canary-7",
      target: ["production", "preview", "development"],
    },
  ],
} satisfies SeedDocument;

/** Declares all of that, with every input. */
export const program = `
  import { Site } from "slipway";
  const web = new Project("web", {
    ...${JSON.stringify(web)} as const,
    previewDeploymentsDisabled: true,
    dataCache: { disabled: true },
    protectionBypass: { given: { secret: "${"g".repeat(32)}" }, generated: { rotation: "1" } },
    adopt: true,
  });
  new Project("docs", { framework: null, buildCommand: null, passwordProtection: null, adopt: true });
  const project = web.id;
  const apex = new ProjectDomain("apex", { project, name: "example.com", waitForVerification: true, timeoutMs: 1000, adopt: true });
  const www = new ProjectDomain("www", { project: web.name, name: "www.example.com", redirect: apex.name, redirectStatusCode: 308, adopt: true });
  new ProjectDomain("next", { project, name: "next.example.org", gitBranch: "next", adopt: true });
  new DomainVerification("www", { project, name: www.name, timeoutMs: 1000 });
  new EnvVar("plain", { project, key: "PLAIN", value: "canary-1", type: "plain", target: ["production"], comment: "why", adopt: true });
  new EnvVar("branch", { project, key: "PLAIN", value: "canary-2", target: ["preview"], gitBranch: "next", customEnvironmentIds: [], adopt: true });
  new EnvVar("hidden", { project, key: "HIDDEN", value: "canary-3", type: "sensitive", target: ["preview", "production"], adopt: true });
  new EnvVar("system", { project: "web", key: "VERCEL_URL", type: "system", target: ["preview"], adopt: true }, { dependsOn: web });
  new EnvVars("many", {
    project,
    target: ["development", "preview"],
    type: "plain",
    variables: {
      A: "canary-4",
      B: { value: "canary-5", type: "sensitive", target: ["production"], comment: "why" },
      C: { value: "canary-6", type: "encrypted", target: ["preview"], gitBranch: "next" },
    },
    adopt: true,
  });
  new Promotion("live", { project, deployment: "dpl_golden_2", timeoutMs: 60000, onDelete: "rollback" });
  new Site("shop", { domains: ["shop.example.com"], variables: { D: "canary-7" }, adopt: true }, { dependsOn: apex });
`;
