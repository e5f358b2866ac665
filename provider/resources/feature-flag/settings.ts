import { isPlain, type Plain } from "../../core/values";
import { flagEnvironments } from "../../vocabulary";
import type { Environment, Variants } from "./inputs";
import type { RemoteEnvironment, RemoteFlag } from "./records";

/** The settings of a feature flag: their form in requests, and in inputs. */

/** Inputs that an update sends. */
export const settings = [
  ...(["variants", "description", "archived", "permanent", "tags", "maintainerIds"] as const),
  ...flagEnvironments,
] as const;

export const defaults: Plain = {
  description: null,
  archived: false,
  permanent: false,
  tags: [],
  maintainerIds: [],
};

/**
 * The variant of environments that the program does not declare: the service needs a configuration of each.
 * @source the Terraform provider: the variant with the value false, or with the id `control`
 */
export const offVariant = (variants: Variants): string =>
  (
    variants.find(({ value }) => value === false) ??
    variants.find(({ id }) => id === "control") ??
    variants[0]
  )?.id ?? "";

/** The members of a request. @param remote the existing flag, of which rules, targets and texts of variants are kept */
export function bodyOf(
  { archived, description, variants, production, preview, development, ...rest }: Plain,
  remote?: RemoteFlag,
  before: Variants = [],
): Plain {
  const declared = Object.entries({ production, preview, development }).filter(([, value]) => value);
  const environments = declared.map(([key, value]) => [
    key,
    environmentOf(value as Environment, remote?.environments[key]),
  ]);
  return {
    ...rest,
    ...(archived !== undefined && { state: archived ? "archived" : "active" }),
    ...(description !== undefined && { description: description ?? "" }),
    ...(variants !== undefined && { variants: variantsOf(variants as Variants, remote, before) }),
    ...(declared.length > 0 && { environments: Object.fromEntries(environments) }),
  };
}

const served = (variantId: string) => ({ type: "variant", variantId });

/** The configuration of an environment. A link to another environment ends, because the flag would not serve this one. */
export const environmentOf = (
  { enabled, defaultVariantId, disabledVariantId }: Environment,
  existing?: RemoteEnvironment,
): Plain => ({
  rules: [],
  ...existing,
  active: enabled,
  fallthrough: served(defaultVariantId),
  pausedOutcome: served(disabledVariantId),
  ...(existing?.reuse && { reuse: { ...existing.reuse, active: false } }),
});

/** The ids of the variants that the configuration of an environment names. @source the newest official client: its outcomes */
export function variantsNamed(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(variantsNamed);
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (/variantId$/i.test(key)) return [`${one}`];
    if (key === "conditions") return [];
    return [
      ...(/^(weights|targets)$/.test(key) && isPlain(one) ? Object.keys(one) : []),
      ...variantsNamed(one),
    ];
  });
}

/** The variants of a request. Texts that the program never declared are kept. */
const variantsOf = (declared: Variants, remote: RemoteFlag | undefined, before: Variants): Plain[] =>
  declared.map((variant) => {
    const { label, description } = remote?.variants.find(({ id }) => id === variant.id) ?? {};
    const known = before.find(({ id }) => id === variant.id);
    return {
      ...(label && known?.label === undefined && { label }),
      ...(description && known?.description === undefined && { description }),
      ...variant,
    };
  });

/** The settings of a flag in the form of inputs. */
export const settingsOf = (remote: RemoteFlag): Plain => ({
  variants: remote.variants.map(({ id, label, description, value }) => ({
    ...{ id, value },
    ...(label && { label }),
    ...(description && { description }),
  })),
  description: remote.description || undefined,
  archived: remote.state === "archived",
  permanent: remote.permanent ?? false,
  tags: remote.tags ?? [],
  maintainerIds: remote.maintainerIds ?? [],
  ...Object.fromEntries(
    flagEnvironments.map((key) => [key, environmentIn(remote.environments[key])] as const),
  ),
});

/** An environment in the form of an input; undefined for a split, or for a link to another environment. */
function environmentIn(environment: RemoteEnvironment | undefined): Environment | undefined {
  const { active = false, fallthrough, pausedOutcome, reuse } = environment ?? {};
  const [on, off] = [fallthrough?.variantId, pausedOutcome?.variantId];
  if (!on || !off || reuse?.active) return undefined;
  return { enabled: active, defaultVariantId: on, disabledVariantId: off };
}

/** The variants of a flag, with the texts that the program declares. */
export const variantsSeen = (declared: Variants, { variants }: RemoteFlag): Plain[] =>
  variants.map(({ id, label, description, value }) => {
    const known = declared.find((variant) => variant.id === id);
    return {
      id,
      ...(known?.label !== undefined && { label: label || null }),
      ...(known?.description !== undefined && { description: description || null }),
      value,
    };
  });
