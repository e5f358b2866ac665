import type { IncomingMessage } from "node:http";
import type { Account, Caller } from "../access/caller";
import type { Log } from "../platform/log";

/** An answered request, for logs and metrics. */
export interface AnsweredRequest {
  readonly request: IncomingMessage;
  /** The path as it was sent, without the query and without a token in the path. */
  readonly path: string;
  /** The path of the matching route, without its version; undefined if no route matched. */
  readonly route: string | undefined;
  readonly requestId: string;
  /** null if the server dropped the connection or the client closed it. */
  readonly status: number | null;
  /** The time from the head of the request to the end of the answer, in milliseconds. */
  readonly ms: number;
  readonly caller: Caller | undefined;
  readonly account: Account | undefined;
  /** The project in the path, by id or name. */
  readonly projectKey: string | undefined;
  /** The topic that the request changed, or `everything`. */
  readonly changed?: string | undefined;
  /** The refusal that was answered, if any. */
  readonly refusal?: { code: string; message: string } | undefined;
}

/** The topic of requests that may change any data. */
export const everything = "everything";

/** Called after each answer is sent. */
export type Observer = (answered: AnsweredRequest) => void;

/** @param isRoutine returns true for paths whose requests are always logged at level `debug` */
export const logRequests =
  (log: Log, level: "debug" | "info", isRoutine: (path: string) => boolean): Observer =>
  ({ requestId, request: { method }, path, status, ms, refusal }) =>
    log[isRoutine(path) ? "debug" : level](
      {
        reqId: requestId,
        method,
        path,
        status,
        code: refusal?.code,
        ms: Math.round(ms * 10) / 10,
      },
      "request",
    );
