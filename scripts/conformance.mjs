import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run conformance [-- --list] [-- <jest arguments>]

Runs the tests of the server and holds them against the statements of the specification
(docs/specification/statements.md): each statement has a test that carries its id, on each engine of the store.
Fails on a statement without a test, on one that does not hold, and on a test with an unknown id.

  --list   prints every statement with what holds, not only the sum
  others   go to jest, for instance -w 1`;

/** Engines of the store, and the project of jest.config.cjs that runs the tests on each. */
const engines = { sqlite: "slipway", postgres: "postgres" };
const jest = join(root, "node_modules/jest/bin/jest.js");
const row = /^\| ([A-Z]+-\d+) \| (.*) \| \w+ \|$/;
const words = new Map([
  [true, "holds"],
  [false, "FAILS"],
  [undefined, "NO TEST"],
]);
const ids = /\[([A-Z]+-\d+(?:,? [A-Z]+-\d+)*)\]/g;

await command({
  usage,
  needs: ["dist"],
  async run(args) {
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
          "--outputFile",
          report,
          "--silent",
          ...args.filter((arg) => arg !== "--list"),
        ];
        await foreground(process.execPath, [jest, ...jestArgs], process.env);
        judged.push([engine, resultsById(JSON.parse(readFileSync(report, "utf8")))]);
      }
      return judge(judged, args.includes("--list"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** Ids that tests carry in their names, and whether all tests of an id passed. */
function resultsById({ testResults }) {
  const results = new Map();
  for (const { fullName, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    for (const id of [...fullName.matchAll(ids)].flatMap(([, names]) => names.split(/,? /))) {
      results.set(id, (results.get(id) ?? true) && status === "passed");
    }
  }
  return results;
}

function judge(judged, list) {
  const known = new Set();
  let holding = 0;
  for (const line of readFileSync(join(root, "docs/specification/statements.md"), "utf8").split("\n")) {
    const [, id, text] = row.exec(line) ?? [];
    if (!id) continue;
    known.add(id);
    const holds = judged.every(([, results]) => results.get(id));
    if (holds) holding += 1;
    if (holds && !list) continue;
    console.log(
      `${id.padEnd(7)} ${judged.map(([engine, results]) => `${engine} ${words.get(results.get(id))}`).join(", ")}: ${text}`,
    );
  }
  const strangers = new Set(
    judged.flatMap(([, results]) => [...results.keys()]).filter((id) => !known.has(id)),
  );
  for (const id of strangers) console.log(`${id.padEnd(7)} is carried by a test but is no statement`);
  console.log(`${holding} of ${known.size} statements hold on ${Object.keys(engines).join(" and ")}`);
  return holding === known.size && strangers.size === 0 ? 0 : 1;
}
