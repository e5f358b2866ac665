import { useVariables } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
useVariables(world);
const base = "/v1/projects/web/feature-flags";
const path = `${base}/segments`;

const segment = {
  ...{ slug: "staff", label: "Staff", hint: "user-email", description: "who works here" },
  data: { include: { user: { email: [{ value: "ada@example.com", note: "first" }] } } },
};
const create = (change: object = {}) => world.call("PUT", path, { body: { ...segment, ...change } });
const patch = (body: object) => world.call("PATCH", `${path}/staff`, { body });

it("creates a segment, and returns it by id, by slug and in the list", async () => {
  const { status, body } = await create();
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      ...{ ...segment, typeName: "segment", id: expect.stringMatching(/^segment_\w{24}$/) },
      ...{ usedByFlags: [], usedBySegments: [] },
    },
  });
  for (const key of ["staff", body.id])
    expect((await world.call("GET", `${path}/${key}`)).body).toEqual(body);
  expect((await world.call("GET", path)).body).toEqual({ data: [body] });
});

it.each([
  ["no label", { label: undefined }, /label/],
  ["no hint", { hint: undefined }, /hint/],
  ["a slug with a slash", { slug: "a/b" }, /slug/],
  ["an unknown member", { name: "a" }, /name/],
])("returns 400 for %s", async (_what, change, message) => {
  const { status, body } = await create(change);
  expect(status).toBe(400);
  expect(body.error.message).toMatch(message);
});

it("returns 409 for a slug that the project has", async () => {
  await create();
  expect((await create()).status).toBe(409);
});

it("changes members, replaces data, and applies operations", async () => {
  await create();
  const data = { rules: [], exclude: { user: { id: [{ value: "eve" }] } } };
  expect((await patch({ hint: "", data })).body).toMatchObject({ hint: "", label: "Staff", data });
  const operation = { field: "exclude", entity: "user", attribute: "id" };
  const { body } = await patch({
    operations: [
      { ...operation, action: "remove", value: { value: "eve" } },
      { ...operation, action: "add", value: { value: "bob", note: "left" } },
    ],
  });
  expect(body.data).toEqual({ rules: [], exclude: { user: { id: [{ value: "bob", note: "left" }] } } });
});

it("deletes a segment, unless a rule uses it", async () => {
  const { body } = await create();
  const environment = (rules: unknown[]) => ({
    ...{ active: true, rules, pausedOutcome: { type: "variant", variantId: "off" } },
    fallthrough: { type: "variant", variantId: "on" },
  });
  const outcome = { type: "variant", variantId: "on" };
  const conditions = [
    { lhs: { type: "segment" }, cmp: "oneOf", rhs: { type: "list", items: [{ value: body.id }] } },
  ];
  const flag = { slug: "beta", kind: "boolean" };
  const environments = { production: environment([{ id: "rule_1", conditions, outcome }]) };
  await world.call("PUT", `${base}/flags`, { body: { ...flag, environments } });
  expect((await world.call("GET", `${path}/staff`)).body).toMatchObject({ usedByFlags: ["beta"] });
  const remove = () => world.call("DELETE", `${path}/staff`);
  expect((await remove()).body.error).toMatchObject({
    code: "conflict",
    message: expect.stringContaining("beta"),
  });
  await world.call("PATCH", `${base}/flags/beta`, {
    body: { environments: { production: environment([]) } },
  });
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
});

it("takes segments from a seed, once", async () => {
  const row = { ...segment, team: "acme", project: "web", id: "segment_1", createdAt: 5 };
  for (let time = 0; time < 2; time++) await world.seed({ featureFlagSegments: [row] });
  expect((await world.call("GET", `${path}/staff`)).body).toMatchObject({ ...segment, createdAt: 5 });
});
