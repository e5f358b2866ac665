import type { Plain } from "../../core/values";

/** Warnings about values that builds and functions may not get as the user means them. They never quote a value. */

/** Invisible characters at an end of a text; byte order marks and zero-width spaces are invisible too. */
const invisible = "[\\s\\u200b\\ufeff]";
const [atStart, atEnd] = [new RegExp(`^${invisible}`), new RegExp(`${invisible}$`)];

/** Warnings about white space at the ends of the value of a variable. */
export function whiteSpaceWarnings({ key, value }: Plain): string[] {
  if (typeof value !== "string" || typeof key !== "string") return [];
  const last = /[\r\n]$/.test(value) ? "a line break" : "white space";
  const found = [
    ...(atStart.test(value) ? ["begins with white space"] : []),
    ...(atEnd.test(value) ? [`ends with ${last}`] : []),
  ];
  if (found.length === 0) return [];
  return [
    `The value of ${key} ${found.join(" and ")}, which becomes part of the variable. If it comes from a file or a ` +
      "command by mistake, trim it: value.trim() in TypeScript, printf instead of echo in a shell.",
  ];
}

/** The maximum size of all variables of a deployment in bytes. @source the public documentation of the service */
const largestTotal = 65_536;

/** Why a variable alone is larger than all variables of a deployment can be; undefined if it is not. */
export const sizeReason = (key = "", value = ""): string | undefined =>
  Buffer.byteLength(`${key}${value}`) <= largestTotal
    ? undefined
    : "must have at most 64 KB with its key, as much as all variables of a deployment can have together. Move a large " +
      "value to a file or to an Edge Config";

/** Warns if the variables of an environment are too large together. @param variables each with its key */
export function sizeWarnings(variables: readonly Plain[]): string[] {
  const totals = new Map<string, number>();
  const known = variables.filter(({ value }) => typeof value === "string");
  for (const { key, value, target, customEnvironmentIds } of known) {
    const size = Buffer.byteLength(`${key}${value}`);
    const environments = [target ?? [], customEnvironmentIds ?? []].flat();
    for (const environment of environments.filter((one) => typeof one === "string"))
      totals.set(environment, size + (totals.get(environment) ?? 0));
  }
  return [...totals]
    .filter(([, size]) => size > largestTotal)
    .map(
      ([environment, size]) =>
        `The variables for ${environment} have ${Math.ceil(size / 1024)} KB together. All variables of a deployment ` +
        "can have at most 64 KB, so its build would fail. Move large values to a file or to an Edge Config.",
    );
}
