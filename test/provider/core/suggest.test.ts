import { closest } from "../../../provider/core/suggest";

it.each([
  // a letter wrong, missing, too many; two that changed places
  ["framewirk", "framework"],
  ["framwork", "framework"],
  ["frameworkk", "framework"],
  ["farmework", "framework"],
  ["NAME", "name"],
  ["nmae", "name"],
])("takes %s for %s", (word, meant) => {
  expect(closest(word, ["buildCommand", "framework", "name"])).toBe(meant);
});

it.each(["fr", "man", "emna", "build", "work", "workframe", "eman", "acme", "naxm"])(
  "takes %s for nothing",
  (word) => {
    expect(closest(word, ["buildCommand", "framework", "name"])).toBeUndefined();
  },
);

it("takes the nearest of several", () => {
  expect(closest("targets", ["target", "targetsx", "targetss", "tarrgets"])).toBe("target");
  expect(closest("devComand", ["buildCommand", "devCommand", "installCommand"])).toBe("devCommand");
});
