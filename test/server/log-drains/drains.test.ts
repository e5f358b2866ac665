import { createHmac } from "node:crypto";
import { useReceivers } from "../../support/receiver";
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
    expect([status, refused.error.message]).toEqual([400, expect.stringContaining("at most 20 drains")]);
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
    ["unknown data", { schemas: { speed: { version: "v1" } } }, "schemas"],
    ["two kinds of data", { schemas: { log: { version: "v1" }, trace: { version: "v1" } } }, "schemas"],
    ["another delivery", { delivery: { ...body.delivery, type: "clickhouse" } }, "delivery"],
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

const trace = {
  name: "traces",
  projects: "all",
  schemas: { trace: { version: "v1" } },
  delivery: {
    type: "otlphttp",
    endpoint: { traces: "https://otlp.example.org/v1/traces" },
    encoding: "proto",
  },
};
const audit = {
  name: "audit",
  projects: "all",
  schemas: { audit_log: { version: "v1" } },
  delivery: { type: "http", endpoint: url, encoding: "ndjson" },
};
const bucket = {
  type: "s3",
  endpoint: "s3://audit-logs/vercel",
  encoding: "json",
  ...{ compression: "none", fileStructure: "hive" },
  roleArn: "arn:aws:iam::123456789012:role/audit",
  region: "eu-central-1",
};
const rule = (fields: object) => ({ type: "head_sampling" as const, rate: 0.5, ...fields });

describe("drains of traces and audit logs", () => {
  beforeEach(() => world.control.changeTeam("acme", { plan: "enterprise" }));

  it("are stored, shown without their secret, and listed with the drains of logs, the newest first", async () => {
    await world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] });
    const { body: logs } = await create();
    await world.advance(1);
    const { status, body: traces } = await create({
      ...trace,
      ...{ projects: "some", projectIds: ["prj_web"] },
      delivery: { ...trace.delivery, headers: { "x-tenant": "acme" }, secret: "secret" },
      sampling: [rule({ env: "production", requestPath: "/api" }), rule({ rate: 0 })],
    });
    expect(status).toBe(200);
    expect(traces).toMatchObject({
      ...{ name: "traces", projectIds: ["prj_web"], schemas: trace.schemas, source: { kind: "self-served" } },
      delivery: { ...trace.delivery, headers: { "x-tenant": "acme" } },
      sampling: [rule({ env: "production", requestPath: "/api" }), rule({ rate: 0 })],
    });
    expect(traces.delivery).not.toHaveProperty("secret");
    await world.advance(1);
    const { body: events } = await create(audit);
    expect(events.delivery).toEqual({ ...audit.delivery, compression: "none", headers: {} });
    await world.advance(1);
    const { body: objects } = await create({ ...audit, delivery: bucket });
    expect(objects.delivery).toEqual(bucket);
    expect((await world.call("GET", "/v1/drains")).body.drains).toEqual([objects, events, traces, logs]);
    expect((await world.call("GET", "/v1/drains?projectId=prj_other")).body.drains).not.toContainEqual(
      traces,
    );
    expect((await world.call("GET", `/v1/drains/${traces.id}`)).body).toEqual(traces);
    expect((await world.call("GET", "/v1/log-drains")).body).toHaveLength(1);
    expect((await world.call("GET", `/v1/log-drains/${traces.id}`)).status).toBe(404);
    expect((await world.call("DELETE", `/v1/drains/${traces.id}`)).status).toBe(204);
    expect((await world.call("GET", `/v1/drains/${traces.id}`)).status).toBe(404);
  });

  it("change by members, and keep what a change does not name", async () => {
    const { body: drain } = await create({ ...trace, sampling: [rule({ env: "preview" })] });
    await world.advance(1000);
    const update = (body: object) => world.call("PATCH", `/v1/drains/${drain.id}`, { body });
    expect((await update({ name: "renamed" })).body).toEqual({
      ...drain,
      ...{ name: "renamed", updatedAt: drain.updatedAt + 1000 },
    });
    const delivery = { ...trace.delivery, encoding: "json", headers: { a: "1" } };
    expect((await update({ delivery, sampling: null })).body).toMatchObject({ name: "renamed", delivery });
    const { body: last } = await world.call("GET", `/v1/drains/${drain.id}`);
    expect(last).not.toHaveProperty("sampling");
    const token = await world.member("VIEWER");
    const { body: seen } = await world.call("GET", `/v1/drains/${drain.id}`, { token });
    expect(seen.delivery.headers).toEqual({});
  });

  it.each<[string, object, string]>([
    ["traces over http", { ...trace, delivery: body.delivery }, "delivery.type must be otlphttp"],
    ["audit logs over OTLP", { ...audit, delivery: trace.delivery }, "delivery.type must be http or s3"],
    ["logs in a bucket", { delivery: bucket }, "delivery.type must be http"],
    [
      "a filter of traces",
      { ...trace, filter: { version: "v2", filter: { type: "basic", log: {} } } },
      "filter",
    ],
    ["audit logs of a project", { ...audit, projects: "some", projectIds: ["prj_1"] }, "projectIds"],
    ["a share of audit logs", { ...audit, sampling: [rule({})] }, "sampling"],
    ["two rates of logs", { sampling: [rule({}), rule({})] }, "sampling"],
    ["no logs", { sampling: [rule({ rate: 0 })] }, "sampling"],
    [
      "a bucket without a name",
      { ...audit, delivery: { ...bucket, endpoint: "s3://" } },
      "delivery.endpoint",
    ],
  ])("refuse %s", async (_what, fields, text) => {
    const { status, body: refused } = await create(fields);
    expect([status, refused.error?.message]).toEqual([400, expect.stringContaining(text)]);
  });

  it("refuse a change to other data", async () => {
    const { body: drain } = await create(trace);
    const change = async (body: object) =>
      (await world.call("PATCH", `/v1/drains/${drain.id}`, { body })).body.error?.message;
    expect(await change({ schemas: audit.schemas })).toContain("schemas must stay");
    expect(await change({ schemas: trace.schemas })).toBeUndefined();
    expect(await change({ delivery: audit.delivery })).toContain("delivery.type must be otlphttp");
  });

  it("need an enterprise team for audit logs, but not to change an existing one", async () => {
    const { body: drain } = await create(audit);
    await world.control.changeTeam("acme", { plan: "pro" });
    expect((await create(audit)).body.error.message).toContain("enterprise plan");
    expect((await create(trace)).status).toBe(200);
    const renamed = await world.call("PATCH", `/v1/drains/${drain.id}`, { body: { name: "renamed" } });
    expect(renamed.body.name).toBe("renamed");
    const own = await world.call("POST", "/v1/drains", { body: audit, team: null });
    expect([own.status, own.body.error.message]).toEqual([400, expect.stringContaining("teamId")]);
  });

  it("come from a seed", async () => {
    const otherDrains = [
      {
        ...({ team: "acme", kind: "trace", name: "traces", deliveryFormat: "proto" } as const),
        url: trace.delivery.endpoint.traces,
        sampling: [rule({})],
      },
      {
        ...({ team: "acme", kind: "audit_log", name: "objects", deliveryFormat: "json" } as const),
        url: bucket.endpoint,
        s3: { roleArn: bucket.roleArn, region: bucket.region },
      },
      {
        ...({ team: "acme", kind: "audit_log", name: "events", deliveryFormat: "ndjson", url } as const),
        ...{ headers: { a: "1" }, secret: "secret", createdAt: 1 },
      },
    ];
    for (let times = 0; times < 2; times++) await world.seed({ otherDrains });
    const { drains } = (await world.call("GET", "/v1/drains")).body;
    expect(drains).toHaveLength(3);
    expect(drains).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ name: "traces", schemas: trace.schemas, sampling: [rule({})] }),
        expect.objectContaining({ name: "objects", delivery: bucket }),
      ]),
    );
    expect(drains[2].delivery).toEqual({ ...audit.delivery, compression: "none", headers: { a: "1" } });
    await expect(
      world.seed({
        otherDrains: [{ team: "acme", kind: "trace", name: "a", url, deliveryFormat: "ndjson" }],
      }),
    ).rejects.toThrow("fit together");
  });
});

describe("the test of a drain", () => {
  const startReceiver = useReceivers();
  const test = async (delivery: object, schemas: object = { log: { version: "v1" } }) => {
    const answer = await world.call("POST", "/v1/drains/test", { body: { schemas, delivery } });
    return answer.status === 200 ? answer.body : [answer.status, answer.body.error.code];
  };
  const http = { type: "http", encoding: "json", headers: { "x-tenant": "acme" }, secret: "key" };

  it("sends one signed line to the endpoint", async () => {
    const receiver = await startReceiver();
    expect(await test({ ...http, endpoint: receiver.url })).toEqual({});
    expect(await test({ ...http, endpoint: receiver.url, encoding: "ndjson" })).toEqual({});
    const [json, ndjson] = receiver.accepted;
    expect(json?.headers).toMatchObject({
      ...{ "content-type": "application/json", "x-tenant": "acme" },
      "x-vercel-signature": createHmac("sha1", "key")
        .update(json?.raw ?? "")
        .digest("hex"),
    });
    expect(json?.body).toEqual([expect.objectContaining({ source: "external", level: "info" })]);
    expect(ndjson?.headers["content-type"]).toBe("application/x-ndjson");
    expect(receiver.accepted).toHaveLength(2);
  });

  it("tells why the endpoint did not accept it", async () => {
    const receiver = await startReceiver();
    receiver.react = () => 500;
    const endpoint = receiver.url;
    expect(await test({ ...http, endpoint })).toEqual({
      ...{ endpoint, status: "error", error: "the receiver answered 500" },
    });
  });

  it("sends nothing to other drains, nor from a copy of an account, and says so", async () => {
    const receiver = await startReceiver();
    const traces = { type: "otlphttp", endpoint: { traces: receiver.url }, encoding: "json" };
    expect(await test(traces, { trace: { version: "v1" } })).toMatchObject({ status: "error" });
    await world.seed({ copyOf: "https://api.vercel.com" });
    expect(await test({ ...http, endpoint: receiver.url })).toMatchObject({
      error: expect.stringContaining("copy"),
    });
    expect(receiver.arrived).toEqual([]);
  });

  it("is refused with an invalid body", async () => {
    expect(await test({ ...http, endpoint: "no" })).toEqual([400, "bad_request"]);
    expect(await test({ ...http, endpoint: url }, {})).toEqual([400, "bad_request"]);
  });
});
