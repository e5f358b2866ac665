import type { IncomingMessage } from "node:http";
import type { Account, Caller } from "../access/caller";
import type { Log } from "../platform/log";

/** A request that was answered, for whoever keeps account of requests. */
export interface AnsweredRequest {
  readonly request: IncomingMessage;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Path of the route that answered, without a version; undefined: there was none. */
  readonly route: string | undefined;
  readonly requestId: string;
  /** null: the connection was dropped instead, or had been closed by whoever asked. */
  readonly status: number | null;
  /** From the request's head to the end of its answer. */
  readonly ms: number;
  readonly caller: Caller | undefined;
  readonly account: Account | undefined;
  /** Id or name of the project that the path names. */
  readonly projectKey: string | undefined;
  /** What it changed of which a worker keeps something in memory, or `everything`. */
  readonly changed?: string | undefined;
  /** What was answered in place of what was asked for. */
  readonly refusal?: { code: string; message: string } | undefined;
}

/** Anything may have changed. */
export const everything = "everything";

/** Is called once an answer is out. */
export type Observer = (answered: AnsweredRequest) => void;

export const logRequests =
  (log: Log): Observer =>
  ({ requestId, request: { method }, path, status, ms }) =>
    log.debug({ reqId: requestId, method, path, status, ms: Math.round(ms * 10) / 10 }, "request");
