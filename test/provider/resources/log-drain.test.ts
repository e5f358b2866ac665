import type { Plain } from "../../../provider/core/values";
import { logDrain } from "../../../provider/resources/log-drain";
import { signed, useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const receiver = useReceivers();
const path = "/v1/drains";
const declared = { name: "audit", endpoint: "http://127.0.0.1:9/logs" };
const secret = "s".repeat(32);
const drains = async (): Promise<Plain[]> => (await w.curl("GET", path)).drains ?? [];
const ids = async () => (await drains()).map(({ id }) => id).sort();
const body = {
  name: declared.name,
  projects: "all",
  schemas: { log: { version: "v1" } },
  delivery: { type: "http", endpoint: declared.endpoint, encoding: "json", headers: {} },
};
const create = async (more: object = {}): Promise<Plain> => w.curl("POST", path, { ...body, ...more });
/** The requests that change something, without the first ones. */
const writes = async (skipped = 0): Promise<Plain[]> =>
  (await w.server.control.requests())
    .reverse()
    .filter(({ method }) => method !== "GET")
    .slice(skipped);

it("sends the log lines of every project, source and environment by default", async () => {
  const stack = w.stack(logDrain);
  await stack.up(declared);
  expect(stack.state).toMatchObject({ ...declared, status: "enabled" });
  expect(await w.curl("GET", `/v1/log-drains/${stack.id}`)).toMatchObject({
    deliveryFormat: "json",
    environments: ["production", "preview"],
  });
});

it("signs deliveries with its secret, and with the next one after a rotation", async () => {
  const hook = await receiver();
  const stack = w.stack(logDrain);
  const inputs = { ...declared, endpoint: hook.url };
  const isSignedWith = (key: string) => () =>
    hook.accepted.some(({ raw, headers }) => headers["x-vercel-signature"] === signed(raw, key));
  await stack.up({ ...inputs, secret });
  const { id } = stack;
  await w.curl("GET", "/v9/projects");
  await until("a delivery has the first signature", isSignedWith(secret));
  const next = "t".repeat(32);
  expect(await stack.up({ ...inputs, secret: next })).toBe("update");
  expect(stack.id).toBe(id);
  await w.curl("GET", "/v9/projects");
  await until("a delivery has the next signature", isSignedWith(next));
});

it("sends only what changes, with what the service has beside it", async () => {
  const stack = w.stack(logDrain);
  await stack.up({ ...declared, headers: { a: "1" }, secret });
  const delivery = { ...body.delivery, headers: { a: "1" } };
  // Not managed, so it stays as people set it.
  const filter = { type: "basic", deployment: { environments: ["preview"] } };
  await w.curl("PATCH", `${path}/${stack.id}`, { filter: { version: "v2", filter }, delivery });
  expect(await stack.up({ ...declared, headers: { a: "1" }, secret, sources: ["edge"] })).toBe("update");
  expect(await w.curl("GET", `/v1/log-drains/${stack.id}`)).toMatchObject({
    sources: ["edge"],
    environments: ["preview"],
    headers: { a: "1" },
  });
  expect(await stack.up({ ...declared, name: "renamed", secret })).toBe("update");
  expect(await w.curl("GET", `/v1/log-drains/${stack.id}`)).toMatchObject({
    name: "renamed",
    environments: ["preview"],
  });
});

describe("a drain with what no program can declare", () => {
  const rule = { type: "head_sampling", rate: 0.1, requestPath: "/api" };
  const project = { ids: ["prj_1"] };
  const filter = {
    type: "basic",
    project,
    log: { sources: ["edge"], legacy: true },
    deployment: { environments: ["preview"], branch: "next" },
  };

  /** The bodies of the changes of a drain that the service shows with these members. */
  async function changesOf(shown: Plain, ...changes: Plain[]): Promise<unknown[]> {
    const stack = w.stack(logDrain);
    await stack.up(declared);
    const logs = (await w.curl("GET", `${path}/${stack.id}`)) as Plain;
    const bodies: unknown[] = [];
    jest.spyOn(w.client, "send").mockImplementation(async ({ method, body, shape }) => {
      if (method === "PATCH") bodies.push(body);
      return shape.parse({ ...logs, ...shown }) as never;
    });
    for (const change of changes) await stack.up({ ...declared, ...change });
    return bodies;
  }

  it("keeps its compression when another setting of its delivery changes", async () => {
    const delivery = { ...body.delivery, compression: "gzip" };
    expect(await changesOf({ delivery }, { deliveryFormat: "ndjson" })).toEqual([
      { delivery: { ...delivery, encoding: "ndjson" } },
    ]);
  });

  it("keeps its rules for paths when the rate of all others changes", async () => {
    const all = (rate: number) => ({ type: "head_sampling", rate });
    const sampling = [rule, all(0.9)];
    expect(await changesOf({ sampling }, { samplingRate: 0.5 }, {})).toEqual([
      { sampling: [rule, all(0.5)] },
      { sampling: [rule] },
    ]);
  });

  it("keeps the other members of its filter when its sources or environments change", async () => {
    const filterV2 = { version: "v2", filter };
    const { log, deployment } = filter;
    const preview = { environments: ["preview"] };
    expect(await changesOf({ filterV2 }, { sources: ["build"], ...preview }, preview)).toEqual([
      { filter: { version: "v2", filter: { ...filter, log: { ...log, sources: ["build"] } } } },
      { filter: { version: "v2", filter: { type: "basic", project, log: { legacy: true }, deployment } } },
    ]);
  });

  it("gets another filter in place of one in another language", async () => {
    const filterV2 = { version: "v2", filter: { type: "odata", text: "x" } };
    expect(await changesOf({ filterV2 }, { environments: ["preview"] })).toEqual([
      { filter: { version: "v2", filter: { type: "basic", deployment: { environments: ["preview"] } } } },
    ]);
  });
});

it("keeps a secret that leaves the program, without a request", async () => {
  const stack = w.stack(logDrain);
  await stack.up({ ...declared, secret });
  const before = (await writes()).length;
  expect(await stack.up(declared)).toBe("update");
  expect(await writes(before)).toEqual([]);
  expect(stack.state).not.toHaveProperty("secret");
  expect(await stack.up(declared)).toBe("same");
});

it("conceals endpoint, headers and secret in what the service says of them", async () => {
  const endpoint = `${declared.endpoint}?token=canary-endpoint`;
  const message = `Refused: ${endpoint}, canary-header, ${secret}`;
  const stack = w.stack(logDrain);
  const inputs = { ...declared, endpoint, headers: { authorization: "canary-header" }, secret };
  const refused = /: Refused: \[secret\], \[secret\], \[secret\]/;
  const fault = { kind: "status", status: 400, code: "bad_request", message } as const;
  await w.server.control.addFaults({ method: "POST", path, times: 1, ...fault });
  await expect(stack.up(inputs)).rejects.toThrow(refused);
  await stack.up(inputs);
  await w.server.control.addFaults({ method: "PATCH", path: `${path}/:id`, times: 1, ...fault });
  await expect(stack.up({ ...inputs, name: "other" })).rejects.toThrow(refused);
});

it("does not see that another secret was set", async () => {
  const stack = w.stack(logDrain);
  await stack.up({ ...declared, secret });
  await w.curl("PATCH", `${path}/${stack.id}`, { delivery: { ...body.delivery, secret: "other" } });
  await stack.refresh(w.another());
  expect(await stack.up({ ...declared, secret })).toBe("same");
});

it.each(["drop-after", "drop-before"] as const)(
  "is created once when the answer gets lost: %s",
  async (kind) => {
    const { id: older } = await create({ name: "other" });
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    const stack = w.stack(logDrain);
    await stack.up({
      ...declared,
      secret,
      headers: { a: "1" },
      sources: ["edge", "build"],
      samplingRate: 0.5,
    });
    expect(await ids()).toEqual([older, stack.id].sort());
  },
);

it("is distinguished from an equal drain of the program when its answer is lost", async () => {
  await w.server.control.addFaults({ method: "POST", path, skip: 1, kind: "drop-after" });
  const both = [w.stack(logDrain), w.stack(logDrain)];
  await Promise.all(both.map((stack) => stack.up(declared)));
  expect(await ids()).toEqual(both.map(({ id }) => id).sort());
});

it("leaves a drain alone that was there before, and warns of it", async () => {
  const { id: equal } = await create();
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-before" });
  const stack = w.stack(logDrain);
  await stack.up(declared);
  expect(await ids()).toEqual([equal, stack.id].sort());
  expect(w.warnings).toEqual([
    expect.stringMatching(new RegExp(`already has an equal log drain \\(${equal}\\).*import it`)),
  ]);
});

it("is read for an import with all that a program can declare", async () => {
  const { id } = await create({
    filter: { version: "v2", filter: { type: "basic", log: { sources: ["edge"] } } },
    delivery: { ...body.delivery, headers: { a: "1" }, secret: "not read" },
    sampling: [{ type: "head_sampling", rate: 0.5 }],
  });
  const read = await logDrain.read(w.run, String(id), undefined);
  expect(read?.inputs).toEqual({
    ...declared,
    deliveryFormat: "json",
    sources: ["edge"],
    environments: ["production", "preview"],
    samplingRate: 0.5,
    headers: { a: "1" },
  });
});

it("refuses references that an import left in the program", async () => {
  const reference = "config:imported-audit";
  for (const left of [{ secret: reference.padEnd(32, "x") }, { headers: { authorization: reference } }])
    expect(await logDrain.declare(w.run, declared, { ...declared, ...left })).toEqual([
      expect.objectContaining({ reason: expect.stringContaining("Declare that secret.") }),
    ]);
});

it("neither lists nor reads drains of another kind", async () => {
  const { id } = await create();
  const logs = await w.curl("GET", `${path}/${id}`);
  const others = [
    { ...logs, id: "d_1", schemas: { trace: {} } },
    {
      ...logs,
      id: "d_2",
      delivery: { type: "otlphttp", endpoint: { traces: "https://a.test" }, encoding: "proto" },
    },
    { ...logs, id: "d_3", source: { kind: "integration", integrationId: "oac_1" } },
  ];
  const { send } = w.client;
  jest.spyOn(w.client, "send").mockImplementation(async function (this: typeof w.client, request) {
    const [, name] = /drains\/(d_\d)$/.exec(request.path) ?? [];
    if (name !== undefined) return request.shape.parse(others.find((one) => one.id === name)) as never;
    if (request.path === path) return request.shape.parse({ drains: [...others, logs] }) as never;
    return send.call(this, request) as never;
  });
  const page = await logDrain.list?.page(w.client, {}, { until: undefined, limit: 100 });
  expect(page?.items).toEqual([{ id, name: "audit" }]);
  for (const other of others)
    await expect(logDrain.read(w.run, other.id, undefined)).rejects.toThrow(
      /does not send logs over HTTP, or belongs to an integration/,
    );
});

it("reads what newer drains have beside a program: rules for paths, and a filter of another language", async () => {
  const { id } = await create();
  const logs = (await w.curl("GET", `${path}/${id}`)) as Plain;
  jest.spyOn(w.client, "send").mockImplementation(async ({ shape }) => {
    const sampling = [{ type: "head_sampling", rate: 0.1, requestPath: "/api" }];
    const filterV2 = { version: "v2", filter: { type: "odata", text: "x" } };
    return shape.parse({ ...logs, sampling, filterV2, status: "errored" }) as never;
  });
  const read = await logDrain.read(w.run, String(id), undefined);
  expect(read?.inputs).toMatchObject({ samplingRate: 1, environments: ["production", "preview"] });
  expect(read?.inputs).not.toHaveProperty("sources");
  expect(read?.state).toMatchObject({ status: "errored" });
});

it("reports a deleted drain as missing", async () => {
  const stack = w.stack(logDrain);
  await stack.up(declared);
  await stack.destroy();
  expect(await drains()).toEqual([]);
  expect(await stack.refresh(w.another())).toBe(false);
});

it("lists the drains of a project", async () => {
  const { id: projectId } = (await w.curl("POST", "/v10/projects", { name: "web" })) as Plain;
  const { id: other } = (await w.curl("POST", "/v10/projects", { name: "other" })) as Plain;
  await create({ name: "web", projects: "some", projectIds: [projectId] });
  await create({ name: "other", projects: "some", projectIds: [other] });
  const page = await logDrain.list?.page(w.client, { projectId }, { until: undefined, limit: 100 });
  expect(page?.items.map(({ name }) => name)).toEqual(["web"]);
});
