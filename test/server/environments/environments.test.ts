import { beginTransfer, install, someVariable, useVariables } from "../../support/variables";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const variables = useVariables(world);
const path = "/v9/projects/web/custom-environments";

const add = async (body: object = {}): Promise<{ id: string; slug: string }> =>
  (await world.call("POST", path, { body: { slug: "staging", ...body } })).body;
const inOnly = (environment: { id: string }) => ({ target: [], customEnvironmentIds: [environment.id] });

describe("custom environments", () => {
  it("are created, listed, read by id and slug, and shown in their project", async () => {
    const body = {
      slug: "staging",
      description: "before",
      branchMatcher: { type: "equals", pattern: "stage" },
    };
    const created = await world.call("POST", path, { body });
    expect(created.status).toBe(201);
    const record = { ...body, id: expect.stringMatching(/^env_\w{10,}$/), type: "preview" };
    expect(created.body).toEqual({ ...record, createdAt: beginning, updatedAt: beginning });
    expect((await world.call("GET", path)).body).toEqual({
      accountLimit: { total: 12 },
      environments: [created.body],
    });
    for (const key of ["staging", created.body.id]) {
      expect((await world.call("GET", `${path}/${key}`)).body).toEqual(created.body);
    }
    expect((await world.call("GET", "/v9/projects/web")).body.customEnvironments).toEqual([created.body]);
  });

  it.each([
    ["release", ["exact"]],
    ["release/1-rc/2", ["begin"]],
    ["release/1-rc", ["begin", "end"]],
    ["my-release", []],
    ["my-release/1", []],
  ])("are listed for the branch %s by their matchers", async (gitBranch, slugs) => {
    for (const [slug, type, pattern] of [
      ["exact", "equals", "release"],
      ["begin", "startsWith", "release/"],
      ["end", "endsWith", "-rc"],
    ])
      await add({ slug, branchMatcher: { type, pattern } });
    await add({ slug: "none" });
    const { body } = await world.call("GET", path, { query: { gitBranch } });
    expect(body.environments.map(({ slug }: { slug: string }) => slug).sort()).toEqual(slugs);
  });

  it("keep their time when an update changes nothing", async () => {
    const sent = {
      slug: "staging",
      description: "before",
      branchMatcher: { type: "startsWith", pattern: "s" },
    };
    await add(sent);
    const { body } = await world.call("GET", `${path}/staging`);
    await world.advance(1000);
    for (const same of [{}, sent]) {
      expect((await world.call("PATCH", `${path}/staging`, { body: same })).body).toEqual(body);
    }
  });

  it("are updated: absent keeps, null clears", async () => {
    await add({ description: "before", branchMatcher: { type: "startsWith", pattern: "s" } });
    await world.advance(1000);
    const { body } = await world.call("PATCH", `${path}/staging`, {
      body: { slug: "qa", description: null },
    });
    expect(body).toMatchObject({ slug: "qa", branchMatcher: { pattern: "s" }, updatedAt: beginning + 1000 });
    expect(body).not.toHaveProperty("description");
    expect((await world.call("GET", `${path}/staging`)).status).toBe(404);
    const cleared = await world.call("PATCH", `${path}/qa`, { body: { slug: "qa", branchMatcher: null } });
    expect(cleared.body).not.toHaveProperty("branchMatcher");
  });

  it.each([
    ["POST", "", { slug: "production" }],
    ["POST", "", { slug: "" }],
    ["POST", "", { slug: "With Space" }],
    ["POST", "", { slug: "s".repeat(33) }],
    ["POST", "", {}],
    ["POST", "", { slug: "qa", branchMatcher: { type: "contains", pattern: "x" } }],
    ["POST", "", { slug: "qa", copyEnvVarsFrom: "unknown" }],
    ["PATCH", "/staging", { unknown: 1 }],
    ["DELETE", "/staging", { deleteUnassignedEnvironmentVariables: "yes" }],
  ])("%s %s with %j is 400", async (method, rest, body) => {
    await add();
    expect((await world.call(method, `${path}${rest}`, { body })).status).toBe(400);
  });

  it("have slugs of their own", async () => {
    await add();
    await add({ slug: "qa" });
    expect((await world.call("POST", path, { body: { slug: "qa" } })).status).toBe(409);
    expect((await world.call("PATCH", `${path}/staging`, { body: { slug: "qa" } })).status).toBe(409);
  });

  it("are 12 per project at most", async () => {
    for (let n = 0; n < 12; n++) await add({ slug: `env-${n}` });
    expect((await world.call("POST", path, { body: { slug: "more" } })).status).toBe(400);
  });

  it.each(["GET", "PATCH", "DELETE"])("%s of an unknown one is 404", async (method) => {
    expect(
      (await world.call(method, `${path}/unknown`, { body: method === "GET" ? undefined : {} })).status,
    ).toBe(404);
  });

  it("are not changed while the project is being transferred", async () => {
    await add();
    await beginTransfer(world);
    expect((await world.call("POST", path, { body: { slug: "qa" } })).status).toBe(409);
    expect((await world.call("PATCH", `${path}/staging`, { body: {} })).status).toBe(409);
    expect((await world.call("DELETE", `${path}/staging`)).status).toBe(409);
  });

  it("are not written by who only reads", async () => {
    const token = await world.member("VIEWER");
    expect((await world.call("GET", path, { token })).status).toBe(200);
    expect((await world.call("POST", path, { token, body: { slug: "qa" } })).status).toBe(403);
  });
});

describe("variables of custom environments", () => {
  // EN-34, E-02
  it("are assigned by an edit, and read back", async () => {
    const staging = await add();
    const { id } = await variables.add();
    const { status, body } = await variables.edit(id, { customEnvironmentIds: [staging.id, staging.id] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ target: ["preview"], customEnvironmentIds: [staging.id] });
    expect((await variables.read(id)).body.customEnvironmentIds).toEqual([staging.id]);
    expect((await variables.edit(id, { comment: "why" })).body.customEnvironmentIds).toEqual([staging.id]);
    expect((await variables.edit(id, { customEnvironmentIds: null })).body).not.toHaveProperty(
      "customEnvironmentIds",
    );
  });

  // E-03
  it("are assigned by a create, with a target or alone, and read back", async () => {
    const staging = await add();
    const { target: _, ...alone } = someVariable;
    const ids = { customEnvironmentIds: [staging.id, staging.id] };
    const both = await variables.add({ key: "BOTH", ...ids });
    expect(both).toMatchObject({ target: ["preview"], customEnvironmentIds: [staging.id] });
    const answer = await variables.create([
      { ...alone, ...ids, key: "ALONE" },
      { ...alone, ...ids, key: "EMPTY", target: [] },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body.failed).toEqual([]);
    for (const record of answer.body.created) {
      expect(record).toMatchObject(inOnly(staging));
      expect((await variables.read(record.id)).body).toMatchObject(inOnly(staging));
    }
  });

  // E-03, X-61
  it("are refused in a create that names no environment, or one that the project does not have", async () => {
    const { target: _, ...alone } = someVariable;
    const none = await variables.create({ ...alone, customEnvironmentIds: [] });
    expect([none.status, none.body.error.code]).toEqual([400, "MISSING_TARGET"]);
    const unknown = await variables.create({ ...alone, customEnvironmentIds: ["env_0000000000"] });
    expect([unknown.status, unknown.body.error.code]).toEqual([400, "ID_NOT_FOUND"]);
    const several = await variables.create([
      someVariable,
      { ...someVariable, key: "B", customEnvironmentIds: ["env_0"] },
    ]);
    expect(several.status).toBe(201);
    expect(several.body.failed).toMatchObject([{ error: { code: "ID_NOT_FOUND", key: "B" } }]);
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  // E-03, X-65
  it("are one per key in a create too, and have no branch", async () => {
    const { target: _, ...alone } = { ...someVariable, customEnvironmentIds: [(await add()).id] };
    expect((await variables.create(alone)).status).toBe(201);
    const second = await variables.create(alone);
    expect([second.status, second.body.error.code]).toEqual([403, "ENV_CONFLICT"]);
    expect((await variables.create({ ...alone, key: "B", gitBranch: "next" })).status).toBe(400);
  });

  it("get a new value by an upsert that names just these, and are a conflict where it names others", async () => {
    const [staging, qa] = [await add(), await add({ slug: "qa" })];
    const { target: _, ...alone } = someVariable;
    const upsert = (fields: object) => variables.create({ ...alone, ...fields }, { query: { upsert: true } });
    const { created } = (await upsert({ customEnvironmentIds: [staging.id] })).body;
    const again = await upsert({ customEnvironmentIds: [staging.id], value: "new" });
    expect(again.body.created).toMatchObject({ id: created.id, value: "new", ...inOnly(staging) });
    for (const more of [
      { customEnvironmentIds: [staging.id, qa.id] },
      { target: ["preview"], customEnvironmentIds: [staging.id] },
    ])
      expect((await upsert({ ...more, value: "newer" })).status).toBe(403);
    expect((await variables.read(created.id)).body.value).toBe("new");
  });

  //
  it("need no target beside, but one of the two", async () => {
    const { id } = await variables.add();
    expect((await variables.edit(id, inOnly(await add()))).body.target).toEqual([]);
    const answer = await variables.edit(id, { customEnvironmentIds: [] });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("MISSING_TARGET");
  });

  // EN-36
  it("are refused for an environment that the project does not have", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "other" } });
    const other = await world.call("POST", path.replace("web", "other"), { body: { slug: "staging" } });
    const { id } = await variables.add();
    const answer = await variables.edit(id, { customEnvironmentIds: [other.body.id] });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("ID_NOT_FOUND");
  });

  //
  it("are one per key", async () => {
    const staging = await add();
    await variables.edit((await variables.add()).id, inOnly(staging));
    const { id } = await variables.add();
    const answer = await variables.edit(id, { customEnvironmentIds: [staging.id] });
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe("ENV_CONFLICT");
  });

  //
  it("have no branch", async () => {
    const { id } = await variables.add({ gitBranch: "next" });
    expect((await variables.edit(id, { customEnvironmentIds: [(await add()).id] })).status).toBe(400);
  });

  it("are listed by id and by slug", async () => {
    const staging = await add();
    await variables.edit((await variables.add()).id, inOnly(staging));
    await variables.add({ key: "OTHER" });
    expect(await variables.keys({ customEnvironmentId: staging.id })).toEqual(["API_URL"]);
    expect(await variables.keys({ customEnvironmentSlug: "staging" })).toEqual(["API_URL"]);
    expect(await variables.keys({ target: "staging" })).toEqual(["API_URL"]);
    expect(await variables.keys({ customEnvironmentSlug: "unknown" })).toEqual([]);
  });

  it("are copied from another environment into a new one", async () => {
    await variables.add({ type: "sensitive" });
    await variables.add({ key: "OF_NEXT", gitBranch: "next" });
    await variables.add({ key: "PROD", target: ["production"] });
    const staging = await add({ copyEnvVarsFrom: "preview" });
    const { envs } = (await variables.list({ customEnvironmentId: staging.id })).body;
    expect(envs).toMatchObject([{ key: "API_URL", type: "sensitive", ...inOnly(staging) }]);
    expect(await variables.keys()).toHaveLength(4);
  });

  it("that are copied have the values of the first, and do not change with them", async () => {
    const pull = async (target: string) => (await world.call("GET", `/v3/env/pull/web/${target}`)).body.env;
    const { id } = await variables.add({ type: "encrypted" });
    await add({ copyEnvVarsFrom: "preview" });
    await add({ slug: "qa", copyEnvVarsFrom: "staging" });
    await variables.edit(id, { value: "new" });
    expect(await Promise.all(["preview", "staging", "qa"].map(pull))).toEqual([
      { API_URL: "new" },
      { API_URL: someVariable.value },
      { API_URL: someVariable.value },
    ]);
  });

  // AU-44, X-87
  it("that are copied are made by who copies, and their events tell of them", async () => {
    await variables.add();
    const { token, id } = await install(world, "read-write:project", "read-write:global-project-env-vars");
    const body = { slug: "staging", copyEnvVarsFrom: "preview" };
    const staging = await world.call("POST", path, { token, body });
    const { envs } = (await variables.list({ customEnvironmentId: staging.body.id })).body;
    expect(envs).toMatchObject([{ key: "API_URL", configurationId: id }]);
    const [latest] = await world.control.events();
    expect(latest).toMatchObject({ type: "project.env-variable.created", payload: { envVarId: envs[0].id } });
  });

  // AU-26
  it("are copied by an integration that sees its own variables as far as it made them all", async () => {
    const { token } = await install(world, "read-write:project", "read-write:project-env-vars");
    await variables.add({ target: ["production"] }, { token });
    const copy = (slug: string, copyEnvVarsFrom: string) =>
      world.call("POST", path, { token, body: { slug, copyEnvVarsFrom } });
    expect((await copy("one", "production")).status).toBe(201);
    await variables.add({ key: "ANOTHERS", target: ["production"] });
    expect((await copy("two", "production")).status).toBe(403);
    expect((await world.call("GET", `${path}/two`)).status).toBe(404);
  });

  //
  it("are not copied where they are more than an environment may have", async () => {
    const value = "v".repeat(40_000);
    for (const key of ["A", "B"]) await variables.add({ key, value, target: ["development"] });
    const answer = await world.call("POST", path, { body: { slug: "qa", copyEnvVarsFrom: "development" } });
    expect(answer.status).toBe(400);
    expect((await world.call("GET", `${path}/qa`)).status).toBe(404);
  });

  it("lose an environment that is removed, and are kept or deleted", async () => {
    const staging = await add();
    const both = await variables.add({ key: "BOTH" });
    await variables.edit(both.id, { customEnvironmentIds: [staging.id] });
    const only = await variables.add({ key: "ONLY" });
    await variables.edit(only.id, inOnly(staging));
    expect((await world.call("DELETE", `${path}/staging`)).body).toEqual(staging);
    expect((await variables.read(both.id)).body).not.toHaveProperty("customEnvironmentIds");
    expect((await variables.read(only.id)).body.target).toEqual([]);
    const edited = await variables.edit(only.id, { value: "new", comment: "without an environment" });
    expect([edited.status, edited.body.value, edited.body.target]).toEqual([200, "new", []]);
    expect((await variables.edit(only.id, { target: [] })).status).toBe(400);
    const again = await add();
    await variables.edit(only.id, inOnly(again));
    const body = { deleteUnassignedEnvironmentVariables: true };
    expect((await world.call("DELETE", `${path}/${again.id}`, { body })).status).toBe(200);
    expect(await variables.keys()).toEqual(["BOTH"]);
    expect((await world.call("GET", "/v9/projects/web")).body).not.toHaveProperty("customEnvironments");
  });

  //
  it("send an event each when their environment is removed", async () => {
    const staging = await add();
    const both = await variables.add({ key: "BOTH", customEnvironmentIds: [staging.id] });
    const only = await variables.add({ key: "ONLY", ...inOnly(staging) });
    await world.advance(1000);
    const body = { deleteUnassignedEnvironmentVariables: true };
    await world.call("DELETE", `${path}/staging`, { body });
    const events = (await world.control.events()) as { type: string; payload: { envVarId: string } }[];
    expect(events.slice(0, 2).map(({ type, payload }) => [type, payload.envVarId])).toEqual([
      ["project.env-variable.deleted", only.id],
      ["project.env-variable.updated", both.id],
    ]);
    expect((await variables.read(both.id)).body.updatedAt).toBe(world.clock.now());
  });

  // AU-26
  it("keep their environment from an integration that may not change them all", async () => {
    const { token } = await install(world, "read-write:project", "read-write:project-env-vars");
    const [own, shared] = [await add({ slug: "own" }), await add({ slug: "shared" })];
    for (const [key, environment] of [
      ["A", own],
      ["B", shared],
    ] as const)
      await variables.add({ key, ...inOnly(environment) }, { token });
    await variables.add({ key: "C", ...inOnly(shared) });
    const removal = (slug: string) => world.call("DELETE", `${path}/${slug}`, { token });
    expect(await removal("shared")).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    expect(await variables.keys({ target: "shared" })).toEqual(["C", "B"]);
    expect((await removal("own")).status).toBe(200);
  });

  it("stay while a domain leads to their environment", async () => {
    const staging = await add();
    const body = { name: "staging.example.com", customEnvironmentId: staging.id };
    expect((await world.call("POST", "/v10/projects/web/domains", { body })).status).toBe(200);
    expect((await world.call("DELETE", `${path}/staging`)).status).toBe(400);
  });
});

describe("pulling variables", () => {
  const pull = (target: string, options = {}) => world.call("GET", `/v3/env/pull/web/${target}`, options);

  test("takes a branch for previews alone", async () => {
    expect((await pull("preview/next")).status).toBe(200);
    for (const target of ["production", "development"]) {
      expect(await pull(`${target}/next`)).toMatchObject({
        status: 400,
        body: { error: { code: "bad_request", message: expect.stringContaining("preview") } },
      });
    }
  });

  it("gives the keys and values of a target", async () => {
    await variables.add({ type: "encrypted" });
    await variables.add({ key: "SECRET", type: "sensitive" });
    await variables.add({ key: "VERCEL_URL", type: "system", value: "" });
    await variables.add({ key: "OF_NEXT", gitBranch: "next" });
    await variables.add({ key: "PROD", target: ["production"] });
    const { status, body } = await pull("preview");
    expect(status).toBe(200);
    expect(body).toEqual({ env: { API_URL: someVariable.value, SECRET: "", VERCEL_URL: "" } });
    expect((await pull("production")).body).toEqual({ env: { PROD: someVariable.value } });
  });

  it("prefers what the branch has", async () => {
    await variables.add({ gitBranch: "feature/a", value: "of the branch" });
    await variables.add({ value: "of all" });
    expect((await pull("preview/feature%2Fa")).body.env).toEqual({ API_URL: "of the branch" });
    expect((await pull("preview/other")).body.env).toEqual({ API_URL: "of all" });
    expect((await pull("production/other")).status).toBe(400);
  });

  it("takes the slug or id of a custom environment, and knows no other", async () => {
    const staging = await add();
    await variables.edit((await variables.add()).id, inOnly(staging));
    expect((await pull("staging")).body.env).toEqual({ API_URL: someVariable.value });
    expect((await pull(staging.id)).body.env).toEqual({ API_URL: someVariable.value });
    expect((await pull("unknown")).status).toBe(404);
  });

  it("is refused to who may not see variables", async () => {
    const token = await world.member("VIEWER");
    expect((await pull("preview", { token })).status).toBe(403);
  });
});
