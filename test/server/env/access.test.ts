import { beginTransfer, install, someVariable, useVariables } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const variables = useVariables(world);

describe("production variables", () => {
  const inProduction = { key: "PROD", target: ["production", "preview"] };

  // EN-18
  it("need a further permission, which the same caller needs for no other target", async () => {
    const token = await world.member("DEVELOPER");
    const refused = await variables.create({ ...someVariable, ...inProduction }, { token });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: "FORBIDDEN", resource: "projectEnvVarsProduction" });
    expect((await variables.create(someVariable, { token })).status).toBe(201);
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  // EN-18, X-63
  it("stand in failed beside others that were created", async () => {
    const token = await world.member("DEVELOPER");
    const { status, body } = await variables.create([someVariable, { ...someVariable, ...inProduction }], {
      token,
    });
    expect(status).toBe(201);
    expect(body.created).toMatchObject([{ key: "API_URL" }]);
    expect(body.failed).toMatchObject([{ error: { code: "FORBIDDEN", key: "PROD" } }]);
  });

  // EN-18
  it("are not overwritten without it", async () => {
    const token = await world.member("DEVELOPER");
    const { id } = await variables.add(inProduction);
    const upsert = { ...someVariable, key: "PROD", value: "other", target: ["preview"] };
    expect((await variables.create(upsert, { token, query: { upsert: true } })).status).toBe(403);
    expect((await variables.read(id)).body).toMatchObject({ ...someVariable, ...inProduction });
  });

  // EN-39, EN-45
  it("are not edited or removed without it, and nothing becomes one", async () => {
    const token = await world.member("DEVELOPER");
    const production = await variables.add(inProduction);
    const preview = await variables.add();
    const answers = [
      await variables.edit(production.id, { comment: "why" }, { token }),
      await variables.edit(production.id, { target: ["preview"] }, { token }),
      await variables.edit(preview.id, { target: ["production"] }, { token }),
      await variables.remove(production.id, { token }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [403, "FORBIDDEN"]),
    );
    expect((await variables.edit(preview.id, { comment: "why" }, { token })).status).toBe(200);
    expect((await variables.remove(preview.id, { token })).status).toBe(200);
  });

  it.each(["OWNER", "MEMBER"] as const)("are written by a team's %s", async (role) => {
    const token = await world.member(role);
    expect((await variables.create({ ...someVariable, ...inProduction }, { token })).status).toBe(201);
  });
});

describe("an integration", () => {
  const asking = ({ token, team }: { token: string; team: string }) => ({ token, query: { teamId: team } });

  // AU-25, AU-27
  it("is refused without a scope for variables", async () => {
    const options = asking(await install(world, "read-write:project", "read:project-env-vars"));
    const { id } = await variables.add();
    const answers = [
      await variables.create({ ...someVariable, key: "NEW" }, options),
      await variables.list(options.query, options),
      await variables.read(id, options),
      await variables.edit(id, {}, options),
      await variables.remove(id, options),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [403, "forbidden"]),
    );
  });

  // AU-25, AU-44
  it.each(["read-write:project-env-vars", "read-write:global-project-env-vars"] as const)(
    "with %s creates and manages its own variables, marked as its own",
    async (scope) => {
      const installed = await install(world, scope);
      const options = asking(installed);
      const record = await variables.add({ target: ["production"] }, options);
      expect(record).toMatchObject({ configurationId: installed.id, key: "API_URL" });
      expect((await variables.read(record.id, options)).body.configurationId).toBe(installed.id);
      expect((await variables.edit(record.id, { value: "new" }, options)).body.configurationId).toBe(
        installed.id,
      );
      expect(await variables.keys(options.query, options)).toEqual(["API_URL"]);
      expect((await variables.list()).body.envs).toMatchObject([{ configurationId: installed.id }]);
      expect((await variables.remove(record.id, options)).status).toBe(200);
    },
  );

  // AU-26
  it("with project-env-vars alone neither sees nor changes what is not its own", async () => {
    const installed = await install(world, "read-write:project-env-vars");
    const other = await install(world, "read-write:project-env-vars");
    const options = asking(installed);
    const ofPerson = await variables.add();
    const ofOther = await variables.add({ key: "OF_OTHER" }, asking(other));
    await variables.add({ key: "OWN" }, options);
    expect(await variables.keys(options.query, options)).toEqual(["OWN"]);
    expect(await variables.keys({ ...options.query, decrypt: true }, options)).toEqual(["OWN"]);
    for (const { id } of [ofPerson, ofOther]) {
      const answers = [
        await variables.read(id, options),
        await variables.edit(id, { value: "new" }, options),
        await variables.remove(id, options),
      ];
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        answers.map(() => [403, "FORBIDDEN"]),
      );
    }
    const upsert = { token: options.token, query: { ...options.query, upsert: true } };
    expect((await variables.create({ ...someVariable, value: "new" }, upsert)).status).toBe(403);
    expect((await variables.read(ofPerson.id)).body.value).toBe(someVariable.value);
    expect(await variables.keys()).toEqual(["OWN", "OF_OTHER", "API_URL"]);
  });

  it("with project-env-vars alone does not see the secrets of the project, which are variables too", async () => {
    const options = asking(await install(world, "read-write:project", "read-write:project-env-vars"));
    const all = asking(await install(world, "read-write:project", "read-write:global-project-env-vars"));
    const generated = await world.call("PATCH", "/v1/projects/web/protection-bypass", { body: {} });
    const [secret = ""] = Object.keys(generated.body.protectionBypass);
    const paths = ["/v9/projects/web", "/v9/projects"];
    const read = (of: object) => Promise.all(paths.map((path) => world.call("GET", path, of)));
    expect(JSON.stringify(await read(all)).split(secret)).toHaveLength(3);
    expect(JSON.stringify(await read(options))).not.toContain(secret);
  });

  // AU-27
  it("with global-project-env-vars manages every variable, which stays its maker's", async () => {
    const options = asking(await install(world, "read-write:global-project-env-vars"));
    const { id } = await variables.add();
    expect(await variables.keys(options.query, options)).toEqual(["API_URL"]);
    expect((await variables.read(id, options)).body.value).toBe(someVariable.value);
    expect((await variables.edit(id, { value: "new" }, options)).body.configurationId).toBeNull();
    expect((await variables.remove(id, options)).status).toBe(200);
  });
});

describe("a project's answer", () => {
  const env = async (options: { token: string; query?: { teamId: string } }): Promise<unknown[]> => {
    const one = (await world.call("GET", "/v9/projects/web", options)).body;
    const { projects } = (await world.call("GET", "/v9/projects", options)).body;
    expect(projects[0].env).toEqual(one.env);
    return one.env?.map(({ key }: { key: string }) => key);
  };
  const asking = ({ token, team }: { token: string; team: string }) => ({ token, query: { teamId: team } });

  beforeEach(() => variables.add());

  it("shows every variable to who may list them all", async () => {
    expect(await env({ token: await world.member("DEVELOPER") })).toEqual(["API_URL"]);
    const installed = await install(world, "read:project", "read-write:global-project-env-vars");
    expect(await env(asking(installed))).toEqual(["API_URL"]);
  });

  it("shows an integration its own, where it may see no others", async () => {
    const options = asking(await install(world, "read-write:project", "read-write:project-env-vars"));
    await variables.add({ key: "OWN" }, options);
    expect(await env(options)).toEqual(["OWN"]);
    const changed = await world.call("PATCH", "/v9/projects/web", { ...options, body: { gitLFS: true } });
    expect(changed.body.env).toMatchObject([{ key: "OWN" }]);
  });

  it("shows none to who may list none", async () => {
    expect(await env(asking(await install(world, "read-write:project")))).toBeUndefined();
    expect(await env({ token: await world.member("VIEWER") })).toBeUndefined();
  });
});

describe("several variables removed at once", () => {
  const removeAll = (ids: unknown, options: { token?: string; query?: object } = {}) =>
    world.call("DELETE", "/v1/projects/web/env", { ...(options as object), body: { ids } });

  it("are gone, with an event each; ids that there are not are left out of the answer", async () => {
    const [a, b] = [await variables.add({ key: "A" }), await variables.add({ key: "B" })];
    await variables.add({ key: "C" });
    const { status, body } = await removeAll([b.id, "nothing", a.id, b.id]);
    expect(body).toEqual({ deleted: 2, ids: [a.id, b.id] });
    expect(status).toBe(200);
    expect(await variables.keys()).toEqual(["C"]);
    const events = (await world.control.events()) as { type: string; payload: { envVarId: string } }[];
    const deleted = events.filter(({ type }) => type === "project.env-variable.deleted");
    expect(deleted.map(({ payload }) => payload.envVarId).sort()).toEqual([a.id, b.id].sort());
    expect((await variables.create({ ...someVariable, key: "A" })).status).toBe(201);
  });

  it("are refused when there is none of them, and without ids", async () => {
    await variables.add();
    const { status, body } = await removeAll(["nothing"]);
    expect([status, body.error.code]).toEqual([404, "not_found"]);
    expect((await removeAll([])).status).toBe(400);
    expect((await removeAll(undefined)).status).toBe(400);
    expect((await removeAll(Array.from({ length: 1001 }, (_, n) => `v${n}`))).status).toBe(400);
  });

  it("stay, all of them, when one needs a further permission or is another integration's", async () => {
    const production = await variables.add({ key: "PROD", target: ["production"] });
    const preview = await variables.add();
    const developer = await removeAll([preview.id, production.id], {
      token: await world.member("DEVELOPER"),
    });
    expect([developer.status, developer.body.error.code]).toEqual([403, "FORBIDDEN"]);
    const { token, team } = await install(world, "read-write:project-env-vars");
    const options = { token, query: { teamId: team } };
    const own = await variables.add({ key: "OWN" }, options);
    const integration = await removeAll([own.id, preview.id], options);
    expect([integration.status, integration.body.error.code]).toEqual([403, "FORBIDDEN"]);
    expect(await variables.keys()).toEqual(["OWN", "API_URL", "PROD"]);
    expect((await removeAll([own.id], options)).body.deleted).toBe(1);
  });

  it("stay while the project is being transferred", async () => {
    const { id } = await variables.add();
    await beginTransfer(world);
    const { status, body } = await removeAll([id]);
    expect([status, body.error.code]).toEqual([409, "conflict"]);
    expect(await variables.keys()).toEqual(["API_URL"]);
  });
});
