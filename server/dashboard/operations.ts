import type * as z from "zod";
import { findSlugs } from "../access/account-store";
import { type Caller, resolveAccount } from "../access/caller";
import { handleCall } from "../http/pipeline";
import type { Route } from "../http/route";
import { check } from "../http/validate";
import { notFound, Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Tx } from "../store/store";
import { findOwner } from "./store";

export interface Operation {
  method: Route["method"];
  /** The path of the route. */
  path: Route["path"];
  params?: Record<string, string>;
  query?: Record<string, string | readonly string[] | undefined>;
  /** The version in the path of the request. Default: that of the route. */
  version?: number | undefined;
  body?: unknown;
}

/**
 * Runs an operation of the API from the dashboard. The caller is the user who owns the account, or the first owner of
 * the team. Rules and events are the same as for a request to the API.
 * @throws Refusal
 */
export async function runOperation(
  services: Services,
  routes: readonly Route[],
  accountId: string,
  { method, path, version, params = {}, query = {}, body = {} }: Operation,
): Promise<unknown> {
  const route = routes.find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`there is no operation ${method} ${path}`);
  const { caller, account } = await services.store.read(async (tx) => {
    const caller = await ownerOf(tx, accountId);
    return { caller, account: await resolveAccount(tx, caller, accountId) };
  });
  const given = <T>(schema: z.ZodType<T> | undefined, value: unknown, where: "path" | "query" | "body") =>
    schema ? check(schema, value, where) : value;
  return handleCall(services, route, {
    caller,
    account,
    params: given(route.params, params, "path"),
    query: given(route.query, query, "query"),
    body: given(route.body, body, "body"),
    version,
    now: services.clock.now(),
    services,
    origin: "",
  });
}

async function ownerOf(tx: Tx, account: string): Promise<Caller> {
  const row = await findOwner(tx, account);
  if (row) return { userId: row.id, username: row.slug, boundTo: null, installation: undefined };
  if (!(await findSlugs(tx, [account])).has(account)) throw notFound(`Account ${JSON.stringify(account)}`);
  throw new Refusal(
    409,
    "conflict",
    "The team has no owner. Actions on the dashboard run as an owner: add one first.",
  );
}
