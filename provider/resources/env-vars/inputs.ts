import { z } from "zod";
import { envTargets, envTypes } from "../../vocabulary";
import { inputs as envVar, defaults as envVarDefaults } from "../env-var/inputs";
import type { Wanted } from "./create";

const fields = envVar.shape;

/** A variable: its value, or an object with its settings. */
const variable = z.union([
  z.string().max(65_536),
  z.strictObject({
    /** Value of the variable. Every type but system has one. */
    value: fields.value,
    /** How the service keeps the value; by default the `type` of all. */
    type: fields.type,
    /** Environments that get the variable; by default the `target` of all, unless it is for custom environments. */
    target: fields.target,
    /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
    gitBranch: fields.gitBranch,
    /** What the variable is for. */
    comment: fields.comment,
    /** Ids of custom environments that get the variable, beside those of its own `target` or alone. */
    customEnvironmentIds: fields.customEnvironmentIds,
  }),
]);

/** The inputs. */
export const inputs = z
  .strictObject({
    /** Id or name of the project. Changing it replaces the variables. */
    project: fields.project,
    /** The variables by name. Secret as a whole. Others of the project are left alone. */
    variables: z.record(z.string(), variable),
    /** Environments that get those that do not say; all by default, and for sensitive ones all but development. */
    target: fields.target,
    /** How the service keeps those that do not say; encrypted by default. */
    type: z.enum(envTypes).optional(),
    /** Takes over variables of the same key, environments and branch that exist already, instead of failing. */
    adopt: fields.adopt,
  })
  .superRefine((declared, context) => {
    for (const [key, one] of Object.entries(wantedOf(declared))) {
      const reason = reasonAgainst(key, one);
      if (reason) context.addIssue({ code: "custom", path: ["variables", key], message: reason });
    }
  });

export const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of each variable, and when it was last written (milliseconds since the epoch), by name. */
  records: z.record(
    z.string(),
    z.object({
      /** Id of the variable. */
      id: z.string(),
      /** When it was last written (milliseconds since the epoch). */
      updatedAt: z.number(),
    }),
  ),
});

/** The values of inputs that are removed from the program. */
export const defaults = { target: envTargets, type: envVarDefaults.type, adopt: false } as const;

export type Inputs = z.output<typeof inputs>;
export type Outputs = z.output<typeof outputs>;
export type Variables = Inputs["variables"];
export type Records = Outputs["records"];

/** The declared variables with the defaults applied. */
export function wantedOf({ variables = {}, target, type }: Partial<Inputs>): Record<string, Wanted> {
  const whole = Object.entries(variables).map(([key, given]): [string, Wanted] => {
    const one = typeof given === "string" ? { value: given } : given;
    const kept = one.type ?? type;
    const usual =
      kept === "sensitive" ? envTargets.filter((name) => name !== "development") : [...envTargets];
    const isForCustomOnes = (one.customEnvironmentIds ?? []).length > 0;
    return [key, { ...one, type: kept, target: one.target ?? (isForCustomOnes ? [] : (target ?? usual)) }];
  });
  return Object.fromEntries(whole);
}

/** @returns the error in a variable; undefined: it is valid */
function reasonAgainst(key: string, one: Wanted): string | undefined {
  if (!fields.key.safeParse(key).success)
    return "is no name for a variable: it has letters, digits and '_', and does not begin with a digit";
  if (one.type === "system")
    return one.value === undefined
      ? undefined
      : "has type system, whose value the service sets: remove value";
  if (one.value === undefined) return "has no value: give one; only type system has none";
  if (one.type === "sensitive" && one.target.includes("development"))
    return "has type sensitive, which excludes the target development";
  const environments = [...one.target, ...(one.customEnvironmentIds ?? [])];
  if (environments.length === 0) return "has no target: give it target, customEnvironmentIds, or both";
  if (one.gitBranch !== undefined && environments.some((name) => name !== "preview"))
    return 'has a gitBranch, which needs the target preview, and no other: give it target ["preview"]';
  return undefined;
}
