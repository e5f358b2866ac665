import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run conformance [-- --list]

Runs the tests of the server and holds them against the statements of the specification
(docs/statements.md): each statement has a test that carries its id, on each engine of the store.
Fails on a statement without a test, on one that does not hold, and on a test with an unknown id.

  --list   prints every statement with what holds, not only the sum`;

const engines = ["sqlite", "postgres"];
const row = /^\| ([A-Z]+-\d+) \| (.*) \| \w+ \|$/;
const ids = /\[([A-Z]+-\d+(?:,? [A-Z]+-\d+)*)\]/g;

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    const folder = mkdtempSync(join(tmpdir(), "slipway-conformance-"));
    const report = join(folder, "report.json");
    try {
      const jest = join(root, "node_modules/jest/bin/jest.js");
      await foreground(
        process.execPath,
        [jest, "test/server", "--json", "--outputFile", report, "--silent"],
        process.env,
      );
      return judge(JSON.parse(readFileSync(report, "utf8")), args.includes("--list"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

function judge({ testResults }, list) {
  const statements = new Map();
  for (const line of readFileSync(join(root, "docs/statements.md"), "utf8").split("\n")) {
    const [, id, text] = row.exec(line) ?? [];
    if (id) statements.set(id, { text, passed: new Map(), failed: new Map() });
  }
  const unknown = new Set();
  for (const { assertionResults } of testResults) {
    for (const { fullName, ancestorTitles, status } of assertionResults) {
      const engine = engines.find((name) => ancestorTitles.some((title) => title.includes(name)));
      for (const id of [...fullName.matchAll(ids)].flatMap(([, names]) => names.split(/,? /))) {
        const statement = statements.get(id);
        if (!statement) unknown.add(id);
        // A test of no engine (of a rule alone) speaks for both.
        for (const name of engine ? [engine] : engines) {
          const counts = status === "passed" ? statement?.passed : statement?.failed;
          counts?.set(name, (counts.get(name) ?? 0) + 1);
        }
      }
    }
  }
  let holding = 0;
  for (const [id, { text, passed, failed }] of statements) {
    const holds = engines.every((name) => passed.has(name) && !failed.has(name));
    if (holds) holding += 1;
    if (!holds || list) {
      const where = engines.map(
        (name) => `${name} ${failed.has(name) ? "FAILS" : passed.has(name) ? "holds" : "NO TEST"}`,
      );
      console.log(`${id.padEnd(7)} ${where.join(", ")}: ${text}`);
    }
  }
  for (const id of unknown) console.log(`${id.padEnd(7)} is carried by a test but is no statement`);
  console.log(`${holding} of ${statements.size} statements hold on ${engines.join(" and ")}`);
  return holding === statements.size && unknown.size === 0 ? 0 : 1;
}
