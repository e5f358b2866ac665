import type { Services } from "../platform/services";
import type { Tx } from "../store/store";
import { accountsNamed } from "./store";

/**
 * Runs a unit that changes some accounts. Requests on other accounts do not wait for it.
 * @param find returns the ids of the accounts
 */
export async function writeOn<T>(
  { store }: Services,
  find: (tx: Tx) => Promise<readonly string[]>,
  unit: (tx: Tx) => Promise<T>,
): Promise<T> {
  const accounts = await store.read(find, controlKey);
  // The first key is not an account, because a unit without keys would run alone.
  return store.write(unit, ...(accounts.length > 0 ? accounts : [controlKey]));
}

/** The key of reads and writes of the control plane that belong to no account. */
export const controlKey = "control";

/** The existing accounts that a document of the control plane names, by slug, username or id. */
export const accountsIn =
  (document: unknown) =>
  (tx: Tx): Promise<string[]> =>
    accountsNamed(tx, [...namesIn(document)]);

/** The members of seeds and bodies that name accounts. */
const nameMembers = new Set(["team", "user", "owner", "creator", "installedBy", "slug", "username", "id"]);

function namesIn(document: unknown): Set<string> {
  const names = new Set<string>();
  const left = [document];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (typeof member === "string" && nameMembers.has(name)) names.add(member);
      else left.push(member);
    }
  }
  return names;
}
