import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { command } from "./command.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run mutants -- server | provider [--count N] [--seed N]

Puts faults into the sources, one at a time, and runs the tests that run the faulty lines. The faults are drawn at
random from those that Stryker's operators can make. Names each fault that neither a test nor the type checker
notices, and fails when more than 15 % go unnoticed.

  server     server/, by test/server
  provider   provider/, sdk/ and cli/, by test/provider and test/sdk
  --count N  how many faults (500)
  --seed N   which (at random; it is printed)`;

const areas = {
  server: { sources: ["server"], tests: ["test/server"] },
  provider: { sources: ["provider", "sdk", "cli"], tests: ["test/provider", "test/sdk"] },
};
const goal = 0.85;
/** A test that takes this many times as long as without a fault comes to no end. */
const patience = 5;

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    const { area, count, seed } = asked(args);
    const { draw, mutantsOf } = await import("./mutants/draw.mjs");
    const { Workshop } = await import("./mutants/workshop.mjs");
    const all = await mutantsOf(area.sources);
    const drawn = draw(all, count, seed);
    console.log(`${drawn.length} of ${all.length} faults, seed ${seed}`);
    const workshops = Array.from({ length: availableParallelism() }, () => new Workshop());
    try {
      const tests = await observe(workshops[0], area);
      const verdicts = await inParallel(drawn, workshops, async (mutant, workshop) => {
        const verdict = await judge(workshop, mutant, tests);
        console.log(`${verdict.noticed ? "noticed  " : "UNNOTICED"} ${describe(mutant)}\n    ${verdict.by}`);
        return verdict;
      });
      const noticed = verdicts.filter((verdict) => verdict.noticed).length;
      const share = noticed / verdicts.length;
      console.log(`${noticed} of ${verdicts.length} faults were noticed (${(100 * share).toFixed(1)} %)`);
      return share >= goal ? 0 : 1;
    } finally {
      for (const workshop of workshops) workshop.close();
    }
  },
});

function asked(args) {
  const [name, ...flags] = args;
  if (!(name in areas)) throw new CommandError(`Name what is to be broken: server or provider.\n\n${usage}`);
  const found = { count: 500, seed: Math.floor(Math.random() * 2 ** 31) };
  for (let at = 0; at < flags.length; at += 2) {
    const key = /^--(count|seed)$/.exec(flags[at])?.[1];
    const value = Number(flags[at + 1]);
    if (!key || !Number.isSafeInteger(value) || value < 0) {
      throw new CommandError(`${flags[at]} ${flags[at + 1] ?? ""}: not understood.\n\n${usage}`);
    }
    found[key] = value;
  }
  return { area: areas[name], ...found };
}

/** Runs all tests without a fault, once, to know which lines each of them runs. */
async function observe(workshop, { sources, tests }) {
  const outputFile = workshop.path("coverage.json");
  const started = Date.now();
  console.error("mutants: running the tests without a fault, which takes some minutes …");
  const flags = [
    "--coverage",
    ...sources.map((name) => `--collectCoverageFrom=${name}/**/*.ts`),
    "--coverageReporters=none",
    "--reporters=default",
    `--reporters=${join(root, "scripts/mutants/coverage-reporter.cjs")}`,
  ];
  const { output } = await workshop.jest([...tests, ...flags], 60 * 60_000, { SLIPWAY_COVERAGE: outputFile });
  if (!existsSync(outputFile)) throw new CommandError(`The tests do not run:\n${output.slice(-2000)}`);
  const observed = JSON.parse(readFileSync(outputFile, "utf8"));
  const failed = observed.filter((test) => test.failed).map((test) => test.file);
  if (failed.length > 0) throw new CommandError(`Without any fault these fail: ${failed.join(", ")}`);
  console.error(`mutants: that took ${Math.round((Date.now() - started) / 1000)} s`);
  return observed.map(({ file, durationMs, lines }) => ({
    file,
    durationMs,
    lines: new Map(Object.entries(lines).map(([name, numbers]) => [name, new Set(numbers)])),
    inOtherProcesses: startsProcesses(file),
  }));
}

/** Whether a test starts Pulumi's process, in which the provider's lines run unseen. */
function startsProcesses(file, seen = new Set()) {
  const path = [`${file}`, `${file}.ts`, join(file, "index.ts")].find(
    (name) => /\.m?ts$/.test(name) && existsSync(join(root, name)),
  );
  if (path === undefined || seen.has(path)) return false;
  seen.add(path);
  if (path === "test/provider/host.ts") return true;
  const imports = [...readFileSync(join(root, path), "utf8").matchAll(/from "(\.[^"]+)"/g)];
  return imports
    .map(([, name]) => join(dirname(path), name))
    .some((name) => name.startsWith("test/") && startsProcesses(name, seen));
}

/** @returns whether a fault is noticed, and by what */
async function judge(workshop, mutant, tests) {
  const runs = ({ lines }) => {
    const run = lines.get(mutant.file);
    for (let line = mutant.line; run && line <= mutant.lastLine; line++) if (run.has(line)) return true;
    return false;
  };
  const byDuration = (a, b) => a.durationMs - b.durationMs;
  const direct = tests.filter(runs).sort(byDuration);
  const compiled = !mutant.file.startsWith("server/");
  const others = tests.filter((test) => compiled && test.inOtherProcesses && !runs(test)).sort(byDuration);
  return workshop.withFault(mutant, async () => {
    for (const chosen of [direct, others].filter((some) => some.length > 0)) {
      const expectedMs = chosen.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const names = chosen.map(({ file }) => file);
      const { code, output, timedOut } = await workshop.jest(
        ["--bail=1", "--maxWorkers=1", "--reporters=default", "--runTestsByPath", ...names],
        60_000 + patience * expectedMs,
      );
      if (timedOut) return { noticed: true, by: "the tests came to no end" };
      if (code !== 0) return { noticed: true, by: /^ {2}● (.*)$/m.exec(output)?.[1] ?? output.slice(-300) };
    }
    if (!(await workshop.passesTypes())) return { noticed: true, by: "the type checker" };
    return {
      noticed: false,
      by: direct.length > 0 ? `${direct.length} test files run it` : "no test runs it",
    };
  });
}

async function inParallel(items, workers, step) {
  const results = [];
  let next = 0;
  await Promise.all(
    workers.map(async (worker) => {
      while (next < items.length) {
        const at = next++;
        results[at] = await step(items[at], worker);
      }
    }),
  );
  return results;
}

function oneLine(text) {
  return text.replace(/\s+/g, " ").slice(0, 100);
}

function describe({ file, line, from, to, operator, replacement }) {
  const text = readFileSync(join(root, file), "utf8").slice(from, to);
  return `${file}:${line} ${operator}: ${oneLine(text)} → ${oneLine(replacement) || "nothing"}`;
}
