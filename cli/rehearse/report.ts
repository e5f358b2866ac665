import * as z from "zod";
import { kinds } from "../objects";

/** The report of a rehearsal. It contains no secrets. */

export const effects = ["create", "change", "delete", "replace"] as const;

const field = z.strictObject({
  field: z.string(),
  /** The value before the run; null if the field was not set. Absent for a secret. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  isSecret: z.literal(true).optional(),
});

const change = z.strictObject({
  effect: z.enum(effects),
  kind: z.enum(kinds.map(({ name }) => name)),
  name: z.string(),
  /** The name of the object's project; null for objects of the account. */
  project: z.string().nullable(),
  id: z.string(),
  /** The logical name of the resource that declares the object; null if no resource does. */
  resource: z.string().nullable(),
  isProduction: z.boolean(),
  /** True if the object is deleted together with its project. */
  isWithProject: z.boolean(),
  /**
   * True if the object still exists, but production loses it: a domain that gets a branch or a custom environment, a
   * variable that gets other targets or another key, a project that is paused.
   */
  leavesProduction: z.boolean(),
  fields: z.array(field),
});
export type Change = z.infer<typeof change>;

const move = z.strictObject({
  alias: z.string(),
  project: z.string().nullable(),
  /** The ids of the deployments that the alias points to before (`from`) and after the run (`to`); null for none. */
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type Move = z.infer<typeof move>;

export const reportShape = z.strictObject({
  version: z.literal(1),
  /** The most important change, in a sentence. */
  summary: z.string(),
  command: z.string(),
  exitCode: z.int(),
  /** The address of the account. */
  source: z.string(),
  /** The file of `--snapshot`; null if the account was read. */
  snapshot: z
    .strictObject({
      file: z.string(),
      /** When the account was read, in milliseconds since the epoch; null if the file does not say. */
      copiedAt: z.int().nullable(),
    })
    .nullable(),
  stack: z.string(),
  changes: z.array(change),
  aliases: z.array(move),
  /** The values of `--allow`. */
  allowed: z.array(z.string()),
  /** Resources of allowed providers that changed for real. */
  real: z.array(z.strictObject({ effect: z.enum(effects), type: z.string(), resource: z.string() })),
  /** Events that receivers of the account would get. */
  events: z.array(z.strictObject({ type: z.string(), count: z.int(), deliveries: z.int() })),
  /** The reasons why steps failed, with the logical name of the resource. */
  refusals: z.array(z.strictObject({ resource: z.string().nullable(), message: z.string() })),
  /** Facts that a rehearsal cannot know. */
  unknown: z.array(z.string()),
});
export type Report = z.infer<typeof reportShape>;

/** The conditions that `--fail-on` accepts. */
export const conditions = [...effects, "move", "refusal", "unknown"] as const;
export type Condition = (typeof conditions)[number];

export function meets(report: Report, condition: Condition): boolean {
  // An alias that no longer points to a deployment has moved too.
  if (condition === "move") return report.aliases.some(({ from }) => from !== null);
  if (condition === "refusal") return report.refusals.length > 0;
  if (condition === "unknown") return report.unknown.length > 0;
  return report.changes.some(
    ({ effect, leavesProduction }) => effect === condition || (condition === "delete" && leavesProduction),
  );
}
