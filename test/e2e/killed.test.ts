import { setTimeout as sleep } from "node:timers/promises";
import { kill, killTree, treeOf } from "../support/process-tree";
import { type Stack, Workspace } from "../support/pulumi";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { inFull, someHosts } from "../support/slices";

let world: Workspace;
let proxy: RecordingProxy;
beforeAll(async () => {
  world = await Workspace.start();
  proxy = await openRecordingProxy(world.server.url);
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});

/** Long enough for the end of a connection to be noticed. */
const noticeMs = 500;
/** Long beside the pauses before the next attempts of a request. */
const quietMs = 5_000;
const refusal = JSON.stringify({ error: { code: "internal_server_error", message: "Not now." } });

const stacks: Record<string, () => Promise<Stack>> = {
  "dynamic provider": () => world.stack("dynamic", 'new Project("one", { name: "one" });'),
  plugin: () =>
    world.yaml("plugin", "resources: { two: { type: slipway:Project, properties: { name: two } } }\n"),
};

inFull.each(Object.entries(stacks))(
  "the %s sends nothing more when the CLI alone is killed, and the next run creates the object once",
  async (_host, begin) => {
    const stack = await begin();
    const env = { SLIPWAY_API_URL: proxy.url };
    let started: ReturnType<typeof treeOf> = [];
    let cli = 0;
    proxy.before = ({ method }) => {
      if (method !== "POST") return undefined;
      if (started.length === 0) {
        started = treeOf(cli);
        kill(cli);
      }
      return { status: 503, body: refusal };
    };
    try {
      const run = await stack.cli(["up", "--yes", "--skip-preview"], env, true, (child) => {
        cli = child.pid ?? 0;
      });
      expect(run.code).not.toBe(0);
      await sleep(noticeMs);
      const sent = proxy.requests.length;
      await sleep(quietMs);
      expect(proxy.requests.slice(sent)).toEqual([]);
    } finally {
      proxy.before = () => undefined;
      // Pulumi's own processes go on without the CLI.
      for (const { pid } of started) kill(pid);
    }
    await stack.cli(["cancel", "--yes"]);
    expect((await stack.up({ env })).steps).toMatchObject([{ op: "create", type: "Project" }]);
  },
);

const pairs: Record<string, () => Promise<Stack>> = {
  "dynamic provider": () =>
    world.stack(
      "told",
      `const web = new Project("web", { name: "told" });
       new EnvVar("key", { project: web.id, key: "K", value: "canary-value", target: ["preview"] });`,
    ),
  plugin: () =>
    world.yaml(
      "ended",
      `resources:
  web: { type: slipway:Project, properties: { name: ended } }
  key:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: K, value: canary-value, target: [preview] }
`,
    ),
};

it.each(someHosts(Object.entries(pairs)))(
  "the %s finishes and records its step when all processes get SIGTERM",
  async (_host, begin) => {
    const stack = await begin();
    const env = { SLIPWAY_API_URL: proxy.url };
    let cli = 0;
    proxy.before = async ({ method, path }) => {
      if (method !== "POST" || !path.includes("/env")) return undefined;
      for (const { pid } of treeOf(cli)) kill(pid, "SIGTERM");
      await sleep(noticeMs);
      return undefined;
    };
    const run = await stack.cli(["up", "--yes", "--skip-preview"], env, true, (child) => {
      cli = child.pid ?? 0;
    });
    proxy.before = () => undefined;
    expect(run.code).not.toBe(0);
    expect(run.output).toContain("SIGTERM received");
    expect(run.output).not.toContain("exited prematurely");
    const again = await stack.up({ env });
    expect([again.errors, again.steps]).toEqual([[], []]);
  },
);

it("the command of the guide reverts a change that a killed run left behind", async () => {
  const env = { SLIPWAY_API_URL: proxy.url };
  const program = (framework: string): string =>
    `resources: { web: { type: slipway:Project, properties: { name: lost, framework: ${framework} } } }\n`;
  const stack = await world.yaml("lost", program("nextjs"));
  expect((await stack.up({ env })).errors).toEqual([]);
  stack.yaml(program("astro"));
  let cli = 0;
  proxy.after = ({ method }) => {
    if (method === "PATCH") killTree(cli);
  };
  await stack.cli(["up", "--yes", "--skip-preview"], env, true, (child) => {
    cli = child.pid ?? 0;
  });
  proxy.after = () => {};
  const framework = async () => (await world.server.request("GET", "/v9/projects/lost")).body.framework;
  expect(await framework()).toBe("astro");

  stack.yaml(program("nextjs"));
  await stack.cli(["cancel", "--yes"]);
  expect((await stack.up({ env, args: ["--refresh"] })).errors).toEqual([]);
  expect(await framework()).toBe("nextjs");
  expect(JSON.parse(await stack.exportText()).deployment.pending_operations ?? []).toEqual([]);
});
