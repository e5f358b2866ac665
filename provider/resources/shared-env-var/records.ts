import type { Client } from "../../client/client";
import {
  ApiError,
  absentFrom,
  concealed,
  type ItemFailure,
  ifFound,
  type RequestName,
} from "../../client/errors";
import { sharedEnvPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { isIgnored } from "../../core/ignored";
import type { UniqueKeys } from "../../core/unique-keys";
import { holdsUnknown, type Plain } from "../../core/values";
import { temporaryKey } from "../env-var/temporary-key";
import { reasonAgainstReplacement } from "../env-var/unknown-value";
import { ofTeam as absentWithoutTeam, isWithoutTeam } from "../without-team";
import { reasonNotToAdopt } from "./adoptable";
import type { Inputs } from "./inputs";

/** Reads and writes shared variables at the service. */

/** The service returns at most this number of variables in one page. @source vercel/vercel#17487 */
const page = { limit: "50" };

/** All shared variables of the team, without values. @param stale see `Client.list` */
export const sharedVariablesOf = (client: Client, stale = false): Promise<responses.SharedVariable[]> =>
  client.list(sharedEnvPath(), responses.sharedVariableList, ({ data }) => data, page, stale);

export const readShared = (client: Client, id: string): Promise<responses.SharedVariable> =>
  client.get(sharedEnvPath(id), responses.sharedVariable);

/** The identity of a shared variable. */
type Identity = Pick<Inputs, "key"> & Partial<Pick<Inputs, "target" | "applyToAllCustomEnvironments">>;

/** The variables that conflict with a declared one. */
export const matchingShared = (variables: readonly responses.SharedVariable[], declared: Identity) => {
  const wanted = slotsOf(declared);
  return variables.filter((one) => slotsOf(one).some((slot) => wanted.includes(slot)));
};

/** Returns `KEY/environment` for each environment of a variable. A team has at most one variable for each of them. */
const slotsOf = ({ key, target, applyToAllCustomEnvironments }: Plain): string[] =>
  [target ?? [], applyToAllCustomEnvironments ? ["custom environments"] : []]
    .flat()
    .map((environment) => `${key}/${environment}`);

export const keysOf = (account: string, identity: Plain): string[] =>
  slotsOf(identity).map((slot) => `${account}/${slot}`);

const withoutAccount = (key: string): string => key.slice(key.indexOf("/") + 1);

/**
 * The unique keys of shared variables: `KEY/target` of a team.
 * @choice A shared variable is a container (`isContainer`), because deleting it deletes its links. If the resource were
 *   renamed in the program, deleting the old variable would delete links that other programs made.
 */
export const sharedKeys: UniqueKeys = {
  noun: "the shared variable",
  choices: "another key or target",
  scope: "account",
  isContainer: true,

  of({ key, target, applyToAllCustomEnvironments }, account) {
    const known = { key, target, applyToAllCustomEnvironments };
    return holdsUnknown(Object.values(known)) ? undefined : keysOf(account, known);
  },

  async owners({ client }, keys, _declared, fresh) {
    const wanted = keys.map(withoutAccount);
    return (await sharedVariablesOf(client, !fresh))
      .filter((one) => slotsOf(one).some((slot) => wanted.includes(slot)))
      .map(({ id }) => id);
  },

  // If the host does not know what the program ignores, it is taken to ignore nothing.
  async refuseAdoption({ client }, ids, declared, paths = []) {
    const left = ["target", "applyToAllCustomEnvironments", "projectIds", "type"];
    const ignored = new Set(left.filter((key) => isIgnored(paths, [key])));
    return reasonNotToAdopt(declared as Inputs, await withIds(client, ids), ignored);
  },

  refuseReplacement: async ({ client }, ids, declared, ignored) =>
    reasonAgainstReplacement(declared, await withIds(client, ids), ignored),

  async freeKeys({ client, keys: plan }, id, keys) {
    const wanted = keys.map(withoutAccount);
    const owner = await ifFound(readShared(client, id));
    if (!owner || !slotsOf(owner).some((slot) => wanted.includes(slot))) return async () => {};
    const rename = (key: string) => editShared(client, id, { key });
    const key = temporaryKey(owner.key);
    const { updatedAt } = await rename(key);
    plan.moves.set(id, { before: owner.updatedAt ?? 0, after: updatedAt ?? 0 });
    return async () => {
      if ((await ifFound(readShared(client, id)))?.key === key) await rename(owner.key);
    };
  },
};

const withIds = async (client: Client, ids: readonly string[]): Promise<responses.SharedVariable[]> =>
  (await sharedVariablesOf(client, true)).filter(({ id }) => ids.includes(id));

/** The subject of an adoption: the name of the variable for messages, its id and its unique keys. */
export const adoptedShared = (
  account: string,
  found: responses.SharedVariable,
  declared: Identity,
): { what: string; names: [id: string, ...string[]] } => ({
  what: `The shared variable ${found.key} (${found.id})`,
  names: [found.id, ...new Set([...keysOf(account, found), ...keysOf(account, declared)])],
});

/** Sends settings of a variable. @throws ApiError also when a successful answer contains a refusal */
export async function editShared(
  client: Client,
  id: string,
  body: Plain,
  secrets: readonly string[] = [],
): Promise<responses.SharedVariable> {
  const asked = { method: "PATCH", path: sharedEnvPath() } as const;
  const { record, failed } = await client.send({
    ...asked,
    body: { updates: { [id]: body } },
    shape: responses.sharedVariableUpdated,
    secrets: [...secrets],
  });
  refuseFailed(asked, record ? [] : failed, [client.settings.token, ...secrets]);
  return record ?? readShared(client, id);
}

/** @throws ApiError for the first refused item of a request @param asked the request */
export function refuseFailed(
  asked: RequestName,
  [failure]: readonly ItemFailure[],
  secrets: readonly string[],
): void {
  if (!failure) return;
  const [code, said] = [failure.code, failure.message].map((text) => concealed(text, secrets)) as [
    string,
    string,
  ];
  throw new ApiError({ asked, status: statusOf(failure), code, said });
}

/** The status that a separate request would have. */
const statusOf = ({ code }: ItemFailure): number => {
  if (/not_found/i.test(code)) return 404;
  if (/conflict|exist/i.test(code)) return 409;
  return /forbidden|permission/i.test(code) ? 403 : 400;
};

/** Adds a hint to an error that is due to a missing team. */
export async function withTeam<T>(client: Client, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw isWithoutTeam(client, error) ? error.withHint(teamHint) : error;
  }
}

/** Like `withTeam`, for an existing variable: without a team, throws a 404, as for a variable of another account. */
export const ofTeam = <T>(client: Client, step: Promise<T>): Promise<T> =>
  absentWithoutTeam(client, step, sharedEnvPath(), teamHint);

export const teamHint =
  "A shared variable belongs to a team: set SLIPWAY_TEAM, the configuration slipway:team, or the team of an explicit Provider.";

/** Finds a variable by its id, or by `KEY/target`. @throws ApiError 404 */
export async function findShared(client: Client, id: string): Promise<responses.SharedVariable> {
  const [key = "", target, ...more] = id.split("/");
  if (key === "" || target === "" || more.length > 0)
    throw new Error(
      'The id of a shared variable is its id at the service, or "KEY/target", such as "env_…" or "API_KEY/production".',
    );
  if (target === undefined) return readShared(client, id);
  const [found] = (await sharedVariablesOf(client)).filter((one) => slotsOf(one).includes(id));
  if (found) return readShared(client, found.id);
  throw absentFrom(sharedEnvPath(), `There is no shared variable ${id}`);
}
