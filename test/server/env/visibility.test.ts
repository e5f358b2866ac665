import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v10/projects/web/env";
const create = (body: object, query = {}) =>
  world.call("POST", path, { body: { key: "KEY", value: "v", target: ["production"], ...body }, query });
const edit = (id: string, body: object) => world.call("PATCH", `/v9/projects/web/env/${id}`, { body });

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

it.each([
  ["config", "encrypted"],
  ["secret", "sensitive"],
])("visibility %s makes a variable of type %s", async (visibility, type) => {
  const { status, body } = await create({ visibility });
  expect(status).toBe(201);
  expect(body.created).toMatchObject({ type, visibility });
  const listed = (await world.call("GET", path)).body.envs;
  expect(listed).toMatchObject([{ type, visibility }]);
});

it.each([
  ["encrypted", "config"],
  ["plain", "config"],
  ["sensitive", "secret"],
])("a variable of type %s has visibility %s", async (type, visibility) => {
  expect((await create({ type })).body.created).toMatchObject({ type, visibility });
  expect((await create({ key: "BOTH", type, visibility })).status).toBe(201);
});

it("a system variable has none", async () => {
  const { body } = await create({ key: "VERCEL_URL", type: "system", value: undefined });
  expect(body.created.type).toBe("system");
  expect(body.created).not.toHaveProperty("visibility");
});

it.each([
  ["secret", "plain"],
  ["config", "sensitive"],
  ["config", "system"],
])("visibility %s and type %s are refused together, on create and on edit", async (visibility, type) => {
  const refused = { status: 400, body: { error: { code: "BAD_REQUEST" } } };
  expect(await create({ visibility, type })).toMatchObject(refused);
  const { id } = (await create({})).body.created;
  expect(await edit(id, { visibility, type })).toMatchObject(refused);
});

it("an edit takes a visibility: the type stays where it fits, a secret one cannot become readable by itself", async () => {
  const { id } = (await create({ type: "plain" })).body.created;
  expect((await edit(id, { visibility: "config", value: "w" })).body).toMatchObject({ type: "plain" });
  expect((await edit(id, { visibility: "secret" })).body).toMatchObject({ type: "sensitive" });
  expect((await edit(id, { visibility: "config" })).body.error.code).toBe("NOT_DECRYPTABLE");
  expect((await edit(id, { visibility: "config", value: "x" })).body).toMatchObject({ type: "encrypted" });
});

it("an upsert takes a visibility in the same way", async () => {
  await create({ type: "plain" });
  const kept = await create({ visibility: "config", value: "w" }, { upsert: true });
  expect(kept.body.created).toMatchObject({ type: "plain", value: "w" });
  const changed = await create({ visibility: "secret", value: "w" }, { upsert: true });
  expect(changed.body.created).toMatchObject({ type: "sensitive", visibility: "secret" });
});
