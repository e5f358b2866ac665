import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom } from "../client/errors";
import { edgeConfigPath } from "../client/paths";
import { anything } from "../client/responses";
import { createSecret } from "../core/create-secret";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { absentConfig, accountOf, partsOf } from "./edge-config/records";
import { edgeConfigIdInput } from "./id-inputs";
import { edgeConfigId as configId } from "./names";

/** The path to list or delete the tokens of an Edge Config. */
export const tokensPath = (id: string): string => `${edgeConfigPath(id)}/tokens`;

/** The path to create a token of an Edge Config. */
const newTokenPath = (id: string): string => `${edgeConfigPath(id)}/token`;

export const remoteToken = z.looseObject({ id: z.string(), label: z.string() });
type RemoteToken = z.infer<typeof remoteToken>;
/** The token is returned only once. */
const createdToken = z.looseObject({ id: z.string(), token: z.string() });

/** The API cannot update a token, so every change replaces it. */
const inputs = z.strictObject({
  /** Id of the Edge Config, such as the `id` of an `EdgeConfig`. Changing it replaces the token. */
  edgeConfigId: configId,
  /** Label that says what the token is for. Changing it replaces the token. */
  label: z.string().min(1).max(52),
});

const outputs = z.object({
  /** Id of the token at the service. */
  tokenId: z.string(),
  /**
   * Value of the token, with which an application reads the Edge Config. Null after an import or `EdgeConfigToken.get`,
   * because the API returns the value only when the token is created.
   */
  token: z.string().nullable(),
  /** URL of the Edge Config, including the token, for a variable such as EDGE_CONFIG. Null if `token` is null. */
  connectionString: z.string().nullable(),
});

const filters = z.strictObject({
  /** Id of the Edge Config. */
  edgeConfigId: configId,
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * A token that reads an Edge Config. `token` and `connectionString` are secrets.
 * @throws ApiError 404 if the account does not have the Edge Config; 400 if the Edge Config has too many tokens
 * @source the newest official client: /v1/global-config/{id}/token; the Terraform provider: vercel_edge_config_token
 */
export const edgeConfigToken = resource({
  type: "EdgeConfigToken",
  handler: "edgetoken",
  scopes: ["read-write:edge-config"],
  importId: "`<Edge Config>/<id of the token>`, with the slug or id of the Edge Config",
  inputs,
  outputs,
  traits: {
    secret: ["token", "connectionString"],
    stable: ["tokenId", "token", "connectionString"],
    replaceOn: ["edgeConfigId", "label"],
    ids: { edgeConfigId: edgeConfigIdInput },
  },
  ownership: { objects: (_outputs, id) => [id] },
  // The service returns all tokens in one page.
  list: listing(filters, async (client, { edgeConfigId }) => ({
    items: (await tokensOf(client, edgeConfigId)).map(({ id, label }) => ({
      id: idOf(edgeConfigId, id),
      name: label,
    })),
  })),

  // Labels are not unique.
  create: (operation, declared) =>
    operation.run.keys.exclusive(`tokens of ${declared.edgeConfigId}`, async () => {
      const { client } = operation;
      const { edgeConfigId } = declared;
      const accountId = await accountOf(client, edgeConfigId).catch(absentConfig);
      const made = await createNew(operation, declared).catch(absentConfig);
      return resultOf({ edgeConfigId, accountId, tokenId: made.id, token: made.token });
    }),

  async read(client, id, state) {
    const { edgeConfigId, part: tokenId } = await partsOf(client, id, idForm);
    const { label } = await find(client, edgeConfigId, tokenId);
    const accountId = await accountOf(client, edgeConfigId);
    const token = state?.token ?? null;
    return { ...resultOf({ edgeConfigId, accountId, tokenId, token }), inputs: { edgeConfigId, label } };
  },

  async update({ client }, _id, { tokenId, token }, { edgeConfigId }) {
    await find(client, edgeConfigId, tokenId);
    return resultOf({ edgeConfigId, accountId: await accountOf(client, edgeConfigId), tokenId, token });
  },

  async remove({ client }, id, { tokenId }) {
    const { edgeConfigId } = await partsOf(client, id, idForm);
    await remove(client, edgeConfigId, tokenId);
  },
});

const createNew = (
  operation: Operation<Inputs, Outputs>,
  { edgeConfigId, label }: Inputs,
): Promise<z.infer<typeof createdToken>> => {
  const { client, isOthers } = operation;
  return createSecret(operation, {
    request: { method: "POST", path: newTokenPath(edgeConfigId), body: { label }, shape: createdToken },
    equal: async () =>
      (await tokensOf(client, edgeConfigId)).filter(
        (one) => one.label === label && !isOthers(idOf(edgeConfigId, one.id)),
      ),
    idOf: ({ id }) => idOf(edgeConfigId, id),
    twinHint: (twin) => twinHint(edgeConfigId, twin),
    remove: (id) => remove(client, edgeConfigId, id),
  });
};

const twinHint = (edgeConfigId: string, { id, label }: RemoteToken): string =>
  `The Edge Config ${edgeConfigId} already has a token with the label ${label} (${id}). If an interrupted run created it, ` +
  "delete it at the service: nobody knows its value.";

export const tokensOf = (client: Client, edgeConfigId: string): Promise<RemoteToken[]> =>
  client.send({
    method: "GET",
    path: tokensPath(edgeConfigId),
    shape: z.array(remoteToken),
  });

/** @throws ApiError 404 */
async function find(client: Client, edgeConfigId: string, tokenId: string) {
  const found = (await tokensOf(client, edgeConfigId)).find(({ id }) => id === tokenId);
  if (found) return found;
  // The message omits the id, because a user may pass the token itself, which is a secret.
  const said = `The Edge Config ${edgeConfigId} has no token with this id.`;
  throw absentFrom(tokensPath(edgeConfigId), said);
}

/** Finds a token by its id, so that no request contains the token itself. */
const remove = (client: Client, edgeConfigId: string, tokenId: string): Promise<unknown> =>
  client.send({
    method: "DELETE",
    path: tokensPath(edgeConfigId),
    body: { ids: [tokenId] },
    shape: anything,
  });

/** @source the Terraform provider */
export const connectionStringOf = (edgeConfigId: string, token: string): string =>
  `https://edge-config.vercel.com/${edgeConfigId}?token=${token}`;

const idOf = (edgeConfigId: string, tokenId: string): string => `${edgeConfigId}/${tokenId}`;

const idForm =
  'The id of a token is "Edge Config/token", with the id of the token, such as "ecfg_1/…" or "flags/…".';

const resultOf = ({
  edgeConfigId,
  accountId,
  tokenId,
  token,
}: Pick<Inputs, "edgeConfigId"> &
  Pick<Outputs, "tokenId" | "token"> & { accountId: string }): Created<Outputs> => ({
  id: idOf(edgeConfigId, tokenId),
  accountId,
  outputs: {
    tokenId,
    token,
    connectionString: token === null ? null : connectionStringOf(edgeConfigId, token),
  },
});
