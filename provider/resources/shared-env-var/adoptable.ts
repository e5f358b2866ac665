import type * as responses from "../../client/responses";
import { isRevealed, unreadableReason } from "../env-var/unknown-value";
import type { Inputs } from "./inputs";

/** The inputs that decide which existing variable is adopted. */
type Adoption = Pick<Inputs, "key"> &
  Partial<Pick<Inputs, "target" | "applyToAllCustomEnvironments" | "projectIds" | "type" | "value">>;

/**
 * Returns the reason why an existing shared variable cannot be adopted; undefined if it can be adopted, or if none
 * exists.
 * @param ignored settings that the adoption leaves as they are
 */
export function reasonNotToAdopt(
  declared: Adoption,
  [found, ...more]: readonly responses.SharedVariable[],
  ignored: ReadonlySet<string> = new Set(),
): string | undefined {
  if (!found) return undefined;
  const { key } = declared;
  if (more.length > 0)
    return (
      `Several shared variables named ${key} exist for the declared environments (${[found, ...more].map(({ id }) => id).join(", ")}), ` +
      "so none can be adopted. Declare one variable for each of them, with its own target."
    );
  const isReadable = declared.type !== undefined && isRevealed(found, { ...declared });
  if (isReadable && !ignored.has("type")) return unreadableReason(key);
  const lost = lostBy(declared, found, ignored);
  if (lost.length === 0) return undefined;
  return (
    `The shared variable ${key} (${found.id}) exists. Adopting it as declared would take it from ${lost.join(", ")}. ` +
    "To adopt it, declare it for all of these. A later run can remove it from some of them."
  );
}

/** The projects and environments that would no longer get the variable. Undeclared settings stay as they are. */
function lostBy(
  { target, applyToAllCustomEnvironments, projectIds }: Adoption,
  found: responses.SharedVariable,
  ignored: ReadonlySet<string>,
): string[] {
  const without = (existing: readonly string[] | null | undefined, wanted: readonly string[] | undefined) =>
    (wanted ? (existing ?? []) : []).filter((one) => !wanted?.includes(one));
  const isNarrower = applyToAllCustomEnvironments === false && found.applyToAllCustomEnvironments === true;
  return [
    ...(ignored.has("target") ? [] : without(found.target, target)),
    ...(isNarrower && !ignored.has("applyToAllCustomEnvironments") ? ["custom environments"] : []),
    ...(ignored.has("projectIds") ? [] : without(found.projectId, projectIds)),
  ];
}
