/**
 * The largest depth of JSON that the server stores. Answers are serialized by recursion, so deeper JSON could overflow.
 */
export const deepest = 100;

/** True for JSON that is nested more than `deepest` levels deep. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
