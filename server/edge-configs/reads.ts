import type { App } from "../http/app";
import type { RequestContext } from "../http/context";
import { hasVersion } from "../http/etag";
import { toJson } from "../http/pieces";
import { jsonText } from "../http/reply";
import type { Handler } from "../http/router";
import { refuseUnstorable } from "../http/validate";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { findRow, hasRow, listRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { EdgeConfigRow } from "./object";
import { noSuchConfig, noSuchItem } from "./rules";
import { viewItem, viewListedItem } from "./view";

/** A request of an application for a part of an Edge Config. */
interface Reading {
  tx: Tx;
  services: Services;
  context: RequestContext;
  config: EdgeConfigRow;
}

/** The path of an Edge Config. Its form keeps it apart from all other paths of the server. */
const configPath = "/:edgeConfig(^ecfg_\\w+$)";

/**
 * Serves Edge Configs to applications, which send a token of the Edge Config instead of an access token.
 * @choice A read always sees the last write. The server answers unknown paths below an Edge Config with 404.
 * @source the newest official client, `@vercel/edge-config`: the paths, the headers, and the meaning of 401 and 404
 */
export function serveReads(app: App, services: Services): void {
  const read = (value: (reading: Reading) => Promise<unknown>): Handler => reader(services, value);
  app.route("GET", `${configPath}/items`, read(itemsOf));
  app.route("GET", `${configPath}/item/:key`, read(itemOf));
  app.route(
    "GET",
    `${configPath}/digest`,
    read(async ({ config }) => config.digest),
  );
}

/** @param find finds the value that a request asks for @throws Refusal 404 */
const reader =
  (services: Services, find: (reading: Reading) => Promise<unknown>): Handler =>
  async (context) => {
    refuseUnstorable(context.params, "path");
    const { config, value } = await services.store.read(async (tx) => {
      const config = await loadReadable(tx, services, context);
      return { config, value: await find({ tx, services, context, config }) };
    }, context.request.socket.remoteAddress ?? "");
    const headers = headersOf(config);
    if (hasVersion(context.headers["if-none-match"], headers.etag)) return { status: 304, headers };
    const text = await toJson(value, services.pacer);
    // The list of requests keeps bodies that are text, but values may be secret.
    return jsonText(200, typeof text === "string" ? Buffer.from(text) : text, headers);
  };

/** @throws Refusal 401 without a token of the Edge Config, 404 if there is no such Edge Config */
async function loadReadable(
  tx: Tx,
  { vault }: Pick<Services, "vault">,
  { params: { edgeConfig: id = "" }, headers, query }: RequestContext,
): Promise<EdgeConfigRow> {
  const config = await findRow(tx, "edge_configs", { id });
  if (!config) throw noSuchConfig(id);
  const token = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? query.token;
  const isToken =
    typeof token === "string" &&
    (await hasRow(tx, "edge_config_tokens", { edge_config_id: id, digest: vault.digest(token) }));
  if (!isToken) throw unauthorized(id);
  return config;
}

const unauthorized = (id: string): Refusal =>
  new Refusal(
    401,
    "unauthorized",
    `The request has no token of the Edge Config "${id}". Send one as Authorization: Bearer <token>, or as ?token=.`,
  );

/** A client that gets 404 with the digest knows that the Edge Config exists, and only the item is missing. */
const headersOf = ({ digest, updated_at }: EdgeConfigRow) => ({
  etag: `"${digest}"`,
  "cache-control": "private, no-cache",
  "x-edge-config-digest": digest,
  "x-edge-config-updated-at": String(updated_at),
});

async function itemOf({ tx, services, context, config }: Reading): Promise<unknown> {
  const { key = "" } = context.params;
  const row = await findRow(tx, "edge_config_items", { edge_config_id: config.id, key });
  if (row) return viewItem(services, row).value;
  const { status, code, message } = noSuchItem(config, key);
  throw new Refusal(status, code, message, {}, {}, headersOf(config));
}

/** All items, or those that `key` names. */
async function itemsOf({ tx, services, context, config }: Reading): Promise<Record<string, unknown>> {
  const rows = await listRows(tx, "edge_config_items", { edge_config_id: config.id }, "key");
  const { key } = context.query;
  const keys = key === undefined ? undefined : new Set([key].flat());
  const wanted = keys ? rows.filter((row) => keys.has(row.key)) : rows;
  return Object.fromEntries(wanted.map((row) => [row.key, viewListedItem(services, row).value]));
}
