import { parse } from "node:querystring";
import { longestQuery, type RequestRecord } from "../control/request-log";
import type { ControlState } from "../control/state";
import { versionOf } from "../http/context";
import type { Route } from "../http/route";
import { unversioned } from "../http/router";
import { parseJson } from "../http/validate";
import { notFound, Refusal } from "../platform/refusal";
import type { Operation } from "./operations";

/**
 * A recorded request as an operation that the dashboard can run.
 * @throws Refusal if the request is no longer kept, or cannot be sent again as it was
 */
export function sentAgain(
  { requests, bodies }: ControlState,
  routes: readonly Route[],
  sequence: number,
): Operation & { account: string } {
  const record = requests.all().find((one) => one.sequence === sequence);
  if (record === undefined) throw notFound("This request");
  const { account, id } = record;
  const route = routes.find(({ operationId }) => operationId === record.operation);
  if (route === undefined || id === null || route.upload !== undefined)
    throw refusal("Only requests of programs to operations without files can be sent again.");
  if (account === null)
    throw refusal("The request was refused before its account was known. Send it as curl.");
  if (!isWhole(record)) throw refusal("The path or the query has a secret, or is too long to be kept.");
  const body = bodies.sent(id);
  if (route.body !== undefined && body === null) throw refusal("The body of the request is not kept.");
  return {
    account,
    method: route.method,
    path: route.path,
    version: versionOf(record.path),
    params: paramsOf(route.path, record.path),
    query: queryOf(record.query),
    body: parseJson(body),
  };
}

const refusal = (reason: string): Refusal => new Refusal(409, "conflict", reason);

/** False for a path or a query in which a secret was masked, or which was cut. */
const isWhole = ({ path, query }: RequestRecord): boolean =>
  !`${path}?${query}`.includes("***") && query.length < longestQuery;

function paramsOf(pattern: string, path: string): Record<string, string> {
  const segments = unversioned(path).split("/");
  return Object.fromEntries(
    unversioned(pattern)
      .split("/")
      .flatMap((name, at) =>
        name.startsWith(":") ? [[name.slice(1), decodeURIComponent(segments[at] ?? "")]] : [],
      ),
  );
}

/** The query without the account, which the dashboard passes by itself. */
function queryOf(text: string): NonNullable<Operation["query"]> {
  const { teamId: _id, slug: _slug, ...query } = parse(text);
  return query;
}
