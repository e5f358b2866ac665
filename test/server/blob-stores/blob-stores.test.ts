import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/storage/stores";

const call = (method: string, rest = "", body?: unknown, options: object = {}) =>
  world.call(method, `${path}${rest}`, { ...(body === undefined ? {} : { body }), ...options });

async function create(fields: object = {}) {
  const { status, body } = await call("POST", "/blob", { name: "images", ...fields });
  expect(status).toBe(200);
  return body.store;
}

async function project(name = "web", more: object = {}): Promise<string> {
  return (await world.call("POST", "/v10/projects", { body: { name, ...more } })).body.id;
}

const connect = (store: string, projectId: string, fields: object = {}) =>
  call("POST", `/${store}/connections`, { projectId, ...fields });

async function variablesOf(id: string): Promise<Record<string, unknown>[]> {
  return (await world.call("GET", `/v9/projects/${id}/env`)).body.envs;
}

const notFound = { status: 404, body: { error: { code: "not_found" } } };
const refused = { status: 400, body: { error: { code: "bad_request" } } };

describe("a Blob store", () => {
  it("is created with the defaults, read and listed", async () => {
    const store = await create();
    const now = world.clock.now();
    expect(store).toEqual({
      ...{ id: expect.stringMatching(/^store_[A-Za-z0-9]{16}$/), type: "blob", name: "images" },
      ownerId: (await world.call("GET", "/v2/teams/acme")).body.id,
      ...{ access: "public", region: "iad1", status: "available", count: 0, size: 0 },
      ...{ usageQuotaExceeded: false, isTokenExpired: false },
      ...{ totalConnectedProjects: 0, projectsMetadata: [], createdAt: now, updatedAt: now },
    });
    expect((await call("GET", `/${store.id}`)).body).toEqual({ store });
    await world.advance(1);
    const second = await create({ access: "private", region: "fra1" });
    expect(second).toMatchObject({ name: "images", access: "private", region: "fra1" });
    expect((await call("GET")).body.stores).toEqual([second, store]);
    expect((await call("GET", "", undefined, { team: null })).body).toEqual({ stores: [] });
    // The official client sends no version.
    expect((await world.call("GET", `/storage/stores/${store.id}`)).body).toEqual({ store });
  });

  it("refuses a body that it does not know", async () => {
    for (const fields of [
      { name: "" },
      { name: " " },
      { region: "mars" },
      { access: "secret" },
      { projectId: "web" },
    ])
      expect(await call("POST", "/blob", { name: "images", ...fields })).toMatchObject(refused);
  });

  it("is renamed", async () => {
    const { id } = await create();
    await world.advance(1000);
    expect(await call("PUT", `/blob/${id}`, { name: "pictures" })).toMatchObject({
      status: 200,
      body: { store: { id, name: "pictures", updatedAt: world.clock.now() } },
    });
  });

  it("has a token, which only its secrets show", async () => {
    const store = await create();
    const { body } = await call("GET", `/${store.id}/secrets`);
    const rest = store.id.slice("store_".length);
    expect(body).toEqual({ rwToken: expect.stringMatching(`^vercel_blob_rw_${rest}_[A-Za-z0-9]{32}$`) });
    expect(JSON.stringify(await call("GET"))).not.toContain(body.rwToken);
    expect(JSON.stringify(await world.control.snapshot())).not.toContain(body.rwToken);
  });

  it("is deleted with its connections and their variables", async () => {
    const store = await create();
    const web = await project();
    await connect(store.id, web);
    expect(await call("DELETE", `/blob/${store.id}`)).toMatchObject({ status: 200, body: { id: store.id } });
    expect(await variablesOf(web)).toEqual([]);
    for (const rest of [`/${store.id}`, `/${store.id}/secrets`, `/${store.id}/connections`])
      expect(await call("GET", rest)).toMatchObject(notFound);
    expect(await call("DELETE", `/blob/${store.id}`)).toMatchObject(notFound);
    expect((await world.control.snapshot()).blobConnections).toEqual([]);
  });

  it("is not found in another account", async () => {
    const store = await create();
    expect(await call("GET", `/${store.id}`, undefined, { team: null })).toMatchObject(notFound);
  });
});

describe("a connection", () => {
  it("gives the project a variable with the token, in production and preview", async () => {
    const store = await create();
    const web = await project("web", { framework: "nextjs" });
    const { status, body } = await connect(store.id, web);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ id: expect.stringMatching(/^spc_[A-Za-z0-9]{16}$/), projectId: web },
      ...{ envVarEnvironments: ["production", "preview"], envVarPrefix: "BLOB", productionDeployment: null },
      project: { id: web, name: "web", framework: "nextjs" },
    });
    expect((await call("GET", `/${store.id}/connections`)).body).toEqual({ connections: [body] });
    const metadata = {
      ...{ id: body.id, projectId: web, name: "web", framework: "nextjs", envVarPrefix: "BLOB" },
      ...{ environments: ["production", "preview"], environmentVariables: ["BLOB_READ_WRITE_TOKEN"] },
    };
    const { store: read } = (await call("GET", `/${store.id}`)).body;
    expect(read).toMatchObject({ totalConnectedProjects: 1, projectsMetadata: [metadata] });
    const short = (await call("GET", `/${store.id}?skip-metadata=true`)).body.store;
    expect(short).toMatchObject({ totalConnectedProjects: 1, projectsMetadata: [] });
    const [variable] = await variablesOf(web);
    expect(variable).toMatchObject({
      ...{ key: "BLOB_READ_WRITE_TOKEN", type: "encrypted", target: ["production", "preview"] },
      contentHint: { type: "blob-read-write-token", storeId: store.id },
    });
    const { rwToken } = (await call("GET", `/${store.id}/secrets`)).body;
    const decrypted = await world.call("GET", `/v1/projects/web/env/${variable?.id}`);
    expect(decrypted.body.value).toBe(rwToken);
  });

  it("changes the key and the environments of its variable, which keeps its id", async () => {
    const store = await create();
    const web = await project();
    const { id } = (await connect(store.id, web)).body;
    const [before] = await variablesOf(web);
    const change = { envVarPrefix: "ASSETS", envVarEnvironments: ["development", "preview"] };
    expect(await call("PATCH", `/${store.id}/connections/${id}`, change)).toMatchObject({
      status: 200,
      body: { id, ...change },
    });
    expect(await variablesOf(web)).toMatchObject([
      { id: before?.id, key: "ASSETS_READ_WRITE_TOKEN", target: ["development", "preview"] },
    ]);
  });

  it("creates its variable again with a change, if somebody has deleted it", async () => {
    const store = await create();
    const web = await project();
    const { id } = (await connect(store.id, web)).body;
    const [variable] = await variablesOf(web);
    await world.call("DELETE", `/v9/projects/web/env/${variable?.id}`);
    await call("PATCH", `/${store.id}/connections/${id}`, { envVarEnvironments: ["preview"] });
    expect(await variablesOf(web)).toMatchObject([{ key: "BLOB_READ_WRITE_TOKEN", target: ["preview"] }]);
  });

  it("is deleted with its variable, and leaves the others", async () => {
    const [first, second] = [await create(), await create()];
    const web = await project();
    const { id } = (await connect(first.id, web)).body;
    await connect(second.id, web, { envVarPrefix: "OTHER" });
    expect((await call("DELETE", `/${first.id}/connections/${id}`)).status).toBe(204);
    expect(await variablesOf(web)).toMatchObject([{ key: "OTHER_READ_WRITE_TOKEN" }]);
    expect(await call("DELETE", `/${first.id}/connections/${id}`)).toMatchObject(notFound);
    expect(await call("PATCH", `/${second.id}/connections/${id}`, {})).toMatchObject(notFound);
  });

  it("is refused twice for a project, for a key that is in use, and for an unknown project", async () => {
    const [first, second] = [await create(), await create()];
    const web = await project();
    await connect(first.id, web);
    const conflict = { status: 409, body: { error: { code: "conflict" } } };
    expect(await connect(first.id, web, { envVarPrefix: "OTHER" })).toMatchObject(conflict);
    const inUse = { status: 403, body: { error: { code: "ENV_CONFLICT" } } };
    expect(await connect(second.id, web)).toMatchObject(inUse);
    expect((await call("GET", `/${second.id}/connections`)).body).toEqual({ connections: [] });
    const { id } = (await connect(second.id, web, { envVarPrefix: "OTHER" })).body;
    const renamed = await call("PATCH", `/${second.id}/connections/${id}`, { envVarPrefix: "BLOB" });
    expect(renamed).toMatchObject(inUse);
    expect(await connect(first.id, "prj_none")).toMatchObject(notFound);
    for (const fields of [{ envVarPrefix: "1X" }, { envVarEnvironments: [] }, { envVarEnvironments: ["x"] }])
      expect(await connect(first.id, web, fields)).toMatchObject(refused);
  });

  it("has a sensitive variable where the policy of the team requires it", async () => {
    const { id: team } = (await world.call("GET", "/v2/teams/acme")).body;
    const policy = { sensitiveEnvironmentVariablePolicy: "on" };
    await world.call("PATCH", `/v2/teams/${team}`, { body: policy });
    const store = await create();
    const web = await project();
    await connect(store.id, web);
    expect(await variablesOf(web)).toMatchObject([{ type: "sensitive" }]);
  });

  it("ends with its project, and with a transfer, after which the variable stays", async () => {
    const store = await create();
    const [web, docs] = [await project(), await project("docs")];
    await connect(store.id, web);
    await connect(store.id, docs);
    await world.call("DELETE", "/v9/projects/docs");
    expect((await call("GET", `/${store.id}/connections`)).body.connections).toHaveLength(1);
    await world.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
    await world.control.startTransfer(web, { toTeam: "beta" });
    const { id } = (await call("GET", `/${store.id}/connections`)).body.connections[0];
    const moving = { status: 409, body: { error: { code: "conflict" } } };
    expect(await call("DELETE", `/${store.id}/connections/${id}`)).toMatchObject(moving);
    await world.control.completeTransfer(web);
    expect((await call("GET", `/${store.id}/connections`)).body).toEqual({ connections: [] });
    const { envs } = (await world.call("GET", `/v9/projects/${web}/env`, { team: "beta" })).body;
    expect(envs).toMatchObject([{ key: "BLOB_READ_WRITE_TOKEN", contentHint: null }]);
  });
});

it("emits the events of the variable", async () => {
  const store = await create();
  const web = await project();
  const { id } = (await connect(store.id, web)).body;
  await call("PATCH", `/${store.id}/connections/${id}`, { envVarPrefix: "ASSETS" });
  await call("DELETE", `/${store.id}/connections/${id}`);
  const types = (await world.control.events()).map(({ type }) => String(type));
  // The newest first.
  const ofVariables = types.filter((type) => type.startsWith("project.env-variable."));
  expect(ofVariables.map((type) => type.split(".").at(-1))).toEqual(["deleted", "updated", "created"]);
});

describe("a seed", () => {
  const rows = (more: object = {}) => ({
    projects: [{ team: "acme", name: "web" }],
    blobStores: [
      {
        ...{ team: "acme", id: "store_images", name: "images", count: 3, size: 100, token: "seeded" },
        connections: [{ project: "web", envVarPrefix: "ASSETS", envVarEnvironments: ["preview" as const] }],
        ...more,
      },
    ],
  });

  it("has stores with connections, whose variables it adds", async () => {
    await world.seed(rows());
    await world.seed(rows());
    expect((await call("GET", "/store_images")).body.store).toMatchObject({ count: 3, size: 100 });
    const { id } = (await world.call("GET", "/v9/projects/web")).body;
    expect(await variablesOf(id)).toMatchObject([
      { key: "ASSETS_READ_WRITE_TOKEN", contentHint: { storeId: "store_images" } },
    ]);
  });

  it("connects a store with the variable that it has", async () => {
    const variable = { key: "ASSETS_READ_WRITE_TOKEN", value: "v", target: ["preview" as const] };
    const env = [{ ...variable, team: "acme", project: "web", id: "env1", type: "encrypted" as const }];
    await world.seed({ ...rows(), env });
    const { id } = (await world.call("GET", "/v9/projects/web")).body;
    expect(await variablesOf(id)).toMatchObject([{ id: "env1", contentHint: { storeId: "store_images" } }]);
  });

  it("refuses a connection whose key another variable has", async () => {
    const variable = {
      key: "ASSETS_READ_WRITE_TOKEN",
      value: "v",
      target: ["preview", "production"] as const,
    };
    const env = [
      { ...variable, target: [...variable.target], team: "acme", project: "web", type: "plain" as const },
    ];
    await expect(world.seed({ ...rows(), env })).rejects.toThrow(
      /blobStores\[0\]\.connections\[0\].*exists for at least/,
    );
  });
});
