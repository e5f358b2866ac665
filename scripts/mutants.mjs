import { readdirSync } from "node:fs";
import { join } from "node:path";
import { command } from "./command.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run mutants -- server | postgres | provider [--count N] [--seed N] [--workers N] [--again]

Puts faults into the sources, one at a time, and runs the tests that reach the changed code. The faults are drawn at
random from those that Stryker's operators can create. Quick tests and the type checker run first. Slow tests run only
for faults that these do not notice. Prints each fault that nothing notices, and fails if more than 15 % are unnoticed.

  server       server/, with the tests in test/server, on SQLite; code for browsers is left out
  postgres     server/store/postgres/, with the tests of the store and of PostgreSQL
  provider     provider/, sdk/ and cli/, with the tests in the folders of the same names
  --count N    the number of faults (500)
  --seed N     the seed that selects the faults (random; it is printed)
  --workers N  the number of faults that are tested at a time (1)
  --again      tests the unnoticed faults again

The results are stored in .slipway/mutants/. With the same seed, a run continues where another run was stopped.`;

const postgres = "server/store/postgres";
const areas = {
  server: { sources: ["server"], without: [postgres], tests: () => testFiles("test/server") },
  postgres: {
    sources: [postgres],
    engine: "postgres",
    tests: () => [
      ...testFiles("test/server", true),
      "test/server/races.test.ts",
      "test/server/store/retention.test.ts",
    ],
  },
  provider: {
    sources: ["provider", "sdk", "cli"],
    tests: () => ["test/provider", "test/sdk", "test/cli"].flatMap((folder) => testFiles(folder)),
  },
};
const goal = 0.85;

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    const { area, count, seed, workers, again } = asked(args);
    const { draw, mutantsOf, withSwitches } = await import("./mutants/draw.mjs");
    const { observe } = await import("./mutants/observe.mjs");
    const { judge } = await import("./mutants/judge.mjs");
    const { Results } = await import("./mutants/results.mjs");
    const { Types } = await import("./mutants/types.mjs");
    const { Sandbox } = await import("./mutants/sandbox.mjs");
    const { sources, without = [], engine, tests } = areas[area];
    const all = (await mutantsOf(sources)).filter(
      ({ file }) => !without.some((folder) => file.startsWith(`${folder}/`)),
    );
    const drawn = draw(all, count, seed);
    const results = new Results(area, seed);
    const open = drawn
      .map((mutant) => ({ ...mutant, verdict: results.of(mutant) }))
      .filter(({ verdict }) => !verdict || verdict.isOpen || (again && !verdict.noticed))
      // With --again, the quick tests run again too, because new tests may exist.
      .map(({ verdict, ...mutant }) => ({ ...mutant, isOpen: !again && (verdict?.isOpen ?? false) }));
    console.log(
      `${drawn.length} of ${all.length} faults, seed ${seed}, ${open.length} of them still to be tested`,
    );
    const texts = await withSwitches(drawn);
    const sandboxes = Array.from(
      { length: open.length === 0 ? 0 : workers },
      () => new Sandbox(texts, engine),
    );
    const types = new Types();
    try {
      await Promise.all(sandboxes.map((sandbox) => sandbox.bundle()));
      const observed =
        sandboxes[0] &&
        (await results.observed([...sources, "test", "server"], drawn, () => observe(sandboxes[0], tests())));
      const step = async (mutant, sandbox) => {
        const started = Date.now();
        const verdict = await judge(sandbox, mutant, observed, types);
        results.add({ ...mutant, ...verdict, ms: Date.now() - started });
        const word = verdict.noticed ? "noticed  " : verdict.isOpen ? "open     " : "UNNOTICED";
        console.log(`${word} ${describe(mutant)}\n    ${verdict.by}`);
      };
      await inParallel(
        open.filter(({ isOpen }) => !isOpen),
        sandboxes,
        step,
      );
      // The slow tests run last, for the faults that are left.
      const left = open
        .map((mutant) => ({ ...mutant, ...results.of(mutant) }))
        .filter(({ isOpen }) => isOpen);
      await inParallel(left, sandboxes, step);
    } finally {
      types.close();
      for (const sandbox of sandboxes) sandbox.close();
    }
    const noticed = drawn.filter((mutant) => results.of(mutant).noticed).length;
    const share = noticed / drawn.length;
    console.log(
      `${noticed} of ${drawn.length} faults were noticed (${(100 * share).toFixed(1)} %): ${results.path}`,
    );
    return share >= goal ? 0 : 1;
  },
});

function asked(args) {
  const [area, ...flags] = args;
  if (!(area in areas))
    throw new CommandError(`Give the part to test: server, postgres or provider.\n\n${usage}`);
  const found = { count: 500, seed: Math.floor(Math.random() * 2 ** 31), workers: 1, again: false };
  while (flags.length > 0) {
    const flag = flags.shift();
    if (flag === "--again") {
      found.again = true;
      continue;
    }
    const key = /^--(count|seed|workers)$/.exec(flag)?.[1];
    const value = Number(flags.shift());
    if (!key || !Number.isSafeInteger(value) || value < 0) {
      throw new CommandError(`${flag} is not a flag, or its value is not a number.\n\n${usage}`);
    }
    found[key] = value;
  }
  return { area, ...found };
}

/** The test files below a folder: those that need PostgreSQL, or all others. */
function testFiles(folder, needsPostgres = false) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".test.ts") && name.endsWith(".postgres.test.ts") === needsPostgres)
    .map((name) => join(folder, name))
    .sort();
}

async function inParallel(items, workers, step) {
  const rest = [...items];
  await Promise.all(
    workers.map(async (worker) => {
      for (let item = rest.shift(); item; item = rest.shift()) await step(item, worker);
    }),
  );
}

function oneLine(text) {
  return text.replace(/\s+/g, " ").slice(0, 100);
}

function describe({ file, line, operator, original, replacement }) {
  return `${file}:${line} ${operator}: ${oneLine(original)} → ${oneLine(replacement) || "nothing"}`;
}
