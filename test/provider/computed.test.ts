import { expanded } from "../../provider/core/computed";
import { type Plain, unknown } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { project } from "../../provider/resources/project";
import { FakeCli } from "../support/fake-cli";
import type { Host } from "./host";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";
import { given } from "./operations";
import { type Harness, startHarness } from "./stack";

let w: Harness;
let cli: FakeCli;
const path = process.env.PATH;
beforeAll(async () => {
  jest.spyOn(console, "error").mockImplementation(() => {});
  w = await startHarness();
  cli = new FakeCli();
  process.env.PATH = cli.path;
});
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.seed(given);
});
afterAll(async () => {
  process.env.PATH = path;
  cli.close();
  await w.close();
  jest.restoreAllMocks();
});

const hostNames = ["dynamic", "plugin"] as const;

function hostNamed(name: (typeof hostNames)[number]): Promise<Host> {
  const config = { apiUrl: w.server.url, token: w.server.token, team: "acme" };
  if (name === "plugin") return inProcessPluginHost(config, cli);
  return inProcessHost(
    Object.fromEntries(Object.entries(config).map(([key, value]) => [`slipway:${key}`, value])),
  );
}

/** The outputs as a program sees them: the SDK of the dynamic host reads those of inputs that are not given apart. */
const visible = ({ computed, ...outputs }: Plain): Plain =>
  Array.isArray(computed) ? outputs : { ...(computed as Plain), ...outputs };

const isSame = 1;
const differs = 2;

interface Row {
  type: ResourceType;
  declared: Plain;
  /** The values of the service for inputs that are not declared. */
  shows: Plain;
  /** Changes one of them at the service. */
  change: (id: string) => Promise<unknown>;
  changed: Plain;
}

const rows: Row[] = [
  {
    type: "Project",
    declared: { name: "website", framework: "astro" },
    shows: {
      nodeVersion: "22.x",
      gitForkProtection: true,
      paused: false,
      dataCache: { disabled: false },
      resourceConfig: { functionDefaultRegions: ["iad1"] },
    },
    change: (id) => w.curl("PATCH", `/v9/projects/${id}`, { nodeVersion: "20.x" }),
    changed: { nodeVersion: "20.x" },
  },
  {
    type: "EnvVar",
    declared: { project: "web", key: "K", value: "v", target: ["production"] },
    shows: { type: "encrypted" },
    change: (id) => w.curl("PATCH", `/v9/projects/web/env/${id.split("/")[1]}`, { comment: "why" }),
    changed: { comment: "why" },
  },
  {
    type: "ProjectDomain",
    declared: { project: "web", name: "www.example.com" },
    shows: {},
    change: async () => {
      await w.curl("POST", "/v10/projects/web/domains", { name: "example.com" });
      await w.curl("PATCH", "/v9/projects/web/domains/www.example.com", { redirect: "example.com" });
    },
    changed: { redirect: "example.com" },
  },
  {
    type: "CustomEnvironment",
    declared: { project: "web", slug: "staging" },
    shows: {},
    change: (id) =>
      w.curl("PATCH", `/v9/projects/web/custom-environments/${id.split("/")[1]}`, { description: "why" }),
    changed: { description: "why" },
  },
];

describe.each(hostNames)("the %s host", (name) => {
  it.each(rows)(
    "shows what the service has of inputs that are not given, and compares none: $type",
    async (row) => {
      const host = await hostNamed(name);
      const { inputs } = await host.check(row.type, {}, row.declared);
      const made = await host.create(row.type, inputs);
      expect(visible(made.properties)).toMatchObject(row.shows);
      expect((await host.diff(row.type, made.id, made.properties, inputs)).changes).toBe(isSame);

      await row.change(made.id);
      const later = await hostNamed(name);
      const found = await later.read(row.type, made.id, made.properties);
      expect(visible(found.properties)).toMatchObject(row.changed);
      expect(found.inputs).toEqual(inputs);
      expect((await later.diff(row.type, made.id, found.properties, inputs)).changes).toBe(isSame);
    },
  );

  it("manages an input once it is given, and shows it again when it left the program", async () => {
    const host = await hostNamed(name);
    const bare = { name: "website" };
    const { id, properties } = await host.create("Project", bare);
    const given = { ...bare, gitForkProtection: false };
    expect((await host.diff("Project", id, properties, given)).changes).toBe(differs);
    const managed = await host.update("Project", id, properties, given);
    expect(managed).toMatchObject({ gitForkProtection: false });
    expect((await host.diff("Project", id, managed, bare)).changes).toBe(differs);
    const left = await host.update("Project", id, managed, bare);
    expect(visible(left)).toMatchObject({ gitForkProtection: true });
    expect((await host.diff("Project", id, left, bare)).changes).toBe(isSame);
  });

  it("shows what its own steps changed beside: pausing and unpausing", async () => {
    const host = await hostNamed(name);
    const { id, properties } = await host.create("Project", { name: "website", paused: true });
    expect(visible(properties)).toMatchObject({ autoAssignCustomDomains: false });
    const unpaused = await host.update("Project", id, properties, { name: "website", paused: false });
    expect(visible(unpaused)).toMatchObject({ autoAssignCustomDomains: true });
  });

  it("shows no password and no bypass secret", async () => {
    const host = await hostNamed(name);
    const { id } = await host.create("Project", { name: "website" });
    const passwordProtection = { deploymentType: "all", password: "canary-password" };
    await w.curl("PATCH", "/v9/projects/website", { passwordProtection });
    const secret = "canarycanarycanarycanarycanaryca";
    await w.curl("PATCH", "/v1/projects/website/protection-bypass", { generate: { secret } });
    const later = await hostNamed(name);
    const { properties } = await later.read("Project", id, { name: "website", at: "x".repeat(24) });
    expect(visible(properties)).toHaveProperty("nodeVersion");
    expect(JSON.stringify(properties)).not.toMatch(/canary|"passwordProtection"|"protectionBypass"/);
  });

  it("shows all settings of what is only read", async () => {
    const host = await hostNamed(name);
    const { properties } = await host.read("Project", "web", {});
    expect(properties).toMatchObject({
      nodeVersion: "22.x",
      resourceConfig: { functionDefaultRegions: ["iad1"] },
    });
  });
});

it("plans no value for an input that left the program, since that is reset", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "website", gitForkProtection: false });
  const planned = project.planned({ name: "website" }, expanded(stack.state));
  expect(planned).toMatchObject({ gitForkProtection: unknown, nodeVersion: "22.x" });
});

it("goes from either host to the other without a change", async () => {
  const declared = { name: "website", framework: "astro" };
  for (const [from, to] of [hostNames, [...hostNames].reverse()] as const) {
    const first = await hostNamed(from as "dynamic");
    const { id, properties } = await first.create("Project", declared);
    const second = await hostNamed(to as "dynamic");
    const text = { __provider: properties.__provider ?? "x" };
    expect((await second.diff("Project", id, { ...properties, ...text }, declared)).changes).toBe(isSame);
    await second.remove("Project", id, properties);
  }
  expect.hasAssertions();
});
