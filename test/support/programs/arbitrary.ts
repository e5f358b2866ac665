import fc from "fast-check";
import { isPlain, type Plain, same } from "../../../provider/core/values";
import { type Declaration, type Program, type Reference, toCode } from "./program";
import { allSlots, type Choice, type Slot, type Slots } from "./slots";

/** A program and an edit of it. `%` stands for the name of a run, so that runs do not meet. */
export interface Edit {
  before: Program;
  after: Program;
}

/** Random programs that the service takes, each with an edit that it takes too. A failing one is shown as code. */
export const edits: fc.Arbitrary<Edit> = allSlots.map((slots) => {
  const edit: Edit = { before: build(slots, 0), after: build(slots, 1) };
  const text = () => `\n// before\n${toCode(edit.before)}\n// after\n${toCode(edit.after)}\n`;
  return Object.defineProperty(edit, fc.toStringMethod, { value: text, enumerable: false });
});

/** How many deployments each project has already. */
const seeded = 3;

/** The deployments that a run's promotions and redeployments choose from, by the name that their project has first. */
export function deploymentsOf({ before, after }: Edit): { id: string; project: string }[] {
  const names = new Map<string, string>();
  for (const { type, name, args } of [...after, ...before]) {
    if (type === "Project") names.set(name, String(args.name));
  }
  return [...names].flatMap(([name, project]) =>
    Array.from({ length: seeded }, (_, n) => ({ id: deploymentId(name, n), project })),
  );
}

const deploymentId = (project: string, n: unknown): string => `dpl_%_${project}_${n}`;

function build(slots: Slots, version: 0 | 1): Program {
  const present = (of: Slot[]): Present[] =>
    of.flatMap(({ name, versions, choices }) => {
      const args = versions[version];
      return args ? [{ name, args, choice: choices[version] }] : [];
    });
  /** With names that are rotated by some places. */
  const rotated = (of: Slot[], key: string, by: number): Present[] => {
    const all = present(of);
    const nameAt = (i: number) => all[(i + by) % all.length]?.args[key];
    return version === 0 ? all : all.map((one, i) => ({ ...one, args: { ...one.args, [key]: nameAt(i) } }));
  };
  const { rotations } = slots;
  const projects = rotated(slots.projects, "name", rotations.projects).map(projectOf);
  if (projects.length === 0) return [];
  const placed = (one: Present): Placed => arrange(one, projects);

  const domains: Declaration[] = [];
  for (const one of rotated(slots.domains, "name", rotations.domains))
    domains.push(domainOf(placed(one), one, domains));
  const verifications = present(slots.verifications).flatMap((one) => verificationOf(one, domains));
  const variables = rotated(slots.variables, "key", rotations.variables).map((one) =>
    variableOf(placed(one), one, [...projects, ...domains]),
  );
  const many = present(slots.manyVariables).map((one) => manyOf(placed(one)));
  const deployments = present(slots.deployments).map((one) =>
    deploymentOf(placed(one), one, projects, [...variables, ...many]),
  );
  const promotions = present(slots.promotions).flatMap((one) => promotionOf(one, projects, deployments));
  // A promoted deployment would otherwise give way to the next production deployment.
  const promoted = new Set(promotions.map(projectIn));
  for (const one of deployments) if (promoted.has(projectIn(one))) delete one.args.target;
  const services = [...domains, ...verifications, ...variables, ...many];
  return JSON.parse(JSON.stringify([...projects, ...services, ...deployments, ...promotions]));
}

interface Present {
  name: string;
  args: Plain;
  choice: Choice;
}

type Placed = Omit<Declaration, "type">;

function projectOf({ name, args }: Present): Declaration {
  const whole = { ...args };
  if (whole.paused === true) whole.autoAssignCustomDomains = false;
  if (isPlain(whole.resourceConfig) && whole.resourceConfig.functionDefaultRegions !== undefined)
    delete whole.serverlessFunctionRegion;
  if (!isPlain(whole.gitRepository)) delete whole.deployHooks;
  return { type: "Project", name, args: whole };
}

/** Puts a resource on a project. */
function arrange({ name, args, choice }: Present, projects: readonly Declaration[]): Placed {
  const project = projects[choice.project % projects.length];
  if (!project) throw new Error("there is no project");
  if (choice.style === "text") {
    const text = project.args.name;
    return { name, args: { project: text, ...args }, dependsOn: [project.name] };
  }
  return { name, args: { project: outputOf(project.name, choice.style), ...args } };
}

const outputOf = ($ref: string, output: string): Reference => ({ $ref, output });

/** The resource that stands for a declaration's project. */
const projectIn = ({ args, dependsOn = [] }: Placed): string =>
  isPlain(args.project) ? String(args.project.$ref) : String(dependsOn[0]);

/** @param others those before it, to which it may redirect */
function domainOf(placed: Placed, { choice }: Present, others: readonly Declaration[]): Declaration {
  const { redirect, ...args } = placed.args;
  const targets = others.filter((other) => projectIn(other) === projectIn(placed));
  const target = targets[choice.other % Math.max(1, targets.length)];
  if (redirect === undefined || !target) return { ...placed, type: "ProjectDomain", args };
  const { gitBranch: _, ...rest } = args;
  if (choice.style !== "text") {
    return { ...placed, type: "ProjectDomain", args: { ...rest, redirect: outputOf(target.name, "name") } };
  }
  const dependsOn = [...(placed.dependsOn ?? []), target.name];
  return { ...placed, type: "ProjectDomain", args: { ...rest, redirect: target.args.name }, dependsOn };
}

/** Verifies a domain whose apex is proved. */
function verificationOf({ name, args, choice }: Present, domains: readonly Declaration[]): Declaration[] {
  const proved = domains.filter((domain) => String(domain.args.name).endsWith(".example.com"));
  const domain = proved[choice.other % Math.max(1, proved.length)];
  if (!domain) return [];
  const { project } = domain.args;
  const whole = { ...args, project, name: outputOf(domain.name, "name") };
  return [{ type: "DomainVerification", name, args: whole, dependsOn: domain.dependsOn ?? [] }];
}

/** @param sources resources of which an output may be its comment */
function variableOf(placed: Placed, { choice }: Present, sources: readonly Declaration[]): Declaration {
  const args = fitted(placed.args);
  if (args.comment !== "@output") return { ...placed, type: "EnvVar", args };
  const source = sources[choice.other % sources.length];
  const output = source?.type === "Project" ? "accountId" : "projectId";
  return { ...placed, type: "EnvVar", args: { ...args, comment: outputOf(source?.name ?? "", output) } };
}

function manyOf(placed: Placed): Declaration {
  const { variables, ...all } = placed.args;
  const { type, target } = fitted({ type: all.type, target: all.target });
  const each = Object.entries(variables as Record<string, unknown>).map(([key, one]) => {
    const whole = isPlain(one) ? one : { value: one };
    const meant = { ...whole, type: whole.type ?? type, target: whole.target ?? target };
    const fitting = fitted(meant);
    if (same(meant, fitting)) return [key, one];
    return [key, { ...whole, value: fitting.value, target: fitting.target }];
  });
  return { ...placed, type: "EnvVars", args: { ...all, target, variables: Object.fromEntries(each) } };
}

/** Makes a variable what the service takes. */
function fitted({ ...args }: Plain): Plain {
  if (args.type === "system") delete args.value;
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
function deploymentOf(
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
function promotionOf(
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

/** Gives a program the name of its run. */
export const named = <T>(value: T, run: string): T => JSON.parse(JSON.stringify(value).replaceAll("%", run));
