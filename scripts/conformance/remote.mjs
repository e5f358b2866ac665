import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { Checker, Failure, Skipped } from "./check.mjs";
import { domainChecks } from "./checks/domains.mjs";
import { projectChecks } from "./checks/projects.mjs";
import { requestChecks } from "./checks/requests.mjs";
import { variableChecks } from "./checks/variables.mjs";
import { Session } from "./session.mjs";
import { readStatements } from "./statements.mjs";

/**
 * Checks statements of the specification over HTTP alone, on an account whose projects may be deleted.
 * Usage: node remote.mjs <JSON of the options>; the token is in SLIPWAY_TOKEN. See conformance.mjs.
 */

/** Reasons why a statement has no check over HTTP, the first that matches. */
const reasons = [
  [
    "needs the state of an account that no request can set",
    /\b402\b|\b428\b|soft-blocked|payment|enterprise|add-on/,
  ],
  ["needs a project that is being transferred", /transfer/i],
  ["needs an integration", /^(TK|AU|T)-|integration|token exchange|Configuration|installation|configuration/],
  ["needs an endpoint that receives events", /^EV-|[Dd]elivery|drain|event/],
  ["needs the clock, or rate limits that are reached", /^LI-0[1-5]|30 (days|minutes)|[Rr]ate limit/],
  ["needs another account or another user", /\b403\b|no access|no other's|personal account|another account/],
  ["needs a server that fails", /\b500\b/],
  ["needs DNS records that can be published", /TXT|challenge|verif/],
  ["needs a deployment that is built", /deployment|promot/i],
  ["needs a Git repository", /[Gg]it|repo|branch/],
  ["needs an Edge Config", /edge config/],
];
const otherReason = "has no check over HTTP";
const reasonOf = (id, text) =>
  reasons.find(([, pattern]) => pattern.test(`${id} ${text}`))?.[0] ?? otherReason;

const { list, ...options } = JSON.parse(process.argv[2] ?? "{}");
const session = new Session({ ...options, token: process.env.SLIPWAY_TOKEN ?? "" });
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    if (!isStopped) console.error("Stopping. Press Ctrl-C only once, so that everything is deleted.");
    isStopped = true;
  });
process.exitCode = await main();

async function main() {
  const problem = await problemOf(options);
  if (problem !== undefined) {
    console.error(problem);
    return 2;
  }
  const code = await checkAll();
  const left = await session.cleanUp().catch(() => ["everything"]);
  if (left.length === 0) return code;
  console.error(`Could not delete ${left.join(", ")}. Delete what begins with ${session.prefix}.`);
  return code || 1;
}

/** @returns the exit code */
async function checkAll() {
  try {
    return report(await runChecks());
  } catch (error) {
    console.error(`The checks ended early: ${error.cause?.code ?? error.stack}`);
    return 1;
  }
}

/** Says why the account cannot be used; undefined if it can. */
async function problemOf({ url, team, allowNonEmpty }) {
  const answer = await session
    .request("GET", "/v9/projects", { query: { limit: 1 } })
    .catch((error) => error);
  if (answer instanceof Error) return `${url} is out of reach (${answer.cause?.code ?? answer.message}).`;
  if (answer.status !== 200) {
    const { code = "" } = answer.body?.error ?? {};
    return `GET /v9/projects answers ${answer.status} ${code}. Check --url, --token and --team.`;
  }
  const owned = [];
  for (const [path, member, what] of [
    ["/v9/projects", "projects", "projects"],
    ["/v5/domains", "domains", "domains"],
    ["/v1/webhooks", "", "webhooks"],
    ["/v1/edge-config", "", "Edge Configs"],
    ["/v1/drains", "drains", "drains"],
    ["/v1/env", "data", "shared variables"],
  ]) {
    const { status, body } = await session.request("GET", path);
    const items = Array.isArray(body) ? body : (body?.[member] ?? []);
    if (status === 200 && items.length > 0) owned.push(what);
  }
  if (owned.length === 0) return undefined;
  const name = team ?? "personal";
  if (allowNonEmpty === name) return undefined;
  return `The account has ${owned.join(", ")}. Use an empty team, or allow this one with --allow-non-empty ${name}.`;
}

/** @returns the results by the ids of statements */
async function runChecks() {
  const results = new Map();
  const record = (ids, result) => {
    for (const id of ids)
      if (results.get(id)?.state !== "fails") results.set(id, merged(results.get(id), result));
  };
  const web = await new Checker(session).project();
  for (const { ids, run } of [...requestChecks, ...projectChecks, ...domainChecks, ...variableChecks]) {
    if (isStopped) {
      record(ids, { state: "skipped", reason: "was not reached before the interruption" });
      continue;
    }
    const checker = new Checker(session, web);
    try {
      await run(checker);
      record(ids, { state: "holds", differences: [...checker.differences] });
    } catch (error) {
      if (error instanceof Skipped) record(ids, { state: "skipped", reason: error.message });
      // A check can meet an answer in which members are missing that it uses.
      else if (error instanceof Failure || (error instanceof TypeError && error.cause === undefined))
        record(ids, { state: "fails", reason: error.message });
      else throw error;
    }
  }
  return results;
}

/** A statement can have several checks. It holds if it holds in each that was run. */
function merged(known, result) {
  if (known?.state !== "holds" || result.state === "fails") return result;
  return { ...known, differences: [...known.differences, ...(result.differences ?? [])] };
}

function report(results) {
  const statements = readStatements(join(root, "docs/specification/statements.md"));
  const skipped = new Map();
  const known = new Map();
  const counts = { holds: 0, fails: 0, skipped: 0 };
  for (const [id, text] of statements) {
    const {
      state,
      reason,
      differences = [],
    } = results.get(id) ?? { state: "skipped", reason: reasonOf(id, text) };
    counts[state] += 1;
    if (state === "skipped") skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    for (const difference of differences) known.set(difference, [...(known.get(difference) ?? []), id]);
    if (state === "fails") console.log(`${id.padEnd(7)} FAILS: ${reason}\n        ${text}`);
    else if (list) console.log(`${id.padEnd(7)} ${state}: ${reason ?? text}`);
  }
  const run = counts.holds + counts.fails;
  for (const [difference, ids] of known)
    console.log(`differs as docs/differences.md says: ${difference} (${ids.join(", ")})`);
  console.log(`${counts.holds} of ${run} statements hold, in ${session.requests} requests`);
  console.log(`${counts.skipped} of ${statements.size} statements were skipped:`);
  for (const [reason, count] of [...skipped].sort(([, a], [, b]) => b - a))
    console.log(`  ${count} ${reason}`);
  if (isStopped) console.log("The run was interrupted.");
  if (isStopped) return 130;
  return counts.fails === 0 ? 0 : 1;
}
