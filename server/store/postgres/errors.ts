import { InDoubtError, StoreError } from "../store";

/** Codes of PostgreSQL for a unit that lost a race: unique violation, serialization failure, deadlock. */
const lostRaces = new Set(["23505", "40001", "40P01"]);
/** Connection exceptions, operator intervention (except a cancelled query), and time-outs of a session. */
const endings = /^(08...|57P..|25P0[345])$/;
const networkCodes = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOENT", "EHOSTUNREACH"],
  ...["ENETUNREACH", "ENETDOWN", "ENOTCONN", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"],
]);

interface Failure {
  code?: string;
  /** Set by PostgreSQL, which closes the connection after an error with `FATAL`. */
  severity?: string;
  /** Set by PostgreSQL: the name of its internal function that failed. */
  routine?: string;
  message: string;
}

/**
 * True when the unit lost a race: another unit took a name that this one found free, or the two deadlocked. When the
 * unit runs again, it sees the changes of the other unit.
 */
export function lostRace(error: unknown): boolean {
  return lostRaces.has((error as Failure).code ?? "");
}

/**
 * True when the connection is lost or unusable, for instance because a newer version of the server has changed a
 * table that the connection's prepared statements use. The open transaction is then rolled back.
 */
export function lostConnection(error: unknown): boolean {
  const { code = "", severity = "", routine, message } = error as Failure;
  if (endings.test(code) || networkCodes.has(code) || /^(FATAL|PANIC)$/.test(severity)) return true;
  // Checks the routine too, because the message may be in another language.
  if (code === "0A000" && (routine === "RevalidateCachedQuery" || /cached plan/.test(message))) return true;
  return /^Connection terminated|^Client .* is not queryable$|^Query read timeout/.test(message);
}

/** True when a query failed because the session is read-only. */
export const isReadOnly = (error: unknown): boolean => (error as Failure).code === "25006";

/** True when a query names a table or column that does not exist, or gives no value to a required column. */
export function lacksColumn(error: unknown): boolean {
  return ["42P01", "42703", "23502"].includes((error as Failure).code ?? "");
}

/**
 * Parses an address. In libpq, the address of a socket has a user and no host, which a URL does not allow:
 * `postgres://user:password@/database?host=/run/postgresql`. The user and the password are removed first.
 * @throws TypeError
 */
export const urlOf = (address: string): URL =>
  new URL(address.replace(/^(postgres(?:ql)?:\/\/)[^@/?#]*@\//i, "$1/"));

/** The host and database of an address, without its password. */
export function databaseOf(url: URL): string {
  const name = decodeURIComponent(url.pathname.slice(1)) || "its default database";
  return `PostgreSQL at ${decodeURIComponent(url.host) || url.searchParams.get("host") || "localhost"}, ${name}`;
}

/** Describes a failure of the database in one line, with what to do. */
export function asStoreError(error: unknown, place: string): Error {
  if (error instanceof StoreError || error instanceof InDoubtError) return error;
  const { code = "", message } = error as Failure;
  const text = explain(code, message);
  return text === undefined ? (error as Error) : new StoreError(`${place}: ${text}`, { cause: error });
}

function explain(code: string, message: string): string | undefined {
  switch (code) {
    case "28P01":
      return "the user or the password is wrong. Correct them in --data.";
    case "28000":
      return `the user may not connect (${message}). Correct --data, or pg_hba.conf of PostgreSQL.`;
    case "3D000":
      return "there is no such database. Create it with createdb, or correct --data.";
    case "42501":
      return `the user may not do this (${message}). Let it own the database, or give another user in --data.`;
    case "25006":
      return "the database is read-only. Give the primary server's address with --data.";
    case "53100":
      return "the disk of the database is full. Free some space on it.";
    case "53300":
      return "PostgreSQL accepts no more connections. Raise its max_connections, or run fewer servers.";
    case "57014":
    case "55P03":
      return `it has cancelled a query (${message}). Look in pg_stat_activity for sessions that hold locks or run for a long time.`;
    case "26000":
    case "42P05":
      return `prepared statements are not kept (${message}). Set the connection pooler to pool by session, or to keep prepared statements.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "there is no such host. Correct --data.";
  }
  if (/certificate|self.signed/i.test(message) && /^(ERR_TLS_|CERT_|UNABLE_|DEPTH_|SELF_)/.test(code)) {
    return `its certificate is not accepted (${message}). Name the authority with sslrootcert in --data.`;
  }
  if (/password must be a (non-empty )?string/.test(message)) {
    return "PostgreSQL asks for a password, and --data has none. Give it as postgres://user:password@….";
  }
  if (/does not support SSL/.test(message)) return `${message}. Leave sslmode out of --data.`;
  if (/timeout exceeded when trying to connect|due to connection timeout/.test(message)) {
    return "no connection was free in time. Check whether the database is overloaded or unreachable.";
  }
  if (lostConnection({ code, message })) {
    return `unreachable (${message || code}). Check that it runs, and that the address in --data is right.`;
  }
  return undefined;
}
