import { useTestServer } from "../../support/world";

const world = useTestServer();
const states = async () => (await world.askControl("GET", "/states")).body.states;
const project = (name: string) => world.call("POST", "/v10/projects", { body: { name } });
const variable = { key: "K", value: "v", type: "encrypted", target: ["preview"] };

it("puts back all data, also secret values, tokens and more rows than a part has", async () => {
  await project("web");
  await world.call("POST", "/v10/projects/web/env", { body: variable });
  const deployments = Array.from({ length: 450 }, (_, at) => ({
    ...{ id: `dpl_${at}`, project: "web", team: "acme", createdAt: at },
  }));
  await world.seed({ deployments, tokens: [{ token: "mine", user: "dev" }] });
  const before = await world.control.snapshot();
  await world.control.saveState("base");

  await world.call("DELETE", "/v9/projects/web");
  await world.seed({ tokens: [{ token: "mine", user: "dev", revoked: true }] });
  await project("other");
  await world.control.loadState("base");

  expect(await world.control.snapshot()).toEqual(before);
  const { body } = await world.call("GET", "/v9/projects/web/env?decrypt=true", { token: "mine" });
  expect(body.envs).toMatchObject([{ key: "K", value: "v" }]);
});

it("keeps saved data over a reset, lists them by name, saves them again and deletes them", async () => {
  await world.control.saveState("b");
  await project("web");
  await world.control.saveState("a");
  await world.control.reset();
  expect(await states()).toMatchObject([{ name: "a" }, { name: "b" }]);
  await world.control.loadState("a");
  await world.control.saveState("b");
  await world.control.reset();
  await world.control.loadState("b");
  expect((await world.call("GET", "/v9/projects/web")).status).toBe(200);
  expect((await world.askControl("DELETE", "/states/a")).status).toBe(204);
  expect(await states()).toMatchObject([{ name: "b" }]);
});

it.each([
  ["POST", "/states/none/load"],
  ["DELETE", "/states/none"],
] as const)("%s %s is refused with the names that there are, and changes nothing", async (method, path) => {
  await world.control.saveState("base");
  const before = await world.control.snapshot();
  const { status, body } = await world.askControl(method, path);
  expect([status, body.error.message]).toEqual([404, 'There is no state "none". Saved are: base.']);
  expect(await world.control.snapshot()).toEqual(before);
});

it("does not load data of a store with other tables", async () => {
  await world.control.saveState("old");
  await world.services.store.write((tx) =>
    tx.updateTable("saved_rows").set({ migration: "0000-before" }).execute(),
  );
  const { status, body } = await world.askControl("POST", "/states/old/load");
  expect([status, body.error.code]).toEqual([409, "conflict"]);
});

it("refuses a name that is no file name", async () => {
  expect((await world.askControl("PUT", "/states/a%20b")).status).toBe(400);
});
