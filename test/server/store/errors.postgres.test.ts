import { asStoreError, lacksColumn, lostConnection, lostRace } from "../../../server/store/postgres/errors";
import { StoreError } from "../../../server/store/store";

/** Errors of PostgreSQL, its driver and the network, as the store reports them. */

const said = (fields: { code?: string; severity?: string; routine?: string; message?: string }): Error =>
  Object.assign(new Error(fields.message ?? "no"), fields);

describe("a unit is run again", () => {
  it.each([
    ["another took the name that it found free", "23505"],
    ["it would have seen what another changed", "40001"],
    ["two of them wait for each other", "40P01"],
  ])("where %s (%s)", (_, code) => {
    expect([lostRace(said({ code })), lostConnection(said({ code }))]).toEqual([true, false]);
  });

  it.each([
    ["the server is stopped", { code: "57P01" }],
    ["it has crashed", { code: "57P02" }],
    ["it starts only now", { code: "57P03" }],
    ["the connection has failed", { code: "08006" }],
    ["its session stood still for too long", { code: "25P03" }],
    ["its transaction took too long", { code: "25P04" }],
    ["the session ends, for whatever reason", { code: "58000", severity: "FATAL" }],
    ["the whole server panics", { code: "58000", severity: "PANIC" }],
    ["the network cut it off", { code: "ECONNRESET" }],
    ["nothing listens there", { code: "ECONNREFUSED" }],
    ["the network is gone", { code: "ENETUNREACH" }],
    ["the host is out of reach", { code: "EHOSTUNREACH" }],
    ["it wrote to a closed connection", { code: "EPIPE" }],
    ["the driver saw the end", { message: "Connection terminated unexpectedly" }],
    [
      "the driver gave the connection up",
      { message: "Client has encountered a connection error and is not queryable" },
    ],
    ["the driver waited in vain", { message: "Query read timeout" }],
    [
      "a table changed under a prepared statement",
      { code: "0A000", message: "cached plan must not change result type" },
    ],
    [
      "a table changed, which is said in another language",
      { code: "0A000", message: "gecachter Plan", routine: "RevalidateCachedQuery" },
    ],
  ])("on another connection where %s", (_, fields) => {
    expect([lostConnection(said(fields)), lostRace(said(fields))]).toEqual([true, false]);
  });

  it.each([
    ["a query that was cancelled", { code: "57014" }],
    ["a foreign key that leads nowhere", { code: "23503" }],
    ["what PostgreSQL does not have", { code: "0A000", message: "LISTEN is not supported" }],
    ["a transaction that has failed before", { code: "25P02", severity: "ERROR" }],
    ["a bug", { message: "x is not a function. Connection terminated" }],
  ])("but not for %s", (_, fields) => {
    expect([lostConnection(said(fields)), lostRace(said(fields))]).toEqual([false, false]);
  });
});

it.each([
  ["42P01", true],
  ["42703", true],
  ["23502", true],
  ["23505", false],
])("the code %s tells that a newer version has changed the tables: %s", (code, lacks) => {
  expect(lacksColumn(said({ code }))).toBe(lacks);
});

describe("reported in one line, with a hint:", () => {
  it.each([
    [{ code: "28P01" }, /the user or the password is wrong\. Correct them in --data/],
    [{ code: "28000", message: "no entry" }, /may not connect \(no entry\)\. .*pg_hba\.conf/],
    [{ code: "3D000" }, /no such database\. Create it with createdb/],
    [{ code: "42501", message: "denied" }, /may not do this \(denied\)\. Let it own the database/],
    [{ code: "25006" }, /read-only\. Give the primary server's address/],
    [{ code: "53100" }, /the disk of the database is full\. Free some space/],
    [{ code: "53300" }, /accepts no more connections\. Raise its max_connections, or run fewer servers/],
    [
      { code: "57014", message: "too late" },
      /it has cancelled a query \(too late\)\. Look in pg_stat_activity/,
    ],
    [{ code: "55P03", message: "too late" }, /it has cancelled a query \(too late\)/],
    [
      { code: "42P05", message: "is there" },
      /statements are not kept \(is there\)\. Set the connection pooler to pool by session/,
    ],
    [{ code: "26000", message: "is gone" }, /statements are not kept \(is gone\)/],
    [
      { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "self-signed certificate" },
      /its certificate is not accepted \(self-signed certificate\)\. Name the authority with sslrootcert/,
    ],
    [
      { code: "ERR_TLS_CERT_ALTNAME_INVALID", message: "does not match certificate's altnames" },
      /its certificate is not accepted/,
    ],
    [{ code: "ENOTFOUND" }, /no such host\. Correct --data/],
    [{ code: "EAI_AGAIN" }, /no such host\. Correct --data/],
    [
      { message: "timeout exceeded when trying to connect" },
      /no connection was free in time\. Check whether/,
    ],
    [{ message: "Connection terminated due to connection timeout" }, /no connection was free in time/],
    [{ code: "ECONNREFUSED", message: "" }, /unreachable \(ECONNREFUSED\)\. Check that it runs/],
    [
      { code: "ECONNRESET", message: "read ECONNRESET" },
      /unreachable \(read ECONNRESET\)\. Check that it runs/,
    ],
  ])("%j", (fields, told) => {
    const error = said(fields);
    const answer = asStoreError(error, "PostgreSQL at here, data");
    expect(answer).toBeInstanceOf(StoreError);
    expect(answer.message).toMatch(/^PostgreSQL at here, data: [^\n]+$/);
    expect(answer.message).toMatch(told);
    expect(answer.cause).toBe(error);
  });

  it("all but bugs, which stay as they are", () => {
    const bug = said({ code: "42601", message: "syntax error" });
    expect(asStoreError(bug, "PostgreSQL")).toBe(bug);
    const known = new StoreError("said before");
    expect(asStoreError(known, "PostgreSQL")).toBe(known);
  });
});
