import fc from "fast-check";
import { featuresOf } from "./features";
import { arrange, outputOf, type Placed, type Present, presentIn, projectIn, rotated } from "./placement";
import { type Declaration, isReference, type Program, toCode } from "./program";
import {
  bypassOf,
  challengesOf,
  deploymentId,
  deploymentOf,
  domainOf,
  environmentOf,
  manyOf,
  projectMembersOf,
  projectOf,
  promotionOf,
  seeded,
  variableOf,
  verificationOf,
} from "./project-declarations";
import { allSlots, type Slot, type Slots } from "./slots";
import {
  configOf,
  drainOf,
  itemsOf,
  linksOf,
  ofConfigs,
  recordOf,
  sharedOf,
  teamMemberOf,
  webhookOf,
} from "./team-declarations";

/** A program and an edit of it. `%` stands for the name of a run, so that runs do not meet. */
export interface Edit {
  before: Program;
  after: Program;
}

/** Random programs that the service takes, each with an edit that it takes too. A failing one is shown as code. */
export const edits: fc.Arbitrary<Edit> = allSlots.map((slots) => {
  const before = build(slots, 0);
  const edit: Edit = { before, after: withoutPassedNames(before, build(slots, 1)) };
  const text = () => `\n// before\n${toCode(edit.before)}\n// after\n${toCode(edit.after)}\n`;
  return Object.defineProperty(edit, fc.toStringMethod, { value: text, enumerable: false });
});

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

function build(slots: Slots, version: 0 | 1): Program {
  const present = (of: Slot[]): Present[] => presentIn(of, version);
  /** The edit rotates an input that is a unique key. */
  const keyed = (kind: keyof Slots["rotations"], key: string): Present[] =>
    rotated(present(slots[kind]), key, version === 0 ? 0 : slots.rotations[kind]);
  const projects = keyed("projects", "name").map(projectOf);
  if (projects.length === 0) return [];
  const placed = (one: Present): Placed => arrange(one, projects);

  const domains: Declaration[] = [];
  for (const one of keyed("domains", "name")) domains.push(domainOf(placed(one), one, domains));
  const verifications = present(slots.verifications).flatMap((one) => verificationOf(one, domains));
  const variables = keyed("variables", "key").map((one) =>
    variableOf(placed(one), one, [...projects, ...domains]),
  );
  const many = present(slots.manyVariables).map((one) => manyOf(placed(one)));
  const shared = keyed("sharedVariables", "key").map((one) => sharedOf(one, projects));
  const deployments = present(slots.deployments).map((one) =>
    deploymentOf(placed(one), one, projects, [...variables, ...many, ...shared]),
  );
  const promotions = present(slots.promotions).flatMap((one) => promotionOf(one, projects, deployments));
  // Only deployments for production can be promoted. They would take over from each other without a promotion.
  const promoted = new Set(promotions.map(projectIn));
  for (const one of deployments) if (promoted.has(projectIn(one))) one.args.target = "production";
  for (const one of projects) if (promoted.has(one.name)) one.args.autoAssignCustomDomains = false;
  const released = new Set([...deployments, ...promotions].map(projectIn));
  const features = featuresOf(present(slots.features), placed, (project) => released.has(project));
  const rolling = new Set(features.filter(({ type }) => type === "RollingRelease").map(projectIn));
  // The service sets it otherwise.
  for (const one of projects) if (rolling.has(one.name)) one.args.skewProtectionMaxAge = 43_200;
  const team = keyed("teamMembers", "email").map(teamMemberOf);
  const configs = keyed("configs", "slug").map(configOf);
  const program = [
    ...projects,
    ...[...domains, ...verifications, ...variables, ...many],
    ...keyed("environments", "slug").map((one) => environmentOf(placed(one))),
    ...challengesOf(present(slots.challenges).map(placed)),
    ...keyed("bypasses", "sourceIp").map((one) => bypassOf(placed(one), one, domains)),
    ...keyed("records", "name").map(recordOf),
    ...[...shared, ...linksOf(present(slots.links), projects, shared)],
    ...[...team, ...projectMembersOf(present(slots.projectMembers), projects, team)],
    ...[...configs, ...itemsOf(keyed("items", "key"), configs)],
    ...ofConfigs("EdgeConfigToken", present(slots.tokens), configs),
    ...present(slots.webhooks).map((one) => webhookOf(one, projects)),
    ...present(slots.drains).map((one) => drainOf(one, projects)),
    ...features,
    ...[...deployments, ...promotions],
  ];
  return JSON.parse(JSON.stringify(program));
}

/**
 * Gives the id of the project where an unchanged name would mean another project than before, which an update refuses.
 */
function withoutPassedNames(before: Program, after: Program): Program {
  return after.map((one) => {
    const old = before.find(({ name }) => name === one.name);
    const name = projectNameIn(after, one);
    if (!old || name === undefined || name !== projectNameIn(before, old)) return one;
    const project = projectIn(one);
    return project === projectIn(old)
      ? one
      : { ...one, args: { ...one.args, project: outputOf(project, "id") } };
  });
}

/** The name by which a declaration names its project; undefined: it has none, or names it by id. */
function projectNameIn(program: Program, one: Declaration): unknown {
  const { project } = one.args;
  if (!isReference(project)) return project;
  return project.output === "name" ? program.find(({ name }) => name === project.$ref)?.args.name : undefined;
}

/** Gives a program the name of its run. */
export const named = <T>(value: T, run: string): T => JSON.parse(JSON.stringify(value).replaceAll("%", run));
