import type { PolicyConfigSchema } from "@pulumi/policy";

/** The settings of a policy: for each one, a JSON schema with its default. */
export type SettingSchemas = PolicyConfigSchema["properties"];

const names = (description: string, initial: readonly string[] = []) => ({
  type: "array" as const,
  items: { type: "string" as const },
  default: [...initial],
  description: `${description}; * stands for any text.`,
});

/** The names that a policy ignores. @param what the kind of objects with these names */
export const except = (what: string) => ({ except: names(`Names of ${what} that the policy ignores`) });

/** Names of secrets, in addition to the names that every policy recognizes. */
export const secretNames = { secretNames: names("Names of further variables that hold secrets") };

/** The stacks of production, by name. */
export const stacks = {
  stacks: names("Names of the stacks of production", [
    "production",
    "production-*",
    "*-production",
    "prod",
    "prod-*",
    "*-prod",
  ]),
};

/** The given settings with the defaults of the others. */
export function withDefaults<S extends object>(schemas: SettingSchemas, given: Partial<S>): S {
  const defaults = Object.entries(schemas).map(([name, schema]) => [name, schema.default]);
  return { ...Object.fromEntries(defaults), ...given };
}

/** Whether a name matches one of the patterns, in which `*` stands for any text. Case does not matter. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "i").test(name);
  });
}
