import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/edge-config";

const call = (method: string, rest = "", body?: unknown, options: object = {}) =>
  world.call(method, `${path}${rest}`, { ...(body === undefined ? {} : { body }), ...options });

async function create(fields: object = {}) {
  const { status, body } = await call("POST", "", { slug: "flags", ...fields });
  expect(status).toBe(201);
  return body;
}

const patch = (id: string, ...items: object[]) => call("PATCH", `/${id}/items`, { items });

async function itemsOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await call("GET", `/${id}/items`);
  return Object.fromEntries(body.map(({ key, value }: { key: string; value: unknown }) => [key, value]));
}

const notFound = { status: 404, body: { error: { code: "not_found" } } };
const refused = { status: 400, body: { error: { code: "bad_request" } } };

describe("an Edge Config", () => {
  it("is created with items, read and listed", async () => {
    const config = await create({ items: { banner: "hello", limits: { daily: 10 } } });
    const now = world.clock.now();
    expect(config).toEqual({
      id: expect.stringMatching(/^ecfg_[A-Za-z0-9]{28}$/),
      slug: "flags",
      ownerId: (await world.call("GET", "/v2/teams/acme")).body.id,
      createdBy: (await world.call("GET", "/v2/user")).body.user.id,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      itemCount: 2,
      sizeInBytes: 'banner"hello"limits{"daily":10}'.length,
      createdAt: now,
      updatedAt: now,
    });
    expect((await call("GET", `/${config.id}`)).body).toEqual(config);
    await world.advance(1);
    const second = await create();
    expect((await call("GET")).body).toEqual([second, config]);
    expect((await call("GET", "", undefined, { team: null })).body).toEqual([]);
  });

  it("has another slug after a change, and may share it with another one", async () => {
    const { id } = await create();
    await create({ slug: "features" });
    await world.advance(1000);
    const changed = await call("PUT", `/${id}`, { slug: "features" });
    expect(changed).toMatchObject({
      status: 200,
      body: { id, slug: "features", updatedAt: world.clock.now() },
    });
  });

  it("has a digest of its items alone, whatever their order", async () => {
    const { id, digest } = await create({ items: { a: 1, b: 2 } });
    expect((await create({ items: { b: 2, a: 1 } })).digest).toBe(digest);
    expect((await create({ items: { a: 2, b: 1 } })).digest).not.toBe(digest);
    expect((await call("PUT", `/${id}`, { slug: "features" })).body.digest).toBe(digest);
    await patch(id, { operation: "create", key: "c", value: 3 });
    await patch(id, { operation: "delete", key: "c" });
    expect((await call("GET", `/${id}`)).body.digest).toBe(digest);
  });

  it("is deleted with its items and tokens", async () => {
    const { id } = await create({ items: { banner: "hello" } });
    await call("POST", `/${id}/token`, { label: "production" });
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    for (const [method, rest] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/items"],
      ["GET", "/schema"],
      ["GET", "/tokens"],
    ] as const)
      expect(await call(method, `/${id}${rest}`)).toMatchObject(notFound);
    expect((await world.control.snapshot()).edgeConfigs).toEqual([]);
  });

  it.each([
    ["no slug", {}],
    ["an empty slug", { slug: "" }],
    ["a slug with a space", { slug: "a b" }],
    ["a slug of more than 64 characters", { slug: "x".repeat(65) }],
    ["an item whose key has a dot", { slug: "flags", items: { "a.b": 1 } }],
    ["a member that is unknown", { slug: "flags", other: 1 }],
  ])("is refused with %s", async (_, body) => {
    expect(await call("POST", "", body)).toMatchObject(refused);
    expect((await call("GET")).body).toEqual([]);
  });

  it.each([
    ["hobby", 1, 8],
    ["pro", 3, 64],
    ["enterprise", 10, 512],
  ])("may be as many and as large as the plan %s permits: %i of %i KB", async (plan, count, kilobytes) => {
    await call("POST", "", { slug: "personal" }, { team: null });
    await world.control.changeTeam("acme", { plan });
    for (let at = 1; at < count; at++) await create();
    const { id } = await create();
    const { status, body } = await call("POST", "", { slug: "more" });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining(`at most ${count} Edge Configs`),
    ]);
    const value = "x".repeat(kilobytes * 1024 - 'k""'.length);
    expect(await patch(id, { operation: "upsert", key: "k", value })).toMatchObject({ status: 200 });
    expect((await call("GET", `/${id}`)).body.sizeInBytes).toBe(kilobytes * 1024);
    const large = await patch(id, { operation: "upsert", key: "k", value: `${value}x` });
    expect([large.status, large.body.error.message]).toEqual([
      400,
      expect.stringContaining(
        `take ${kilobytes + 1} KB. With the plan ${plan}, they may take at most ${kilobytes} KB`,
      ),
    ]);
  });

  it("is not created for an account that is blocked", async () => {
    await world.seed({
      teams: [{ slug: "acme", softBlocked: true, members: [{ user: "dev", role: "OWNER" }] }],
    });
    expect(await call("POST", "", { slug: "flags" })).toMatchObject({ status: 402 });
  });

  it("answers under the path of the newest client", async () => {
    const { id } = await create();
    expect((await world.call("GET", `/v1/global-config/${id}`)).body).toMatchObject({ id });
    expect((await world.call("GET", "/v1/global-config")).body).toHaveLength(1);
  });

  it.each(["/v1/global-config", "/v1/edge-config"])("meets a fault that names its path %s", async (path) => {
    await world.control.addFaults({ path, kind: "status", status: 503 });
    expect((await world.call("GET", "/v1/global-config")).status).toBe(503);
    expect((await world.call("GET", "/v1/global-config")).status).toBe(200);
  });
});

describe("items", () => {
  it("have any JSON as their value", async () => {
    const { id } = await create();
    const values = { text: "t", number: 1.5, no: false, nothing: null, list: [1, { a: [] }], object: {} };
    const items = Object.entries(values).map(([key, value]) => ({ operation: "create", key, value }));
    expect(await patch(id, ...items)).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await itemsOf(id)).toEqual(values);
    for (const [key, value] of Object.entries(values))
      expect((await call("GET", `/${id}/item/${key}`)).body).toEqual({
        edgeConfigId: id,
        key,
        value,
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
      });
  });

  it("are changed in the order of the operations, which changes the digest", async () => {
    const created = await create({ items: { banner: "hello", old: 1 } });
    const { id } = created;
    await world.advance(1000);
    await patch(
      id,
      { operation: "update", key: "banner", value: "bye" },
      { operation: "delete", key: "old" },
      { operation: "create", key: "old", value: 2 },
      { operation: "upsert", key: "fresh", value: true, description: "why" },
    );
    expect(await itemsOf(id)).toEqual({ banner: "bye", old: 2, fresh: true });
    const { body: changed } = await call("GET", `/${id}`);
    expect(changed).toMatchObject({ itemCount: 3, updatedAt: world.clock.now() });
    expect(changed.digest).not.toBe(created.digest);
    expect((await call("GET", `/${id}/item/banner`)).body).toMatchObject({
      createdAt: created.createdAt,
      updatedAt: world.clock.now(),
    });
  });

  it("have descriptions, which change without the value", async () => {
    const { id } = await create({ items: { banner: "hello" } });
    const described = async (description: string | null) => {
      await patch(id, { operation: "update", key: "banner", description });
      return (await call("GET", `/${id}/item/banner`)).body;
    };
    expect(await described("the top")).toMatchObject({ value: "hello", description: "the top" });
    await patch(id, { operation: "upsert", key: "banner", value: "bye" });
    expect((await call("GET", `/${id}/item/banner`)).body).toMatchObject({
      value: "bye",
      description: "the top",
    });
    expect(await described("")).not.toHaveProperty("description");
    await described("again");
    expect(await described(null)).not.toHaveProperty("description");
  });

  it.each<[string, object, number, string]>([
    ["create of one that exists", { operation: "create", key: "banner", value: 1 }, 409, "conflict"],
    ["update of an unknown one", { operation: "update", key: "other", value: 1 }, 404, "not_found"],
    ["delete of an unknown one", { operation: "delete", key: "other" }, 404, "not_found"],
    [
      "upsert of an unknown one without a value",
      { operation: "upsert", key: "other", description: "d" },
      400,
      "bad_request",
    ],
    ["create without a value", { operation: "create", key: "other" }, 400, "bad_request"],
    ["update without a change", { operation: "update", key: "banner" }, 400, "bad_request"],
    ["an unknown operation", { operation: "replace", key: "banner", value: 1 }, 400, "bad_request"],
    ["a key with a space", { operation: "upsert", key: "a b", value: 1 }, 400, "bad_request"],
    [
      "a key of more than 256 characters",
      { operation: "upsert", key: "k".repeat(257), value: 1 },
      400,
      "bad_request",
    ],
    [
      "a description of more than 512 characters",
      { operation: "upsert", key: "k", value: 1, description: "d".repeat(513) },
      400,
      "bad_request",
    ],
    [
      "a value that is nested too deeply",
      { operation: "upsert", key: "k", value: JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`) },
      400,
      "bad_request",
    ],
    [
      "more than the plan permits",
      { operation: "upsert", key: "k", value: "x".repeat(512 * 1024) },
      400,
      "bad_request",
    ],
  ])("all stay as they were after %s", async (_, operation, status, code) => {
    const { id } = await create({ items: { banner: "hello" } });
    const answer = await patch(id, { operation: "upsert", key: "first", value: 1 }, operation);
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(await itemsOf(id)).toEqual({ banner: "hello" });
    expect((await call("GET", `/${id}`)).body.itemCount).toBe(1);
  });

  it("take as much space as their text has bytes, not characters", async () => {
    const { id, sizeInBytes } = await create({ items: { k: "é€" } });
    expect(sizeInBytes).toBe(1 + 2 + 2 + 3);
    const value = "€".repeat((512 * 1024) / 3 - 1);
    expect(await patch(id, { operation: "upsert", key: "k", value })).toMatchObject({ status: 200 });
    expect(await patch(id, { operation: "upsert", key: "k", value: `${value}€€` })).toMatchObject(refused);
  });

  it("are not found under an unknown key", async () => {
    const { id } = await create();
    const answer = await call("GET", `/${id}/item/other`);
    expect(answer).toMatchObject(notFound);
    expect(answer.body.error.message).toContain('"other"');
  });

  it("with a damaged value stand as null in the list, are refused alone, and can be overwritten", async () => {
    const { id } = await create({ items: { good: 1, bad: 2 } });
    const logged = jest.spyOn(world.services.log, "error").mockImplementation(() => {});
    await world.services.store.write((tx) =>
      tx
        .updateTable("edge_config_items")
        .set({ value: "00000000.bm90aGluZw==" })
        .where("key", "=", "bad")
        .execute(),
    );
    expect(await itemsOf(id)).toEqual({ good: 1, bad: null });
    expect(await call("GET", `/${id}/item/bad`)).toMatchObject({
      status: 500,
      body: { error: { code: "damaged_data", message: expect.stringContaining(`${id}/bad`) } },
    });
    expect(logged).toHaveBeenCalledTimes(2);
    await patch(id, { operation: "update", key: "bad", value: 3 });
    expect(await itemsOf(id)).toEqual({ good: 1, bad: 3 });
  });
});

describe("a schema", () => {
  const definition = { type: "object", properties: { banner: { type: "string" } } };

  it("is set, read with its Edge Config, and deleted any number of times", async () => {
    const { id } = await create();
    const read = async () => (await call("GET", `/${id}/schema`)).body;
    const expectNone = async () => expect(await call("GET", `/${id}/schema`)).toMatchObject({ status: 204 });
    await expectNone();
    expect(await call("POST", `/${id}/schema`, { definition })).toMatchObject({
      status: 200,
      body: definition,
    });
    expect(await read()).toEqual(definition);
    expect((await call("GET", `/${id}`)).body.schema).toEqual(definition);
    for (const _ of [1, 2]) expect((await call("DELETE", `/${id}/schema`)).status).toBe(204);
    await expectNone();
  });

  it.each(["1", "true"])("is not kept by a dry run, with dryRun=%s", async (dryRun) => {
    const { id } = await create();
    const answer = await call("POST", `/${id}/schema`, { definition }, { query: { dryRun } });
    expect(answer).toMatchObject({ status: 200, body: definition });
    expect((await call("GET", `/${id}/schema`)).status).toBe(204);
  });

  it.each(["0", "false", ""])("is kept with dryRun=%s, which is no dry run", async (dryRun) => {
    const { id } = await create();
    await call("POST", `/${id}/schema`, { definition }, { query: { dryRun } });
    expect((await call("GET", `/${id}/schema`)).body).toEqual(definition);
  });

  it.each([
    ["no definition", {}],
    ["a definition that is no object", { definition: "object" }],
    ["a definition of more than 64 KiB", { definition: { title: "x".repeat(64 * 1024) } }],
  ])("is refused with %s", async (_, body) => {
    const { id } = await create();
    expect(await call("POST", `/${id}/schema`, body)).toMatchObject(refused);
  });
});

describe("tokens", () => {
  it("are shown once, and listed without their values", async () => {
    const { id } = await create();
    const { status, body: created } = await call("POST", `/${id}/token`, { label: "production" });
    expect([status, created]).toEqual([201, { id: expect.any(String), token: expect.any(String) }]);
    const shown = {
      id: created.id,
      edgeConfigId: id,
      label: "production",
      partialToken: `${created.token.slice(0, 3)}********`,
      createdAt: world.clock.now(),
    };
    expect((await call("GET", `/${id}/tokens`)).body).toEqual([shown]);
    const read = await call("GET", `/${id}/token/${created.token}`);
    expect(read.body).toEqual({ ...shown, token: created.token });
    expect(await call("GET", `/${id}/token/${created.id}`)).toMatchObject(notFound);
  });

  it("are deleted by their ids and values, all or none", async () => {
    const { id } = await create();
    const [a, b] = await Promise.all(
      ["a", "b"].map(async (label) => (await call("POST", `/${id}/token`, { label })).body),
    );
    const remove = (body: object) => call("DELETE", `/${id}/tokens`, body);
    const count = async () => (await call("GET", `/${id}/tokens`)).body.length;
    expect(await remove({ ids: [a.id, "other"] })).toMatchObject(notFound);
    expect(await remove({ tokens: [a.token, "other"] })).toMatchObject(notFound);
    expect(await remove({})).toMatchObject(refused);
    expect(await count()).toBe(2);
    expect((await remove({ ids: [a.id], tokens: [b.token] })).status).toBe(204);
    expect(await count()).toBe(0);
  });

  it.each([
    ["no label", {}],
    ["an empty label", { label: "" }],
    ["a label of more than 52 characters", { label: "x".repeat(53) }],
  ])("are refused with %s", async (_, body) => {
    const { id } = await create();
    expect(await call("POST", `/${id}/token`, body)).toMatchObject(refused);
  });

  it("are at most 100", async () => {
    const { id } = await create();
    for (let at = 0; at < 100; at++) await call("POST", `/${id}/token`, { label: "one of many" });
    const { status, body } = await call("POST", `/${id}/token`, { label: "one too many" });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("at most 100 tokens")]);
  });

  it("and values of items stand in no record of requests, log, snapshot or message", async () => {
    const logged: unknown[] = [];
    for (const level of ["debug", "info", "warn", "error"] as const)
      jest.spyOn(world.services.log, level).mockImplementation((...about: unknown[]) => {
        logged.push(about);
      });
    const { id } = await create({ items: { banner: "the-canary" } });
    await patch(id, { operation: "upsert", key: "other", value: { inside: ["the-canary"] } });
    const { token } = (await call("POST", `/${id}/token`, { label: "production" })).body;
    await call("GET", `/${id}/items`);
    await call("GET", `/${id}/token/${token}`);
    await call("DELETE", `/${id}/tokens`, { tokens: [token] });
    const again = await call("DELETE", `/${id}/tokens`, { tokens: [token] });
    const gone = await call("GET", `/${id}/token/${token}`);
    const requests = await world.askControl("GET", "/requests");
    expect(requests.body.requests.map((one: { path: string }) => one.path)).toContain(
      `/v1/edge-config/${id}/token/***`,
    );
    const seen = JSON.stringify([
      logged,
      again.body,
      gone.body,
      requests.body,
      await world.control.snapshot(),
    ]);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain("the-canary");
  });
});

test("items and tokens of one Edge Config are not those of another", async () => {
  const one = await create({ items: { banner: "one", also: 1 } });
  const other = await create({ items: { banner: "other" } });
  const tokens: { id: string; token: string }[] = [];
  for (const label of ["first", "second"]) {
    tokens.push((await call("POST", `/${one.id}/token`, { label })).body);
    await world.advance(1);
  }
  await patch(other.id, { operation: "update", key: "banner", value: "changed" });
  for (const { id, token } of tokens) {
    expect(await call("GET", `/${other.id}/token/${token}`)).toMatchObject(notFound);
    for (const body of [{ ids: [id] }, { tokens: [token] }])
      expect(await call("DELETE", `/${other.id}/tokens`, body)).toMatchObject(notFound);
  }
  expect((await call("GET", `/${other.id}/tokens`)).body).toEqual([]);
  await call("DELETE", `/${other.id}`);
  const { body: items } = await call("GET", `/${one.id}/items`);
  expect(items).toMatchObject([
    { edgeConfigId: one.id, key: "also", value: 1 },
    { edgeConfigId: one.id, key: "banner", value: "one" },
  ]);
  const { body: listed } = await call("GET", `/${one.id}/tokens`);
  expect(listed).toMatchObject([{ label: "second" }, { label: "first" }]);
});

test("a seed adds an Edge Config once, with its items and tokens", async () => {
  const seeded = {
    team: "acme",
    slug: "flags",
    schema: { type: "object" },
    items: [{ key: "banner", value: { text: "hello" }, description: "the top" }],
    tokens: [{ label: "production", token: "seeded-token" }],
    createdAt: 1000,
  };
  for (const _ of [1, 2]) await world.seed({ edgeConfigs: [seeded] });
  const { body: configs } = await call("GET");
  expect(configs).toMatchObject([
    { slug: "flags", itemCount: 1, schema: { type: "object" }, createdAt: 1000 },
  ]);
  const { id } = configs[0];
  expect((await call("GET", `/${id}/item/banner`)).body).toMatchObject({
    value: { text: "hello" },
    description: "the top",
    createdAt: 1000,
  });
  expect((await call("GET", `/${id}/token/seeded-token`)).body).toMatchObject({ label: "production" });
});
