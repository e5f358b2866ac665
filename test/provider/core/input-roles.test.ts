import { z } from "zod";
import type { PropertyPath } from "../../../provider/core/ignored";
import { type InputRole, inputsWith, rolesOf } from "../../../provider/core/input-roles";

/** How the value of an input differs from the state. `equivalent` values have the same meaning. */
const differences = ["none", "equivalent", "real"] as const;
const replacements = ["never", "replaceOn", "replaces"] as const;
const ignorings = ["none", "part", "whole"] as const;
const comparisons = ["exact", "byMeaning"] as const;

interface Case {
  difference: (typeof differences)[number];
  replacement: (typeof replacements)[number];
  ignoring: (typeof ignorings)[number];
  comparison: (typeof comparisons)[number];
  isRequired: boolean;
  key: "project" | "size";
}

const cases: Case[] = differences.flatMap((difference) =>
  replacements.flatMap((replacement) =>
    ignorings.flatMap((ignoring) =>
      comparisons.flatMap((comparison) =>
        [true, false].flatMap((isRequired) =>
          (["project", "size"] as const).map((key) => ({
            ...{ difference, replacement, ignoring, comparison, isRequired, key },
          })),
        ),
      ),
    ),
  ),
);

function expectedRole({ difference, replacement, ignoring, comparison, isRequired }: Case): InputRole {
  const isChanged = difference === "real" || (difference === "equivalent" && comparison === "exact");
  if (isChanged && replacement !== "never") return "forcing";
  if (ignoring === "whole" && !isRequired) return "ignored";
  return isChanged ? "changed" : "unchanged";
}

it.each(cases)("%j", async (one) => {
  const { key, difference, replacement, ignoring, comparison, isRequired } = one;
  const value = { none: "old", equivalent: "OLD", real: "new" }[difference];
  const isEquivalent = value.toLowerCase() === "old";
  const definition = {
    inputs: z.strictObject({ [key]: isRequired ? z.string() : z.string().optional(), other: z.string() }),
    traits: { replaceOn: replacement === "replaceOn" ? [key] : [] },
    diff: {
      replaces: (name: string, state: object) => name === key && key in state && replacement === "replaces",
      compare: (name: string) => (name === "size" && isEquivalent ? false : undefined),
    },
  };
  const ignored: PropertyPath[] = { none: [], part: [[key, "member"]], whole: [[key]] }[ignoring];
  const change = { state: { [key]: "old", other: "a" }, news: { [key]: value, other: "a" }, ignored };
  const isSameProject = async (project: unknown) => project === value && isEquivalent;
  const roles = await rolesOf(definition, {
    ...change,
    ...(comparison === "byMeaning" && { isSameProject }),
  });
  expect(Object.fromEntries(roles)).toEqual({ [key]: expectedRole(one), other: "unchanged" });
  expect(inputsWith(roles, expectedRole(one))).toContain(key);
});

it("ignores every optional input with the path *", async () => {
  const inputs = z.strictObject({ name: z.string(), size: z.string().optional() });
  const change = { state: { name: "a" }, news: { name: "a", size: "1" }, ignored: [["*"]] };
  const roles = await rolesOf({ inputs, traits: { replaceOn: [] }, diff: {} }, change);
  expect(inputsWith(roles, "ignored")).toEqual(["size"]);
});

it("leaves out an added or removed input only if it is ignored", async () => {
  const inputs = z.strictObject({ added: z.string().optional(), removed: z.string().optional() });
  const change = { state: { removed: "a" }, news: { added: "b" }, ignored: [["removed"]] };
  const roles = await rolesOf({ inputs, traits: { replaceOn: [] }, diff: {} }, change);
  expect(Object.fromEntries(roles)).toEqual({ added: "changed", removed: "ignored" });
});
