import type { Client } from "../client/client";
import { ifFound } from "../client/errors";
import { isRecordedAt } from "./address";
import { recordKey } from "./ownership-record";
import { digest, type Plain } from "./values";

/** Checks that prevent objects of another account or API from counting as deleted or being replaced by mistake. */

/** True when an ownership record of this API names this account. */
const isIn = (accountId: string, record: string): boolean => record.slice(6).startsWith(digest(accountId));

/**
 * True when the program moves an object to another account: the resource has a `slipway.Provider` of that account, in
 * which the object does not exist. If the object's project was transferred to that account, the object has not moved.
 * @param find reads the object with that provider
 * @throws Error when the provider has a token of another account, but does not set `team`, because the token may be a
 *   mistake
 */
export async function isElsewhere(
  client: Client,
  type: string,
  id: string,
  state: Plain,
  find: () => Promise<unknown>,
): Promise<boolean> {
  const { apiUrl, explicitProvider } = client.settings;
  const record = state[recordKey];
  if (!explicitProvider || typeof record !== "string" || !isRecordedAt(apiUrl, record)) return false;
  const accountId = await client.account();
  if (accountId === undefined || isIn(accountId, record)) return false;
  if (await ifFound(find())) return false;
  if (explicitProvider === "with-team") return true;
  throw new Error(
    `${type} ${id} is not in the account ${accountId}, which the token of its provider selects. ` +
      "Restore the token of that account. Or, to create the object again in this account, set the provider's team " +
      'to this account ("" for a personal one).',
  );
}

/**
 * Prevents an object that was not found from counting as deleted, if it may exist elsewhere.
 * @throws Error when the requests went to another account or API than the recorded one, when the token cannot read its
 *   account, or when the object's project was transferred
 */
export async function refuseOtherAccount(
  client: Client,
  type: string,
  id: string,
  state: Plain | undefined,
): Promise<void> {
  const record = state?.[recordKey];
  if (typeof record !== "string") return;
  const start = `${type} ${id} was not found at ${client.settings.apiUrl}`;
  if (!isRecordedAt(client.settings.apiUrl, record)) {
    throw new Error(
      `${start}, but it was created at another address, so it does not count as deleted. ` +
        "Restore SLIPWAY_API_URL or slipway:apiUrl of the stack.",
    );
  }
  const accountId = await client.account();
  if (accountId === undefined) {
    throw new Error(
      `${start}, and the token cannot read its account, so it does not count as deleted. ` +
        "Set the team by its id (SLIPWAY_TEAM=team_…), or remove the object from the state with `pulumi state delete`.",
    );
  }
  if (!isIn(accountId, record)) {
    throw new Error(
      `${start} in the account ${accountId}, but it was created in another account, so it does not count as deleted. ` +
        "Restore SLIPWAY_TEAM or slipway:team, and the token, of the stack's account.",
    );
  }
  await refuseTransferred(client, start, projectOf(id, state));
}

/**
 * Prevents an object whose project was transferred from counting as deleted. Only accounts that the token can read are
 * searched.
 * @throws Error when another account has the project
 */
async function refuseTransferred(client: Client, start: string, project: string | undefined): Promise<void> {
  if (project === undefined || (await ifFound(client.identify(project)))) return;
  const account = await client.accountOfProject(project);
  if (account === undefined) return;
  throw new Error(
    `${start}, because the project ${project} was transferred to the account ${account}, so it does not count as deleted. ` +
      "To manage it there, set SLIPWAY_TEAM or slipway:team to that account, or give the resources of the project a " +
      "Provider of that account. To stop managing the project, run `pulumi state delete`.",
  );
}

/** Returns the id of an object's project, or of the object itself if it is a project; undefined without a project. */
const projectOf = (id: string, { projectId = id }: Plain = {}): string | undefined =>
  typeof projectId === "string" && projectId.startsWith("prj_") ? projectId : undefined;
