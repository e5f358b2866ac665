import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom } from "../client/errors";
import { anything, pagination } from "../client/responses";
import type { Failure } from "../core/check";
import { createSecret } from "../core/create-secret";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import type { Plain } from "../core/values";
import { accountIdOf } from "./account-id";

const userTokensPath = "/v6/user/tokens";
const newTokenPath = "/v3/user/tokens";
const tokenPath = (id: string): string => `/v5/user/tokens/${encodeURIComponent(id)}`;
const removalPath = (id: string): string => `${newTokenPath}/${encodeURIComponent(id)}`;

/** @source the newest official client: AuthToken; `teamId`: the Terraform provider */
const remoteToken = z.looseObject({
  id: z.string(),
  name: z.string(),
  expiresAt: z.number().nullish(),
  revokedAt: z.number().nullish(),
  teamId: z.string().nullish(),
  scopes: z.array(z.looseObject({ type: z.string(), teamId: z.string().nullish() })).nullish(),
});
type RemoteToken = z.infer<typeof remoteToken>;

const oneToken = z.looseObject({ token: remoteToken });
const tokenList = z.looseObject({ tokens: z.array(remoteToken), pagination });
/** The token is returned only once. */
const createdToken = z.looseObject({ token: remoteToken, bearerToken: z.string() });

/** No request of the API changes a token, so every change replaces it. */
const inputs = z.strictObject({
  /** Name that says what the token is for. Two tokens can have the same name. Changing it replaces the token. */
  name: z
    .string()
    .min(1)
    .max(256)
    .refine((name) => name === name.trim(), "must not have spaces at its beginning or end"),
  /**
   * Time from which on the token is refused, in milliseconds since 1970, before the year 10000. Default: the token does
   * not expire. Changing it replaces the token.
   */
  expiresAt: z.int().min(1).max(253_402_214_400_000).optional(),
});

const outputs = z.object({
  /** Id of the token at the service, the same as `id`. It is not secret. */
  tokenId: z.string(),
  /** Id of the only team that the token acts on. Null for a token with access to all that its user has access to. */
  teamId: z.string().nullable(),
  /**
   * The access token itself. Null after an import or `UserToken.get`, because the API returns it only when the token is
   * created.
   */
  bearerToken: z.string().nullable(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * An access token of the user to whom the token of the provider belongs. If the provider selects a team, the token acts
 * on this team alone. No request of the API changes a token, so every change creates a new token, then deletes the old
 * one. `bearerToken` is a secret.
 * @throws ApiError 400 if `expiresAt` is in the past; 403 for the token of an integration
 * @source the newest official client: createAuthToken; the Terraform provider: vercel_user_token
 */
export const userToken = resource({
  type: "UserToken",
  handler: "usertoken",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["bearerToken"],
    stable: ["tokenId", "teamId", "bearerToken"],
    replaceOn: ["name", "expiresAt"],
  },
  checks: { refusals: async (_client, previous, news) => refuseExpired(previous, news) },
  ownership: { objects: (_outputs, id) => [id] },
  list: listing(z.strictObject({}), async (client) => ({
    items: (await tokensOf(client)).map(({ id, name }) => ({ id, name })),
  })),

  // Names are not unique.
  create: (operation, declared) =>
    operation.run.keys.exclusive("user tokens", async () => {
      const account = await accountIdOf(operation.client);
      const made = await createNew(operation, declared);
      return resultOf(account, made.token, made.bearerToken);
    }),

  async read(client, id, state) {
    // An import finds the token in the list: a user may pass the token itself, which must be in no request or message.
    const remote = state ? await find(client, id) : await findListed(client, id);
    if (isOver(remote)) throw absentFrom(userTokensPath, "The access token has expired, or was revoked.");
    const { name, expiresAt } = remote;
    const now = { name, ...(expiresAt != null && { expiresAt }) };
    return { ...resultOf(await accountIdOf(client), remote, state?.bearerToken ?? null), inputs: now };
  },

  async update({ client }, id, { bearerToken }) {
    return resultOf(await accountIdOf(client), await find(client, id), bearerToken);
  },

  async remove({ client }, id) {
    const { name } = await find(client, id);
    const { token: current } = await client.get(tokenPath("current"), oneToken);
    if (current.id === id) throw new Error(ownToken(name, id));
    await remove(client, id);
  },
});

const ownToken = (name: string, id: string): string =>
  `The access token ${JSON.stringify(name)} (${id}) is the one with which this run sends its requests, so it is not deleted. ` +
  "Set another token (SLIPWAY_TOKEN or slipway:token) and run again, or remove the resource from the state with `pulumi state delete`.";

/** Refuses a new token that would have expired. The token of an earlier run may have. */
function refuseExpired(previous: Plain, { expiresAt }: Plain): Failure[] {
  if (typeof expiresAt !== "number" || expiresAt === previous.expiresAt || expiresAt > Date.now()) return [];
  const reason = "expiresAt must be in the future, in milliseconds since 1970. Set a later time.";
  return [{ property: "expiresAt", reason }];
}

const createNew = (
  operation: Operation<Inputs, Outputs>,
  { name, expiresAt }: Inputs,
): Promise<z.infer<typeof createdToken>> => {
  const { client, isOthers } = operation;
  return createSecret(operation, {
    request: { method: "POST", path: newTokenPath, body: { name, expiresAt }, shape: createdToken },
    equal: async () =>
      (await tokensOf(client)).filter(
        (one) => one.name === name && (one.expiresAt ?? undefined) === expiresAt && !isOthers(one.id),
      ),
    twinHint,
    remove: (id) => remove(client, id),
  });
};

const twinHint = ({ id, name }: RemoteToken): string =>
  `The user already has an equal access token with the name ${name} (${id}). If an interrupted run created it, ` +
  "delete it at the service: nobody knows its value.";

const tokensOf = (client: Client): Promise<RemoteToken[]> =>
  client.listNow(userTokensPath, tokenList, ({ tokens }) => tokens);

/** @throws ApiError 404 if the token does not exist, or acts on another account than the provider */
async function find(client: Client, id: string): Promise<RemoteToken> {
  const { token } = await client.get(tokenPath(id), oneToken);
  const team = teamOf(token);
  const account = team === undefined ? undefined : await client.account();
  if (account !== undefined && account !== team)
    throw absentFrom(tokenPath(id), `The access token acts on the team ${team}, the provider on ${account}.`);
  return token;
}

/** @throws ApiError 404 */
async function findListed(client: Client, id: string): Promise<RemoteToken> {
  const listed = (await tokensOf(client)).find((one) => one.id === id);
  if (listed) return find(client, id);
  throw absentFrom(
    userTokensPath,
    "The user has no access token with this id. The id is not the token itself.",
  );
}

const isOver = ({ expiresAt, revokedAt }: RemoteToken): boolean =>
  revokedAt != null || (expiresAt != null && expiresAt <= Date.now());

/** The only team that a token acts on. */
function teamOf({ teamId, scopes }: RemoteToken): string | undefined {
  if (teamId != null) return teamId;
  const [scope, ...others] = scopes ?? [];
  return others.length === 0 && scope?.type === "team" ? (scope.teamId ?? undefined) : undefined;
}

const remove = (client: Client, id: string): Promise<unknown> =>
  client.send({ method: "DELETE", path: removalPath(id), shape: anything });

/** @param account the account of a token that is limited to no team */
function resultOf(account: string, remote: RemoteToken, bearerToken: string | null): Created<Outputs> {
  const team = teamOf(remote);
  return {
    id: remote.id,
    accountId: team ?? account,
    outputs: { tokenId: remote.id, teamId: team ?? null, bearerToken },
  };
}
