import type { EnvRecord } from "../../../server/env/schema";
import { someVariable, useVariables, Variables } from "../../support/variables";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const variables = useVariables(world);

const find = (envs: EnvRecord[], key: string): EnvRecord | undefined => envs.find((env) => env.key === key);

describe("listing variables", () => {
  // EN-20, X-66
  it("answers the project's variables alone, with their pagination", async () => {
    const { id } = await variables.add();
    await world.call("POST", "/v10/projects", { body: { name: "other" } });
    await new Variables(world, "other").add({ key: "OTHER" });
    const { status, body } = await variables.list();
    expect(status).toBe(200);
    expect(body).toEqual({
      envs: [expect.objectContaining({ id, key: "API_URL", securityIssues: [] })],
      pagination: { count: 1, next: null, prev: beginning },
    });
  });

  //
  it("shows the value of a plain variable and of no other", async () => {
    const types = ["plain", "encrypted", "secret", "sensitive"];
    await variables.create(types.map((type) => ({ ...someVariable, key: type, type })));
    const { envs } = (await variables.list()).body;
    expect(find(envs, "plain")).toMatchObject({ value: someVariable.value, decrypted: true });
    expect(find(envs, "sensitive")).toMatchObject({ value: "", decrypted: false });
    for (const key of ["encrypted", "secret"]) {
      expect(find(envs, key)).toMatchObject({ value: expect.stringMatching(/./), decrypted: false });
      expect(find(envs, key)?.value).not.toContain(someVariable.value);
    }
  });

  // EN-21, X-69
  it("shows decrypted values with decrypt, but never a sensitive one", async () => {
    const types = ["encrypted", "secret", "sensitive"];
    await variables.create(types.map((type) => ({ ...someVariable, key: type, type })));
    const { envs } = (await variables.list({ decrypt: true })).body;
    expect(find(envs, "encrypted")).toMatchObject({ value: someVariable.value, decrypted: true });
    expect(find(envs, "secret")).toMatchObject({ value: someVariable.value, decrypted: true });
    expect(find(envs, "sensitive")).toMatchObject({ value: "", decrypted: false });
    expect(JSON.stringify((await variables.list({ decrypt: false })).body)).not.toContain(someVariable.value);
  });

  it("shows the same twice, and what was written in between", async () => {
    await variables.add();
    const first = await variables.list();
    expect(await variables.list()).toMatchObject({ body: first.body });
    await variables.add({ key: "NEW" });
    expect(await variables.keys()).toEqual(["NEW", "API_URL"]);
    await variables.remove(first.body.envs[0].id);
    expect(await variables.keys()).toEqual(["NEW"]);
  });

  // EN-22, X-71
  it("filters by branch, with the preview variables that have none", async () => {
    await variables.add({ key: "OF_NEXT", gitBranch: "next" });
    await variables.add({ key: "OF_OTHER", gitBranch: "other" });
    await variables.add({ key: "OF_PREVIEW" });
    await variables.add({ key: "OF_PRODUCTION", target: ["production"] });
    expect(await variables.keys({ gitBranch: "next" })).toEqual(["OF_PREVIEW", "OF_NEXT"]);
    expect(await variables.keys({ gitBranch: "unknown" })).toEqual(["OF_PREVIEW"]);
  });

  it("filters by target", async () => {
    await variables.add({ key: "BOTH", target: ["preview", "production"] });
    await variables.add({ key: "PREVIEW" });
    expect(await variables.keys({ target: "production" })).toEqual(["BOTH"]);
    expect(await variables.keys({ target: "development" })).toEqual([]);
  });

  // EN-23, X-72
  it("takes a source, which changes nothing", async () => {
    await variables.add();
    expect((await variables.list({ source: "vercel-cli:env:ls" })).body).toEqual(
      (await variables.list()).body,
    );
  });

  it("gives all variables at once unless a limit is given, then page by page", async () => {
    const keys = Array.from({ length: 25 }, (_, n) => `KEY_${n}`);
    await variables.create(keys.map((key) => ({ ...someVariable, key })));
    expect(await variables.keys()).toEqual(keys.toReversed());
    const first = (await variables.list({ limit: 20 })).body;
    expect(first.pagination).toEqual({ count: 20, next: beginning + 5, prev: beginning + 24 });
    const second = (await variables.list({ limit: 20, until: first.pagination.next })).body;
    expect(second.pagination).toMatchObject({ count: 5, next: null });
    expect([...first.envs, ...second.envs].map(({ key }) => key)).toEqual(keys.toReversed());
    expect(await variables.keys({ limit: 20, since: second.pagination.prev })).toEqual(
      keys.slice(5).toReversed(),
    );
    expect((await variables.list({ limit: 0 })).status).toBe(400);
  });
});

describe("reading a variable", () => {
  // EN-27, X-67
  it.each(["plain", "encrypted", "secret"])("shows the value of a %s one", async (type) => {
    const { id } = await variables.add({ type });
    const { status, body } = await variables.read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, value: someVariable.value, decrypted: true });
  });

  //
  it("never shows a sensitive value", async () => {
    const { id } = await variables.add({ type: "sensitive" });
    expect((await variables.read(id)).body).toMatchObject({ id, value: "", decrypted: false });
  });

  //
  it("tells who made it and who changed it last", async () => {
    const users = ["MEMBER", "MEMBER"] as const;
    const [first = "", second = ""] = [await world.member(users[0]), await world.member(users[1])];
    const idOf = async (token?: string): Promise<string> =>
      (await world.call("GET", "/v2/user", { team: null, ...(token && { token }) })).body.user.id;
    const made = await variables.add({ type: "plain" });
    const createdBy = await idOf();
    expect(made).toMatchObject({ createdBy, updatedBy: null });
    for (const token of [first, second]) {
      await variables.edit(made.id, { value: `by ${token}` }, { token });
      const last = { createdBy, updatedBy: await idOf(token) };
      expect((await variables.read(made.id)).body).toMatchObject(last);
      expect((await variables.list()).body.envs).toMatchObject([last]);
    }
    await variables.create({ ...someVariable, value: "by upsert" }, { query: { upsert: true } });
    expect((await variables.read(made.id)).body).toMatchObject({ createdBy, updatedBy: createdBy });
  });

  //
  it("agrees with the list and with the answer of the edit", async () => {
    const { id } = await variables.add({ gitBranch: "next", comment: "why" });
    const edited = (await variables.edit(id, { value: "new" })).body;
    const { securityIssues, ...listed } = (await variables.list()).body.envs[0];
    expect(edited).toEqual(listed);
    expect((await variables.read(id)).body).toEqual(edited);
  });
});

describe("editing a variable", () => {
  // E-02, EN-31
  it.each([
    [{ key: "OTHER" }], // EN-32
    [{ value: "new" }], // EN-32
    [{ type: "encrypted" }], // EN-32
    [{ comment: "why" }], // EN-32
    [{ gitBranch: "next" }], // EN-32
    [{ target: ["development", "production"] }], // EN-33
  ])("changes %j and nothing else", async (change) => {
    const { id, createdAt } = await variables.add();
    await world.advance(5000);
    const answer = await variables.edit(id, change);
    expect(answer.status).toBe(200);
    const before = { ...someVariable, id, createdAt };
    expect((await variables.read(id)).body).toMatchObject({
      ...before,
      ...change,
      updatedAt: beginning + 5000,
    });
  });

  // EN-35
  it.each([
    {},
    { value: "https://api.example.com" },
    { target: ["preview"], gitBranch: "next", comment: "why", type: "encrypted", customEnvironmentIds: [] },
  ])("keeps everything when nothing is changed, its time too, and tells nobody: %j", async (change) => {
    const { id } = await variables.add({ gitBranch: "next", comment: "why", type: "encrypted" });
    const before = (await variables.read(id)).body;
    const events = (await world.control.events()).length;
    await world.advance(1000);
    expect((await variables.edit(id, change)).status).toBe(200);
    expect((await variables.read(id)).body).toEqual(before);
    expect(await world.control.events()).toHaveLength(events);
  });

  it("keeps the order of its targets when they are sent in another one", async () => {
    const { id, updatedAt } = await variables.add({ target: ["production", "preview"] });
    const { body } = await variables.edit(id, { target: ["preview", "production"] });
    expect(body).toMatchObject({ target: ["production", "preview"], updatedAt });
  });

  it("is not touched by an upsert of what it is, beside others that change", async () => {
    const before = await variables.add({ key: "SAME" });
    const events = (await world.control.events()).length;
    const { body } = await variables.create(
      [
        { ...someVariable, key: "SAME" },
        { ...someVariable, key: "NEW" },
      ],
      { query: { upsert: true } },
    );
    expect(body.created).toMatchObject([before, { key: "NEW" }]);
    expect((await world.control.events()).length).toBe(events + 1);
  });

  it("does not tell who guesses a sensitive value when the guess is right", async () => {
    const { id } = await variables.add({ type: "sensitive", value: "secret" });
    const times = [];
    for (const value of ["guess", "guess", "other"])
      times.push((await variables.edit(id, { value })).body.updatedAt);
    expect(new Set(times).size).toBe(3);
    const { body } = await variables.edit(id, { comment: null });
    expect(body.updatedAt).toBe(times.at(-1));
  });

  it("gives it a later time than each write before, even within one millisecond", async () => {
    // Those of one request are created one millisecond after the other: the third is ahead of the clock.
    const keys = ["FIRST", "SECOND", "THIRD"];
    await variables.create(keys.map((key) => ({ ...someVariable, key })));
    const [third] = (await variables.list()).body.envs;
    const times = [third.updatedAt];
    for (const value of ["a", "b"]) times.push((await variables.edit(third.id, { value })).body.updatedAt);
    const upserted = await variables.create({ ...someVariable, key: "THIRD" }, { query: { upsert: true } });
    times.push(upserted.body.created.updatedAt);
    expect(times).toEqual([2, 3, 4, 5].map((ms) => beginning + ms));
  });

  it("keeps the ciphertext of a value that stays", async () => {
    const { id } = await variables.add({ type: "encrypted" });
    const [before] = (await variables.list()).body.envs;
    expect((await variables.edit(id, { comment: "why" })).body.value).toBe(before.value);
    expect((await variables.edit(id, { value: "new" })).body.value).not.toBe(before.value);
  });

  //
  it("clears branch and comment with null, and leaves them out", async () => {
    const { id } = await variables.add({ gitBranch: "next", comment: "why" });
    const { body } = await variables.edit(id, { gitBranch: null, comment: null });
    expect(body).not.toHaveProperty("gitBranch");
    expect(body).not.toHaveProperty("comment");
    expect((await variables.create(someVariable)).status).toBe(403);
    expect((await variables.create({ ...someVariable, gitBranch: "next" })).status).toBe(201);
  });

  //
  it("takes a target by its name", async () => {
    const { id } = await variables.add();
    expect((await variables.edit(id, { target: "production" })).body.target).toEqual(["production"]);
  });

  //
  it.each([
    ["key", { key: "TAKEN", target: ["production"] }, { key: "TAKEN" }],
    ["target", { key: "API_URL", target: ["development"] }, { target: ["production", "development"] }],
    [
      "branch",
      { key: "API_URL", target: ["preview"], gitBranch: "next" },
      { target: ["preview"], gitBranch: "next" },
    ],
  ])("is refused where another variable has the %s", async (_, other, change) => {
    await variables.add(other);
    const { id } = await variables.add({ target: ["production"] });
    const { status, body } = await variables.edit(id, change);
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: "ENV_CONFLICT", key: other.key, envVarKey: other.key });
    expect((await variables.read(id)).body).toMatchObject({ key: "API_URL", target: ["production"] });
  });

  //
  it("frees what the variable held", async () => {
    const { id } = await variables.add();
    await variables.edit(id, { key: "OTHER" });
    expect((await variables.create(someVariable)).status).toBe(201);
    expect((await variables.create({ ...someVariable, key: "OTHER" })).status).toBe(403);
  });

  it.each(["plain", "encrypted", "secret", "system"])(
    "does not reveal a sensitive value by the type %s",
    async (type) => {
      const { id } = await variables.add({ type: "sensitive" });
      const { status, body } = await variables.edit(id, { type });
      expect(status).toBe(400);
      expect(body.error.code).toBe("NOT_DECRYPTABLE");
    },
  );

  it("takes a readable type for a sensitive variable together with a new value", async () => {
    const { id } = await variables.add({ type: "sensitive" });
    expect((await variables.edit(id, { type: "plain", value: "new" })).body).toMatchObject({ value: "new" });
  });

  //
  it("locks a value away with type sensitive", async () => {
    const { id } = await variables.add();
    expect((await variables.edit(id, { type: "sensitive" })).body.value).toBe("");
    expect((await variables.read(id)).body.value).toBe("");
  });
});

describe("removing a variable", () => {
  // EN-41, EN-42, X-68
  it("answers it, and it is gone", async () => {
    const record = await variables.add();
    const { status, body } = await variables.remove(record.id);
    expect(status).toBe(200);
    expect(body).toEqual(record);
    expect((await variables.read(record.id)).status).toBe(404);
    expect(await variables.keys()).toEqual([]);
    expect((await variables.create(someVariable)).status).toBe(201);
  });

  // EN-46
  it("is 404 the second time, and for another project's variable", async () => {
    const { id } = await variables.add();
    await world.call("POST", "/v10/projects", { body: { name: "other" } });
    expect((await new Variables(world, "other").remove(id)).status).toBe(404);
    await variables.remove(id);
    expect((await variables.remove(id)).status).toBe(404);
  });
});

// EN-02
it("takes the id of the project as well as its name", async () => {
  const byName = await variables.add();
  const byId = new Variables(world, (await world.call("GET", "/v9/projects/web")).body.id);
  expect(await byId.keys()).toEqual(["API_URL"]);
  expect((await byId.read(byName.id)).body.id).toBe(byName.id);
  expect((await byId.edit(byName.id, { comment: "why" })).body.comment).toBe("why");
  expect((await byId.add({ key: "OTHER" })).key).toBe("OTHER");
  expect((await byId.remove(byName.id)).status).toBe(200);
  expect(await variables.keys()).toEqual(["OTHER"]);
});
