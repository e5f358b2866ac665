import { isUnsure, unsureInputs, unsureState } from "../../../provider/core/unsure";

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
  const unsure = await unsureInputs(state, { key: "A", target: ["preview"] }, read);
  expect(unsure).toEqual({ comment: "lost", hidden: null });
});

it("reads nothing if the program declares all of them, or if nothing is unsure", async () => {
  const never = () => Promise.reject(new Error("it reads"));
  const state = unsureState({ key: "A" }, { key: "A", comment: "lost" }, {});
  expect(await unsureInputs(state, { comment: "new" }, never)).toEqual({});
  expect(await unsureInputs({ key: "A" }, {}, never)).toEqual({});
});

it("gets those members of a map that the change declared, and no others of the service", async () => {
  const hooks = { "ci.main": { ref: "main" }, gone: { ref: "main" } };
  const first = unsureState({ name: "web" }, { name: "web", deployHooks: hooks, flags: {} }, {});
  const state = unsureState({ name: "web" }, { deployHooks: { later: { ref: "main" } } }, first);
  const later = { ref: "next" };
  const found = {
    deployHooks: { "ci.main": { ref: "main" }, later, dashboard: later },
    flags: { dark: true },
  };
  expect(await unsureInputs(state, {}, async () => found)).toEqual({
    deployHooks: { "ci.main": { ref: "main" }, later },
    flags: {},
  });
});
