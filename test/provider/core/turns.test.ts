import { Turns } from "../../../provider/core/turns";
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
