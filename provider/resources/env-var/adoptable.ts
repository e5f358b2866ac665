import type * as responses from "../../client/responses";
import type { Inputs } from "./inputs";
import { isOfIntegration, reasonOfIntegration } from "./other-tools";
import { isRevealed, unreadableReason } from "./unknown-value";

/** The inputs that decide which existing variable is adopted. */
export type Adoption = Pick<Inputs, "key" | "target" | "customEnvironmentIds"> &
  Partial<Pick<Inputs, "type" | "value">>;

/**
 * Returns the reason why an existing variable cannot be adopted; undefined if it can be adopted, or if none exists.
 * @param ignored settings that the adoption leaves as they are
 */
export function reasonNotToAdopt(
  declared: Adoption,
  [found, ...more]: readonly responses.Variable[],
  ignored: ReadonlySet<string> = new Set(),
): string | undefined {
  if (!found) return undefined;
  const { key } = declared;
  if (more.length > 0) {
    return (
      `Several variables named ${key} exist for the declared targets (${[found, ...more].map(({ id }) => id).join(", ")}), ` +
      "so none of them can be adopted. Declare each of these variables separately, with its target."
    );
  }
  if (isOfIntegration(found)) return reasonOfIntegration(found);
  // An undeclared type stays as it is.
  const isReadable = declared.type !== undefined && isRevealed(found, { ...declared });
  if (isReadable && !ignored.has("type")) return unreadableReason(key);
  const lost = lostEnvironments(declared, found).filter(({ setting }) => !ignored.has(setting));
  if (lost.length === 0) return undefined;
  return (
    `The variable ${key} (${found.id}) exists for ${[...(found.target ?? []), ...(found.customEnvironmentIds ?? [])].join(", ")}. ` +
    `Adopting it as declared would remove it from ${lost.map(({ name }) => name).join(", ")}. ` +
    "Declare all environments of the variable, also if the program ignores them. A later run can remove the variable " +
    "from some of them."
  );
}

/** The environments that an adoption would remove. Undeclared settings stay as they are. */
function lostEnvironments(
  declared: Adoption,
  found: responses.Variable,
): { setting: string; name: string }[] {
  return (["target", "customEnvironmentIds"] as const).flatMap((setting) => {
    const wanted: readonly string[] | undefined = declared[setting];
    const lost = wanted ? (found[setting] ?? []).filter((name) => !wanted.includes(name)) : [];
    return lost.map((name) => ({ setting, name }));
  });
}
