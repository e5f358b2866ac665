import { z } from "zod";
import { valueSource } from "../../core/value-source";
import { envTargets, sharedEnvTypes } from "../../vocabulary";
import { inputs as envVarInputs } from "../env-var/inputs";
import { projectId } from "../names";

export const inputs = z.strictObject({
  /** Name of the variable. Changing it renames the variable. */
  key: envVarInputs.shape.key,
  /** Value of the variable, always a secret. Required, except with `valueFrom`. Numbers and booleans become text. */
  value: envVarInputs.shape.value,
  /**
   * Where the provider reads the value, instead of `value`: the state has only a keyed digest of such a value. Each
   * preview and update reads it again, so a changed value updates the variable.
   */
  valueFrom: valueSource.optional(),
  /**
   * How Vercel stores the value. Default for new variables: sensitive, or encrypted if `target` contains development.
   * Changing sensitive to encrypted replaces the variable, because the API never returns a sensitive value.
   */
  type: z.enum(sharedEnvTypes).optional(),
  /** Environments that get the variable. Required, unless `applyToAllCustomEnvironments` is true. */
  target: z.array(z.enum(envTargets)).max(20).optional(),
  /** Whether all custom environments of the linked projects get the variable too. */
  applyToAllCustomEnvironments: z.boolean().optional(),
  /** Description of the variable. */
  comment: z.string().max(500).optional(),
  /**
   * Ids of all projects that get the variable. Other projects are unlinked. Without `projectIds`, links are not
   * changed: declare each link as a `SharedEnvVarLink`.
   */
  projectIds: z.array(projectId).max(1000).optional(),
  /**
   * If the team has a variable with this key and at least one of the declared environments, takes that variable over
   * instead of failing. Default: false.
   */
  adopt: z.boolean().optional(),
});

export const outputs = z.object({
  /** Ids of the projects that the variable is linked to. */
  linkedProjectIds: z.array(z.string()),
  /** Time of the last change (milliseconds since the epoch). */
  updatedAt: z.number(),
  /**
   * Random text for `triggers` of a Deployment. The text changes whenever the value, type, key, environments or
   * `projectIds` change, and only then. The text does not reveal these inputs.
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
  "applyToAllCustomEnvironments",
  "comment",
  "projectIds",
] as const;

/** Values of settings that are not declared, or no longer. Links are left as they are. */
export const defaults = {
  type: "encrypted",
  target: [],
  applyToAllCustomEnvironments: false,
  comment: "",
} as const;

export const defaultOf = (key: string): unknown =>
  key in defaults ? defaults[key as keyof typeof defaults] : undefined;
