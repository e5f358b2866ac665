import { z } from "zod";
import { envTargets, envTypes } from "../../vocabulary";
import { branchName, environmentId, projectRef } from "../names";

/** The inputs. */
export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the variable. */
  project: projectRef,
  /** Name of the variable. Changing it renames the variable. */
  key: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "may have letters, digits and '_', and does not begin with a digit"),
  /** Value of the variable; always kept as a secret. Every type but system has one. */
  value: z.string().max(65_536).optional(),
  /**
   * How the service keeps the value; encrypted by default. A sensitive one can be read by nobody any more, so it
   * becomes another type only by being replaced.
   */
  type: z.enum(envTypes).optional(),
  /** Environments that get the variable. Not given, it is for custom environments alone. */
  target: z.array(z.enum(envTargets)).optional(),
  /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
  gitBranch: branchName.optional(),
  /** What the variable is for. */
  comment: z.string().max(500).optional(),
  /** Ids of custom environments that get the variable, beside those of `target` or alone. */
  customEnvironmentIds: z.array(environmentId).optional(),
  /** Takes over a variable of the same key, environments and branch that exists already, instead of failing. */
  adopt: z.boolean().optional(),
});

export const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** When the variable was last written (milliseconds since the epoch). */
  updatedAt: z.number(),
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

/** The values of settings that are removed from the program. @source wire-shapes 4 */
export const defaults = {
  type: "encrypted",
  target: [],
  gitBranch: null,
  comment: "",
  customEnvironmentIds: [],
} as const;

export const defaultOf = (key: string): unknown =>
  key in defaults ? defaults[key as keyof typeof defaults] : undefined;

/** Numbers and booleans as text: in YAML, `PORT: 3000` and `FLAG: true` are none. */
export const textOf = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;
