import { z } from "zod";
import { isUnsure, unsureInputs, unsureState } from "../../../provider/core/unsure";

const found = { comment: "lost", target: ["preview"], value: "other" };
const inputs = z.object({
  deployHooks: z.record(z.string(), z.object({ ref: z.string() })).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  settings: z.object({ on: z.boolean() }).optional(),
});
const read = async () => found;

it("a state names the inputs of the change that it lacks", () => {
  const state = unsureState({ key: "A", value: "v" }, { key: "A", value: "w", comment: "lost" }, {}, inputs);
  expect(state).toEqual({ key: "A", value: "v", unsure: ["comment"] });
  expect([isUnsure(state), isUnsure({ key: "A" })]).toEqual([true, false]);
});

it("a second change with an unknown outcome keeps the names of the first", () => {
  const first = unsureState({ key: "A" }, { key: "A", comment: "lost" }, {}, inputs);
  expect(unsureState({ key: "A" }, { key: "A", target: [] }, first, inputs).unsure).toEqual([
    "comment",
    "target",
  ]);
  // Meanwhile a checkpoint has recorded one of them.
  expect(unsureState({ key: "A", comment: "new" }, { key: "A" }, first, inputs).unsure).toEqual([]);
});

it("an update gets the inputs that the program no longer declares, as the service has them", async () => {
  const state = unsureState(
    { key: "A" },
    { key: "A", comment: "lost", target: [], hidden: true },
    {},
    inputs,
  );
  const unsure = await unsureInputs(state, { key: "A", target: ["preview"] }, read);
  expect(unsure).toEqual({ comment: "lost", hidden: null });
});

it("reads nothing if the program declares all of them, or if nothing is unsure", async () => {
  const never = () => Promise.reject(new Error("it reads"));
  const state = unsureState({ key: "A" }, { key: "A", comment: "lost" }, {}, inputs);
  expect(await unsureInputs(state, { comment: "new" }, never)).toEqual({});
  expect(await unsureInputs({ key: "A" }, {}, never)).toEqual({});
});

it("does not count collections of objects, of which the service may have others", () => {
  const declared = { deployHooks: { ci: { ref: "main" } }, headers: { a: "b" }, settings: { on: true } };
  expect(unsureState({}, declared, {}, inputs).unsure).toEqual(["headers", "settings"]);
});
