import { isPlain, type Plain, same } from "../../../provider/core/values";
import {
  arrange,
  chosen,
  once,
  outputOf,
  type Placed,
  type Present,
  projectIn,
  withOutput,
} from "./placement";
import { type Declaration, dependenciesOf } from "./program";

/** Projects and what belongs to one, with inputs that the service takes together. */

/** How many deployments each project has already. */
export const seeded = 3;

export const deploymentId = (project: string, n: unknown): string => `dpl_%_${project}_${n}`;

export function projectOf({ name, args }: Present): Declaration {
  const whole = { ...args };
  if (whole.paused === true) whole.autoAssignCustomDomains = false;
  if (isPlain(whole.resourceConfig) && whole.resourceConfig.functionDefaultRegions !== undefined)
    delete whole.serverlessFunctionRegion;
  if (!isPlain(whole.gitRepository)) delete whole.deployHooks;
  return { type: "Project", name, args: whole };
}

/** @param others those before it, to which it may redirect */
export function domainOf(placed: Placed, { choice }: Present, others: readonly Declaration[]): Declaration {
  const { redirect, ...args } = placed.args;
  const targets = others.filter((other) => projectIn(other) === projectIn(placed));
  const target = targets[choice.other % Math.max(1, targets.length)];
  if (redirect === undefined || !target) return { ...placed, type: "ProjectDomain", args };
  const { gitBranch: _, ...rest } = args;
  const redirecting = withOutput(
    { ...placed, args: rest },
    "redirect",
    { ...target, output: "name" },
    choice,
  );
  return { ...redirecting, type: "ProjectDomain" };
}

/** Verifies a domain whose apex is proved. */
export function verificationOf(
  { name, args, choice }: Present,
  domains: readonly Declaration[],
): Declaration[] {
  const proved = domains.filter((domain) => String(domain.args.name).endsWith(".example.com"));
  const domain = proved[choice.other % Math.max(1, proved.length)];
  if (!domain) return [];
  const { project } = domain.args;
  const whole = { ...args, project, name: outputOf(domain.name, "name") };
  return [{ type: "DomainVerification", name, args: whole, dependsOn: domain.dependsOn ?? [] }];
}

/** @param sources resources of which an output may be its comment */
export function variableOf(
  placed: Placed,
  { choice }: Present,
  sources: readonly Declaration[],
): Declaration {
  const args = fitted(placed.args);
  if (args.comment !== "@output") return { ...placed, type: "EnvVar", args };
  const source = sources[choice.other % sources.length];
  const output = source?.type === "Project" ? "accountId" : "projectId";
  return { ...placed, type: "EnvVar", args: { ...args, comment: outputOf(source?.name ?? "", output) } };
}

export function manyOf(placed: Placed): Declaration {
  const { variables, ...all } = placed.args;
  const { type, target } = fitted({ type: all.type, target: all.target });
  const each = Object.entries(variables as Record<string, unknown>).map(([key, one]) => {
    const whole = isPlain(one) ? one : { value: one };
    const meant = { ...whole, type: whole.type ?? type, target: whole.target ?? target };
    const fitting = fitted(meant);
    if (same(meant, fitting)) return [key, one];
    const { value, valueFrom, target: own } = fitting;
    return [key, { ...whole, value, valueFrom, target: own }];
  });
  return { ...placed, type: "EnvVars", args: { ...all, target, variables: Object.fromEntries(each) } };
}

/** Makes a variable what the service takes. */
export function fitted({ ...args }: Plain): Plain {
  if (args.type === "system") delete args.value;
  const [, environment] = /^@(.*)/.exec(`${args.value}`) ?? [];
  if (environment !== undefined) {
    args.valueFrom = { environment };
    delete args.value;
  }
  // An empty one stands for a value that nobody can read.
  if (args.type === "sensitive" && args.value === "") args.value = "canary-3";
  if (args.gitBranch !== undefined) args.target = ["preview"];
  if (args.type === "sensitive" && Array.isArray(args.target)) {
    const target = args.target.filter((name) => name !== "development");
    args.target = target.length > 0 ? target : ["preview"];
  }
  return args;
}

/** A deployment of a branch, where its project has a repository, or of one that is there already. */
export function deploymentOf(
  placed: Placed,
  { choice }: Present,
  projects: readonly Declaration[],
  variables: readonly Declaration[],
): Declaration {
  const { source, triggers, ...rest } = placed.args;
  const project = projectIn(placed);
  const hasRepository = projects.some(({ name, args }) => name === project && isPlain(args.gitRepository));
  const built =
    typeof source === "string" && hasRepository
      ? { ref: source }
      : { redeploy: deploymentId(project, typeof source === "number" ? source : 0) };
  const variable = variables[choice.other % Math.max(1, variables.length)];
  const revision = variable ? outputOf(variable.name, "revision") : "none";
  const whole = (triggers as unknown[]).map((one) => (one === "@revision" ? revision : one));
  return { ...placed, type: "Deployment", args: { ...rest, ...built, triggers: whole } };
}

/** Each promotion has projects of its own to choose from, because a project is served by one deployment. */
export function promotionOf(
  one: Present,
  projects: readonly Declaration[],
  deployments: readonly Declaration[],
): Declaration[] {
  const own = projects.filter(({ name }) => (one.name === "l0" ? name !== "p1" : name === "p1"));
  if (own.length === 0) return [];
  const placed = arrange(one, own);
  const nth = Number(placed.args.deployment);
  const made = deployments.filter((other) => projectIn(other) === projectIn(placed))[nth - seeded];
  const deployment = made
    ? outputOf(made.name, "deploymentId")
    : deploymentId(projectIn(placed), nth % seeded);
  return [{ ...placed, type: "Promotion", args: { ...placed.args, deployment } }];
}

/** A custom environment needs nothing more. */
export const environmentOf = (placed: Placed): Declaration => ({ ...placed, type: "CustomEnvironment" });

/** A project has one mode. */
export function challengesOf(all: readonly Placed[]): Declaration[] {
  return once(all, projectIn).map(({ args: { activeUntil, ...args }, ...rest }) => {
    const isEnding = args.enabled === true && activeUntil !== undefined;
    return { ...rest, type: "AttackChallengeMode", args: { ...args, ...(isEnding && { activeUntil }) } };
  });
}

/** @param domains of all projects. A rule is for one that serves production, or for all */
export function bypassOf(placed: Placed, { choice }: Present, domains: readonly Declaration[]): Declaration {
  const serving = domains.filter(
    (domain) => projectIn(domain) === projectIn(placed) && domain.args.gitBranch === undefined,
  );
  const domain = placed.args.domain === "*" ? undefined : chosen(serving, choice.other);
  const whole = domain
    ? withOutput(placed, "domain", { ...domain, output: "name" }, choice)
    : { ...placed, args: { ...placed.args, domain: "*" } };
  return { ...whole, type: "FirewallBypass" };
}

/** A member of a project is a member of the team, and of the project once. */
export function projectMembersOf(
  all: readonly Present[],
  projects: readonly Declaration[],
  team: readonly Declaration[],
): Declaration[] {
  const members = all.flatMap((one): Declaration[] => {
    const member = chosen(team, one.choice.other);
    if (!member) return [];
    const output = one.choice.style === "name" ? "currentEmail" : "email";
    const whole = withOutput(arrange(one, projects), "email", { ...member, output }, one.choice);
    return [{ ...whole, type: "ProjectMember" }];
  });
  return once(members, (one) => [
    projectIn(one),
    team.find(({ name }) => dependenciesOf(one).has(name))?.name,
  ]);
}
