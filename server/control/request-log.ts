/** The length of the longest query that is kept, in characters. */
export const longestQuery = 1000;

/** An answered request, without its body and headers. */
export interface RequestRecord {
  /** Consecutive number of the request. */
  sequence: number;
  /** The header `x-request-id` of the answer; null for an action on the dashboard. */
  id: string | null;
  /** When the request was answered, by the server's clock. */
  at: number;
  /** When the request was answered, in milliseconds since the start of the process. Setting the clock does not change it. */
  uptime: number;
  method: string;
  /** The path as it was sent, without the query. A request for a deployment has the host name in front. */
  path: string;
  /** The query, without `?`, and without the values of members that name a secret. */
  query: string;
  /** null: the connection was dropped, or the client had closed it. */
  status: number | null;
  ms: number;
  /** The id of the token's user; null when the token is unknown. */
  caller: string | null;
  /** The id of the account that the request acted on. */
  account: string | null;
  /** The code of a refusal. */
  code: string | null;
  message: string | null;
  /** The Pulumi resource that sent the request: `Project`, or `Project web` with the logical name. */
  resource: string | null;
  /** The run of the Pulumi program that sent the request; null: another client. */
  run: string | null;
  /** The `operationId` of the route; null for a path without one. */
  operation: string | null;
  /** True for an action on the dashboard instead of a request. */
  dashboard: boolean;
}

export interface RequestLog {
  add(record: Omit<RequestRecord, "sequence" | "uptime">): void;
  /** The kept requests, in the order of their sequence. */
  all(): readonly RequestRecord[];
  /** How many requests there have been since the start, cleared requests included. */
  readonly count: number;
  clear(): void;
}

/** Keeps the last requests. @param limit the largest number of requests to keep */
export function requestLog(limit = 10_000): RequestLog {
  let sequence = 0;
  let older: RequestRecord[] = [];
  let newer: RequestRecord[] = [];
  return {
    add(record) {
      newer.push({ sequence: ++sequence, uptime: Math.round(performance.now() * 10) / 10, ...record });
      if (newer.length < limit / 2) return;
      // Two halves: the older one is dropped as a whole, so that no elements have to be moved.
      older = newer;
      newer = [];
    },
    all: () => [...older, ...newer],
    get count() {
      return sequence;
    },
    clear() {
      older = [];
      newer = [];
    },
  };
}
