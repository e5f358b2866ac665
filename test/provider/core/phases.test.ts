import { Phases } from "../../../provider/core/phases";

/** Steps that wait until the engine has checked a program. The engine's checks are promises that a test settles. */

const waits = { quietMs: 60, mostMs: 300 };
const pending = () => Promise.withResolvers<void>();
const never = () => false;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** True when a promise has not settled yet. */
const isOpen = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => "settled"), pause(0).then(() => "open")])) === "open";

it("a step waits for a check that runs, however long it takes", async () => {
  const phases = new Phases({ quietMs: 60, mostMs: 100_000 });
  const check = pending();
  const checked = phases.check(() => check.promise);
  const step = phases.untilChecked(never);
  await pause(3 * waits.quietMs);
  expect(await isOpen(step)).toBe(true);
  check.resolve();
  await checked;
  await step;
});

it("a step goes on as soon as its resource is checked", async () => {
  const phases = new Phases({ quietMs: 100_000, mostMs: 100_000 });
  await phases.check(async () => {});
  let isChecked = false;
  const step = phases.untilChecked(() => isChecked);
  expect(await isOpen(step)).toBe(true);
  isChecked = true;
  await step;
});

it("a check that fails counts as ended", async () => {
  const phases = new Phases(waits);
  await expect(phases.check(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await phases.untilChecked(never);
  expect(phases.hasProgram).toBe(true);
});

it("once no check has run for half a second, no step waits again", async () => {
  const phases = new Phases({ quietMs: 20, mostMs: 100_000 });
  await phases.check(async () => {});
  await phases.untilChecked(never);
  const later = pending();
  const checked = phases.check(() => later.promise);
  await phases.untilChecked(never);
  later.resolve();
  await checked;
});

it("a run waits a limited time in all, as where the engine checks a resource before each step", async () => {
  const phases = new Phases({ quietMs: 100_000, mostMs: waits.mostMs });
  await phases.check(async () => {});
  // Steps that wait at the same time wait for the same checks.
  await Promise.all([phases.untilChecked(never), phases.untilChecked(never)]);
  for (let at = 0; at < 100; at++) {
    await phases.check(async () => {});
    await phases.untilChecked(never);
  }
});

it("a step waits for nothing before the engine has checked a resource", async () => {
  await new Phases({ quietMs: 100_000, mostMs: 100_000 }).untilChecked(never);
});
