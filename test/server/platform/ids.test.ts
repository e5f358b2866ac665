/** @own-code The time is fake. */

import { newId } from "../../../server/platform/ids";
import { projects } from "../../../server/projects/object";

afterEach(() => jest.restoreAllMocks());

const madeAt = (time: number): string => {
  jest.spyOn(Date, "now").mockReturnValue(time);
  return newId(projects);
};

it("ids sort by the time at which they were made, and so are neighbours in an index", () => {
  const start = Date.UTC(2026, 0, 1);
  const second = 1000;
  const times = [0, 1, 61, 62, 63, second, 3600 * second, 86_400 * second, 40 * 365 * 86_400 * second];
  const ids = times.map((after) => madeAt(start + after));
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^prj_[A-Za-z0-9]{28}$/);
});

it("ids of one moment differ", () => {
  const ids = Array.from({ length: 10_000 }, () => madeAt(Date.UTC(2026, 0, 1)));
  expect(new Set(ids).size).toBe(ids.length);
});
