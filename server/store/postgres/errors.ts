import { StoreError } from "../store";

/** PostgreSQL's own codes, by what they mean here. */
const lostRaces = new Set(["23505", "40001", "40P01"]);
/** Connection exceptions, an operator's intervention (but for a query that is cancelled), and a session's time-outs. */
const endings = /^(08...|57P..|25P0[345])$/;
const networkCodes = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOENT", "EHOSTUNREACH"],
  ...["ENETUNREACH", "ENETDOWN", "ENOTCONN", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"],
]);

interface Failure {
  code?: string;
  /** PostgreSQL's own: after a FATAL it ends the connection. */
  severity?: string;
  message: string;
}

/**
 * Whether another unit was quicker: it took the name that this one found free, or they waited for each other.
 * Run again, this one sees what the other did.
 */
export function lostRace(error: unknown): boolean {
  return lostRaces.has((error as Failure).code ?? "");
}

/**
 * Whether there is no connection any more, or none that can be used: what was prepared on it is of no use once a
 * newer version has changed a table. Nothing uncommitted is left of what was done on it.
 */
export function lostConnection(error: unknown): boolean {
  const { code = "", severity = "", message } = error as Failure;
  if (endings.test(code) || networkCodes.has(code) || /^(FATAL|PANIC)$/.test(severity)) return true;
  if (code === "0A000" && /cached plan/.test(message)) return true;
  return /^Connection terminated|^Client .* is not queryable$|^Query read timeout/.test(message);
}

/** Where a store is, without the password that its address holds. */
export function placeOf(url: URL): string {
  const name = decodeURIComponent(url.pathname.slice(1)) || "its default database";
  return `PostgreSQL at ${decodeURIComponent(url.host) || url.searchParams.get("host") || "localhost"}, ${name}`;
}

/** Says in one line what is wrong with a database, and the way out, where there is one. */
export function asStoreError(error: unknown, place: string): Error {
  if (error instanceof StoreError) return error;
  const { code = "", message } = error as Failure;
  const text = explain(code, message);
  return text === undefined ? (error as Error) : new StoreError(`${place}: ${text}`, { cause: error });
}

function explain(code: string, message: string): string | undefined {
  switch (code) {
    case "28P01":
      return "the user or the password is wrong. Correct them in --data.";
    case "28000":
      return `the user is not let in (${message}). Correct --data, or the server's pg_hba.conf.`;
    case "3D000":
      return "there is no such database. Make it with createdb, or correct --data.";
    case "42501":
      return `the user may not do this (${message}). Let it own the database, or give another user in --data.`;
    case "25006":
      return "the database is read-only. Give the primary server's address with --data.";
    case "53100":
      return "the disk of the database is full.";
    case "53300":
      return "the server takes no more connections. Raise its max_connections, or run fewer servers.";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "there is no such host. Correct --data.";
  }
  if (/password must be a (non-empty )?string/.test(message)) {
    return "a password is asked for and none was given. Give it as postgres://user:password@….";
  }
  if (/does not support SSL/.test(message)) return `${message}. Leave sslmode out of --data.`;
  if (/timeout exceeded when trying to connect|due to connection timeout/.test(message)) {
    return "no connection could be had in time. See whether the database is overloaded or out of reach.";
  }
  if (lostConnection({ code, message })) {
    return `out of reach (${message || code}). See whether it runs, and whether --data names it right.`;
  }
  return undefined;
}
