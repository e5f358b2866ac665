import { someVariable, useVariables, Variables } from "../../support/variables";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const variables = useVariables(world);

describe("creating variables", () => {
  // EN-03, EN-04, X-59, X-62
  it("answers 201 with the record of the one variable and no failures", async () => {
    const { status, body } = await variables.create({ ...someVariable, gitBranch: "next", comment: "why" });
    expect(status).toBe(201);
    const user = (await world.call("GET", "/v2/user", { team: null })).body.user.id;
    expect(body).toEqual({
      created: {
        id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
        key: "API_URL",
        value: "https://api.example.com",
        type: "plain",
        visibility: "config",
        target: ["preview"],
        gitBranch: "next",
        comment: "why",
        configurationId: null,
        createdAt: beginning,
        updatedAt: beginning,
        createdBy: user,
        updatedBy: null,
        edgeConfigId: null,
        edgeConfigTokenId: null,
        contentHint: null,
        internalContentHint: null,
        decrypted: true,
      },
      failed: [],
    });
  });

  it.each(["/v4", "/v7", "/v8", "/v9"])(
    "answers the variables themselves below version 10: %s",
    async (version) => {
      const create = (body: object) => world.call("POST", `${version}/projects/web/env`, { body });
      const { status, body } = await create(someVariable);
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({ ...someVariable, id: expect.any(String) }),
      ]);
      expect((await create([{ ...someVariable, key: "TWO" }])).body).toMatchObject([{ key: "TWO" }]);
      for (const method of ["GET", "PATCH", "DELETE"])
        expect(
          (
            await world.call(method, `${version}/projects/web/env/${body.id}`, {
              body: method === "PATCH" ? {} : undefined,
            })
          ).body,
        ).toMatchObject({ id: body.id, key: someVariable.key });
    },
  );

  it("creates nothing below version 10 if one of several variables cannot be created", async () => {
    await variables.add();
    const body = [{ ...someVariable, key: "NEW" }, someVariable];
    const answer = await world.call("POST", "/v9/projects/web/env", { body });
    expect(answer.body.error.code).toBe("ENV_CONFLICT");
    expect(await variables.keys()).toEqual([someVariable.key]);
  });

  // E-01, EN-05
  it("shows what was written in list and read", async () => {
    const sent = { ...someVariable, gitBranch: "next", comment: "why" };
    const { id } = await variables.add(sent);
    expect((await variables.list()).body.envs).toMatchObject([{ id, ...sent }]);
    expect((await variables.read(id)).body).toMatchObject({ id, ...sent });
  });

  // EN-06, X-62
  it("creates several at once and answers them in the order given", async () => {
    const { status, body } = await variables.create([
      { ...someVariable, key: "ONE" },
      { ...someVariable, key: "TWO", target: ["production", "preview"] },
    ]);
    expect(status).toBe(201);
    expect(body.created).toMatchObject([{ key: "ONE" }, { key: "TWO" }]);
    expect(body.failed).toEqual([]);
    expect(await variables.keys()).toEqual(["TWO", "ONE"]);
    expect((await variables.read(body.created[1].id)).body).toMatchObject({
      key: "TWO",
      value: someVariable.value,
      target: ["production", "preview"],
    });
  });

  it("answers an array of one with an array", async () => {
    const { body } = await variables.create([someVariable]);
    expect(body.created).toMatchObject([{ key: "API_URL" }]);
  });

  // EN-09, X-60
  it.each(["secret", "encrypted", "plain", "sensitive"])("accepts type %s", async (type) => {
    expect(await variables.add({ type })).toMatchObject({ type });
  });

  // EN-09, X-60, X-70
  it("accepts type system, without value or with an empty one", async () => {
    const { key, target } = someVariable;
    expect((await variables.create({ key, target, type: "system" })).body.created).toMatchObject({
      value: "",
    });
    expect(await variables.add({ key: "VERCEL_URL", type: "system", value: "" })).toMatchObject({
      type: "system",
    });
  });

  it("encrypts when no type is given", async () => {
    expect(await variables.add({ type: undefined })).toMatchObject({ type: "encrypted" });
  });

  // EN-10, X-61
  it.each(["production", "preview", "development"])(
    "accepts target %s, as a name and in an array",
    async (target) => {
      expect(await variables.add({ key: "A", target })).toMatchObject({ target: [target] });
      expect(await variables.add({ key: "B", target: [target] })).toMatchObject({ target: [target] });
    },
  );

  it("names each target once", async () => {
    expect(await variables.add({ target: ["preview", "production", "preview"] })).toMatchObject({
      target: ["preview", "production"],
    });
  });

  it("takes null for no branch and no comment, and leaves both out", async () => {
    const record = await variables.add({ gitBranch: null, comment: null });
    expect(record).not.toHaveProperty("gitBranch");
    expect(record).not.toHaveProperty("comment");
  });

  it("gives variables of one moment times of their own", async () => {
    await variables.add({ key: "A" });
    await variables.create(["B", "C"].map((key) => ({ ...someVariable, key })));
    const times = (await variables.list()).body.envs.map(({ createdAt }: { createdAt: number }) => createdAt);
    expect(times).toEqual([beginning + 2, beginning + 1, beginning]);
  });

  it("shows the new variable in its project", async () => {
    await world.call("GET", "/v9/projects/web");
    await variables.add();
    expect((await world.call("GET", "/v9/projects/web")).body.env).toMatchObject([{ key: "API_URL" }]);
  });

  it("keeps no value in clear", async () => {
    const { id } = await variables.add();
    const row = await world.services.store.read((tx) =>
      tx.selectFrom("env_vars").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    );
    expect(row.value).not.toContain("api.example.com");
    expect(world.services.vault.open(id, row.value)).toBe(someVariable.value);
  });
});

describe("creating what exists", () => {
  const conflict = { code: "ENV_CONFLICT", envVarKey: "API_URL", key: "API_URL" };

  // EN-17, X-65
  it.each([
    ["the same key and target", {}, {}],
    ["an overlapping target", { target: ["preview", "production"] }, { target: ["production"] }],
    ["the same branch", { gitBranch: "next" }, { gitBranch: "next" }],
    ["no branch, absent or null", {}, { gitBranch: null }],
    ["another type and value", { type: "encrypted" }, { type: "plain", value: "other" }],
  ])("is refused for %s", async (_, first, second) => {
    await variables.add(first);
    const { status, body } = await variables.create({ ...someVariable, ...second });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ ...conflict, target: { ...someVariable, ...second }.target });
    expect(await variables.keys()).toHaveLength(1);
  });

  //
  it("names the branch of the conflict, and none where there is none", async () => {
    await variables.add();
    await variables.add({ gitBranch: "next" });
    expect((await variables.create({ ...someVariable, gitBranch: "next" })).body.error.gitBranch).toBe(
      "next",
    );
    expect((await variables.create(someVariable)).body.error).not.toHaveProperty("gitBranch");
  });

  //
  it.each([
    ["another key", { key: "OTHER" }],
    ["the key in another case", { key: "api_url" }],
    ["another target", { target: ["production"] }],
    ["another branch", { gitBranch: "next" }],
  ])("is none for %s", async (_, second) => {
    await variables.add();
    expect((await variables.create({ ...someVariable, ...second })).status).toBe(201);
  });

  //
  it("is none in another project", async () => {
    await variables.add();
    await world.call("POST", "/v10/projects", { body: { name: "other" } });
    expect((await new Variables(world, "other").create(someVariable)).status).toBe(201);
  });

  //
  it("creates the good ones of an array and says why the others failed", async () => {
    await variables.add();
    const { status, body } = await variables.create([
      someVariable,
      { ...someVariable, key: "GOOD" },
      { ...someVariable, key: "not-good" },
    ]);
    expect(status).toBe(201);
    expect(body.created).toMatchObject([{ key: "GOOD" }]);
    expect(body.failed).toEqual([
      { error: expect.objectContaining({ ...conflict, target: ["preview"], message: expect.any(String) }) },
      { error: expect.objectContaining({ code: "KEY_INVALID_CHARACTERS", key: "not-good" }) },
    ]);
    expect(await variables.keys()).toEqual(["GOOD", "API_URL"]);
  });

  //
  it("finds the second of two that are the same in one request", async () => {
    const { body } = await variables.create([someVariable, { ...someVariable, value: "other" }]);
    expect(body.created).toMatchObject([{ key: "API_URL", value: someVariable.value }]);
    expect(body.failed).toMatchObject([{ error: conflict }]);
  });

  //
  it("is an error answer when none of an array can be created", async () => {
    await variables.add();
    const { status, body } = await variables.create([someVariable, { ...someVariable, key: "not-good" }]);
    expect(status).toBe(403);
    expect(body.error).toMatchObject(conflict);
    expect(body.failed).toMatchObject([{ error: conflict }, { error: { code: "KEY_INVALID_CHARACTERS" } }]);
  });
});

describe("a system variable", () => {
  const system = { key: "VERCEL_URL", type: "system", target: ["preview"] };

  //
  it.each([
    ["without a value", system],
    ["with an empty value", { ...system, value: "" }],
    ["with a value, which is not kept", { ...system, value: "mine" }],
  ])("is made %s, alone and with its project", async (_how, sent) => {
    const alone = await variables.create(sent);
    expect([alone.status, alone.body.created?.value]).toEqual([201, ""]);
    expect((await variables.edit(alone.body.created.id, { value: "mine" })).body.value).toBe("");
    expect((await variables.read(alone.body.created.id)).body.value).toBe("");
    const together = await world.call("POST", "/v10/projects", {
      body: { name: "together", environmentVariables: [sent] },
    });
    expect([together.status, together.body.env?.[0]?.value]).toEqual([200, ""]);
  });
});

describe("creating with upsert", () => {
  const upsert = { query: { upsert: true } };

  // EN-07, X-65
  it("gives the existing variable the new value and keeps its id", async () => {
    const { id } = await variables.add({ comment: "why" });
    await world.advance(1000);
    const { status, body } = await variables.create({ ...someVariable, value: "new" }, upsert);
    expect(status).toBe(201);
    expect(body).toMatchObject({ created: { id, value: "new", comment: "why" }, failed: [] });
    expect((await variables.read(id)).body).toMatchObject({
      value: "new",
      createdAt: beginning,
      updatedAt: beginning + 1000,
    });
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  it("creates what does not exist", async () => {
    expect((await variables.create(someVariable, upsert)).status).toBe(201);
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  it("keeps the type of the existing variable where none was sent, in whichever order the targets stand", async () => {
    const { id } = await variables.add({ target: ["preview", "production"], type: "sensitive" });
    const sent = { key: "API_URL", value: "new", target: ["production", "preview"] };
    expect((await variables.create(sent, upsert)).body.created).toMatchObject({ id, type: "sensitive" });
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  it("does not tell who guesses a sensitive value when the guess is right", async () => {
    const { updatedAt } = await variables.add({ type: "sensitive", value: "secret" });
    const times = [updatedAt];
    for (const value of ["guess", "guess"]) {
      const sent = { ...someVariable, type: "sensitive", value };
      times.push((await variables.create(sent, upsert)).body.created.updatedAt);
    }
    expect(new Set(times).size).toBe(3);
  });

  // EN-17, X-65
  it.each([
    ["fewer", ["preview"], ["preview", "production"]],
    ["more", ["preview", "production"], ["production"]],
    ["others", ["preview", "production"], ["production", "development"]],
  ])("of %s targets than a variable has is a conflict, and changes nothing", async (_what, target, held) => {
    const { id } = await variables.add({ target: held });
    const { status, body } = await variables.create({ ...someVariable, value: "new", target }, upsert);
    expect([status, body.error.code]).toEqual([403, "ENV_CONFLICT"]);
    expect((await variables.read(id)).body).toMatchObject({ value: someVariable.value, target: held });
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  //
  it("leaves the custom environments of a variable as they are", async () => {
    const environment = await world.call("POST", "/v9/projects/web/custom-environments", {
      body: { slug: "staging" },
    });
    const { id } = await variables.add();
    await variables.edit(id, { customEnvironmentIds: [environment.body.id] });
    const { body } = await variables.create({ ...someVariable, value: "new" }, upsert);
    expect(body.created).toMatchObject({ id, value: "new", customEnvironmentIds: [environment.body.id] });
    expect((await world.call("GET", "/v3/env/pull/web/staging")).body.env).toEqual({ API_URL: "new" });
  });

  it("gives each of a key's variables its own value, and touches none beside it", async () => {
    const production = await variables.add({ target: ["production"] });
    const branch = await variables.add({ gitBranch: "next" });
    await variables.create({ ...someVariable, value: "new", gitBranch: "next" }, upsert);
    await variables.create({ ...someVariable, value: "third" }, upsert);
    expect((await variables.read(production.id)).body.value).toBe(someVariable.value);
    expect((await variables.read(branch.id)).body.value).toBe("new");
    expect(await variables.keys()).toHaveLength(3);
  });

  it("needs neither type nor value for a system variable that exists", async () => {
    const system = { key: "VERCEL_URL", target: ["preview"] };
    const { id } = await variables.add({ ...system, type: "system", value: "" });
    for (const sent of [system, { ...system, value: "" }, [{ ...system, comment: "why" }]]) {
      const { status, body } = await variables.create(sent, upsert);
      expect([status, body.failed]).toEqual([201, []]);
      expect([body.created].flat()).toMatchObject([{ id, type: "system", value: "" }]);
    }
    const ignored = await variables.create({ ...system, value: "mine" }, upsert);
    expect(ignored.body.created).toMatchObject({ id, type: "system", value: "" });
    const refused = [
      await variables.create({ ...system, type: "plain", value: "mine" }, upsert),
      await variables.create({ ...system, key: "VERCEL_ENV", value: "mine" }, upsert),
      await variables.create({ key: "API_URL", target: ["preview"] }, upsert),
      await variables.create({ ...system, value: "" }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
      [400, "RESERVED_ENV_VARIABLE"],
      [400, "RESERVED_ENV_VARIABLE"],
      [400, "MISSING_VALUE"],
      [400, "RESERVED_ENV_VARIABLE"],
    ]);
  });

  it("stays a conflict where two variables hold what one asks for", async () => {
    await variables.add({ target: ["preview"] });
    await variables.add({ target: ["production"] });
    const { status } = await variables.create({ ...someVariable, target: ["preview", "production"] }, upsert);
    expect(status).toBe(403);
  });

  it("mixes new and existing ones, and the later of two in one request counts", async () => {
    const { id } = await variables.add();
    const { body } = await variables.create(
      [
        { ...someVariable, key: "NEW", value: "1" },
        { ...someVariable, value: "2" },
        { ...someVariable, key: "NEW", value: "3" },
      ],
      upsert,
    );
    expect(body.failed).toEqual([]);
    expect(body.created).toMatchObject([
      { key: "NEW", value: "3" },
      { id, value: "2" },
    ]);
  });

  // EN-17
  it("is off when upsert is false", async () => {
    await variables.add();
    expect((await variables.create(someVariable, { query: { upsert: false } })).status).toBe(403);
  });
});

describe("events", () => {
  it("tell of each variable that was created, updated and deleted, and never its value", async () => {
    const { id } = await variables.add();
    const changed = { ...someVariable, value: "secret" };
    await variables.create([changed, { ...changed, key: "NEW" }], { query: { upsert: true } });
    await variables.edit(id, { value: "another secret" });
    await variables.remove(id);
    const events = (await world.control.events()).filter(({ type }) => String(type).includes("env-variable"));
    expect(events.map(({ type }) => type)).toEqual([
      "project.env-variable.deleted",
      "project.env-variable.updated",
      "project.env-variable.created",
      "project.env-variable.updated",
      "project.env-variable.created",
    ]);
    const { id: projectId } = (await world.call("GET", "/v9/projects/web")).body;
    expect(events[0]).toMatchObject({ payload: { projectId, envVarId: id } });
    expect(JSON.stringify(events)).not.toMatch(/api\.example|another secret/);
  });

  it("tell nothing of what was refused", async () => {
    const before = (await world.control.events()).length;
    await variables.create({ ...someVariable, key: "not-good" });
    expect(await world.control.events()).toHaveLength(before);
  });
});
