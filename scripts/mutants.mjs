import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { command } from "./command.mjs";
import { root } from "./setup/paths.mjs";
import { Complaint, run } from "./setup/run.mjs";

const usage = `npm run mutants [-- <part of a file name>]

Puts faults into a copy of the server, one at a time (test/server/mutants.json), and runs the tests that should
notice. Fails when one goes unnoticed.`;

const list = "test/server/mutants.json";
/** What the tests of the server need of the tree. */
const copied = ["server", "provider/vocabulary.ts", "test/server", "test/support", "scripts/fuzz"];
const settings = ["jest.config.cjs", "package.json", "tsconfig.json"];
const timeoutMs = 180_000;

await command({
  usage,
  needs: [],
  async run([part = ""]) {
    const mutants = JSON.parse(readFileSync(join(root, list), "utf8")).filter(({ file }) =>
      file.includes(part),
    );
    if (mutants.length === 0) throw new Complaint(`No mutant is of a file named like ${part}.`);
    const folder = copy();
    try {
      const tests = new Set(mutants.flatMap((mutant) => mutant.tests));
      const { failed, broken } = await runTests(folder, [...tests], 10 * timeoutMs);
      if (failed || broken) throw new Complaint(`Without any fault: ${failed ?? "the tests do not run"}`);
      let unnoticed = 0;
      for (const [at, mutant] of mutants.entries()) {
        const verdict = await judge(folder, mutant);
        if (!verdict.startsWith("noticed")) unnoticed += 1;
        console.log(
          `${String(at + 1).padStart(3)} ${mutant.file}: ${oneLine(mutant.text)} → ${oneLine(mutant.replacement)}\n    ${verdict}`,
        );
      }
      console.log(`${mutants.length - unnoticed} of ${mutants.length} faults were noticed`);
      return unnoticed === 0 ? 0 : 1;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

function copy() {
  const folder = mkdtempSync(join(tmpdir(), "slipway-mutants-"));
  for (const path of [...copied, ...settings]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  return folder;
}

async function judge(folder, { file, text, replacement, tests }) {
  const path = join(folder, file);
  const source = readFileSync(path, "utf8");
  if (source.split(text).length !== 2) return "OUT OF DATE: its text is not in the file, or more than once";
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  try {
    const { failed, broken } = await runTests(folder, tests);
    if (broken) return "BROKEN: the tests do not run at all";
    return failed ? `noticed: ${failed}` : "NOT NOTICED";
  } finally {
    writeFileSync(path, source);
  }
}

/**
 * A run that ends at the first failure writes no report, so what it prints is read.
 * @returns the name of the first test that failed; whether tests could not even run
 */
async function runTests(folder, tests, limitMs = timeoutMs) {
  const jest = join(root, "node_modules/jest/bin/jest.js");
  const flags = ["-w", "1", "--bail", "--silent", "--no-color", "--selectProjects", "slipway"];
  const { code, output, timedOut } = await run(
    process.execPath,
    [jest, ...tests, "--rootDir", folder, ...flags],
    {
      cwd: folder,
      env: process.env,
      timeoutMs: limitMs,
    },
  );
  if (timedOut) return { failed: "the tests came to no end" };
  if (code === 0) return {};
  const failed = /^ {2}● (.*)$/m.exec(output)?.[1];
  return failed === undefined || failed === "Test suite failed to run" ? { broken: true } : { failed };
}

function oneLine(text) {
  return text === "" ? "nothing" : text.replace(/\s+/g, " ");
}
