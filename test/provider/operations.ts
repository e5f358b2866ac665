import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import { domainVerification } from "../../provider/resources/domain-verification";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { promotion } from "../../provider/resources/promotion";
import type { World } from "./stack";

/** Something that a run does to one resource. */
export interface Operation {
  name: string;
  resource: Resource;
  /** What else there is, beside the project web with its deployments. @returns values for the inputs */
  prepare?(w: World): Promise<Plain>;
  /** What was declared before. */
  before?(prepared: Plain): Plain;
  step: "up" | "refresh" | "destroy";
  /** What is declared now. */
  inputs?(prepared: Plain): Plain;
}

/** A server with the project web, its deployments, and a domain that is proved once its record is checked. */
export const given = {
  projects: [
    { team: "acme", name: "web" },
    { team: "acme", name: "other" },
  ],
  deployments: ["dpl_1", "dpl_2", "dpl_3"].map((id, at) => ({
    id,
    team: "acme",
    project: "web",
    target: "production" as const,
    readyState: "READY" as const,
    createdAt: 3 - at,
  })),
};

const secret = (letter: string): string => letter.repeat(32);

const wholeProject = {
  name: "site",
  framework: "nextjs",
  buildCommand: "make",
  passwordProtection: { deploymentType: "all", password: "canary-password" },
  protectionBypass: { ci: {}, given: { secret: secret("a") } },
  dataCache: { disabled: true },
  paused: true,
};
const otherProject = {
  name: "website",
  framework: "astro",
  nodeVersion: "20.x",
  passwordProtection: { deploymentType: "preview", password: "canary-password-2" },
  protectionBypass: { ci: { rotation: "2" }, more: { secret: secret("b") } },
  dataCache: { disabled: false },
  paused: false,
};
const domain = { project: "web", name: "www.example.com", gitBranch: "next" };
const variable = { project: "web", key: "K", value: "canary-value", target: ["production", "preview"] };
const variables = {
  project: "web",
  variables: { A: "canary-a", B: { value: "canary-b", target: ["preview"], gitBranch: "next" } },
};
const otherVariables = {
  project: "web",
  variables: { A: "canary-a2", C: { value: "canary-c", type: "sensitive" } },
};
const live = { project: "web", deployment: "dpl_2", onDelete: "rollback" };

const existing = (path: string, body: object) => async (w: World) => w.curl("POST", path, body);
const environment = existing("/v9/projects/web/custom-environments", { slug: "staging" });

/** Publishes what proves the domain, which is on the project already. */
async function published(w: World): Promise<Plain> {
  const path = "/v10/projects/web/domains";
  const { verification } = (await w.curl("POST", path, { name: "example.com" })) as unknown as {
    verification: { domain: string; value: string }[];
  };
  for (const challenge of verification) await w.server.control.setTxt(challenge.domain, challenge.value);
  return {};
}
const proof = { project: "web", name: "example.com" };

const life = (
  name: string,
  resource: Resource,
  first: (prepared: Plain) => Plain,
  second: (prepared: Plain) => Plain,
  prepare?: Operation["prepare"],
): Operation[] => {
  const shared = { resource, ...(prepare && { prepare }) };
  return [
    { name: `${name}: create`, ...shared, step: "up", inputs: first },
    { name: `${name}: update`, ...shared, before: first, step: "up", inputs: second },
    { name: `${name}: read`, ...shared, before: first, step: "refresh" },
    { name: `${name}: delete`, ...shared, before: first, step: "destroy" },
  ];
};

/** Every operation of every resource, in the variants that send different requests. */
export const operations: Operation[] = [
  ...life(
    "Project",
    project,
    () => wholeProject,
    () => otherProject,
  ),
  {
    name: "Project: adopt",
    resource: project,
    prepare: existing("/v10/projects", { name: "site", framework: "vue" }),
    step: "up",
    inputs: () => ({ ...wholeProject, adopt: true }),
  },
  ...life(
    "ProjectDomain",
    projectDomain,
    () => domain,
    () => ({ ...domain, gitBranch: "later" }),
  ),
  {
    name: "ProjectDomain: adopt",
    resource: projectDomain,
    prepare: existing("/v10/projects/web/domains", { name: domain.name }),
    step: "up",
    inputs: () => ({ ...domain, adopt: true }),
  },
  {
    name: "ProjectDomain: move",
    resource: projectDomain,
    before: () => domain,
    step: "up",
    inputs: () => ({ ...domain, project: "other" }),
  },
  {
    name: "ProjectDomain: create and wait",
    resource: projectDomain,
    // The record of the apex proves what is below it.
    prepare: published,
    step: "up",
    inputs: () => ({ ...proof, adopt: true, waitForVerification: true }),
  },
  ...life(
    "DomainVerification",
    domainVerification,
    () => proof,
    () => ({ ...proof, timeoutMs: 5_000 }),
    published,
  ),
  ...life(
    "EnvVar",
    envVar,
    (environment) => ({ ...variable, customEnvironmentIds: [environment.id] }),
    () => ({ ...variable, value: "canary-value-2", comment: "changed" }),
    environment,
  ),
  {
    name: "EnvVar: adopt",
    resource: envVar,
    prepare: existing("/v10/projects/web/env", { ...variable, project: undefined, type: "plain" }),
    step: "up",
    inputs: () => ({ ...variable, value: "canary-value-2", adopt: true }),
  },
  {
    name: "EnvVar: replace",
    resource: envVar,
    before: () => ({ ...variable, type: "sensitive" }),
    step: "up",
    inputs: () => ({ ...variable, type: "plain" }),
  },
  ...life(
    "EnvVars",
    envVars,
    () => variables,
    () => otherVariables,
  ),
  {
    name: "EnvVars: adopt",
    resource: envVars,
    prepare: existing("/v10/projects/web/env", {
      key: "A",
      value: "canary-old",
      type: "plain",
      target: ["production"],
    }),
    step: "up",
    inputs: () => ({ ...variables, target: ["production"], adopt: true }),
  },
  ...life(
    "Promotion",
    promotion,
    () => live,
    () => ({ ...live, deployment: "dpl_3" }),
  ),
];
