import { Turns } from "../../../provider/client/turns";
import { until } from "../../support/until";

/** Places that resources hold, and a step that takes one and says "taken" while another resource holds it. */
const held = new Map<string, string>();
const taken = new Error("taken");
const plan = { type: "EnvVar", isReplaced: false, leaves: "in turn" } as const;

let turns: Turns;
beforeEach(() => {
  turns = new Turns({ claimWaitMs: 50, releaseWaitMs: 60_000 });
  held.clear();
});

const step = (id: string, place: string, { isPatient = false, stepAside = () => {} } = {}): Promise<string> =>
  turns.take(id, {
    wants: [place],
    isPatient,
    isTaken: (error) => error === taken,
    holders: async () => [held.get(place) ?? []].flat(),
    stepAside: async () => stepAside(),
    async attempt() {
      const holder = held.get(place);
      if (holder !== undefined && holder !== id) throw taken;
      for (const [old, owner] of held) if (owner === id) held.delete(old);
      held.set(place, id);
      turns.finish(id, true);
      return `${id} has ${place}`;
    },
  });

it("waits for who releases the place in its turn", async () => {
  held.set("A", "one");
  turns.plan("one", { ...plan, has: ["A"], wants: ["B"] });
  turns.plan("two", { ...plan, has: [], wants: ["A"] });
  const waiting = step("two", "A");
  await step("one", "B");
  expect(await waiting).toBe("two has A");
});

it("does not wait for who keeps the place, has failed, or is not of this run", async () => {
  held.set("A", "one");
  turns.plan("one", { ...plan, has: ["A"], wants: ["A"] });
  await expect(step("two", "A")).rejects.toBe(taken);
  turns.plan("one", { ...plan, has: ["A"], wants: ["B"] });
  turns.finish("one", false);
  await expect(step("two", "A")).rejects.toBe(taken);
  held.set("C", "stranger");
  await expect(step("two", "C")).rejects.toBe(taken);
  // For a while where it may still turn out to be one.
  await expect(step("two", "C", { isPatient: true })).rejects.toBe(taken);
});

it("has one of a circle step aside, once, and nobody who only waits for them", async () => {
  held.set("A", "one").set("X", "one").set("B", "two");
  turns.plan("one", { ...plan, has: ["A", "X"], wants: ["B"] });
  turns.plan("two", { ...plan, has: ["B"], wants: ["A"] });
  turns.plan("three", { ...plan, has: ["C"], wants: ["X"] });
  const aside: string[] = [];
  const steppingAside = (id: string) => ({
    stepAside() {
      aside.push(id);
      for (const [place, owner] of held) if (owner === id) held.delete(place);
    },
  });
  const all = [
    step("three", "X", steppingAside("three")),
    step("one", "B", steppingAside("one")),
    step("two", "A", steppingAside("two")),
  ];
  expect(await Promise.all(all)).toEqual(["three has X", "one has B", "two has A"]);
  expect(aside).toHaveLength(1);
  expect(aside).not.toContain("three");
});

it("waits for one place beside another that it has already", async () => {
  held.set("A", "one").set("B", "two");
  turns.plan("one", { ...plan, has: ["A"], wants: ["C"] });
  turns.plan("two", { ...plan, has: ["B"], wants: ["A", "B"] });
  const waiting = turns.take("two", {
    wants: ["A", "B"],
    isPatient: false,
    isTaken: (error) => error === taken,
    holders: async () => [...held.values()],
    async attempt() {
      if (held.get("A") === "one") throw taken;
      return "both";
    },
  });
  await new Promise(setImmediate);
  await step("one", "C");
  expect(await waiting).toBe("both");
});

it("has the one that can step aside do so, although the circle was closed by one that cannot", async () => {
  held.set("A", "one").set("B", "two");
  turns.plan("one", { ...plan, has: ["A"], wants: ["B"] });
  turns.plan("two", { ...plan, has: ["B"], wants: ["A"] });
  const one = step("one", "B", { stepAside: () => held.delete("A") });
  const attempted = jest.fn();
  const two = turns.take("two", {
    wants: ["A"],
    isPatient: false,
    isTaken: (error) => error === taken,
    holders: async () => ["one"],
    async attempt() {
      attempted();
      if (held.has("A")) throw taken;
      held.delete("B");
      turns.finish("two", true);
      return "two has A";
    },
  });
  expect(await Promise.all([one, two])).toEqual(["one has B", "two has A"]);
  // Once in vain, and once when there was something new.
  expect(attempted).toHaveBeenCalledTimes(2);
});

it("steps aside once, however long the others then take", async () => {
  held.set("A", "one").set("B", "two");
  turns.plan("one", { ...plan, has: ["A"], wants: ["B"] });
  turns.plan("two", { ...plan, has: ["B"], wants: ["A"] });
  const stepAside = jest.fn(() => {
    if (!held.delete("A")) throw new Error("one steps aside again");
  });
  let finish = () => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const two = turns.take("two", {
    wants: ["A"],
    isPatient: false,
    isTaken: (error) => error === taken,
    holders: async () => ["one"],
    async attempt() {
      if (held.has("A")) throw taken;
      await isFinished;
      held.delete("B");
      turns.finish("two", true);
      return "two has A";
    },
  });
  const one = step("one", "B", { stepAside });
  await until("one is aside", () => stepAside.mock.calls.length > 0);
  // Another one of the run tells its plan: the circle is still there.
  for (let i = 0; i < 3; i++) {
    turns.plan(`other ${i}`, { ...plan, has: [], wants: [] });
    await new Promise(setImmediate);
  }
  finish();
  expect(await Promise.all([one, two])).toEqual(["one has B", "two has A"]);
  expect(stepAside).toHaveBeenCalledTimes(1);
});

it("names another one that will have a place, and nobody for a place of its own", () => {
  turns.plan("one", { ...plan, has: ["A"], wants: ["B"] });
  turns.plan("two", { ...plan, has: ["C"], wants: undefined });
  expect(turns.wantedBy("two", ["B"])).toBe("one");
  expect(turns.wantedBy("two", ["C"])).toBeUndefined();
  expect(turns.wantedBy("one", ["B"])).toBeUndefined();
});

it("clears places once all of their holders release them, and names the one that does not", async () => {
  turns.plan("one", { ...plan, has: ["A"], wants: ["B"] });
  expect(await turns.clear(["one"], ["A"])).toBeUndefined();
  turns.plan("late", { ...plan, has: ["A"], wants: ["B"], leaves: "at the end" });
  expect(await turns.clear(["one", "late"], ["A"])).toBe("late");
  expect(await turns.clear(["stranger"], ["A"])).toBe("stranger");
  // Who tells its plan meanwhile is waited for.
  const cleared = turns.clear(["new"], ["A"]);
  turns.plan("new", { ...plan, has: ["A"], wants: ["B"] });
  expect(await cleared).toBeUndefined();
});

it("says at once that a place is kept, without waiting for who is not heard of", async () => {
  const patient = new Turns({ claimWaitMs: 3_600_000, releaseWaitMs: 3_600_000 });
  patient.plan("one", { ...plan, has: ["A"], wants: ["A"] });
  expect(await patient.clear(["one"], ["A"])).toBe("one");
  let cleared: string | undefined = "not yet";
  void patient.clear(["two"], ["A"]).then((outcome) => {
    cleared = outcome;
  });
  patient.plan("two", { ...plan, has: ["A"], wants: ["B"] });
  await until("it is cleared", () => cleared === undefined);
});

it("finds the resource that is replaced by one with the same places, in any order", () => {
  const [preview, production] = ["prj_1/KEY/preview/", "prj_1/KEY/production/"];
  turns.plan("unknown", { ...plan, isReplaced: true, has: [], wants: undefined });
  turns.plan("old", { ...plan, isReplaced: true, has: [], wants: [preview, production] });
  expect(turns.replacedBy([production, preview])).toBe("old");
  expect(turns.replacedBy([preview])).toBeUndefined();
});
