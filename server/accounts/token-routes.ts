import * as z from "zod";
import { type TokenRow, tokens } from "../access/object";
import { type Call, type Route, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { tokenHash } from "../platform/vault";
import { insertRow } from "../store/rows";
import { expiresTooEarly, projectsUnsupported, usersOnly } from "./token-rules";
import * as wire from "./token-schema";
import { deleteToken, findToken, listTokens } from "./token-store";
import { tokenPrefix, viewToken } from "./token-view";

/**
 * The access tokens of the caller's user, which never have more access than the user.
 * @source the newest official client: createAuthToken, listAuthTokens, getAuthToken, deleteAuthToken
 */

/**
 * @choice A token that is created on a team acts on this team alone. One that is created by a token with this limit has
 *   it too.
 */
const create = route({
  method: "POST",
  path: "/v3/user/tokens",
  operationId: "createAuthToken",
  summary: "Creates an access token of the user. Only this answer shows it.",
  scope: ["read-write:user"],
  body: wire.createToken,
  example: { name: "deploy" },
  success: [200, wire.createdToken],
  refuse: [usersOnly, projectsUnsupported, expiresTooEarly],
  async handle({ tx, account, caller, body, now }) {
    const bearerToken = `${tokenPrefix}${newSecret(32)}`;
    const row: TokenRow = {
      hash: tokenHash(bearerToken),
      id: newId(tokens),
      name: body.name,
      user_id: caller.userId,
      account_id: caller.boundTo ?? (account.kind === "team" ? account.id : null),
      configuration_id: null,
      suffix: bearerToken.slice(-4),
      created_at: now,
      expires_at: body.expiresAt ?? null,
    };
    await insertRow(tx, "tokens", row);
    return { token: viewToken(row), bearerToken };
  },
});

/** @choice All tokens are on one page. Expired ones are left out. */
const list = route({
  method: "GET",
  path: "/v6/user/tokens",
  operationId: "listAuthTokens",
  summary: "Lists the access tokens of the user, the newest first.",
  scope: ["read:user"],
  success: [200, wire.tokenList],
  refuse: [usersOnly],
  async handle(call) {
    const rows = await listTokens(call, call.caller);
    return { tokens: rows.map(viewToken), pagination: { count: rows.length, next: null, prev: null } };
  },
});

const tokenPath = z.object({
  tokenId: z.string().describe("Id of the access token, or `current`: that of the request."),
});
type TokenPath = z.infer<typeof tokenPath>;

const unknownToken = [404, "not_found", "the user has no such access token, or it has expired"] as const;

/** @throws Refusal 404 */
async function loadToken(call: Call<TokenPath>): Promise<{ token: TokenRow | undefined }> {
  const { caller, params } = call;
  // An installation is refused for what it is, not for a token that it does not see.
  if (caller.installation) return { token: undefined };
  const id = params.tokenId === "current" ? (caller.token?.id ?? "") : params.tokenId;
  const token = await findToken(call, caller, id);
  if (token) return { token };
  throw unknown(params);
}

const unknown = ({ tokenId }: TokenPath) => notFound(`Access token ${JSON.stringify(tokenId)}`);

const get = route({
  method: "GET",
  path: "/v5/user/tokens/:tokenId",
  operationId: "getAuthToken",
  summary: "Returns an access token of the user by its id, without the token itself.",
  scope: ["read:user"],
  params: tokenPath,
  success: [200, wire.tokenAnswer],
  throws: [unknownToken],
  load: loadToken,
  refuse: [usersOnly],
  async handle({ token, params }) {
    if (!token) throw unknown(params);
    return { token: viewToken(token) };
  },
});

const remove = route({
  method: "DELETE",
  path: "/v3/user/tokens/:tokenId",
  operationId: "deleteAuthToken",
  summary: "Deletes an access token of the user, which is then refused.",
  scope: ["read-write:user"],
  params: tokenPath,
  success: [200, wire.deletedToken],
  throws: [unknownToken],
  load: loadToken,
  refuse: [usersOnly],
  async handle({ tx, token, params }) {
    if (!token || !(await deleteToken(tx, token))) throw unknown(params);
    return { tokenId: token.id };
  },
});

export const tokenRoutes: readonly Route[] = [create, list, get, remove];
