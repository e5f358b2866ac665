import { addIntegration, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();

interface Options {
  token?: string;
  team?: string | null;
  query?: Record<string, string>;
}
const one = { key: "SHARED", value: "secret" };

beforeEach(() =>
  world.seed({
    projects: [
      { team: "acme", name: "web", id: "prj_web" },
      { team: "acme", name: "docs", id: "prj_docs" },
    ],
  }),
);

const create = (fields: object = {}, options: Options = {}) =>
  world.call("POST", "/v1/env", {
    body: { evs: [one], type: "encrypted", target: ["production"], ...fields },
    ...options,
  });
const add = async (fields: object = {}): Promise<string> => {
  const { status, body } = await create(fields);
  expect({ status, failed: body.failed }).toEqual({ status: 201, failed: [] });
  return body.created[0].id;
};
const read = async (id: string, options: Options = {}) =>
  (await world.call("GET", `/v1/env/${id}`, options)).body;
const change = (id: string, update: object, options: Options = {}) =>
  world.call("PATCH", "/v1/env", { body: { updates: { [id]: update } }, ...options });
const changed = async (id: string, update: object) => {
  const { status, body } = await change(id, update);
  expect({ status, failed: body.failed }).toEqual({ status: 200, failed: [] });
  return body.updated[0];
};
const remove = (ids: string[], options: Options = {}) =>
  world.call("DELETE", "/v1/env", { body: { ids }, ...options });
const unlink = (id: string, project: string, options: Options = {}) =>
  world.call("PATCH", `/v1/env/${id}/unlink/${project}`, options);
const list = async (query: Record<string, string> = {}) =>
  (await world.call("GET", "/v1/env", { query })).body;
const keys = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await list(query)).data.map(({ key }: { key: string }) => key);
const forbidden = { status: 403 };

describe("a shared variable", () => {
  it("is created with the defaults, read with its value, and listed without it", async () => {
    const { body } = await create({ type: undefined });
    const [{ id, value, ...record }] = body.created;
    const now = world.clock.now();
    const team = (await world.call("GET", "/v2/teams/acme")).body.id;
    const user = (await world.call("GET", "/v2/user")).body.user.id;
    const shown = {
      key: "SHARED",
      type: "encrypted",
      target: ["production"],
      projectId: [],
      applyToAllCustomEnvironments: false,
      ownerId: team,
      created: new Date(now).toISOString(),
      ...{ createdAt: now, createdBy: user, updatedAt: now, updatedBy: null },
    };
    expect(id).toMatch(/^env_[A-Za-z0-9]{24}$/);
    expect(record).toEqual({ ...shown, decrypted: false });
    expect(value).not.toContain("secret");
    expect(await read(id)).toEqual({ ...shown, id, value: "secret", decrypted: true });
    expect(await list()).toEqual({
      data: [{ ...shown, id, decrypted: false, securityIssues: [] }],
      pagination: { count: 1, next: null, prev: now },
    });
  });

  it("of type sensitive shows its value to nobody", async () => {
    const id = await add({ type: "sensitive" });
    expect(await read(id)).toMatchObject({ type: "sensitive", value: "", decrypted: false });
    expect((await changed(id, { value: "other" })).value).toBe("");
  });

  it("is kept sealed", async () => {
    const id = await add();
    const row = await world.services.store.read((tx) =>
      tx.selectFrom("shared_env_vars").select("value").where("id", "=", id).executeTakeFirstOrThrow(),
    );
    expect(row.value).not.toContain("secret");
  });

  it("is changed member by member, and keeps what is not sent", async () => {
    const id = await add({ evs: [{ ...one, comment: "why" }], projectId: ["prj_web"] });
    world.clock.advance(1000);
    const now = world.clock.now();
    const updated = await changed(id, { target: ["preview", "development"] });
    expect(updated).toMatchObject({ target: ["preview", "development"], comment: "why", updatedAt: now });
    expect(updated.updatedBy).toEqual(expect.any(String));
    await changed(id, { key: "RENAMED", value: "other", comment: "", applyToAllCustomEnvironments: true });
    const shown = await read(id);
    expect(shown).toMatchObject({
      key: "RENAMED",
      value: "other",
      projectId: ["prj_web"],
      updatedAt: now + 1,
    });
    expect(shown.applyToAllCustomEnvironments).toBe(true);
    expect(shown).not.toHaveProperty("comment");
  });

  it("is left as it is by an edit that changes nothing", async () => {
    const id = await add({ projectId: ["prj_web"] });
    const before = await read(id);
    world.clock.advance(1000);
    await changed(id, { ...one, target: ["production"], projectId: ["prj_web"], type: "encrypted" });
    await changed(id, { projectIdUpdates: { link: ["prj_web"], unlink: ["prj_docs"] } });
    expect(await read(id)).toEqual(before);
  });

  it("of type sensitive counts a value that is sent as a new one", async () => {
    const id = await add({ type: "sensitive" });
    world.clock.advance(1000);
    expect((await changed(id, { value: "secret" })).updatedAt).toBe(world.clock.now());
  });

  it("is deleted with its links, several at once", async () => {
    const ids = [await add(), await add({ target: ["preview"], projectId: ["prj_web"] })];
    const { status, body } = await remove([...ids, "env_unknown"]);
    expect({ status, deleted: body.deleted }).toEqual({ status: 200, deleted: ids });
    expect(body.failed).toMatchObject([{ error: { code: "not_found", envVarId: "env_unknown" } }]);
    expect((await list()).data).toEqual([]);
    expect((await remove(ids)).status).toBe(404);
    const links = world.services.store.read((tx) => tx.selectFrom("shared_env_links").selectAll().execute());
    expect(await links).toEqual([]);
  });
});

describe("the list", () => {
  it("is paged, the newest first", async () => {
    const evs = ["A", "B", "C"].map((key) => ({ key, value: "v" }));
    await create({ evs });
    const { data, pagination } = await list({ limit: "2" });
    expect(data.map(({ key }: { key: string }) => key)).toEqual(["C", "B"]);
    expect(await keys({ limit: "2", until: String(pagination.next) })).toEqual(["A"]);
  });

  it("is of a team, which sees no others'", async () => {
    const id = await add();
    const foreign = { token: await world.team("globex"), team: "globex" };
    expect((await world.call("GET", "/v1/env", foreign)).body.data).toEqual([]);
    expect((await world.call("GET", `/v1/env/${id}`, foreign)).status).toBe(404);
    expect((await change(id, { value: "x" }, foreign)).status).toBe(404);
    expect((await remove([id], foreign)).status).toBe(404);
    expect((await create({}, foreign)).status).toBe(201);
    expect(await read(id)).toMatchObject({ value: "secret" });
  });
});

describe("links", () => {
  it("are set, added and removed", async () => {
    const id = await add({ projectId: ["prj_web", "prj_web"] });
    expect((await read(id)).projectId).toEqual(["prj_web"]);
    const both = await changed(id, { projectIdUpdates: { link: ["prj_docs"] } });
    expect(both.projectId).toEqual(["prj_docs", "prj_web"]);
    expect((await changed(id, { projectIdUpdates: { unlink: ["prj_web"] } })).projectId).toEqual([
      "prj_docs",
    ]);
    expect((await changed(id, { projectId: ["prj_web"] })).projectId).toEqual(["prj_web"]);
    expect((await changed(id, { projectId: [] })).projectId).toEqual([]);
  });

  it("change the time of the variable", async () => {
    const id = await add();
    world.clock.advance(1000);
    await changed(id, { projectIdUpdates: { link: ["prj_web"] } });
    expect((await read(id)).updatedAt).toBe(world.clock.now());
  });

  it("end by the id or the name of the project, also when there is none", async () => {
    const id = await add({ projectId: ["prj_web", "prj_docs"] });
    expect(await unlink(id, "prj_web")).toMatchObject({ status: 200, body: { id } });
    expect((await unlink(id, "docs")).status).toBe(200);
    const before = await read(id);
    expect(before.projectId).toEqual([]);
    expect((await unlink(id, "docs")).status).toBe(200);
    expect(await read(id)).toEqual(before);
    expect((await unlink(id, "unknown")).status).toBe(404);
    expect((await unlink("env_unknown", "docs")).status).toBe(404);
  });

  it("end with the project, and with its transfer to another account", async () => {
    const id = await add({ projectId: ["prj_web", "prj_docs"] });
    await world.call("DELETE", "/v9/projects/web");
    expect((await read(id)).projectId).toEqual(["prj_docs"]);
    await world.team("globex");
    await world.askControl("POST", "/projects/prj_docs/transfer", { toTeam: "globex" });
    await world.askControl("POST", "/projects/prj_docs/transfer/complete");
    expect((await read(id)).projectId).toEqual([]);
  });

  it("are refused for projects that the team does not have, and by name", async () => {
    const id = await add();
    const foreign = { token: await world.team("globex"), team: "globex" };
    const project = (await world.call("POST", "/v10/projects", { body: { name: "site" }, ...foreign })).body
      .id;
    for (const unknown of [project, "web", "prj_unknown"]) {
      for (const answer of [
        await create({ target: ["preview"], projectId: ["prj_web", unknown] }),
        await change(id, { projectId: [unknown] }),
        await change(id, { projectIdUpdates: { link: [unknown] } }),
      ])
        expect(answer).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
    }
    expect((await list()).data).toHaveLength(1);
  });

  it("are not set and changed at once", async () => {
    const id = await add();
    const both = { projectId: ["prj_web"], projectIdUpdates: { link: ["prj_docs"] } };
    expect((await change(id, both)).status).toBe(400);
    expect((await change(id, { ...both, projectIdUpdates: {} })).status).toBe(200);
  });
});

describe("a project that is linked", () => {
  const pull = async (target: string) => (await world.call("GET", `/v3/env/pull/web/${target}`)).body.env;

  it("gets the variable in its environments, and its own one instead", async () => {
    await add({ projectId: ["prj_web"], target: ["production", "development"] });
    await add({ evs: [{ key: "HIDDEN", value: "x" }], type: "sensitive", projectId: ["prj_web"] });
    await add({ evs: [{ key: "OTHER", value: "x" }], projectId: ["prj_docs"] });
    expect(await pull("production")).toEqual({ SHARED: "secret", HIDDEN: "" });
    expect(await pull("preview")).toEqual({});
    const own = { key: "SHARED", value: "own", type: "plain", target: ["production"] };
    expect((await world.call("POST", "/v10/projects/web/env", { body: own })).status).toBe(201);
    expect(await pull("production")).toMatchObject({ SHARED: "own" });
    expect(await pull("development")).toEqual({ SHARED: "secret" });
  });

  it("shows no shared variable to an integration that sees only its own", async () => {
    await add({ projectId: ["prj_web"] });
    await addIntegration(world, ["project-env-vars"]);
    const { token } = await installWithToken(world);
    const own = { key: "OWN", value: "own", type: "plain", target: ["production"] };
    expect((await world.call("POST", "/v10/projects/web/env", { token, body: own })).status).toBe(201);
    const { body } = await world.call("GET", "/v3/env/pull/web/production", { token });
    expect(body).toEqual({ env: { OWN: "own" } });
    expect(await pull("production")).toEqual({ OWN: "own", SHARED: "secret" });
  });

  it("gets it in custom environments, when it is for all of them", async () => {
    const body = { slug: "staging" };
    await world.call("POST", "/v9/projects/web/custom-environments", { body });
    await add({ projectId: ["prj_web"] });
    await add({
      evs: [{ key: "EVERYWHERE", value: "v" }],
      target: [],
      applyToAllCustomEnvironments: true,
      projectId: ["prj_web"],
    });
    expect(await pull("staging")).toEqual({ EVERYWHERE: "v" });
    expect(await pull("production")).toEqual({ SHARED: "secret" });
  });

  it("does not list it among its own variables", async () => {
    await add({ projectId: ["prj_web"] });
    expect((await world.call("GET", "/v9/projects/web/env")).body.envs).toEqual([]);
  });
});

describe("is refused:", () => {
  it.each([
    ["an empty key", { evs: [{ ...one, key: "" }] }, "KEY_INVALID_LENGTH"],
    ["a key with a dash", { evs: [{ ...one, key: "A-B" }] }, "KEY_INVALID_CHARACTERS"],
    ["a key of the runtime", { evs: [{ ...one, key: "TZ" }] }, "KEY_RESERVED"],
    ["a key of a system variable", { evs: [{ ...one, key: "VERCEL_URL" }] }, "RESERVED_ENV_VARIABLE"],
    ["a long value", { evs: [{ ...one, value: "x".repeat(65_537) }] }, "VALUE_INVALID_LENGTH"],
    ["a long comment", { evs: [{ ...one, comment: "x".repeat(501) }] }, "BAD_REQUEST"],
    ["no target", { target: undefined }, "MISSING_TARGET"],
    ["no targets", { target: [], applyToAllCustomEnvironments: false }, "MISSING_TARGET"],
    ["sensitive for development", { type: "sensitive", target: ["development"] }, "BAD_REQUEST"],
    ["another type", { type: "plain" }, "bad_request"],
    ["another target", { target: ["staging"] }, "bad_request"],
    ["a branch", { gitBranch: "main" }, "bad_request"],
    ["no variable", { evs: [] }, "bad_request"],
    ["51 variables", { evs: Array(51).fill(one) }, "bad_request"],
    ["1001 projects", { projectId: Array(1001).fill("prj_web") }, "bad_request"],
  ])("%s with 400", async (_, fields, code) => {
    expect(await create(fields)).toMatchObject({ status: 400, body: { error: { code } } });
    expect((await list()).data).toEqual([]);
  });

  it("changes of none and of 51 variables", async () => {
    const body = (count: number) => ({
      updates: Object.fromEntries(Array.from({ length: count }, (_, at) => [`env_${at}`, {}])),
    });
    for (const count of [0, 51])
      expect((await world.call("PATCH", "/v1/env", { body: body(count) })).status).toBe(400);
    expect((await world.call("PATCH", "/v1/env", { body: body(50) })).status).toBe(404);
    expect((await remove([])).status).toBe(400);
  });

  it("a key for a target that another one has, with 409, which names it; not for other targets", async () => {
    const id = await add({ target: ["production", "preview"] });
    const conflict = { status: 409, body: { error: { code: "existing_key_and_target", envVarId: id } } };
    expect(await create({ target: ["preview", "development"] })).toMatchObject(conflict);
    expect(await create({ evs: [{ key: "shared", value: "v" }] })).toMatchObject({ status: 201 });
    const other = await add({ target: ["development"] });
    expect(await change(other, { target: ["development", "preview"] })).toMatchObject(conflict);
    const renamed = await add({ evs: [{ key: "OTHER", value: "v" }] });
    expect(await change(renamed, { key: "SHARED" })).toMatchObject(conflict);
    await add({ target: [], applyToAllCustomEnvironments: true });
    expect((await create({ target: [], applyToAllCustomEnvironments: true })).status).toBe(409);
    await remove([id]);
    expect((await change(renamed, { key: "SHARED" })).status).toBe(200);
  });

  it("one of two that are created at once", async () => {
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it("some of several, which stand in failed beside the others", async () => {
    const id = await add();
    const evs = [one, { key: "A", value: "v" }, { key: "A", value: "v" }, { key: "-", value: "v" }];
    const { status, body } = await create({ evs });
    expect({ status, created: body.created }).toMatchObject({ status: 201, created: [{ key: "A" }] });
    expect(body.failed).toMatchObject([
      { error: { code: "existing_key_and_target", key: "SHARED", envVarId: id, target: ["production"] } },
      { error: { code: "existing_key_and_target", key: "A" } },
      { error: { code: "KEY_INVALID_CHARACTERS", key: "-" } },
    ]);
    expect(JSON.stringify(body.failed)).not.toContain("secret");
    const updates = { [id]: { value: "new" }, env_unknown: { value: "x" } };
    const edited = await world.call("PATCH", "/v1/env", { body: { updates } });
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({
      updated: [{ id }],
      failed: [{ error: { code: "not_found", envVarId: "env_unknown" } }],
    });
  });

  it("a sensitive one that would become readable without a new value", async () => {
    const id = await add({ type: "sensitive" });
    const locked = { status: 400, body: { error: { code: "NOT_DECRYPTABLE", envVarId: id } } };
    expect(await change(id, { type: "encrypted" })).toMatchObject(locked);
    expect((await change(id, { type: "encrypted", value: "new" })).status).toBe(200);
    expect(await read(id)).toMatchObject({ value: "new" });
    expect((await change(id, { type: "sensitive" })).status).toBe(200);
  });

  it("a readable one where the policy of the team requires sensitive ones; older ones stay", async () => {
    const old = await add();
    const on = { sensitiveEnvironmentVariablePolicy: "on" };
    await world.call("PATCH", "/v2/teams/acme", { body: on });
    expect(await create({ target: ["preview"] })).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST", message: expect.stringContaining("policy") } },
    });
    expect((await change(old, { value: "new" })).status).toBe(200);
    expect((await create({ target: ["development"] })).status).toBe(201);
    expect((await create({ target: ["preview"], type: "sensitive" })).status).toBe(201);
  });

  it("more than 1000 of a team", async () => {
    const evs = (from: number) =>
      Array.from({ length: 50 }, (_, at) => ({ key: `KEY_${from + at}`, value: "v" }));
    for (let from = 0; from < 1000; from += 50) await create({ evs: evs(from) });
    const full = { status: 400, body: { error: { code: "MAX_ENVS_EXCEEDED" } } };
    expect(await create()).toMatchObject(full);
    const [first] = (await list({ limit: "1" })).data;
    expect((await change(first.id, { value: "new" })).status).toBe(200);
  });

  it("a personal account, with 400, and a team that is blocked, with 402", async () => {
    for (const answer of [
      await create({}, { team: null }),
      await world.call("GET", "/v1/env", { team: null }),
      await world.call("GET", "/v1/env/all", { team: null }),
      await change("env_1", { value: "x" }, { team: null }),
      await remove(["env_1"], { team: null }),
    ])
      expect(answer).toMatchObject({ status: 400, body: { error: { message: /belong to a team/ } } });
    const id = await add();
    await world.askControl("PATCH", "/teams/acme", { softBlocked: true });
    expect((await create({ target: ["preview"] })).status).toBe(402);
    expect((await change(id, { value: "x" })).status).toBe(402);
    expect((await unlink(id, "web")).status).toBe(402);
    expect((await remove([id])).status).toBe(200);
  });

  it("production variables to developers, and all to viewers", async () => {
    const [production, preview] = [await add({ projectId: ["prj_web"] }), await add({ target: ["preview"] })];
    const token = await world.member("DEVELOPER");
    const denied = { ...forbidden, body: { error: { code: "FORBIDDEN" } } };
    for (const answer of [
      await create({ evs: [{ key: "A", value: "v" }] }, { token }),
      await change(production, { comment: "c" }, { token }),
      await change(production, { target: ["preview"] }, { token }),
      await change(production, { projectIdUpdates: { unlink: ["prj_web"] } }, { token }),
      await change(preview, { target: ["preview", "production"] }, { token }),
      await unlink(production, "web", { token }),
      await remove([production, preview], { token }),
    ])
      expect(answer).toMatchObject(denied);
    expect((await change(preview, { value: "new" }, { token })).status).toBe(200);
    expect((await remove([preview], { token })).status).toBe(200);
    const viewer = await world.member("VIEWER");
    expect((await world.call("GET", "/v1/env", { token: viewer })).status).toBe(403);
    expect((await read(production)).projectId).toEqual(["prj_web"]);
  });

  it("an installation with selected projects", async () => {
    const id = await add();
    await addIntegration(world, ["global-project-env-vars"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    for (const answer of [
      await world.call("GET", "/v1/env", { token }),
      await world.call("GET", `/v1/env/${id}`, { token }),
      await create({ target: ["preview"] }, { token }),
      await change(id, { value: "x" }, { token }),
      await unlink(id, "web", { token }),
      await remove([id], { token }),
    ])
      expect(answer).toMatchObject({ ...forbidden, body: { error: { code: "forbidden" } } });
    expect(await read(id)).toMatchObject({ value: "secret" });
  });
});

describe("a seed", () => {
  const row = { team: "acme", key: "SHARED", value: "v", target: ["preview" as const], projects: ["web"] };

  it("adds variables once, with the same ids", async () => {
    await world.seed({ sharedEnv: [row] });
    const [first] = (await list()).data;
    await world.seed({ sharedEnv: [row] });
    expect((await list()).data).toEqual([first]);
    expect(first).toMatchObject({ key: "SHARED", type: "encrypted", projectId: ["prj_web"] });
    expect(await read(first.id)).toMatchObject({ value: "v" });
  });

  it("restores ids, times and users", async () => {
    const shown = { id: "env_1", createdAt: 1000, updatedAt: 2000, createdBy: "user_a", updatedBy: "user_b" };
    await world.seed({ sharedEnv: [{ ...row, type: "sensitive", value: "", ...shown }] });
    expect(await read("env_1")).toMatchObject(shown);
  });

  it.each([
    ["an unknown project", { projects: ["unknown"] }, /no project "unknown"/],
    ["no target", { target: [] }, /for no environment/],
    ["an id and a slot that another has", { id: "env_2" }, /has the same key and target/],
  ])("is refused with %s", async (_, fields, message) => {
    await world.seed({ sharedEnv: [{ ...row, id: "env_1", projects: [] }] });
    const other = "id" in fields ? row : { ...row, key: "OTHER" };
    const answer = await world.askControl("POST", "/seed", { sharedEnv: [{ ...other, ...fields }] });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.error.message).toMatch(message);
  });
});
