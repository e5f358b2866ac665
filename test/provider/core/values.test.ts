import { version } from "../../../package.json";
import { version as named } from "../../../provider/client/version";
import { asDeclared, holdsUnknown, safe, same, swap, unknown } from "../../../provider/core/values";

it("compares by structure: neither the order of keys nor that of lists counts", () => {
  expect(same({ a: 1, b: [1, 2] }, { b: [2, 1], a: 1 })).toBe(true);
  expect(same({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  expect(same({ a: null }, {})).toBe(false);
  expect(same([{ a: 1 }], [{ a: 2 }])).toBe(false);
});

it("sees what the service holds through what was declared", () => {
  expect(asDeclared({ enabled: true }, { enabled: false, issuerMode: "team" })).toEqual({ enabled: false });
  expect(asDeclared(["b", "a"], ["a", "b"])).toEqual(["b", "a"]);
  expect(asDeclared([{ value: "1" }], [{ value: "1", note: "x" }])).toEqual([{ value: "1" }]);
  const twice = [{ value: "1" }, { value: "1", note: "x" }];
  expect(asDeclared(twice, [...twice].reverse())).toEqual(twice);
  expect(asDeclared({ a: 1 }, null)).toBeNull();
});

it("makes anything safe to hand over, and never throws", () => {
  const strange = {
    a: undefined,
    b: [undefined, 1n, Number.NaN],
    c: new Date(0),
    d: new Map([["x", () => 1]]),
    e: new Set([1]),
    f: Symbol("s"),
  };
  expect(safe(strange)).toEqual({ b: [1, null], c: "1970-01-01T00:00:00.000Z", d: {}, e: [1] });
});

it("finds and swaps unknowns at any depth", () => {
  expect(holdsUnknown({ a: [{ b: unknown }] })).toBe(true);
  expect(swap({ a: ["?", 1] }, "?", unknown)).toEqual({ a: [unknown, 1] });
});

it("names the package's version in requests", () => {
  expect(named).toBe(version);
});
