import * as z from "zod";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { countRows, deleteRows, findRow, listRows } from "../store/rows";
import { blocked, byId, loadConfig, unknownConfig } from "./config-route";
import { edgeConfigTokens } from "./object";
import { noSuchToken, tooManyTokens } from "./rules";
import * as wire from "./schema";
import { viewToken } from "./view";
import { addToken } from "./write";

/** The tokens of an Edge Config. */

const unknownToken = [404, "not_found", "no such token of the Edge Config"] as const;

const getTokens = route({
  method: "GET",
  path: "/v1/edge-config/:id/tokens",
  operationId: "getEdgeConfigTokens",
  summary: "Lists the tokens of an Edge Config, the newest first, without their values.",
  scope: ["read:edge-config"],
  params: byId,
  success: [200, z.array(wire.edgeConfigToken)],
  throws: [unknownConfig],
  load: loadConfig,
  handle: async ({ tx, config }) =>
    (await listRows(tx, "edge_config_tokens", { edge_config_id: config.id }, "-created_at", "-id")).map(
      viewToken,
    ),
});

const getToken = route({
  method: "GET",
  path: "/v1/edge-config/:id/token/:token",
  operationId: "getEdgeConfigToken",
  summary: "Returns the token of an Edge Config that the path names by its value.",
  scope: ["read:edge-config"],
  params: z.object({ id: z.string().describe("Id of the Edge Config."), token: z.string() }),
  success: [200, wire.edgeConfigToken],
  throws: [unknownConfig, unknownToken],
  load: loadConfig,
  async handle({ tx, config, params: { token }, services: { vault } }) {
    const row = await findRow(tx, "edge_config_tokens", {
      edge_config_id: config.id,
      digest: vault.digest(token),
    });
    if (!row) throw noSuchToken(config, undefined);
    return { ...viewToken(row), token };
  },
});

const createToken = route({
  method: "POST",
  path: "/v1/edge-config/:id/token",
  operationId: "createEdgeConfigToken",
  summary: "Creates a token that reads an Edge Config. Only this answer shows it.",
  scope: ["read-write:edge-config"],
  params: byId,
  body: wire.createToken,
  example: { label: "production" },
  success: [201, wire.createdToken],
  throws: [unknownConfig],
  async load(call: Call<{ id: string }>) {
    const { config } = await loadConfig(call);
    return {
      config,
      tokenCount: await countRows(call.tx, "edge_config_tokens", { edge_config_id: config.id }),
    };
  },
  refuse: [...blocked, tooManyTokens],
  async handle(call) {
    const id = newId(edgeConfigTokens);
    const token = await addToken(call, { id, configId: call.config.id, label: call.body.label });
    return { id, token };
  },
});

/** @choice If one of the tokens is unknown, none is deleted. */
const removeTokens = route({
  method: "DELETE",
  path: "/v1/edge-config/:id/tokens",
  operationId: "deleteEdgeConfigTokens",
  summary: "Deletes tokens of an Edge Config, named by their ids or values.",
  scope: ["read-write:edge-config"],
  params: byId,
  body: wire.deleteTokens,
  example: { ids: ["token_1"] },
  success: [204, null],
  throws: [unknownConfig, unknownToken],
  load: loadConfig,
  async handle({ tx, config, body: { ids = [], tokens = [] }, services: { vault } }) {
    const rows = await listRows(tx, "edge_config_tokens", { edge_config_id: config.id });
    const unknown = ids.find((id) => !rows.some((row) => row.id === id));
    if (unknown !== undefined) throw noSuchToken(config, unknown);
    const digests = tokens.map((token) => vault.digest(token));
    if (digests.some((digest) => !rows.some((row) => row.digest === digest)))
      throw noSuchToken(config, undefined);
    for (const { id, digest } of rows)
      if (ids.includes(id) || digests.includes(digest)) await deleteRows(tx, "edge_config_tokens", { id });
  },
});

export const tokenRoutes: readonly Route[] = [getTokens, getToken, createToken, removeTokens];
