import { beginTransfer, useVariables } from "../../support/variables";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
useVariables(world);
const path = "/v1/projects/web/feature-flags/flags";

const serves = (on: string, off = "control") => ({
  active: true,
  pausedOutcome: { type: "variant", variantId: off },
  fallthrough: { type: "variant", variantId: on },
  rules: [],
});
const variants = [
  { id: "control", label: "Control", value: "a" },
  { id: "treatment", value: "b" },
];
const flag = {
  slug: "checkout",
  kind: "string",
  variants,
  environments: { production: serves("control"), preview: serves("treatment") },
};

const create = (change: object = {}) => world.call("PUT", path, { body: { ...flag, ...change } });
const patch = (body: object, key = "checkout") => world.call("PATCH", `${path}/${key}`, { body });
const slugs = async (query: Record<string, string> = {}, of = path): Promise<string[]> =>
  (await world.call("GET", of, { query })).body.data.map(({ slug }: { slug: string }) => slug);

it("creates a flag, and returns it by id and slug", async () => {
  const { status, body } = await create({ description: "which checkout", tags: ["shop"], permanent: true });
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      ...{ ...flag, description: "which checkout", tags: ["shop"], permanent: true, typeName: "flag" },
      ...{ id: expect.stringMatching(/^flag_\w{24}$/), projectId: expect.stringMatching(/^prj_/) },
      ...{ ownerId: expect.stringMatching(/^team_/), createdBy: expect.any(String), revision: 0 },
      ...{ seed: expect.any(Number), state: "active", createdAt: beginning, updatedAt: beginning },
      environments: {
        production: { ...serves("control"), revision: 0 },
        preview: { ...serves("treatment"), revision: 0 },
      },
    },
  });
  for (const key of ["checkout", body.id])
    expect((await world.call("GET", `${path}/${key}`)).body).toEqual(body);
});

it("gives a boolean flag the variants off and on", async () => {
  const { body } = await create({
    ...{ kind: "boolean", variants: undefined },
    environments: { production: serves("on", "off") },
  });
  expect(body.variants).toMatchObject([
    { id: "off", value: false },
    { id: "on", value: true },
  ]);
});

it.each([
  ["a slug with a space", { slug: "a b" }, /slug: must consist of/],
  ["an unknown kind", { kind: "date" }, /kind/],
  ["no environments", { environments: undefined }, /environments/],
  ["no variants", { variants: undefined }, /at least one variant/],
  ["two variants with an id", { variants: [...variants, variants[0]] }, /same id/],
  ["a value of another kind", { variants: [{ id: "control", value: 1 }] }, /"control" must be a string/],
  ["an unknown variant", { environments: { production: serves("none") } }, /production names "none"/],
  [
    "a link to itself",
    {
      environments: {
        production: { ...serves("control"), reuse: { active: true, environment: "production" } },
      },
    },
    /must be linked to another/,
  ],
  ["an unknown member", { name: "a" }, /name/],
])("returns 400 for %s", async (_what, change, message) => {
  const { status, body } = await create(change);
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
  expect(body.error.message).toMatch(message);
});

it("returns 400 for a boolean flag whose variants are not true and false", async () => {
  const both = [true, true].map((value, at) => ({ id: ["control", "treatment"][at], value }));
  const { body } = await create({ kind: "boolean", variants: both });
  expect(body.error.message).toMatch(/two variants, one with the value true/);
});

it("returns 409 for a slug that the project has", async () => {
  await create();
  expect(await create()).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
});

it("changes what the body names, and keeps the rest", async () => {
  const { body: before } = await create({ description: "old" });
  await world.advance(1000);
  const { body } = await patch({ environments: { production: serves("treatment") }, message: "go" });
  expect(body).toEqual({
    ...before,
    environments: { ...before.environments, production: { ...serves("treatment"), revision: 1 } },
    ...{ revision: 1, updatedAt: beginning + 1000, updatedBy: before.createdBy },
  });
  expect((await patch({ description: "new" })).body).toMatchObject({ description: "new", revision: 2 });
  expect((await patch({ description: "new" })).body).toMatchObject({ revision: 2 });
});

it("keeps rules, targets, splits and rollouts of an environment", async () => {
  await create();
  const base = { type: "entity", kind: "user", attribute: "id" };
  const production = {
    ...serves("control"),
    rules: [
      {
        id: "rule_1",
        conditions: [
          { lhs: base, cmp: "oneOf", rhs: { type: "list/inline", items: [{ value: "ada", note: "us" }] } },
          { lhs: { type: "segment" }, cmp: "eq", rhs: "segment_1" },
          { lhs: base, cmp: "regex", rhs: { type: "regex", pattern: "^a", flags: "i" } },
        ],
        outcome: { type: "split", base, weights: { control: 1, treatment: 3 }, defaultVariantId: "control" },
      },
    ],
    targets: { treatment: { user: { id: [{ value: "ada" }] } } },
    fallthrough: {
      ...{ type: "rollout", base, startTimestamp: 1, defaultVariantId: "control" },
      ...{ rollFromVariantId: "control", rollToVariantId: "treatment" },
      slots: [{ promille: 1000, durationMs: 60_000 }],
    },
    reuse: { active: true, environment: "preview" },
  };
  const { status, body } = await patch({ environments: { production } });
  expect({ status, production: body.environments?.production }).toEqual({
    status: 200,
    production: { ...production, revision: 1 },
  });
});

it("returns 400 for variants that lack one in use", async () => {
  await create();
  const { status, body } = await patch({ variants: variants.slice(0, 1) });
  expect({ status, message: body.error?.message }).toMatchObject({ status: 400 });
  expect(body.error.message).toMatch(/preview names "treatment"/);
});

it("deletes archived flags only", async () => {
  const { body } = await create();
  const remove = () => world.call("DELETE", `${path}/checkout`);
  expect(await remove()).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
  await patch({ state: "archived" }, body.id);
  expect((await remove()).status).toBe(204);
  expect(await remove()).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  expect((await world.call("GET", `${path}/checkout`)).status).toBe(404);
});

it("lists flags page by page, by state and by what they have", async () => {
  for (const slug of ["first", "second", "third"]) {
    await create({ slug, tags: ["shop", slug], description: `the ${slug.toUpperCase()}` });
    await world.advance(1);
  }
  await patch({ state: "archived" }, "second");
  expect(await slugs()).toEqual(["third", "first"]);
  expect(await slugs({ state: "archived" })).toEqual(["second"]);
  expect(await slugs({ search: "e fir" })).toEqual(["first"]);
  expect(await slugs({ tags: "shop" })).toEqual(["third", "first"]);
  expect(await slugs({}, `${path}?tags=shop&tags=first`)).toEqual(["first"]);
  expect(await slugs({ maintainerIds: "nobody" })).toEqual([]);
  expect(await slugs({ createdBy: "nobody" })).toEqual([]);
  const { data, pagination } = (await world.call("GET", path, { query: { limit: 1 } })).body;
  expect(data).toMatchObject([{ slug: "third" }]);
  expect(await slugs({ limit: "1", cursor: pagination.next })).toEqual(["first"]);
  expect((await world.call("GET", path, { query: { cursor: "none" } })).status).toBe(400);
  const ofTeam = "/v1/teams/acme/feature-flags/flags";
  expect(await slugs({}, ofTeam)).toEqual(["third", "first"]);
  expect(await slugs({ kind: "number" }, ofTeam)).toEqual([]);
});

it("lists the versions of a flag", async () => {
  const { body } = await create();
  await patch({ environments: { preview: serves("control") }, message: "back" });
  await patch({ state: "archived" });
  const list = async (query = {}) => (await world.call("GET", `${path}/checkout/versions`, { query })).body;
  const { versions } = await list();
  expect(versions).toMatchObject([
    { flagId: body.id, revision: 2, changedEnvironments: [], data: { state: "archived" } },
    { revision: 1, changedEnvironments: ["preview"], message: "back", data: { state: "active" } },
    { revision: 0, changedEnvironments: ["production", "preview"] },
  ]);
  const page = await list({ limit: 1, environment: "preview" });
  expect(page.versions).toMatchObject([{ revision: 1 }]);
  const next = await list({ limit: 1, environment: "preview", cursor: page.pagination.next });
  expect(next).toMatchObject({ versions: [{ revision: 0 }], pagination: { next: null } });
  expect((await world.call("GET", `${path}/checkout/versions`, { query: { cursor: "x" } })).status).toBe(400);
});

it("changes and deletes only the version of a flag that a client has read", async () => {
  await create();
  const read = async () => (await world.call("GET", `${path}/checkout`)).headers.etag as string;
  const first = await read();
  const change = (description: string, options: object) =>
    world.call("PATCH", `${path}/checkout`, { body: { description }, ...options });
  const changed = await change("one", { headers: { "if-match": first } });
  expect(changed).toMatchObject({ status: 200, body: { description: "one" } });
  expect(changed.headers.etag).toBe(await read());
  for (const late of [{ headers: { "if-match": first } }, { query: { ifMatch: first } }])
    expect(await change("two", late)).toMatchObject({
      status: 412,
      body: { error: { code: "precondition_failed" } },
    });
  expect(await change("two", { query: { ifMatch: await read() } })).toMatchObject({ status: 200 });
  expect(await change("three", { headers: { "if-match": `"x", ${await read()}` } })).toMatchObject({
    status: 200,
  });
  const remove = (headers: Record<string, string>) => world.call("DELETE", `${path}/checkout`, { headers });
  expect(await remove({ "if-match": first })).toMatchObject({ status: 412 });
  await patch({ state: "archived" });
  expect(await remove({ "if-match": await read() })).toMatchObject({ status: 204 });
});

it("changes no flag of a project that is being transferred", async () => {
  await create();
  await beginTransfer(world);
  expect((await patch({ description: "new" })).status).toBe(409);
});

it("takes flags from a seed, once, and refuses one that cannot be", async () => {
  const row = {
    ...flag,
    team: "acme",
    project: "web",
    id: "flag_1",
    createdAt: 5,
    state: "archived" as const,
  };
  const kind = "string" as const;
  const environments = { production: serves("control") } as never;
  for (let time = 0; time < 2; time++) await world.seed({ featureFlags: [{ ...row, kind, environments }] });
  expect((await world.call("GET", `${path}/flag_1`)).body).toMatchObject({ slug: "checkout", createdAt: 5 });
  expect((await world.control.snapshot()).featureFlags).toMatchObject([{ id: "flag_1", slug: "checkout" }]);
  const other = {
    ...row,
    id: "flag_2",
    slug: "other",
    kind,
    environments: { production: serves("x") } as never,
  };
  await expect(world.seed({ featureFlags: [other] })).rejects.toThrow(/names \\+"x/);
});

it("finds no flags in the code of a deployment", async () => {
  await world.seed({ deployments: [{ id: "dpl_1", team: "acme", project: "web" }] });
  const { body } = await world.call("GET", "/v1/deployments/dpl_1/feature-flags");
  expect(body).toEqual({ flags: [], status: null });
});
