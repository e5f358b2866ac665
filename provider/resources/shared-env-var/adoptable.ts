import type * as responses from "../../client/responses";
import type { Inputs } from "./inputs";

/** The inputs that decide which existing variable is adopted. */
type Adoption = Pick<Inputs, "key"> &
  Partial<Pick<Inputs, "target" | "applyToAllCustomEnvironments" | "projectIds">>;

/**
 * Why none of the shared variables that conflict with a declared one can be adopted.
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
  const lost = lostBy(declared, found, ignored);
  if (lost.length === 0) return undefined;
  return (
    `The shared variable ${key} (${found.id}) exists. Adopting it as declared would take it from ${lost.join(", ")}. ` +
    "Declare it for all of them to adopt it; a later run can remove it from some."
  );
}

/** The projects and environments that would no longer get the variable. Undeclared settings stay as they are. */
function lostBy(
  { target, applyToAllCustomEnvironments, projectIds }: Adoption,
  found: responses.SharedVariable,
  ignored: ReadonlySet<string>,
): string[] {
  const without = (there: readonly string[] | null | undefined, wanted: readonly string[] | undefined) =>
    (wanted ? (there ?? []) : []).filter((one) => !wanted?.includes(one));
  const isNarrower = applyToAllCustomEnvironments === false && found.applyToAllCustomEnvironments === true;
  return [
    ...(ignored.has("target") ? [] : without(found.target, target)),
    ...(isNarrower && !ignored.has("applyToAllCustomEnvironments") ? ["custom environments"] : []),
    ...(ignored.has("projectIds") ? [] : without(found.projectId, projectIds)),
  ];
}
