import { passesOf, testsThatPass } from "./observe.mjs";

/** A test that takes this many times as long as without a fault counts as endless. */
const slowdown = 5;
/** The time that a busy machine may add to the duration of a test, in milliseconds. */
const graceMs = 20_000;

/** Test files that take longer than this, in milliseconds, run last. */
const quickMs = 20_000;

/**
 * Runs the tests that reach a fault, with the fault, until one fails.
 * @param {import("./sandbox.mjs").Sandbox} sandbox
 * @param {{ key: string, isOpen?: boolean }} mutant `isOpen` if the quick tests and the type checker did not notice it
 * @returns whether the fault is noticed, and by which test; or `isOpen`, if the slow tests still have to run
 */
export async function judge(sandbox, mutant, observed, types) {
  const files = testsThatPass(observed, mutant.key);
  const [slow, quick] = [true, false].map((is) =>
    files.filter(({ expectedMs }) => expectedMs > quickMs === is),
  );
  const by = await firstToFail(sandbox, mutant, observed, mutant.isOpen ? slow : quick);
  if (by) return { noticed: true, by };
  if (!mutant.isOpen && (await types.complainsOf(mutant))) return { noticed: true, by: "the type checker" };
  const count = files.reduce((sum, { tests }) => sum + tests.length, 0);
  return {
    noticed: false,
    isOpen: !mutant.isOpen && slow.length > 0,
    by: count > 0 ? `${count} tests in ${files.length} files reach it` : "no test reaches it",
  };
}

async function firstToFail(sandbox, { key }, observed, files) {
  const limit = 10_000 + 100 * passesOf(observed, key);
  for (const test of files) {
    let outcome = await attempt(sandbox, key, test, limit, 1);
    // A run that took too long, or ended the process, is repeated before it counts.
    if (isDoubtful(outcome)) outcome = await attempt(sandbox, key, test, limit, 3);
    if (outcome.timedOut || outcome.overran) return `${test.file} does not end`;
    if (outcome.died) return `${test.file} ends the process`;
    if (outcome.failed) return `${test.file}: ${outcome.failed.name}`;
  }
  return undefined;
}

function attempt(sandbox, fault, { file, tests, isWhole, left, expectedMs }, limit, factor) {
  const timeoutOf = ({ durationMs }) => factor * (graceMs + slowdown * durationMs);
  const chosen = isWhole ? undefined : Object.fromEntries(tests.map((test) => [test.name, timeoutOf(test)]));
  return sandbox.run({ file, fault, limit, chosen, left }, factor * (2 * graceMs + slowdown * expectedMs));
}

const isDoubtful = ({ timedOut, died, failed }) =>
  timedOut || died || /Exceeded timeout of/.test(failed?.message ?? "");
