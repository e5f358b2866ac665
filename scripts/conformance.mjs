import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { command, foreground } from "./command.mjs";
import { findTests, readStatements } from "./conformance/statements.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run conformance [-- --list] [-- <jest arguments>]
npm run conformance -- --url URL --token TOKEN [--team TEAM] [--allow-non-empty TEAM] [--list]

Runs the server's tests on each engine of the store, and shows which statements of the specification
(docs/specification/statements.md) hold. A statement holds when every test that names it passes. A test names its
statements in a comment above it, such as // PR-12, PR-13.
Fails on a statement without a test, a statement that does not hold, and an unknown id.

  --list   prints every statement, not only those that do not hold
  others   are passed to jest, for instance -w 1

With --url, checks another API over HTTP, in at least one case of each statement that requests alone can check. Says how
many statements were skipped and why. Use a team for this purpose alone: the checks create projects and domains whose
names begin with slipway-conformance-, and delete them at the end, also after Ctrl-C. Exit codes: 0 all hold, 1 one does
not hold or something could not be deleted, 2 the account cannot be used, 130 interrupted.

  --url URL               the address of the API
  --token TOKEN           an access token; default: SLIPWAY_TOKEN
  --team TEAM             the id or slug of the team; without it, the personal account
  --allow-non-empty TEAM  allows this team, or "personal", although it has projects or other objects`;

/** Engines of the store, and the project of jest.config.cjs that runs the tests on each. */
const engines = { sqlite: "slipway", postgres: "postgres" };
const jest = join(root, "node_modules/jest/bin/jest.js");
const words = new Map([
  [true, "holds"],
  [false, "FAILS"],
  [undefined, "NO TEST"],
]);

const isRemote = process.argv.some((arg) => arg === "--url" || arg.startsWith("--url="));

await command({
  usage,
  needs: isRemote ? [] : ["dist"],
  async run(args) {
    if (isRemote) return checkRemote(args);
    const folder = mkdtempSync(join(tmpdir(), "slipway-conformance-"));
    try {
      const judged = [];
      for (const [engine, project] of Object.entries(engines)) {
        const report = join(folder, `${engine}.json`);
        const jestArgs = [
          "test/server",
          "--selectProjects",
          project,
          "--json",
          "--testLocationInResults",
          "--outputFile",
          report,
          "--silent",
          ...args.filter((arg) => arg !== "--list"),
        ];
        await foreground(process.execPath, [jest, ...jestArgs], {
          ...process.env,
          SLIPWAY_TEST_NAMED: "1",
        });
        judged.push([engine, resultsById(JSON.parse(readFileSync(report, "utf8")))]);
      }
      return judge(judged, args.includes("--list"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** Checks another API in a program of its own, which deletes what it has created when it is interrupted. */
function checkRemote(args) {
  const options = {
    ...{ url: { type: "string" }, token: { type: "string" }, team: { type: "string" } },
    ...{ "allow-non-empty": { type: "string" }, list: { type: "boolean" } },
  };
  let values;
  try {
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new CommandError(`${error.message}\n\n${usage}`);
  }
  const { url, token = process.env.SLIPWAY_TOKEN, team, list, "allow-non-empty": allowNonEmpty } = values;
  if (!URL.canParse(url) || !token) throw new CommandError("Give --url with an address, and --token.");
  // The token is not an argument, which other users of this machine could see.
  return foreground(
    process.execPath,
    [join(root, "scripts/conformance/remote.mjs"), JSON.stringify({ url, team, list, allowNonEmpty })],
    { ...process.env, SLIPWAY_TOKEN: token },
  );
}

/** Whether every test of a statement passed, by the statement's id. */
function resultsById({ testResults }) {
  const results = new Map();
  for (const { name: file, assertionResults } of testResults) {
    const { tests } = findTests(readFileSync(file, "utf8"));
    for (const { location, status } of assertionResults) {
      for (const { ids } of tests.filter(({ from, to }) => from <= location.line && location.line <= to)) {
        for (const id of ids) results.set(id, (results.get(id) ?? true) && status === "passed");
      }
    }
  }
  return results;
}

function judge(judged, list) {
  const statements = readStatements(join(root, "docs/specification/statements.md"));
  let holding = 0;
  for (const [id, text] of statements) {
    const holds = judged.every(([, results]) => results.get(id));
    if (holds) holding += 1;
    if (holds && !list) continue;
    console.log(
      `${id.padEnd(7)} ${judged.map(([engine, results]) => `${engine} ${words.get(results.get(id))}`).join(", ")}: ${text}`,
    );
  }
  const unknown = new Set(
    judged.flatMap(([, results]) => [...results.keys()]).filter((id) => !statements.has(id)),
  );
  for (const id of unknown) console.log(`${id.padEnd(7)} is named by a test, but is not a statement`);
  console.log(`${holding} of ${statements.size} statements hold on ${Object.keys(engines).join(" and ")}`);
  return holding === statements.size && unknown.size === 0 ? 0 : 1;
}
