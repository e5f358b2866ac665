import type { Client } from "../../client/client";
import { holdsUnknown, type Plain } from "../../core/values";

/**
 * The policy of a team for the types of variables: with it, new variables for production and preview have to be
 * sensitive (`sensitiveEnvironmentVariablePolicy`). What a variable was before the policy, it may stay.
 */

/** True for a variable whose value members of the team can read, although builds for others get it. */
const isReadable = ({ type, target }: Plain): boolean =>
  type !== "sensitive" &&
  type !== "system" &&
  Array.isArray(target) &&
  target.some((one) => one !== "development");

/**
 * @param news the declared variables
 * @param before those of the last run
 * @returns why the policy of the team refuses a variable; undefined if it refuses none, or if the token cannot read it
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
    `The policy of the team wants variables for production and preview to be of type sensitive: not ${keys}. Give each ` +
    'the type "sensitive", and declare another variable for development, where that type is not possible.'
  );
}
