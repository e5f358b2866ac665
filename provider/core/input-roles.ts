import type { z } from "zod";
import type { Comparison } from "./definition";
import { isIgnoredWhole, type PropertyPath } from "./ignored";
import { type Plain, same } from "./values";

/**
 * The role of an input in a change of an object:
 * - `forcing`: it changes, and only a replacement can change it.
 * - `ignored`: an update leaves it out. Inputs that every step needs to find the object are never left out.
 * - `changed`, `unchanged`: an update gets it.
 */
export type InputRole = "forcing" | "ignored" | "changed" | "unchanged";

interface InputChange {
  /** The recorded state, or the inputs of the last run. */
  state: Plain;
  news: Plain;
  /** The inputs to leave out. Default: none. */
  ignored?: readonly PropertyPath[];
  /** True for the project of the state. Without this function, values with the same meaning count as changed too. */
  isSameProject?(project: unknown): Promise<boolean>;
}

/** The part of a definition that decides the roles. */
interface RoleDefinition {
  inputs: z.ZodObject;
  traits: { replaceOn: readonly string[] };
  diff: Pick<Comparison, "replaces" | "compare">;
}

/** Returns the role of each input. */
export async function rolesOf(
  { inputs, traits, diff }: RoleDefinition,
  { state, news, ignored = [], isSameProject }: InputChange,
): Promise<ReadonlyMap<string, InputRole>> {
  const isSame = async (key: string): Promise<boolean> => {
    if (same(state[key], news[key])) return true;
    if (!isSameProject) return false;
    return key === "project" ? isSameProject(news[key]) : diff.compare?.(key, state, news) === false;
  };
  const roles = new Map<string, InputRole>();
  for (const [key, input] of Object.entries(inputs.shape)) {
    const isChanged = !(await isSame(key));
    const needsReplacement = traits.replaceOn.includes(key) || diff.replaces?.(key, state) === true;
    const isLeftOut = isIgnoredWhole(ignored, [key]) && input.safeParse(undefined).success;
    roles.set(key, roleOf(isChanged, needsReplacement, isLeftOut));
  }
  return roles;
}

function roleOf(isChanged: boolean, needsReplacement: boolean, isLeftOut: boolean): InputRole {
  if (isChanged && needsReplacement) return "forcing";
  if (isLeftOut) return "ignored";
  return isChanged ? "changed" : "unchanged";
}

/** Returns the inputs with a role. */
export const inputsWith = (roles: ReadonlyMap<string, InputRole>, role: InputRole): string[] =>
  [...roles.keys()].filter((key) => roles.get(key) === role);
