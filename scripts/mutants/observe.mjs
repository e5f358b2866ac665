/**
 * Runs every test once without a fault, and records which faults it reaches, and how long it takes. The tests of a file
 * run in reverse order. If one fails then, the tests depend on each other: they always run together, in their order.
 * @param {import("./sandbox.mjs").Sandbox} sandbox
 * @param {string[]} files
 * @returns {Promise<object[]>} for each file: `file`, `loadMs`, `outside`, `tests`, `left`, `isWhole`
 */
export async function observe(sandbox, files) {
  const observed = [];
  for (const file of files) {
    const run = (isReversed) =>
      sandbox.run({ file, isObserved: true, isReversed, limit: Number.MAX_SAFE_INTEGER }, 20 * 60_000);
    let outcome = await run(true);
    const isWhole = !isSound(outcome);
    if (isWhole) outcome = await run(false);
    // For example, a test fails because it reads the sources, which have switches here. Without its file, fewer
    // faults are noticed.
    if (!isSound(outcome)) {
      const { name, message } = outcome.failed ?? {
        name: file,
        message: outcome.printed ?? "does not end",
      };
      console.error(`mutants: ${file} fails without any fault, and is left out: ${name}\n${message}`);
      continue;
    }
    const { tests, outside, durationMs, left } = outcome;
    const testMs = tests.reduce((sum, test) => sum + test.durationMs, 0);
    observed.push({ file, tests, outside, left, isWhole, loadMs: Math.max(0, durationMs - testMs) });
    console.error(
      `mutants: ${observed.length} of ${files.length} ${file}: ${durationMs} ms${isWhole ? ", as a whole" : ""}`,
    );
  }
  return observed;
}

const isSound = (outcome) => "tests" in outcome && outcome.failed === undefined;

/** How often all tests together reach a fault. */
export function passesOf(observed, key) {
  let passes = 0;
  for (const { tests, outside } of observed) {
    for (const passed of [outside, ...tests.map((test) => test.passed)]) passes += passed[key] ?? 0;
  }
  return passes;
}

/**
 * The tests that reach a fault, the fastest files first.
 * @returns {{ file: string, expectedMs: number, tests: object[], isWhole: boolean, left: number }[]}
 */
export function testsThatPass(observed, key) {
  return observed
    .map(({ file, tests, outside, left, isWhole, loadMs }) => {
      const passing = tests.filter(({ passed }) => key in passed);
      const isAll = key in outside || (isWhole && passing.length > 0);
      const run = isAll ? tests : passing;
      const expectedMs = run.reduce((sum, { durationMs }) => sum + durationMs, loadMs);
      return { file, expectedMs, tests: run, isWhole, left };
    })
    .filter(({ tests }) => tests.length > 0)
    .sort((a, b) => a.expectedMs - b.expectedMs);
}
