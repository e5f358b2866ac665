import { isUnsure, unsureState, withUnsureInputs } from "../../../provider/core/unsure";

const found = { comment: "lost", target: ["preview"], value: "other" };
const read = async () => found;

it("a state names the inputs of the change that it lacks", () => {
  const state = unsureState({ key: "A", value: "v" }, { key: "A", value: "w", comment: "lost" }, {});
  expect(state).toEqual({ key: "A", value: "v", unsure: ["comment"] });
  expect([isUnsure(state), isUnsure({ key: "A" })]).toEqual([true, false]);
});

it("a second change with an unknown outcome keeps the names of the first", () => {
  const first = unsureState({ key: "A" }, { key: "A", comment: "lost" }, {});
  expect(unsureState({ key: "A" }, { key: "A", target: [] }, first).unsure).toEqual(["comment", "target"]);
  // Meanwhile a checkpoint has recorded one of them.
  expect(unsureState({ key: "A", comment: "new" }, { key: "A" }, first).unsure).toEqual([]);
});

it("an update gets the inputs that the program no longer declares, as the service has them", async () => {
  const state = unsureState({ key: "A" }, { key: "A", comment: "lost", target: [], hidden: true }, {});
  const known = await withUnsureInputs(state, { key: "A", target: ["preview"] }, read);
  expect(known).toEqual({ ...state, comment: "lost", hidden: null });
});

it("reads nothing if the program declares all of them, or if nothing is unsure", async () => {
  const never = () => Promise.reject(new Error("it reads"));
  const state = unsureState({ key: "A" }, { key: "A", comment: "lost" }, {});
  expect(await withUnsureInputs(state, { comment: "new" }, never)).toBe(state);
  expect(await withUnsureInputs({ key: "A" }, {}, never)).toEqual({ key: "A" });
});
