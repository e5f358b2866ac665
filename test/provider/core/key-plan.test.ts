import { KeyPlan } from "../../../provider/core/key-plan";

const nextTick = (): Promise<void> => new Promise((done) => setImmediate(done));

it("runs requests about an object one after the other, also after one that failed", async () => {
  const plan = new KeyPlan();
  const log: string[] = [];
  const request = (id: string | undefined, name: string, fails = false) =>
    plan.exclusive(id, async () => {
      log.push(`${name} begins`);
      await nextTick();
      log.push(`${name} ends`);
      if (fails) throw new Error(`${name} fails`);
      return name;
    });
  const all = [request("one", "first", true), request("one", "second"), request("one", "third")];
  expect(await Promise.allSettled(all)).toMatchObject([
    { reason: new Error("first fails") },
    { value: "second" },
    { value: "third" },
  ]);
  expect(log).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  log.length = 0;
  await Promise.all([request("one", "a"), request("other", "b"), request(undefined, "c")]);
  expect(log.slice(3).sort()).toEqual(["a ends", "b ends", "c ends"]);
});
