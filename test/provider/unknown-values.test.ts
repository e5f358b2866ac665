import type { Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { envVar } from "../../provider/resources/env-var";
import { reasonAgainstReplacement } from "../../provider/resources/env-var/unknown-value";
import { envVars } from "../../provider/resources/env-vars";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { FakeCli, urnOf } from "../support/fake-cli";
import { Engine } from "../support/programs/engine";
import type { Declaration, Program } from "../support/programs/program";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import type { Host } from "./host";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";
import { type Harness, recordStack, startHarness } from "./stack";

let w: Harness;
let proxy: RecordingProxy;
let cli: FakeCli;
const path = process.env.PATH;
beforeEach(async () => {
  w = await startHarness();
  for (const name of ["web", "other"]) await w.curl("POST", "/v10/projects", { name });
  proxy = await openRecordingProxy(w.server.url);
  cli = new FakeCli();
  process.env.PATH = cli.path;
});
afterEach(async () => {
  process.env.PATH = path;
  cli.close();
  await proxy.close();
  await w.close();
});

const hosts = {
  dynamic: () =>
    inProcessHost({ "slipway:apiUrl": proxy.url, "slipway:token": w.server.token, "slipway:team": "acme" }),
  plugin: () => inProcessPluginHost({ apiUrl: proxy.url, token: w.server.token, team: "acme" }, cli),
};

const target = ["production"];
const one = { project: "web", key: "S", type: "sensitive", target };
const many = (value: string, more: object = {}) => ({
  project: "web",
  target,
  variables: { S: { value, type: "sensitive", ...more } },
});
const shared = { key: "S", type: "sensitive", target };

/** Changes that would create a variable again. */
const changes: [
  title: string,
  type: ResourceType,
  first: (value: string) => Plain,
  next: (value: string) => Plain,
][] = [
  [
    "another type",
    "EnvVar",
    (value) => ({ ...one, value }),
    (value) => ({ ...one, value, type: "encrypted" }),
  ],
  [
    "another project",
    "EnvVar",
    (value) => ({ ...one, value }),
    (value) => ({ ...one, value, project: "other" }),
  ],
  ["another type", "EnvVars", many, (value) => many(value, { type: "encrypted" })],
  ["another project", "EnvVars", many, (value) => ({ ...many(value), project: "other" })],
  [
    "another type",
    "SharedEnvVar",
    (value) => ({ ...shared, value }),
    (value) => ({ ...shared, value, type: "encrypted" }),
  ],
];

describe.each(["dynamic", "plugin"] as const)("through the %s host", (name) => {
  let engine: Engine;
  const begin = async (): Promise<void> => {
    const host: Host = await hosts[name]();
    engine.use(() => host);
  };
  const up = async (program: Program): Promise<void> => {
    await begin();
    await engine.preview(program);
    await begin();
    await engine.up(program);
  };
  /** Expects that a program is refused at preview and in an update, and that neither writes anything. */
  const expectRefused = async (program: Program, reason: RegExp): Promise<void> => {
    const seen = proxy.requests.length;
    await begin();
    await expect(engine.preview(program)).rejects.toThrow(reason);
    await begin();
    await expect(engine.up(program)).rejects.toThrow(reason);
    expect(proxy.requests.slice(seen).filter(({ method }) => method !== "GET")).toEqual([]);
  };
  beforeEach(async () => {
    engine = new Engine(await hosts[name]());
  });

  it("moves a domain with one that redirects to it", async () => {
    const on = (project: string): Program => [
      { type: "ProjectDomain", name: "apex", args: { project, name: "example.com" } },
      {
        ...{ type: "ProjectDomain", name: "www" },
        args: { project, name: "www.example.com", redirect: { $ref: "apex", output: "name" } },
      },
    ];
    await up(on("web"));
    await up(on("other"));
    const { domains } = await w.curl("GET", "/v9/projects/other/domains");
    const redirects = (domains as unknown as { name: string; redirect: unknown }[]).map((d) => [
      d.name,
      d.redirect,
    ]);
    expect(redirects).toEqual(
      expect.arrayContaining([
        ["www.example.com", "example.com"],
        ["example.com", null],
      ]),
    );
  });

  it.each(changes)(
    "refuses %s of a sensitive variable whose value the program does not have: %s",
    async (_title, type, first, next) => {
      await up([{ type, name: "s", args: first("canary-live") }]);
      const seen = proxy.requests.length;
      await up([{ type, name: "s", args: first("") }]);
      expect(JSON.stringify(proxy.requests.slice(seen))).not.toMatch(/"value/);
      await expectRefused(
        [{ type, name: "s", args: next("") }],
        /S.*(nobody can read).*Declare the value|declare its value/i,
      );
      await up([{ type, name: "s", args: next("canary-new") }]);
    },
  );

  it.each(changes)(
    "refuses %s of a variable whose value the program ignores: %s",
    async (_title, type, first, next) => {
      const ignoreChanges = [type === "EnvVars" ? "variables.S.value" : "value"];
      const declare = (args: Plain): Declaration => ({ type, name: "s", args, ignoreChanges });
      await up([declare(first("canary-first"))]);
      await expectRefused(
        [declare(next("canary-first"))],
        /S again.*ignoreChanges.*remove "value" from ignoreChanges/,
      );
    },
  );

  it("refuses to create a variable under another key from an empty value", async () => {
    await up([{ type: "EnvVars", name: "s", args: many("canary-live") }]);
    const variables = { T: { value: "", type: "sensitive" } };
    await expectRefused(
      [{ type: "EnvVars", name: "s", args: { project: "web", target, variables } }],
      /The sensitive variable T cannot be created with an empty value/,
    );
  });
});

it.each([[["plain", "sensitive"]], [["sensitive", "plain"]], [["encrypted", "plain", "sensitive"]]])(
  "one variable does not replace several if the value of one of them would be lost: %j",
  (types) => {
    const existing = types.map((type) => ({ type }));
    const news = { key: "S", type: "sensitive", value: "" };
    expect(reasonAgainstReplacement(news, existing, [])).toMatch(/value would be lost/);
    expect(reasonAgainstReplacement({ ...news, value: "canary-new" }, existing, [])).toBeUndefined();
  },
);

describe("a replacement on request", () => {
  it.each([
    ["EnvVar", envVar, { ...one, value: "canary-first" }],
    ["EnvVars", envVars, many("canary-first")],
    ["SharedEnvVar", sharedEnvVar, { ...shared, value: "canary-first" }],
  ] as const)("is refused where the program ignores the value: %s", async (type, resource, declared) => {
    const stack = w.stack(resource, "s");
    await stack.up(declared);
    const urn = urnOf(type, "s");
    const ignored = [type === "EnvVars" ? "variables" : "value"];
    const refusals = async (known: readonly string[] | undefined, recorded: readonly string[]) => {
      const run = w.runOf(w.another());
      recordStack([{ type, name: "s", outputs: stack.state, ignored: recorded }]);
      return (await resource.declare(run, {}, declared, { urn, ignored: known })).map(({ reason }) => reason);
    };
    expect(await refusals(ignored, [])).toEqual([expect.stringContaining("ignoreChanges")]);
    // The plugin learns what the program ignores from the state.
    expect(await refusals(undefined, ignored)).toEqual([expect.stringContaining("ignoreChanges")]);
    expect(await refusals([], ignored)).toEqual([]);
  });

  it("is refused to EnvVars with an empty sensitive value", async () => {
    const [refusal] = await envVars.declare(w.run, {}, many(""));
    expect(refusal?.reason).toMatch(/^The sensitive variable S cannot be created with an empty value/);
  });
});

it.each([
  ["EnvVar", envVar, { project: "web", key: "S", target, value: "", adopt: true }],
  ["EnvVars", envVars, { project: "web", target, variables: { S: { value: "" } }, adopt: true }],
] as const)(
  "adopts a sensitive variable without writing the empty value: %s",
  async (_type, resource, declared) => {
    await w.curl("POST", "/v10/projects/web/env", { ...one, project: undefined, value: "canary-live" });
    const client = w.another({ apiUrl: proxy.url });
    const stack = w.stack(resource, "s");
    stack.use(client);
    recordStack([]);
    await stack.up(declared);
    expect(proxy.requests.map(({ body }) => body).join()).not.toContain('"value"');
  },
);
