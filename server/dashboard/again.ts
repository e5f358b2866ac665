import type { RequestRecord } from "../control/request-log";
import type { ControlState } from "../control/state";
import type { Route } from "../http/route";
import { unversioned } from "../http/router";
import { parseJson } from "../http/validate";
import { notFound, Refusal } from "../platform/refusal";
import type { Operation } from "./operations";

/**
 * A recorded request as an operation that the dashboard can run.
 * @returns `account`: null if the request was answered before its account was known
 * @throws Refusal if the request is no longer kept, or cannot be sent again as it was
 */
export function sentAgain(
  { requests, bodies }: ControlState,
  routes: readonly Route[],
  sequence: number,
): Operation & { account: string | null } {
  const record = requests.all().find((one) => one.sequence === sequence);
  if (record === undefined) throw notFound("This request");
  const route = routes.find(({ operationId }) => operationId === record.operation);
  if (route === undefined || route.upload !== undefined || holdsMask(record))
    throw new Refusal(
      409,
      "conflict",
      "Only requests of the API without files, and without secrets in their path or query, can be sent again.",
    );
  const body = record.id === null ? null : bodies.sent(record.id);
  return {
    account: record.account,
    method: route.method,
    path: route.path,
    params: paramsOf(route.path, record.path),
    query: queryOf(record.query),
    body: parseJson(body),
  };
}

/** Secrets in paths and queries are recorded as asterisks. */
const holdsMask = ({ path, query }: RequestRecord): boolean => `${path}?${query}`.includes("***");

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
const queryOf = (query: string): Record<string, string> =>
  Object.fromEntries(
    [...new URLSearchParams(query)].filter(([name]) => name !== "teamId" && name !== "slug"),
  );
