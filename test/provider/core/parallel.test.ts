import { inParallel } from "../../../provider/core/parallel";

const ticks = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((done) => setImmediate(done));
};

it("returns results in the order of the items, and runs so many steps at a time", async () => {
  let running = 0;
  let most = 0;
  const step = async (length: number): Promise<number> => {
    most = Math.max(most, ++running);
    await ticks(length);
    running -= 1;
    return length;
  };
  expect(await inParallel([9, 1, 5, 2, 0], step, 3)).toEqual([9, 1, 5, 2, 0]);
  expect(most).toBe(3);
  expect(await inParallel([], step, 3)).toEqual([]);
});

it("begins no step after a failure, and fails when those in progress have ended", async () => {
  const ended: number[] = [];
  const step = async (item: number): Promise<void> => {
    await ticks(item);
    if (item === 1) throw new Error("no");
    ended.push(item);
  };
  await expect(inParallel([5, 1, 3, 4], step, 2)).rejects.toThrow("no");
  expect(ended).toEqual([5]);
});
