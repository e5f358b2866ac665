import { z } from "zod";
import type { Rule } from "../../core/check";
import { flagEnvironments, flagKinds, flagSlug } from "../../vocabulary";
import { projectRef } from "../names";

/** Slug of a flag or a segment. */
export const slugText = z.string().regex(flagSlug, "must consist of 1 to 512 letters, digits, '-' and '_'");

export const name = z.string().min(1).max(512);
export const text = z.string().min(1).max(2000);

const variant = z.strictObject({
  /** Id of the variant, such as `control`, by which environments and rules name it. */
  id: name,
  /** Name of the variant in the dashboard. */
  label: text.optional(),
  /** Purpose of the variant. */
  description: text.optional(),
  /** Value that the flag has for an application: of the `kind` of the flag. */
  value: z.unknown().refine((value): boolean => value !== undefined),
});

const environment = z.strictObject({
  /** Whether the flag is evaluated. If false, every visitor gets the variant `disabledVariantId`. */
  enabled: z.boolean(),
  /** Id of the variant of visitors to whom no rule and no target applies. */
  defaultVariantId: name,
  /** Id of the variant of all visitors while the flag is not enabled. */
  disabledVariantId: name,
});
export type Environment = z.output<typeof environment>;

export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the flag. */
  project: projectRef,
  /** Key of the flag in the code of applications: letters, digits, '-' and '_'. Changing it replaces the flag. */
  slug: slugText,
  /** Kind of the values. Changing it replaces the flag. */
  kind: z.enum(flagKinds),
  /** All variants of the flag: at least one. A boolean flag has two, one with the value true and one with false. */
  variants: z.array(variant).min(1).max(100),
  /** Purpose of the flag. */
  description: text.optional(),
  /**
   * Archives the flag: it is no longer evaluated, and applications get the default value in their code. Default: false.
   */
  archived: z.boolean().optional(),
  /** Says that the flag is meant to stay in the code. Default: false. */
  permanent: z.boolean().optional(),
  /** Tags that group flags. */
  tags: z.array(name).max(1000).optional(),
  /** Ids of the users who maintain the flag. */
  maintainerIds: z.array(name).max(1000).optional(),
  /** Configuration of the flag in production. If you never declare it, the configuration in the dashboard is kept. */
  production: environment.optional(),
  /** Configuration of the flag in previews. If you never declare it, the configuration in the dashboard is kept. */
  preview: environment.optional(),
  /** Configuration of the flag in development. If you never declare it, the configuration in the dashboard is kept. */
  development: environment.optional(),
  /**
   * Takes over an existing flag with this slug. If false, the create fails when the project already has the flag.
   * Default: false.
   */
  adopt: z.boolean().optional(),
});
export type Inputs = z.output<typeof inputs>;
export type Variants = Inputs["variants"];

/** Returns the first variant whose value is not of the kind of the flag. */
const otherKind = ({ kind, variants = [] }: Partial<Inputs>): Variants[number] | undefined =>
  kind === undefined || kind === "json" ? undefined : variants.find(({ value }) => typeof value !== kind);

/** Returns the id of a variant that an environment names and the flag does not have. */
const unknownVariant = (declared: Partial<Inputs>): string | undefined => {
  const ids = declared.variants?.map(({ id }) => id);
  return flagEnvironments
    .flatMap((key) => [declared[key]?.defaultVariantId, declared[key]?.disabledVariantId])
    .find((id) => id !== undefined && ids && !ids.includes(id));
};

export const rules: readonly Rule<Inputs>[] = [
  [
    ({ variants = [] }) => new Set(variants.map(({ id }) => id)).size < variants.length,
    "two of the variants have the same id. Give each of them an id of its own.",
  ],
  [
    (declared) => otherKind(declared) !== undefined,
    (declared) =>
      `the value of the variant ${JSON.stringify(otherKind(declared)?.id)} is not a ${declared.kind}. Change it, or the kind.`,
  ],
  [
    ({ kind, variants }) =>
      kind === "boolean" &&
      variants !== undefined &&
      (variants.length !== 2 || new Set(variants.map(({ value }) => value)).size !== 2),
    "the variants of a boolean flag must be two, one with the value true and one with the value false.",
  ],
  [
    (declared) => unknownVariant(declared) !== undefined,
    (declared) =>
      `an environment names ${JSON.stringify(unknownVariant(declared))}, which is the id of none of the variants. Add the variant, or name another one.`,
  ],
];
