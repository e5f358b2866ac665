import { Batches, type Member } from "../../../provider/client/batches";
import { Pace } from "../../../provider/client/pace";
import { currentSender, sentFor } from "../../../provider/client/sender";
import { withLimits } from "../../../provider/client/step-limits";

const performed: string[][] = [];
const senders: (string | undefined)[] = [];
let release: (() => void)[] = [];
let isHeld = false;
let pace: Pace;
let batches: Batches<string, string>;

beforeEach(() => {
  performed.length = 0;
  senders.length = 0;
  release = [];
  isHeld = false;
  pace = new Pace();
  batches = new Batches(
    {
      async perform(members: readonly Member<string, string>[]) {
        performed.push(members.map(({ item }) => item));
        senders.push(currentSender());
        if (isHeld) await new Promise<void>((resolve) => release.push(resolve));
        for (const { item, step } of members) step.resolve(item.toLowerCase());
      },
      // Items whose names begin alike share a key.
      keysOf: (item) => [item.slice(0, 1)],
      largest: 3,
    },
    pace,
  );
});

const add = (item: string): Promise<string> => pace.during(() => batches.add(item));
const nextTick = (): Promise<void> => new Promise((done) => setImmediate(done));

it("carries out together what comes at the same moment, and gives each item its outcome", async () => {
  expect(await Promise.all(["A", "B"].map(add))).toEqual(["a", "b"]);
  expect(performed).toEqual([["A", "B"]]);
});

it("splits what is more than the largest batch", async () => {
  expect(await Promise.all(["A", "B", "C", "D"].map(add))).toEqual(["a", "b", "c", "d"]);
  expect(performed).toEqual([["A", "B", "C"], ["D"]]);
});

it("puts items with the same key into batches one after the other", async () => {
  isHeld = true;
  const all = Promise.all(["A1", "B", "A2"].map(add));
  while (release.length < 1) await nextTick();
  expect(performed).toEqual([["A1", "B"]]);
  isHeld = false;
  for (const go of release) go();
  expect(await all).toEqual(["a1", "b", "a2"]);
  expect(performed).toEqual([["A1", "B"], ["A2"]]);
});

it("begins a batch of items that waited for a key, however long the batch before them took", async () => {
  isHeld = true;
  const all = Promise.all(["A1", "A2", "A3"].map(add));
  for (const number of [1, 2, 3]) {
    while (release.length < number) await nextTick();
    // The items that are left find their key in use, and are not looked at again until it is free.
    await new Promise((done) => setTimeout(done, 100));
    expect(performed).toHaveLength(number);
    release[number - 1]?.();
  }
  expect(await all).toEqual(["a1", "a2", "a3"]);
  expect(performed).toEqual([["A1"], ["A2"], ["A3"]]);
});

it("rejects each item when a batch fails as a whole", async () => {
  const failing = new Batches<string, string>(
    { perform: async () => Promise.reject(new Error("no")), keysOf: (item) => [item], largest: 3 },
    pace,
  );
  const outcomes = await Promise.allSettled(["A", "B"].map((item) => failing.add(item)));
  expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.message)).toEqual(["no", "no"]);
});

it("names the resources of all items, and counts those that are too many to name", async () => {
  await Promise.all(["A", "B"].map((item) => sentFor(`EnvVar ${item}`, () => add(item))));
  expect(senders).toEqual(["EnvVar A, EnvVar B"]);
  batches = new Batches(
    {
      async perform(members: readonly Member<string, string>[]) {
        senders.push(currentSender());
        for (const { step } of members) step.resolve("");
      },
      keysOf: (item) => [item],
      largest: 9,
    },
    pace,
  );
  await Promise.all(["A", "B", "C", "D", "E"].map((item) => sentFor(`EnvVar ${item}`, () => add(item))));
  expect(senders.at(-1)).toBe("EnvVar A, EnvVar B, EnvVar C and 2 more");
});

it("leaves out an item whose step ends before its batch begins", async () => {
  isHeld = true;
  const run = new AbortController();
  const first = add("A1");
  const second = withLimits({ seconds: 0, cancelled: run.signal }, () => add("A2"));
  while (release.length < 1) await nextTick();
  run.abort();
  await expect(second).rejects.toThrow("The run was cancelled.");
  for (const go of release) go();
  expect(await first).toBe("a1");
  isHeld = false;
  await add("A3");
  expect(performed).toEqual([["A1"], ["A3"]]);
});

describe("the pace of a run", () => {
  it("is full when as many steps are under way as were before", async () => {
    const ends: (() => void)[] = [];
    const step = () => pace.during(() => new Promise<void>((end) => ends.push(end)));
    const steps = [step(), step()];
    expect(pace.isFull).toBe(true);
    ends.shift()?.();
    await steps[0];
    expect(pace.isFull).toBe(false);
    steps.push(step());
    expect(pace.isFull).toBe(true);
    for (const end of ends) end();
    await Promise.all(steps);
  });

  it("is not known from one step", async () => {
    const isFull = await pace.during(async () => pace.isFull);
    expect(isFull).toBe(false);
  });
});
