import { isPlain, type Plain } from "../../../provider/core/values";
import type { Declaration, Reference } from "./program";
import type { Choice, Slot } from "./slots";

/** The resource of a version of a program in a slot. */
export interface Present {
  name: string;
  args: Plain;
  choice: Choice;
}

/** A resource with its place in the program. */
export type Placed = Omit<Declaration, "type">;

/** The resources that a version of a program has in slots. */
export const presentIn = (slots: readonly Slot[], version: 0 | 1): Present[] =>
  slots.flatMap(({ name, versions, choices }) => {
    const args = versions[version];
    return args ? [{ name, args, choice: choices[version] }] : [];
  });

/** The same resources, with the values of an input rotated by some places. */
export const rotated = (all: readonly Present[], key: string, by: number): Present[] =>
  all.map((one, i) => ({ ...one, args: { ...one.args, [key]: all[(i + by) % all.length]?.args[key] } }));

/** Puts a resource on a project. */
export function arrange({ name, args, choice }: Present, projects: readonly Declaration[]): Placed {
  const project = projects[choice.project % projects.length];
  if (!project) throw new Error("there is no project");
  if (choice.style === "text") {
    const text = project.args.name;
    return { name, args: { project: text, ...args }, dependsOn: [project.name] };
  }
  return { name, args: { project: outputOf(project.name, choice.style), ...args } };
}

export const outputOf = ($ref: string, output: string): Reference => ({ $ref, output });

/** The resource that stands for a declaration's project. */
export const projectIn = ({ args, dependsOn = [] }: Placed): string =>
  isPlain(args.project) ? String(args.project.$ref) : String(dependsOn[0]);

/** Gives an input the output of another resource, or the same value as a text. */
export function withOutput(
  { dependsOn = [], ...placed }: Placed,
  input: string,
  { name, output, args }: { output: string } & Pick<Declaration, "name" | "args">,
  { style }: Choice,
): Placed {
  const isText = style === "text";
  return {
    ...placed,
    args: { ...placed.args, [input]: isText ? args[output] : outputOf(name, output) },
    ...((isText || dependsOn.length > 0) && { dependsOn: isText ? [...dependsOn, name] : dependsOn }),
  };
}

/** One of some resources, counted round; undefined: there are none. */
export const chosen = (all: readonly Declaration[], nth: number): Declaration | undefined =>
  all[nth % Math.max(1, all.length)];

/** The first of those that have the same key. */
export const once = <T>(all: readonly T[], keyOf: (one: T) => unknown): T[] => {
  const keys = all.map((one) => JSON.stringify(keyOf(one)));
  return all.filter((_, i) => keys.indexOf(keys[i] ?? "") === i);
};
