import type { Plain } from "../../provider/core/values";
import { loaderText, type ResourceType } from "../../provider/loader";
import { takenApexes } from "../support/domains";
import { byProfile } from "../support/profile";
import { until } from "../support/until";
import { type Host, startHost, withRun } from "./host";
import { type Harness, startHarness } from "./stack";
import { subjects } from "./subjects";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
// Processes start slowly on a busy machine.
/** The name of the project in a test. The process waits for what it has made under a name, so each test has its own. */
let web: string;
let count = 0;
let w: Harness;
let host: Host;
beforeAll(async () => {
  w = await startHarness();
  host = await startHost();
  await host.configure({
    "slipway:apiUrl": w.server.url,
    "slipway:token": w.server.token,
    "slipway:team": "acme",
  });
});
beforeEach(async () => {
  count += 1;
  web = `web-${count}`;
  await w.server.control.reset();
});
afterAll(async () => {
  await host.close();
  await w.close();
});

it("asks stored states for nothing but these texts", () => {
  // Frozen: a state that was written once calls its text for ever.
  for (const { resource, handler } of subjects) {
    expect(loaderText(resource.type as ResourceType)).toBe(
      `module.exports=require('slipway/dynamic').${handler}`,
    );
  }
});

it("refuses at preview what could not be promoted, and asks nothing when the deployment stays", async () => {
  const built = { team: "acme", project: web, target: "production" } as const;
  await w.server.control.seed({ projects: [web, "other"].map((name) => ({ team: "acme", name })) });
  await w.server.control.deploy(
    { ...built, id: "dpl_ready", readyState: "READY", createdAt: 1 },
    { ...built, id: "dpl_failed", readyState: "ERROR", createdAt: 2 },
    { ...built, id: "dpl_other", project: "other", readyState: "READY", createdAt: 3 },
  );
  const reasons = async (olds: Plain, deployment: string, project = web): Promise<string[]> =>
    (await host.check("Promotion", olds, { project, deployment })).failures.map(({ reason }) => reason);
  expect(await reasons({}, "dpl_ready")).toEqual([]);
  expect(await reasons({}, "dpl_failed")).toEqual([expect.stringMatching(/dpl_failed is ERROR/)]);
  expect(await reasons({ project: web, deployment: "dpl_ready" }, "dpl_other")).toEqual([
    expect.stringContaining(`belongs to other, not to the project ${web}`),
  ]);
  expect(await reasons({}, unknownText)).toEqual([]);
  expect(await reasons({}, "dpl_failed", "of-this-run")).toEqual([]);
  const before = (await w.server.control.requests()).length;
  expect(await reasons({ project: web, deployment: "dpl_failed" }, "dpl_failed")).toEqual([]);
  expect(await w.server.control.requests()).toHaveLength(before);
});

it("names the resource that sends a request", async () => {
  const news = { name: "named", buildCommand: "make" };
  const { inputs } = await host.check("Project", {}, news, "site");
  const { id, properties } = await host.create("Project", inputs, "site");
  const changed = await host.check("Project", inputs, { ...news, buildCommand: "two" }, "site");
  await host.diff("Project", id, properties, changed.inputs);
  await host.update("Project", id, properties, changed.inputs);
  await host.remove("Project", id, properties);
  const senders = (await w.server.control.requests()).map(({ resource }) => resource);
  expect(new Set(senders)).toEqual(new Set(["Project site"]));
});

it("takes a project through its life", async () => {
  const declared = { name: web, buildCommand: "make", framework: null };
  const { inputs, failures } = await host.check("Project", {}, declared);
  expect(failures).toEqual([]);
  const { id, properties } = await host.create("Project", inputs);
  expect(properties).toMatchObject({ ...declared, __provider: loaderText("Project") });
  expect(await host.diff("Project", id, properties, inputs)).toMatchObject({ changes: 1, replaces: [] });
  const found = await host.read("Project", id, properties);
  expect(found).toMatchObject({ id, properties, inputs: declared });
  const next = { ...inputs, buildCommand: "make all" };
  expect(await host.diff("Project", id, properties, next)).toMatchObject({ changes: 2, deleteFirst: false });
  const updated = await host.update("Project", id, properties, next);
  expect(updated).toMatchObject({ ...properties, buildCommand: "make all" });
  await host.remove("Project", id, updated);
  expect(await host.read("Project", id, updated)).toMatchObject({ id: "" });
});

it("adds at most 165 bytes of its own to the state", async () => {
  const project = await host.create("Project", { name: web });
  const created = [
    ["Project", project],
    [
      "EnvVar",
      await host.create("EnvVar", { project: project.id, key: "K", value: "v", target: ["preview"] }),
    ],
    ["ProjectDomain", await host.create("ProjectDomain", { project: project.id, name: "a.com" })],
  ] as const;
  for (const [type, { properties }] of created) {
    const inputs = Buffer.byteLength(`"__provider":${JSON.stringify(loaderText(type))},`);
    const { __provider, at } = properties;
    const outputs = Buffer.byteLength(`${JSON.stringify({ __provider, at }).slice(1, -1)},`);
    expect(inputs + outputs).toBeLessThanOrEqual(165);
  }
});

it("plans with values that are not known yet, in any place", async () => {
  const project = await host.create("Project", { name: web });
  const declared = { project: project.id, key: "K", value: "v", target: ["preview"] };
  const { id, properties } = await host.create("EnvVar", declared);
  for (const key of ["project", "key", "value", "target", "comment", "gitBranch", "type", "adopt"]) {
    const news = { ...declared, [key]: unknownText };
    const { inputs, failures } = await host.check("EnvVar", declared, news);
    expect([key, failures]).toEqual([key, []]);
    expect(inputs).toMatchObject(news);
    const replaces = key === "project" ? ["project"] : [];
    const expected = { changes: 2, replaces, deleteFirst: true };
    expect(await host.diff("EnvVar", id, properties, news)).toMatchObject(expected);
  }
  const nested = await host.check("EnvVar", {}, { ...declared, target: [unknownText, "preview"] });
  expect(nested.failures).toEqual([]);
});

it("names no property of a failure, since the engine would print its value", async () => {
  const own = await startHost();
  await own.configure({ "slipway:apiUrl": w.server.url, "slipway:token": w.server.token });
  const { failures } = await own.check(
    "Project",
    {},
    {
      name: web,
      gitLFS: "canary",
      passwordProtection: { deploymentType: "canary", password: 5 },
    },
  );
  expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
  expect(JSON.stringify(failures)).not.toContain("canary");
  await own.close();
  expect(own.printed()).toBe("");
});

it("keeps what a step that fails half-way has made, with what later calls need", async () => {
  const declared = {
    name: web,
    passwordProtection: { deploymentType: "all", password: "canary-password" },
  };
  await w.server.control.changeTeam("acme", { plan: "hobby", addons: [] });
  const error = await host.create("Project", declared).catch((error) => error);
  expect(error.message).toMatch(/^PATCH \/v9\/projects\/prj_\w+: 428 /);
  expect(error.kept).toMatchObject({ properties: { name: web, __provider: loaderText("Project") } });
  expect(error.kept.properties.passwordProtection).toBeUndefined();
  await host.remove("Project", error.kept.id, error.kept.properties);
});

it("prints no stack when a read or a delete fails", async () => {
  const { id, properties } = await host.create("Project", { name: web });
  const lost = await startHost({ SLIPWAY_TOKEN: "wrong", SLIPWAY_API_URL: w.server.url });
  await lost.configure({});
  await expect(lost.read("Project", id, properties)).rejects.toThrow(
    byProfile(
      /401 forbidden: .*SLIPWAY_TOKEN.*--run-program/,
      /403 forbidden: .*SLIPWAY_TOKEN.*--run-program/,
    ),
  );
  await expect(lost.remove("Project", id, properties)).rejects.toThrow(
    byProfile(/401 forbidden/, /403 forbidden/),
  );
  await lost.close();
  expect(lost.printed()).toBe("");
});

it("reports a configuration that cannot be right before anything is made", async () => {
  const lost = await startHost();
  await lost.configure({});
  const { failures } = await lost.check("Project", {}, { name: web });
  expect(failures).toEqual([
    { property: "", reason: expect.stringMatching(/^No access token is configured/) },
  ]);
  await lost.close();
});

it("is configured before the first of many parallel calls", async () => {
  const projects = await Promise.all(
    ["a", "b", "c", "d", "e", "f"].map((name) => host.create("Project", { name })),
  );
  const fresh = await startHost();
  await fresh.configure({
    "slipway:apiUrl": w.server.url,
    "slipway:token": w.server.token,
    "slipway:team": "acme",
  });
  const read = await Promise.all(projects.map(({ id, properties }) => fresh.read("Project", id, properties)));
  expect(read.map(({ id }) => id)).toEqual(projects.map(({ id }) => id));
  await fresh.close();
});

it("lets a project that the program never named keep its name, whatever its resource is called", async () => {
  const auto = (name: string): Plain => ({ name, __autoNamed: true });
  const called = (name: string): Plain => ({ name, __provider: loaderText("Project") });
  const { inputs } = await host.check("Project", {}, auto(web));
  expect(inputs).toEqual(called(web));
  const renamed = await host.check("Project", inputs, auto("site"));
  expect(renamed.inputs).toEqual(called(web));
  // A name that leaves the program, and one that the project was given elsewhere, are kept, too.
  expect((await host.check("Project", { name: "own" }, auto("site"))).inputs).toEqual(called("own"));
  expect((await host.check("Project", { name: "own" }, { name: "site" })).inputs).toEqual(called("site"));
});

it("updates once what was imported without an owner, and leaves it alone from then on", async () => {
  const declared = { name: "imported" };
  const id = `${(await w.curl("POST", "/v10/projects", declared)).id}`;
  const { properties } = await host.read("Project", id, {});
  const { __provider, ...inputs } = (await host.check("Project", declared, declared)).inputs;
  expect((await host.diff("Project", id, properties, inputs)).changes).toBe(2);
  const owned = await host.update("Project", id, properties, inputs);
  expect((await host.diff("Project", id, owned, inputs)).changes).toBe(1);
});

it("updates once what the plugin had made, so that the state has what later calls need", async () => {
  const { inputs } = await host.check("Project", {}, { name: web });
  const { id, properties } = await host.create("Project", inputs);
  expect((await host.diff("Project", id, properties, inputs)).changes).toBe(1);
  // The plugin does without the text.
  expect((await host.diff("Project", id, { ...properties, __provider: null }, inputs)).changes).toBe(2);
});

it("asks again after an answer that says to, as long as nobody has cancelled the run", async () => {
  const { inputs } = await host.check("Project", {}, { name: web });
  await w.server.control.addFaults({
    ...{ method: "POST", path: "/v10/projects", times: 1, kind: "status", status: 503 },
  });
  expect((await host.create("Project", inputs)).properties).toMatchObject({ name: web });
});

it("warns once of an environment that names another team than the stack", async () => {
  const other = await startHost({ SLIPWAY_TEAM: "globex" });
  try {
    await other.configure({ "slipway:token": "t", "slipway:team": "acme" });
    for (const type of ["Project", "EnvVar"] as const) await other.check(type, {}, {});
    await until("the warning", () => other.printed().includes("warning: SLIPWAY_TEAM=globex") || undefined);
    expect(other.printed().match(/SLIPWAY_TEAM=globex/g)).toHaveLength(1);
  } finally {
    await other.close();
  }
});

it("warns of a value that it does not know, and lets the service decide", async () => {
  const declared = withRun("Project", { name: web, framework: "nxtjs" }, "site");
  const { failures, inputs } = await host.check("Project", {}, declared);
  expect(failures).toEqual([]);
  await until("the warning", () => host.printed().includes("framework has a value") || undefined);
  expect(host.printed()).toMatch(
    /slipway: warning: Project "site": framework has a value .* Did you mean nextjs\?/,
  );
  await expect(host.create("Project", inputs)).rejects.toThrow(/POST \/v10\/projects: 400 bad_request/);
  const newest = await host.create("Project", { name: web, nodeVersion: "24.x", framework: "hono" });
  expect(newest.properties).toMatchObject({ nodeVersion: "24.x", framework: "hono" });
});

it("ends a long wait as soon as the run is cancelled, and keeps what there is", async () => {
  // A host of its own: what was cancelled stays so.
  const own = await startHost();
  try {
    await own.configure({
      "slipway:apiUrl": w.server.url,
      "slipway:token": w.server.token,
      "slipway:team": "acme",
    });
    await w.server.control.seed(takenApexes("example.com"));
    await own.create("Project", { name: web });
    await own.create("ProjectDomain", { project: web, name: "example.com" });
    const waiting = own
      .create("DomainVerification", { project: web, name: "example.com" })
      .catch((error: unknown) => error);
    await until("it waits", () => own.printed().includes("example.com is not verified yet") || undefined);
    await own.cancel();
    expect(await waiting).toMatchObject({
      message: expect.stringContaining("The run was cancelled."),
      kept: { id: expect.stringMatching(/^prj_\w+\/example\.com$/), properties: { verified: false } },
    });
  } finally {
    await own.close();
  }
});
