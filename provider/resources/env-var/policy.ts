import type { Client } from "../../client/client";
import { holdsUnknown, type Plain } from "../../core/values";

/**
 * The policy of a team for the types of variables (`sensitiveEnvironmentVariablePolicy`): new variables for production
 * and preview have to be sensitive. Older variables may keep their type.
 */

/** True for a variable of production or preview whose value members of the team can read. */
const isReadable = ({ type, target }: Plain): boolean =>
  type !== "sensitive" &&
  type !== "system" &&
  Array.isArray(target) &&
  target.some((one) => one !== "development");

/**
 * @param news the declared variables
 * @param before the variables of the last run
 * @returns why the policy of the team refuses a variable; undefined if no variable is refused, or if the token cannot
 *   read the policy
 */
export async function reasonOfPolicy(
  client: Client,
  news: readonly Plain[],
  before: readonly Plain[],
): Promise<string | undefined> {
  const readable = new Set(before.filter(isReadable).map(({ key }) => key));
  const refused = news.filter(
    (one) => !holdsUnknown([one.key, one.type, one.target]) && isReadable(one) && !readable.has(one.key),
  );
  if (refused.length === 0 || (await client.variablePolicy()) !== "on") return undefined;
  const keys = refused.map(({ key, type }) => `${key} (${type ?? "encrypted"})`).join(", ");
  return (
    `The policy of the team requires the type sensitive for variables of production and preview. Change ${keys}: set ` +
    'type to "sensitive", and declare another variable for development, which does not permit that type.'
  );
}
