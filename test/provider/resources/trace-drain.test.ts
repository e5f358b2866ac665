import type { Plain } from "../../../provider/core/values";
import { auditLogDrain } from "../../../provider/resources/audit-log-drain";
import { logDrain } from "../../../provider/resources/log-drain";
import { traceDrain } from "../../../provider/resources/trace-drain";
import { freshAccount } from "../fields/common";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await freshAccount(w);
});
afterEach(() => w.close());

const path = "/v1/drains";
const declared = { name: "traces", endpoint: "http://127.0.0.1:9/v1/traces" };
const secret = "s".repeat(32);
const drains = async (): Promise<Plain[]> => (await w.curl("GET", path)).drains as unknown as Plain[];
const body = {
  ...{ name: declared.name, projects: "all", schemas: { trace: { version: "v1" } } },
  delivery: { type: "otlphttp", endpoint: { traces: declared.endpoint }, encoding: "json", headers: {} },
};

it("sends the traces of every project by default, in JSON", async () => {
  const stack = w.stack(traceDrain);
  await stack.up(declared);
  expect(stack.state).toMatchObject({ ...declared, status: "enabled" });
  const drain = await w.curl("GET", `${path}/${stack.id}`);
  expect(drain).toMatchObject({ delivery: body.delivery, schemas: body.schemas });
  expect(drain).not.toHaveProperty("projectIds");
  expect(drain).not.toHaveProperty("sampling");
});

it("sends only what changes, with what the service has beside it", async () => {
  const stack = w.stack(traceDrain);
  const rules = [{ rate: 0.5, environment: "production", requestPath: "/api" }, { rate: 0.1 }];
  await stack.up({ ...declared, secret, samplingRules: rules });
  await w.curl("PATCH", `${path}/${stack.id}`, { name: "by hand" });
  expect(await stack.up({ ...declared, secret, samplingRules: rules, deliveryFormat: "proto" })).toBe(
    "update",
  );
  expect(await w.curl("GET", `${path}/${stack.id}`)).toMatchObject({
    name: "by hand",
    delivery: { encoding: "proto" },
    sampling: [
      { type: "head_sampling", rate: 0.5, env: "production", requestPath: "/api" },
      { type: "head_sampling", rate: 0.1 },
    ],
  });
});

it.each(["drop-after", "drop-before"] as const)(
  "is created once when the answer gets lost: %s",
  async (kind) => {
    await w.curl("POST", path, { ...body, name: "other" });
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    const stack = w.stack(traceDrain);
    await stack.up({ ...declared, secret, headers: { a: "1" }, samplingRules: [{ rate: 0.5 }] });
    expect((await drains()).map(({ name }) => name)).toEqual(expect.arrayContaining(["other", "traces"]));
    expect(await drains()).toHaveLength(2);
  },
);

it("warns of an equal drain that was there before, and leaves it alone", async () => {
  const { id } = (await w.curl("POST", path, body)) as Plain;
  const stack = w.stack(traceDrain);
  await stack.up(declared);
  expect((await drains()).map((one) => one.id).sort()).toEqual([id, stack.id].sort());
  expect(w.warnings).toEqual([
    expect.stringContaining(`already has an equal trace drain (${id}), so each trace is delivered twice`),
  ]);
});

it("is read for an import with all that a program can declare", async () => {
  const { id } = (await w.curl("POST", path, {
    ...body,
    delivery: { ...body.delivery, headers: { a: "1" }, secret: "not read" },
    sampling: [{ type: "head_sampling", rate: 0.5, env: "preview" }],
  })) as Plain;
  const read = await traceDrain.read(w.run, String(id), undefined);
  expect(read?.inputs).toEqual({
    ...declared,
    deliveryFormat: "json",
    samplingRules: [{ rate: 0.5, environment: "preview" }],
    headers: { a: "1" },
  });
});

it("is told from drains of other kinds, and they from it", async () => {
  const stacks = [w.stack(traceDrain), w.stack(logDrain), w.stack(auditLogDrain)] as const;
  for (const stack of stacks) await stack.up(declared);
  const ids = stacks.map(({ id }) => id);
  for (const [at, kind] of [traceDrain, logDrain, auditLogDrain].entries()) {
    const page = await kind.list?.page(w.client, {}, { until: undefined, limit: 100 });
    expect(page?.items).toEqual([{ id: ids[at], name: "traces" }]);
    for (const id of ids.filter((other) => other !== ids[at]))
      await expect(kind.read(w.run, String(id), undefined)).rejects.toThrow(
        /does not send .*, or belongs to an integration, so Slipway cannot manage it/,
      );
  }
  expect(w.warnings).toEqual([]);
});

it("lists the drains of a project", async () => {
  const { id: projectId } = (await w.curl("POST", "/v10/projects", { name: "web" })) as Plain;
  await w.curl("POST", path, { ...body, name: "web", projects: "some", projectIds: [projectId] });
  const { id: other } = (await w.curl("POST", "/v10/projects", { name: "other" })) as Plain;
  await w.curl("POST", path, { ...body, name: "other", projects: "some", projectIds: [other] });
  const page = await traceDrain.list?.page(w.client, { projectId }, { until: undefined, limit: 100 });
  expect(page?.items.map(({ name }) => name)).toEqual(["web"]);
});
