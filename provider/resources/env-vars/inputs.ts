import { z } from "zod";
import { valueSource } from "../../core/value-source";
import { envTargets, envTypes, runtimeKeys } from "../../vocabulary";
import { inputs as envVar, defaults as envVarDefaults, isReserved } from "../env-var/inputs";
import { sizeReason } from "../env-var/value-warnings";
import type { Wanted } from "./create";

const fields = envVar.shape;

/** The largest number of variables in a request, and of an environment. */
const mostVariables = 1000;

/** A variable: its value, or an object with its value and settings. */
const variable = z.union([
  z.string().max(65_536),
  z.strictObject({
    /** Value of the variable. Required, except for type system and with `valueFrom`. Numbers and booleans become text. */
    value: fields.value,
    /**
     * Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each
     * preview and update reads it again, so a changed value updates the variable.
     */
    valueFrom: valueSource.optional(),
    /** How the service stores the value. Default: `type` of the resource. */
    type: fields.type,
    /**
     * Environments that get the variable. Default: `target` of the resource, or none if the variable has
     * `customEnvironmentIds`.
     */
    target: fields.target,
    /**
     * Git branch whose preview deployments get the variable. Requires preview as the only target, and no
     * `customEnvironmentIds`.
     */
    gitBranch: fields.gitBranch,
    /** Description of the variable. */
    comment: fields.comment,
    /** Ids of custom environments that get the variable, in addition to its own `target` or instead. */
    customEnvironmentIds: fields.customEnvironmentIds,
  }),
]);

export const inputs = z
  .strictObject({
    /** Id or name of the project. Changing it replaces the variables. */
    project: fields.project,
    /**
     * Variables by key, at most 1000. The whole map is a secret. Variables of the project outside this map are not
     * changed.
     */
    variables: z
      .record(z.string(), variable)
      .refine(
        (variables) => Object.keys(variables).length <= mostVariables,
        `must have at most ${mostVariables} variables. Declare the others in another EnvVars`,
      ),
    /**
     * Environments of the variables that set neither `target` nor `customEnvironmentIds`. Default: production, preview
     * and development; for sensitive variables, production and preview.
     */
    target: fields.target,
    /**
     * How the service stores the variables that do not set `type`. Default for a new variable: encrypted if its
     * environments include development, otherwise sensitive.
     */
    type: z.enum(envTypes).optional(),
    /**
     * Takes over each existing variable that has the key, the branch and at least one of the environments of a declared
     * variable. If false, the create fails when one of these variables exists. Default: false.
     */
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
  /** For each key: the id of the variable, and the time of its last change (milliseconds since the epoch). */
  records: z.record(
    z.string(),
    z.object({
      /** Id of the variable. */
      id: z.string(),
      /** Time of the last change (milliseconds since the epoch). */
      updatedAt: z.number(),
    }),
  ),
  /**
   * Random text for `triggers` of a Deployment. The text changes only when a value, type, key, environment or branch
   * changes, and reveals none of them. If an earlier version of Slipway created the variables, `revision` is not set
   * until a variable changes.
   */
  revision: z.string(),
  /**
   * Digests of the values that come from `valueFrom`, with which the next run sees a changed value. Always a secret.
   * Without such values, empty.
   */
  valueDigest: z.string(),
});

/** Values of inputs that the program does not declare, or no longer declares. */
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

/** @returns why a variable is invalid; undefined if it is valid */
const reasonAgainst = (key: string, one: Wanted): string | undefined =>
  reasonAgainstKey(key, one) ??
  (one.type === "system" ? reasonAgainstSystem(one) : reasonAgainstOther(key, one));

function reasonAgainstKey(key: string, { type }: Wanted): string | undefined {
  if (runtimeKeys.includes(key)) return "is the key of a variable that the runtime sets: use another key";
  if (!fields.key.safeParse(key).success)
    return "is not a valid key: use letters, digits and '_', and do not begin with a digit";
  return isReserved(key, type)
    ? "is the key of a system variable: use another key, or set type to system"
    : undefined;
}

const reasonAgainstSystem = ({ value }: Wanted): string | undefined =>
  value === undefined ? undefined : "has type system, whose value the service sets: remove value";

function reasonAgainstOther(key: string, one: Wanted): string | undefined {
  if (one.value === undefined) return "has no value: set `value`. Only variables of type system have none";
  const tooLarge = sizeReason(key, one.value);
  if (tooLarge) return tooLarge;
  if (one.type === "sensitive" && one.target.includes("development"))
    return "has type sensitive, which excludes the target development";
  const environments = [...one.target, ...(one.customEnvironmentIds ?? [])];
  if (environments.length === 0) return "has no target: give it target, customEnvironmentIds, or both";
  if (one.gitBranch !== undefined && environments.some((name) => name !== "preview"))
    return 'has a gitBranch, which requires preview as the only target. Set target to ["preview"]';
  return undefined;
}
