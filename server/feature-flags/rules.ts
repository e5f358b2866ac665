import { notFound, type Refusal, type RefusalRow } from "../platform/refusal";
import type { FlagRow } from "./object";
import type { Environment, FlagData, Outcome } from "./schema";

/** Refusals of feature flags. @choice The sources document neither their codes nor all of their reasons. */

export const noSuchFlag = (key: string): Refusal => notFound(`Feature flag ${JSON.stringify(key)}`);
export const noSuchSegment = (key: string): Refusal => notFound(`Segment ${JSON.stringify(key)}`);
export const noSuchKey = (hash: string): Refusal => notFound(`SDK key ${JSON.stringify(hash)}`);

/** @source the newest official client: a slug is unique in the project */
export const slugTaken: RefusalRow<{ isSlugTaken: boolean; body: { slug: string } }> = [
  409,
  "conflict",
  ({ body }) => `The project has ${JSON.stringify(body.slug)} already. Choose another slug.`,
  ({ isSlugTaken }) => isSlugTaken,
];

/** @source the public documentation of the service: a flag must be archived before it can be deleted */
export const notArchived: RefusalRow<{ data: FlagData; flag: FlagRow }> = [
  409,
  "conflict",
  ({ flag }) => `The feature flag ${JSON.stringify(flag.slug)} is active. Archive it before you delete it.`,
  ({ data }) => data.state !== "archived",
];

/** @choice The dashboard would show the rules of such flags without their segment. */
export const segmentUsed: RefusalRow<{ users: readonly string[] }> = [
  409,
  "conflict",
  ({ users }) => `Rules of ${users.join(", ")} use this segment. Remove it from these rules.`,
  ({ users }) => users.length > 0,
];

export const invalidFlag: RefusalRow<{ problem: string | undefined }> = [
  400,
  "bad_request",
  ({ problem = "" }) => problem,
  ({ problem }) => problem !== undefined,
];

/** Why a flag cannot have these variants and environments. */
export function problemOf(
  kind: FlagRow["kind"],
  { variants, environments }: Pick<FlagData, "variants" | "environments">,
): string | undefined {
  const ids = new Set(variants.map(({ id }) => id));
  if (ids.size < variants.length) return "Two variants have the same id. Give each variant its own.";
  const other = variants.find(({ value }) => kind !== "json" && typeof value !== kind);
  if (other) return `The value of the variant ${JSON.stringify(other.id)} must be a ${kind}.`;
  if (kind === "boolean" && new Set(variants.map(({ value }) => value)).size !== 2)
    return "A boolean flag must have two variants, one with the value true and one with false.";
  for (const [name, environment] of Object.entries(environments)) {
    const unknown = variantsIn(environment).find((id) => !ids.has(id));
    if (unknown !== undefined)
      return `The environment ${name} names ${JSON.stringify(unknown)}, which is none of the variants.`;
    const { active = false, environment: linked = "" } = environment.reuse ?? {};
    if (active && (linked === name || !Object.hasOwn(environments, linked)))
      return `The environment ${name} must be linked to another environment of the flag.`;
  }
  return undefined;
}

/** The ids of the variants that the configuration of an environment names. */
const variantsIn = ({ pausedOutcome, fallthrough, rules, targets = {} }: Environment): string[] => [
  ...[pausedOutcome, fallthrough, ...rules.map(({ outcome }) => outcome)].flatMap(variantsOf),
  ...Object.keys(targets),
];

function variantsOf(outcome: Outcome): string[] {
  if (outcome.type === "variant") return [outcome.variantId];
  if (outcome.type === "split") return [...Object.keys(outcome.weights), outcome.defaultVariantId];
  return [outcome.rollFromVariantId, outcome.rollToVariantId, outcome.defaultVariantId];
}
