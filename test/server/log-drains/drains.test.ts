import { useTestServer } from "../../support/world";

const world = useTestServer();

const url = "https://logs.example.org/";
const body = {
  name: "audit",
  projects: "all",
  schemas: { log: { version: "v1" } },
  delivery: { type: "http", endpoint: url, encoding: "json" },
};
const create = (fields: object = {}) => world.call("POST", "/v1/drains", { body: { ...body, ...fields } });

describe("drains of logs in their newest form", () => {
  it("are the log drains of the account", async () => {
    await world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] });
    const { status, body: drain } = await create({
      projects: "some",
      projectIds: ["prj_web"],
      filter: {
        version: "v2",
        filter: { type: "basic", log: { sources: ["static"] }, deployment: { environments: ["preview"] } },
      },
      delivery: { ...body.delivery, headers: { "x-tenant": "acme" }, secret: "secret" },
      sampling: [{ type: "head_sampling", rate: 0.5 }],
    });
    expect(status).toBe(200);
    expect((await world.call("GET", `/v1/log-drains/${drain.id}`)).body).toMatchObject({
      name: "audit",
      url,
      deliveryFormat: "json",
      projectIds: ["prj_web"],
      sources: ["static"],
      environments: ["preview"],
      headers: { "x-tenant": "acme" },
      samplingRate: 0.5,
      secret: "",
    });
    expect((await world.call("GET", `/v1/drains/${drain.id}`)).body).toEqual(drain);
    expect(drain.delivery).not.toHaveProperty("secret");
    expect((await world.call("DELETE", `/v1/drains/${drain.id}`)).status).toBe(204);
    expect((await world.call("GET", "/v1/log-drains")).body).toEqual([]);
  });

  it("are at most 20, with those of /v1/log-drains", async () => {
    for (let at = 0; at < 19; at++) expect((await create()).status).toBe(200);
    const earlier = { name: "own", url, deliveryFormat: "json", sources: ["external"] };
    expect((await world.call("POST", "/v1/log-drains", { body: earlier })).status).toBe(200);
    const { status, body: refused } = await create();
    expect([status, refused.error.message]).toEqual([400, expect.stringContaining("at most 20 log drains")]);
  });

  it("receive logs of every source and environment without a filter", async () => {
    const { body: drain } = await create();
    expect(drain.filterV2.filter).toEqual({
      type: "basic",
      log: {},
      deployment: { environments: ["production", "preview"] },
    });
  });

  it.each<[string, object, string]>([
    ["traces", { schemas: { trace: { version: "v1" } } }, "schemas"],
    ["another delivery", { delivery: { ...body.delivery, type: "otlphttp" } }, "delivery.type"],
    ["compression", { delivery: { ...body.delivery, compression: "gzip" } }, "delivery.compression"],
    ["a filter in OData", { filter: { version: "v1", filter: { type: "odata", text: "x" } } }, "filter"],
    ["some projects without their ids", { projects: "some" }, "projectIds"],
    ["all projects with ids", { projectIds: ["prj_web"] }, "projectIds"],
    ["a transform", { transforms: [{ id: "t" }] }, "transforms"],
    [
      "sampling by path",
      { sampling: [{ type: "head_sampling", rate: 0.5, requestPath: "/api" }] },
      "sampling",
    ],
  ])("are refused by the member that asks for %s", async (_what, fields, member) => {
    const { status, body: refused } = await create(fields);
    expect({ status, code: refused.error?.code }).toEqual({ status: 400, code: "bad_request" });
    expect(refused.error.message).toContain(member);
  });

  it("change by members, each of which replaces what it holds", async () => {
    await world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] });
    const filter = (inner: object) => ({ version: "v2", filter: { type: "basic", ...inner } });
    const { body: drain } = await create({
      projects: "some",
      projectIds: ["prj_web"],
      filter: filter({ log: { sources: ["static"] }, deployment: { environments: ["preview"] } }),
      delivery: { ...body.delivery, headers: { "x-tenant": "acme" }, secret: "secret" },
      sampling: [{ type: "head_sampling", rate: 0.5 }],
    });
    const update = (change: object) => world.call("PATCH", `/v1/drains/${drain.id}`, { body: change });
    await world.advance(1000);
    const renamed = await update({ name: "renamed", status: "enabled" });
    expect(renamed).toMatchObject({
      status: 200,
      body: { ...drain, name: "renamed", updatedAt: drain.updatedAt + 1000 },
    });
    const { body: delivered } = await update({
      delivery: { type: "http", endpoint: `${url}new`, encoding: "ndjson", headers: {} },
      sampling: [],
    });
    expect(delivered).toEqual({
      ...renamed.body,
      delivery: { type: "http", endpoint: `${url}new`, encoding: "ndjson", headers: {} },
      sampling: undefined,
    });
    const { body: filtered } = await update({ filter: filter({ log: { sources: ["edge"] } }) });
    expect(filtered).toMatchObject({
      projectIds: ["prj_web"],
      filterV2: {
        filter: { log: { sources: ["edge"] }, deployment: { environments: ["production", "preview"] } },
      },
    });
    expect((await update({ filter: null, projects: "all" })).body).toMatchObject({
      filterV2: { filter: { log: {} } },
    });
    const { body: last } = await world.call("GET", `/v1/drains/${drain.id}`);
    expect(last).not.toHaveProperty("projectIds");
    expect(last).not.toHaveProperty("sampling");
    expect((await update({ projectIds: ["prj_web"] })).body.projectIds).toEqual(["prj_web"]);
    expect((await update({ projectIds: null })).body).not.toHaveProperty("projectIds");
    expect((await world.call("GET", `/v1/log-drains/${drain.id}`)).body.updatedAt).toBe(last.updatedAt);
  });

  it("take the projects of their filter, and lose headers that a change of the delivery does not have", async () => {
    await world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] });
    const filter = (...ids: string[]) => ({
      version: "v1",
      filter: { type: "basic", ...(ids.length > 0 && { project: { ids } }) },
    });
    const delivery = { ...body.delivery, headers: { "x-tenant": "acme" } };
    const { body: drain } = await create({ filter: filter("prj_web"), delivery });
    expect(drain.projectIds).toEqual(["prj_web"]);
    expect((await create({ filter: filter("prj_unknown") })).status).toBe(400);
    const { body: other } = await create({ delivery });
    const update = (change: object) => world.call("PATCH", `/v1/drains/${other.id}`, { body: change });
    expect((await update({ filter: filter("prj_unknown") })).status).toBe(400);
    expect((await update({ filter: filter("prj_web") })).body.projectIds).toEqual(["prj_web"]);
    const { body: changed } = await update({ filter: filter(), delivery: body.delivery });
    expect([changed.projectIds, changed.delivery.headers]).toEqual([["prj_web"], {}]);
  });

  it.each<[string, object, string]>([
    ["unknown projects", { projects: "some", projectIds: ["prj_unknown"] }, "projectIds"],
    ["some projects without their ids", { projects: "some" }, "projectIds"],
    ["all projects with ids", { projects: "all", projectIds: ["prj_web"] }, "projectIds"],
    ["its end", { status: "disabled" }, "status"],
  ])("refuse a change to %s, and stay as they are", async (_what, change, member) => {
    await world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] });
    const { body: drain } = await create();
    const { status, body: refused } = await world.call("PATCH", `/v1/drains/${drain.id}`, { body: change });
    expect(status).toBe(400);
    expect(refused.error.message).toContain(member);
    expect((await world.call("GET", `/v1/drains/${drain.id}`)).body).toEqual(drain);
  });

  it("answer 404 to a change of an unknown one", async () => {
    expect((await world.call("PATCH", "/v1/drains/ld_unknown", { body: {} })).status).toBe(404);
  });

  it("are not shown with their headers to a viewer", async () => {
    const { body: drain } = await create({ delivery: { ...body.delivery, headers: { "x-key": "k" } } });
    const token = await world.member("VIEWER");
    const { body: seen } = await world.call("GET", `/v1/drains/${drain.id}`, { token });
    expect(seen.delivery.headers).toEqual({});
  });
});
