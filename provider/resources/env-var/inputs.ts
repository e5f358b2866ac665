import { z } from "zod";
import { valueSource } from "../../core/value-source";
import { envTargets, envTypes, runtimeKeys, systemKeys } from "../../vocabulary";
import { branchName, environmentId, projectRef } from "../names";

export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the variable. */
  project: projectRef,
  /** Name of the variable. Changing it renames the variable. */
  key: z
    .string()
    .min(1)
    .max(256)
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      "must consist of letters, digits and '_', and must not begin with a digit",
    )
    .refine(
      (key) => !runtimeKeys.includes(key),
      "must be another one, because the runtime sets a variable of this key",
    ),
  /** Value of the variable, always a secret. Required, except for type system and with `valueFrom`. Numbers and booleans become text. */
  value: z.string().max(65_536).optional(),
  /**
   * Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each
   * preview and update reads it again, so a changed value updates the variable.
   */
  valueFrom: valueSource.optional(),
  /**
   * How the service stores the value. Default for new variables: encrypted if `target` includes development, otherwise
   * sensitive. Nobody can read a sensitive value, so changing the type of a sensitive variable replaces the variable.
   */
  type: z.enum(envTypes).optional(),
  /** Environments that get the variable. Required, unless `customEnvironmentIds` is given. */
  target: z.array(z.enum(envTargets)).max(20).optional(),
  /**
   * Git branch whose preview deployments get the variable. Requires preview as the only target, and no
   * `customEnvironmentIds`.
   */
  gitBranch: branchName.optional(),
  /** Description of the variable. */
  comment: z.string().max(500).optional(),
  /** Ids of custom environments that get the variable, in addition to the environments of `target` or instead. */
  customEnvironmentIds: z.array(environmentId).max(100).optional(),
  /**
   * Takes over an existing variable that has this key, this branch and at least one of the declared environments. If
   * false, the create fails when this variable exists. Default: false.
   */
  adopt: z.boolean().optional(),
});

/** True if only a variable of type system can have the key. The type of a variable that declares none is never system. */
export const isReserved = (key: string | undefined, type: string | undefined): boolean =>
  key !== undefined && type !== "system" && systemKeys.includes(key);

export const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Time of the last change (milliseconds since the epoch). */
  updatedAt: z.number(),
  /**
   * Random text for `triggers` of a Deployment. The text changes only when the value, type, key, environments or branch
   * change, and reveals none of them. If an earlier version of Slipway created the variable, `revision` is not set until
   * the variable changes.
   */
  revision: z.string(),
  /**
   * Digest of the value, if it comes from `valueFrom`, with which the next run sees a changed value. Always a secret.
   * Otherwise empty.
   */
  valueDigest: z.string(),
});

export type Inputs = z.output<typeof inputs>;
export type Outputs = z.output<typeof outputs>;

/** Inputs that the service stores. */
export const settings = [
  "key",
  "value",
  "type",
  "target",
  "gitBranch",
  "comment",
  "customEnvironmentIds",
] as const;

/** Values of settings that are not declared, or no longer. @source wire-shapes 4 */
export const defaults = {
  type: "encrypted",
  target: [],
  gitBranch: null,
  comment: "",
  customEnvironmentIds: [],
} as const;

export const defaultOf = (key: string): unknown =>
  key in defaults ? defaults[key as keyof typeof defaults] : undefined;
