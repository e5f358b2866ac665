import { isPlain, type Plain } from "../../../provider/core/values";
import { urnKey } from "../../../provider/loader";
import { containers } from "./companions";
import { type Declaration, isReference, type Program, type Reference, referred } from "./program";
import type { RecordedResource } from "./run";

/** References between the resources of a program that is edited. */

export const ref = ($ref: string, output = "id"): Reference => ({ $ref, output });

/** A repository that the account reaches. */
const repository = { type: "github", repo: "acme/web" };

/**
 * A program that can be run after an edit: without references to what is gone, each resource after those that it refers
 * to, and each deployment and promotion with a project that fits what it is of.
 */
export function mended(program: Program): Program {
  let whole = program;
  // One that goes takes along what is made of it.
  for (let before = -1; before !== whole.length; ) {
    before = whole.length;
    const byName = new Map(whole.map((one) => [one.name, one]));
    for (const { args } of whole)
      if (Array.isArray(args.triggers))
        args.triggers = args.triggers.filter(
          (one) => !isReference(one) || /^EnvVar/.test(byName.get(one.$ref)?.type ?? ""),
        );
    whole = whole.filter((one) =>
      [...referred(one.args)].every((name) => name !== one.name && byName.has(name)),
    );
  }
  const sorted = inOrder(whole);
  for (const one of sorted) suit(one, sorted);
  for (const one of sorted) hide(one);
  return sorted;
}

/** Each resource after those that it refers to. */
export function inOrder(program: Program): Program {
  const sorted = new Map<string, Declaration>();
  const byName = new Map(program.map((one) => [one.name, one]));
  const begun = new Set<string>();
  const visit = (one: Declaration): void => {
    if (begun.has(one.name)) return;
    begun.add(one.name);
    for (const name of referred(one.args)) {
      const other = byName.get(name);
      if (other) visit(other);
    }
    sorted.set(one.name, one);
  };
  for (const one of program) visit(one);
  return [...sorted.values()];
}

/** Gives a deployment or a promotion what it needs of its project. */
function suit(one: Declaration, program: Program): void {
  const source = one.type === "Deployment" ? one.args.redeploy : one.args.deployment;
  if (isReference(source)) one.args.project = program.find(({ name }) => name === source.$ref)?.args.project;
  const { project } = one.args;
  const owner = program.find(({ name }) => isReference(project) && name === project.$ref);
  if (owner?.type !== "Project") return;
  if (one.args.ref !== undefined) owner.args.gitRepository = repository;
  // A rolling release needs it, and the service sets it otherwise.
  if (one.type === "RollingRelease") owner.args.skewProtectionMaxAge = 43_200;
  // Otherwise each production deployment would take over from the promotion.
  if (one.type === "Promotion") owner.args.autoAssignCustomDomains = false;
}

/** Takes development away from sensitive variables, which cannot be for it. */
function hide({ type, args }: Declaration): void {
  const hidden = (one: Plain): Plain => {
    if (one.type !== "sensitive" || !Array.isArray(one.target)) return one;
    const target = one.target.filter((name) => name !== "development");
    return { ...one, target: target.length > 0 ? target : ["production"] };
  };
  if (type === "EnvVar" || type === "SharedEnvVar") Object.assign(args, hidden(args));
  if (type !== "EnvVars" || !isPlain(args.variables)) return;
  const { target, variables } = args;
  args.variables = Object.fromEntries(
    Object.entries(variables).map(([key, one]) => [key, isPlain(one) ? hidden({ target, ...one }) : one]),
  );
}

/** The content of the state, as a program declares it. */
export function declarationsOf(state: readonly RecordedResource[]): Program {
  const there = state.filter(({ isReplaced, isPending }) => !isReplaced && !isPending);
  const references = new Map<unknown, Reference>();
  for (const { type, id, name, outputs } of there) {
    if (containers.has(type)) references.set(id, ref(name));
    if (type === "Alias") references.set(outputs.alias, ref(name, "alias"));
    if (type === "Deployment") references.set(id, ref(name, "deploymentId"));
    if (outputs.revision !== undefined) references.set(outputs.revision, ref(name, "revision"));
  }
  const withReferences = (value: unknown, own: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => withReferences(one, own));
    const reference = references.get(value);
    return reference === undefined || reference.$ref === own ? value : reference;
  };
  const declared = there.map(({ type, name, inputs, provider }): Declaration => {
    const args = Object.fromEntries(
      Object.entries(inputs)
        // The SDK gives it.
        .filter(([key]) => key !== urnKey)
        .map(([key, value]) => [key, isPlain(value) ? value : withReferences(value, name)]),
    ) as Plain;
    return { type, name, args, ...(provider !== undefined && { provider }) };
  });
  const rank = ({ type }: Declaration): number => (type === "Project" ? 0 : 1);
  return inOrder(declared.sort((one, other) => rank(one) - rank(other)));
}

/** Leaves out options that refer to what the program does not have, or has later. */
export function mendOptions(program: Program): void {
  const before = new Set<string>();
  for (const one of program) {
    const dependsOn = (one.dependsOn ?? []).filter((name) => before.has(name));
    if (dependsOn.length > 0) one.dependsOn = dependsOn;
    else delete one.dependsOn;
    before.add(one.name);
  }
  const names = new Set(program.map(({ name }) => name));
  for (const one of program) {
    const aliases = (one.aliases ?? []).filter((name) => !names.has(name));
    if (aliases.length > 0) one.aliases = aliases;
    else delete one.aliases;
  }
}
