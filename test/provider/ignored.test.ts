import type { Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { FakeCli } from "../support/fake-cli";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import type { Failed, Host } from "./host";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";
import { given } from "./operations";
import { type Harness, startHarness } from "./stack";

let w: Harness;
let proxy: RecordingProxy;
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
  proxy = await openRecordingProxy(w.server.url);
});
afterEach(() => proxy.close());
afterAll(async () => {
  process.env.PATH = path;
  cli.close();
  await w.close();
  jest.restoreAllMocks();
});

const hosts = {
  dynamic: (config: Record<string, string>) =>
    inProcessHost(
      Object.fromEntries(Object.entries(config).map(([key, value]) => [`slipway:${key}`, value])),
    ),
  plugin: (config: Record<string, string>) => inProcessPluginHost(config, cli),
};
const hostNames = ["dynamic", "plugin"] as const;

/** A host with the option `ignoreChanges`. */
async function hostThatIgnores(name: keyof typeof hosts, paths: string[], version?: string): Promise<Host> {
  const host = await hosts[name]({ apiUrl: proxy.url, token: w.server.token, team: "acme" });
  host.ignore?.(paths, version);
  return host;
}

async function checked(host: Host, type: ResourceType, olds: Plain, news: Plain): Promise<Plain> {
  const { inputs, failures } = await host.check(type, olds, news);
  expect(failures).toEqual([]);
  return inputs;
}

/** The bodies of the writes since the last call. */
function written(): string {
  const writes = proxy.requests.slice(seen).filter(({ method }) => method !== "GET");
  seen = proxy.requests.length;
  return writes.map(({ method, body }) => `${method} ${body}`).join("\n");
}
let seen = 0;
beforeEach(() => {
  seen = 0;
});

const variable = { key: "K", value: "canary-live", target: ["production"] };
const environment = "/v9/projects/web/env";
const settings = "/v9/projects/web";

interface Row {
  title: string;
  type: ResourceType;
  ignored: string[];
  existing: (w: Harness) => Promise<unknown>;
  declared: Plain;
  /** Parts of the body that adopts, for what is not ignored. */
  sends: RegExp;
  changed: Plain;
  changes: RegExp;
  /** The plugin, whose check does not know what the program ignores, refuses it. */
  isRefusedByPlugin?: true;
}

const rows: Row[] = [
  {
    title: "the value of a sensitive variable",
    type: "EnvVar",
    ignored: ["value"],
    existing: () => w.curl("POST", environment, { ...variable, type: "sensitive" }),
    declared: { project: "web", ...variable, type: "sensitive", value: "placeholder", comment: "why" },
    sends: /"comment":"why"/,
    changed: { comment: "new" },
    changes: /"comment":"new"/,
  },
  {
    title: "the value of a plain variable",
    type: "EnvVar",
    ignored: ["value"],
    existing: () => w.curl("POST", environment, { ...variable, type: "plain" }),
    declared: { project: "web", ...variable, value: "placeholder", comment: "why" },
    sends: /"comment":"why"/,
    changed: { comment: "new" },
    changes: /"comment":"new"/,
  },
  {
    title: "the environments of a variable",
    type: "EnvVar",
    isRefusedByPlugin: true,
    ignored: ["target[0]", "value"],
    existing: () =>
      w.curl("POST", environment, { ...variable, type: "plain", target: ["production", "preview"] }),
    declared: { project: "web", ...variable, value: "placeholder", comment: "why" },
    sends: /"comment":"why"/,
    changed: { comment: "new" },
    changes: /"comment":"new"/,
  },
  {
    title: "all inputs of a variable",
    type: "EnvVar",
    ignored: ["*"],
    existing: () => w.curl("POST", environment, { ...variable, type: "plain" }),
    declared: { project: "web", ...variable, value: "placeholder", comment: "placeholder" },
    sends: /^$/,
    changed: {},
    changes: /^$/,
  },
  ...[
    "variables",
    "variables.K",
    'variables["K"]',
    "variables.K.value",
    "variables.*",
    "variables.*.value",
    "*",
  ].map(
    (ignored): Row => ({
      title: `${ignored} of several variables`,
      type: "EnvVars",
      ignored: [ignored],
      existing: () => w.curl("POST", environment, { ...variable, type: "sensitive" }),
      declared: {
        project: "web",
        variables: { K: { value: "placeholder" } },
        target: ["production"],
        type: "sensitive",
      },
      sends: /^$/,
      changed: { variables: { K: { value: "placeholder" }, L: "new" } },
      changes: /"key":"L".*"value":"new"/,
    }),
  ),
  {
    title: "the common environments of several variables",
    type: "EnvVars",
    isRefusedByPlugin: true,
    ignored: ["target", "variables.K.value"],
    existing: () =>
      w.curl("POST", environment, { ...variable, type: "plain", target: ["production", "preview"] }),
    declared: {
      project: "web",
      variables: { K: { value: "placeholder", comment: "why" } },
      target: ["production"],
    },
    sends: /"comment":"why"/,
    changed: { variables: { K: { value: "placeholder", comment: "new" } } },
    changes: /"comment":"new"/,
  },
  {
    title: "a setting of a project",
    type: "Project",
    ignored: ["buildCommand"],
    existing: () => w.curl("PATCH", settings, { buildCommand: "live" }),
    declared: { name: "web", buildCommand: "placeholder", framework: "astro" },
    sends: /"framework":"astro"/,
    changed: { framework: "nuxtjs" },
    changes: /"framework":"nuxtjs"/,
  },
  {
    title: "a member of a setting",
    type: "Project",
    ignored: ["gitComments.onCommit", "gitProviderOptions.*"],
    existing: () =>
      w.curl("PATCH", settings, {
        gitComments: { onCommit: true, onPullRequest: true },
        gitProviderOptions: { createDeployments: "disabled" },
      }),
    declared: {
      name: "web",
      gitComments: { onCommit: false, onPullRequest: false },
      gitProviderOptions: { createDeployments: "enabled" },
    },
    sends: /"gitComments":\{"onCommit":true,"onPullRequest":false\}/,
    changed: {},
    changes: /^$/,
  },
  {
    title: "the password and the bypass secrets of a project",
    type: "Project",
    ignored: [
      "passwordProtection.password",
      'protectionBypass["ci"]',
      "paused",
      "dataCache",
      "gitRepository",
    ],
    existing: () =>
      w.curl("PATCH", settings, { passwordProtection: { deploymentType: "all", password: "canary-live" } }),
    declared: {
      name: "web",
      passwordProtection: { deploymentType: "all", password: "placeholder" },
      protectionBypass: { ci: { note: "placeholder" } },
      paused: true,
      dataCache: { disabled: true },
      framework: "astro",
    },
    sends: /^PATCH \{"framework":"astro"\}$/,
    changed: { framework: "nuxtjs" },
    changes: /^PATCH \{"framework":"nuxtjs"\}$/,
  },
  {
    title: "all inputs of a project",
    type: "Project",
    ignored: ["*"],
    existing: () => w.curl("PATCH", settings, { buildCommand: "live" }),
    declared: { name: "web", buildCommand: "placeholder", protectionBypass: { ci: {} } },
    sends: /^$/,
    changed: {},
    changes: /^$/,
  },
  {
    title: "the redirect of a domain",
    type: "ProjectDomain",
    ignored: ["redirect", "redirectStatusCode"],
    existing: async () => {
      await w.curl("POST", "/v10/projects/web/domains", { name: "placeholder.example.com" });
      await w.curl("POST", "/v10/projects/web/domains", { name: "live.example.com" });
      const domain = { name: "www.example.com", redirect: "live.example.com", redirectStatusCode: 308 };
      await w.curl("POST", "/v10/projects/web/domains", domain);
    },
    declared: {
      project: "web",
      name: "www.example.com",
      redirect: "placeholder.example.com",
      redirectStatusCode: 301,
    },
    sends: /^$/,
    changed: { timeoutMs: 1 },
    changes: /^$/,
  },
];

const unsure: { type: ResourceType; ignored: string[]; first: Plain; second: Plain; sends: RegExp }[] = [
  {
    type: "EnvVar",
    ignored: ["value"],
    first: { project: "web", ...variable, value: "placeholder" },
    second: { comment: "new" },
    sends: /"comment":"new"/,
  },
  {
    type: "EnvVars",
    ignored: ["variables.K.value"],
    first: { project: "web", variables: { K: "placeholder" } },
    second: { variables: { K: { value: "placeholder", comment: "new" } } },
    sends: /"comment":"new"/,
  },
  {
    type: "Project",
    ignored: ["buildCommand", "protectionBypass"],
    first: { name: "website", buildCommand: "placeholder", protectionBypass: { ci: {} } },
    second: { framework: "astro" },
    sends: /^PATCH \{"name":"website","framework":"astro"\}$/,
  },
  {
    type: "ProjectDomain",
    ignored: ["redirect"],
    first: { project: "web", name: "www.example.com", redirect: "placeholder.example.com" },
    second: { redirectStatusCode: 308 },
    sends: /"redirectStatusCode":308/,
  },
  {
    type: "CustomEnvironment",
    ignored: ["description"],
    first: { project: "web", slug: "staging", description: "placeholder" },
    second: { branchMatcher: { type: "equals", pattern: "x" } },
    sends: /"branchMatcher"/,
  },
];

describe.each(hostNames)("the %s host", (name) => {
  it.each(rows)("adopts without writing $title, which the program ignores: $type", async (row) => {
    await row.existing(w);
    const host = await hostThatIgnores(name, row.ignored);
    if (name === "plugin" && row.isRefusedByPlugin) {
      const { failures } = await host.check(row.type, {}, { ...row.declared, adopt: true });
      expect(failures).toMatchObject([{ reason: expect.stringMatching(/Declare all environments/) }]);
      return;
    }
    const inputs = await checked(host, row.type, {}, { ...row.declared, adopt: true });
    const { id, properties } = await host.create(row.type, inputs);
    const adoption = written();
    expect(adoption).toMatch(row.sends);
    expect(adoption).not.toMatch(/placeholder|"redirect|"target"|POST/);

    const unchanged = await checked(host, row.type, inputs, inputs);
    expect((await host.diff(row.type, id, properties, unchanged)).changes).toBe(1);
    const changed = await checked(host, row.type, inputs, { ...inputs, ...row.changed });
    await host.update(row.type, id, properties, changed);
    const update = written();
    expect(update).toMatch(row.changes);
    expect(update).not.toMatch(/placeholder|"redirect/);
  });

  it("writes the environments that one of several variables has of its own, when the common ones are ignored", async () => {
    await w.curl("POST", environment, { ...variable, type: "plain" });
    const host = await hostThatIgnores(name, ["target"]);
    const variables = { K: { value: variable.value, target: ["production", "preview"] } };
    const declared = { project: "web", variables, target: ["preview"], type: "plain", adopt: true };
    await host.create("EnvVars", await checked(host, "EnvVars", {}, declared));
    expect(written()).toMatch(/^PATCH .*"target":\["production","preview"\]/);
  });

  it.each(unsure)(
    "after a lost answer, writes nothing that the program ignores again: $type",
    async (row) => {
      await w.curl("POST", "/v10/projects/web/domains", { name: "placeholder.example.com" });
      const host = await hostThatIgnores(name, row.ignored);
      const inputs = await checked(host, row.type, {}, row.first);
      const { id, properties } = await host.create(row.type, inputs);
      written();
      const next = await checked(host, row.type, inputs, { ...inputs, ...row.second });
      proxy.before = ({ method }) => (method === "PATCH" ? { status: 200, body: "0" } : undefined);
      const failed: Failed = await host.update(row.type, id, properties, next).then(
        () => Promise.reject(new Error("it succeeded")),
        (error) => error,
      );
      written();
      proxy.before = () => undefined;
      await host.update(row.type, id, failed.kept?.properties ?? {}, next);
      const repeated = written();
      expect(repeated).toMatch(row.sends);
      expect(repeated).not.toMatch(/placeholder/);
    },
  );

  it("after an adoption that failed half-way, writes nothing that the program ignores", async () => {
    await w.curl("PATCH", settings, { buildCommand: "live" });
    const host = await hostThatIgnores(name, ["buildCommand"]);
    const declared = { name: "web", buildCommand: "placeholder", framework: "astro", adopt: true };
    const inputs = await checked(host, "Project", {}, declared);
    proxy.before = ({ method }) => (method === "PATCH" ? { status: 400, body: "{}" } : undefined);
    const failed: Failed = await host.create("Project", inputs).then(
      () => Promise.reject(new Error("it succeeded")),
      (error) => error,
    );
    proxy.before = () => undefined;
    written();
    const { id = "", properties = {} } = failed.kept ?? {};
    // The state manages the ignored input, as after an adoption that succeeds.
    expect(properties.buildCommand).toBe("placeholder");
    const again = await checked(host, "Project", inputs, inputs);
    await host.update("Project", id, properties, again);
    expect(written()).toBe('PATCH {"framework":"astro"}');
  });
});

it("the plugin refuses an adoption that differs when the CLI does not tell what the program ignores", async () => {
  await w.curl("POST", environment, { ...variable, type: "sensitive" });
  const host = await hostThatIgnores("plugin", [], "v3.100.0");
  const declared = { project: "web", ...variable, type: "sensitive", value: "placeholder", adopt: true };
  const inputs = await checked(host, "EnvVar", {}, declared);
  await expect(host.create("EnvVar", inputs)).rejects.toThrow(
    /It is not adopted, because .* does not report which inputs the program ignores \(ignoreChanges\).*`pulumi import`/,
  );
  expect(written()).toBe("");
  // An object that is as declared loses nothing.
  const same = { name: "web", adopt: true };
  const { id } = await host.create("Project", await checked(host, "Project", {}, same));
  expect(id).toMatch(/^prj_/);
});
