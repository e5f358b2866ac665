import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { killTree } from "../support/process-tree";
import { canary, type Run, type Stack, Workspace } from "../support/pulumi";
import { openRecordingProxy, type RecordedRequest, type RecordingProxy } from "../support/recording-proxy";
import { inFull, sharedOut } from "../support/slices";

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
afterEach(() => {
  proxy.before = () => undefined;
  proxy.after = () => {};
});

const hosts = ["dynamic provider", "plugin"] as const;
type Host = (typeof hosts)[number];

let counter = 0;

/** An output of another resource, as YAML writes it. */
const reference = (output: string): string => `\${${output}}`;

/** A stack that deploys and promotes, and how to change what it declares. */
async function begin(host: Host): Promise<{ stack: Stack; name: string; declare(inputs: object): void }> {
  counter += 1;
  const name = `site-${counter}`;
  const source = `${name}-source`;
  await world.server.control("POST", "/deployments", {
    id: `dpl_${counter}`,
    team: "acme",
    project: name,
    readyState: "READY",
  });
  const inputs = (declared: object) => ({ redeploy: `dpl_${counter}`, target: "production", ...declared });
  const yaml = (declared: object) =>
    stringify({
      resources: {
        web: { type: "slipway:Project", properties: { name } },
        built: {
          type: "slipway:Deployment",
          properties: { project: reference("web.id"), ...inputs(declared) },
        },
        live: {
          type: "slipway:Promotion",
          properties: { project: reference("web.id"), deployment: reference("built.deploymentId") },
        },
      },
    });
  const program = (declared: object) => `
    const web = new Project("web", { name: ${JSON.stringify(name)} });
    const built = new Deployment("built", { project: web.id, ...${JSON.stringify(inputs(declared))} });
    new Promotion("live", { project: web.id, deployment: built.deploymentId });
  `;
  const stack =
    host === "plugin" ? await world.yaml(source, yaml({})) : await world.stack(source, program({}));
  const declare = (declared: object): void => {
    if (host === "plugin") stack.yaml(yaml(declared));
    else stack.program(program(declared));
  };
  return { stack, name, declare };
}

interface Deployment {
  uid: string;
  readyState: string;
}

/** The deployments that runs have made for a project, the newest first. */
async function made(name: string): Promise<Deployment[]> {
  const { body } = await world.server.request("GET", `/v6/deployments?app=${name}`);
  return body.deployments.filter(({ uid }: Deployment) => !/^dpl_\d+$/.test(uid));
}

const serving = async (name: string): Promise<unknown> =>
  (await world.server.request("GET", `/v9/projects/${name}`)).body.targets?.production?.id;

const stepsOf = ({ steps }: Run): string[] => steps.map(({ op, name }) => `${op} ${name}`).sort();

/** Errors and warnings, without what the CLI says of its language hosts. */
const problemsOf = ({ errors, warnings }: Run): string[] =>
  [...errors, ...warnings].filter((message) => !message.includes("pulumi-language-"));

const isCreate = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && path.startsWith("/v13/deployments");

/** The answer of a service that refuses. */
const refusal = JSON.stringify({ error: { code: "bad_request", message: "Not now." } });

/** Runs a command and kills all of its processes at a request, before it takes effect or after. */
async function killedAt(
  stack: Stack,
  command: "up" | "destroy",
  isIt: (request: RecordedRequest) => boolean,
  when: "before" | "after",
): Promise<void> {
  let cli = 0;
  const look = (request: RecordedRequest): void => void (isIt(request) && killTree(cli));
  if (when === "after") proxy.after = look;
  else {
    proxy.before = (request) => {
      look(request);
      return isIt(request) ? { status: 400, body: refusal } : undefined;
    };
  }
  const args = [command, "--yes", "--skip-preview"];
  await stack.cli(args, { SLIPWAY_API_URL: proxy.url }, true, (child) => {
    cli = child.pid ?? 0;
  });
  expect(cli).not.toBe(0);
  proxy.before = () => undefined;
  proxy.after = () => {};
}

/** Runs `up` and sends the CLI a signal, or ends it, when it prints a text. */
async function interrupted(stack: Stack, text: string, end: (pid: number) => void): Promise<string> {
  let isDone = false;
  const { output } = await stack.cli(
    ["up", "--yes", "--skip-preview"],
    { SLIPWAY_API_URL: proxy.url },
    true,
    (child) => {
      const look = (data: unknown): void => {
        if (isDone || !String(data).includes(text)) return;
        isDone = true;
        end(child.pid ?? 0);
      };
      child.stdout?.on("data", look);
      child.stderr?.on("data", look);
    },
  );
  return output;
}

describe.each(hosts)("the %s", (host) => {
  const story = sharedOut(hosts, host);
  story(
    "deploys and promotes, changes nothing in a second run, and deploys again when a trigger changes",
    async () => {
      const { stack, name, declare } = await begin(host);
      const environment = { KEY: `${canary}-environment` };
      declare({ environment, triggers: ["one"] });
      const env = { SLIPWAY_API_URL: proxy.url };
      const first = await stack.up({ env, preview: true });
      expect(problemsOf(first)).toEqual([]);
      expect(first.output).toMatch(/The deployment dpl_\w+ is READY\./);
      const [one] = await made(name);
      expect(await serving(name)).toBe(one?.uid);

      const sent = proxy.requests.length;
      expect((await stack.up({ env, preview: true })).steps).toEqual([]);
      expect(proxy.requests.slice(sent).filter(({ method }) => method !== "GET")).toEqual([]);
      expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);

      declare({ environment, triggers: ["two"] });
      const second = await stack.up({ env, preview: true });
      expect(problemsOf(second)).toEqual([]);
      expect(new Set(stepsOf(second))).toEqual(
        new Set(["create-replacement built", "replace built", "delete-replaced built", "update live"]),
      );
      const [two, ...others] = await made(name);
      expect(others.map(({ uid }) => uid)).toEqual([one?.uid]);
      expect(await serving(name)).toBe(two?.uid);
      expect(proxy.requests.filter(({ path }) => path.includes("/promote/dpl"))).toEqual([]);

      expect((await stack.destroy()).errors).toEqual([]);
    },
  );

  story("deploys each kind of source, and uploads only what has changed", async () => {
    counter += 1;
    const name = `sources-${counter}`;
    await world.server.control("POST", "/seed", {
      gitProviders: [{ team: "acme", type: "github", repos: [`acme/${name}`] }],
    });
    const gitRepository = { type: "github", repo: `acme/${name}` };
    await world.server.request("POST", "/v10/projects", { name, gitRepository });
    const declared = {
      pushed: { ref: "main", onDestroy: "delete" },
      site: { directory: "./site" },
      output: { prebuilt: ".vercel/output", onDestroy: "delete" },
    };
    const resources = Object.entries(declared).map(
      ([one, inputs]) =>
        [one, { project: name, environment: { KEY: `${canary}-environment` }, ...inputs }] as const,
    );
    const stack =
      host === "plugin"
        ? await world.yaml(
            `${name}-program`,
            stringify({
              resources: Object.fromEntries(
                resources.map(([one, properties]) => [one, { type: "slipway:Deployment", properties }]),
              ),
            }),
          )
        : await world.stack(
            `${name}-program`,
            resources
              .map(([one, inputs]) => `new Deployment("${one}", ${JSON.stringify(inputs)});`)
              .join("\n"),
          );
    for (const folder of ["site/drafts", ".vercel/output/static"])
      mkdirSync(join(stack.folder, folder), { recursive: true });
    stack.file("site/.vercelignore", `drafts\n# ${name}`);
    stack.file("site/drafts/idea.md", "not yet");
    stack.file("site/index.html", `<h1>${name}</h1>`);
    stack.file("site/about.html", `about ${name}`);
    stack.file(".vercel/output/config.json", `{"version":3,"name":"${name}"}`);
    stack.file(".vercel/output/static/index.html", `built ${name}`);

    const env = { SLIPWAY_API_URL: proxy.url };
    const start = proxy.requests.length;
    const writes = (): string[] =>
      proxy.requests
        .slice(start)
        .filter(({ method }) => method !== "GET")
        .map(({ path }) => path.replace(/\?.*/, ""));
    const first = await stack.up({ env, preview: true });
    expect(problemsOf(first)).toEqual([]);
    // Each file but the draft.
    expect(writes().filter((path) => path === "/v2/files")).toHaveLength(5);

    const before = writes().length;
    expect((await stack.up({ env, preview: true })).steps).toEqual([]);
    expect((await stack.refresh({ env, args: ["--expect-no-changes"] })).code).toBe(0);
    expect(writes().slice(before)).toEqual([]);

    stack.file("site/about.html", `about us, ${name}`);
    const second = await stack.up({ env });
    expect(problemsOf(second)).toEqual([]);
    expect(new Set(second.steps.map((one) => one.name))).toEqual(new Set(["site"]));
    // The first attempt is told what the service lacks.
    expect(writes().slice(before)).toEqual(["/v13/deployments", "/v2/files", "/v13/deployments"]);

    expect((await made(name)).length).toBe(4);
    expect((await stack.destroy({ env })).errors).toEqual([]);
    expect((await made(name)).length).toBe(2);
  });

  story("tells why a build failed or was skipped, and continues after a time-out", async () => {
    const { stack, name, declare } = await begin(host);
    const plan = (plan: object) => world.server.control("POST", "/builds", plan);
    await plan({ error: { message: "no space left" } });
    const failed = await stack.up();
    expect(failed.errors.join("\n")).toMatch(/dpl_\w+ failed: no space left\. Its log is at http/);
    await plan({ skipIgnored: true });
    await world.server.request("PATCH", `/v9/projects/${name}`, { commandForIgnoringBuildStep: "exit 0" });
    const skipped = await stack.up();
    expect(skipped.errors.join("\n")).toMatch(/dpl_\w+ was skipped by commandForIgnoringBuildStep\./);
    await plan({ buildMs: 3_000 });
    declare({ timeoutMs: 0 });
    const late = await stack.up();
    expect(late.errors.join("\n")).toMatch(/dpl_\w+ is still \w+ after 0 s\. The build continues/);
    declare({});
    const last = await stack.up();
    expect(last.errors).toEqual([]);
    await plan({});
    expect((await made(name)).map(({ readyState }) => readyState)).toEqual(["READY", "CANCELED", "ERROR"]);
    expect((await stack.up()).steps).toEqual([]);
  });

  inFull("keeps a deployment whose build fails, and makes another one in the next run", async () => {
    const { stack, name } = await begin(host);
    const env = { SLIPWAY_API_URL: proxy.url };
    proxy.after = async (request) => {
      if (!isCreate(request)) return;
      const [{ uid = "" } = {}] = await made(name);
      await world.server.control("POST", "/deployments", {
        id: uid,
        team: "acme",
        project: name,
        readyState: "ERROR",
      });
    };
    const failed = await stack.up({ env });
    const [first] = await made(name);
    expect(failed.errors.join("\n")).toContain(`The build of the deployment ${first?.uid} failed.`);
    const built = (await stack.resources()).find(({ type }) => type.endsWith("Deployment"));
    expect(built).toMatchObject({ id: first?.uid, outputs: { readyState: "ERROR" } });

    proxy.after = () => {};
    const again = await stack.up({ env });
    expect(again.errors).toEqual([]);
    expect(stepsOf(again)).toContain("create-replacement built");
    expect((await made(name)).map(({ readyState }) => readyState)).toEqual(["READY", "ERROR"]);
    expect((await stack.up({ env })).steps).toEqual([]);
  });

  inFull("waits for the same deployment after an interrupt", async () => {
    const { stack, name } = await begin(host);
    const output = await interrupted(stack, "is BUILDING", (pid) => process.kill(pid, "SIGINT"));
    expect(output).toContain("The run was cancelled.");
    const [first] = await made(name);
    const again = await stack.up();
    expect(again.errors).toEqual([]);
    expect((await made(name)).map(({ uid }) => uid)).toEqual([first?.uid]);
    expect(await serving(name)).toBe(first?.uid);
  });

  for (const when of ["not yet created", "created", "being built"])
    (when === "created" ? story : inFull)(
      `makes one deployment after a kill, when it is ${when}`,
      async () => {
        const { stack, name } = await begin(host);
        if (when === "being built") await interrupted(stack, "is BUILDING", killTree);
        else await killedAt(stack, "up", isCreate, when === "created" ? "after" : "before");
        const before = await made(name);
        expect(before).toHaveLength(when === "not yet created" ? 0 : 1);
        await stack.cli(["cancel", "--yes"]);
        const env = { SLIPWAY_API_URL: world.server.url };
        const again = await stack.up({ env });
        expect(again.errors).toEqual([]);
        const after = await made(name);
        expect(after).toHaveLength(1);
        if (before.length > 0) expect(after[0]?.uid).toBe(before[0]?.uid);
        expect(await serving(name)).toBe(after[0]?.uid);
        expect((await stack.up({ env })).steps).toEqual([]);
      },
    );

  inFull("goes on after kills during the upload and during the delete", async () => {
    const { stack, name, declare } = await begin(host);
    declare({ redeploy: undefined, directory: "./site", onDestroy: "delete" });
    mkdirSync(join(stack.folder, "site"));
    for (const file of ["one", "two", "three"]) stack.file(`site/${file}.html`, `${file} of ${name}`);
    await killedAt(stack, "up", ({ path }) => path.startsWith("/v2/files"), "after");
    expect(await made(name)).toEqual([]);
    await stack.cli(["cancel", "--yes"]);
    const env = { SLIPWAY_API_URL: proxy.url };
    expect((await stack.up({ env })).errors).toEqual([]);
    expect(await made(name)).toHaveLength(1);

    const isDelete = ({ method, path }: RecordedRequest): boolean =>
      method === "DELETE" && path.includes("/deployments/");
    await killedAt(stack, "destroy", isDelete, "after");
    await stack.cli(["cancel", "--yes"]);
    expect((await stack.destroy({ env })).errors).toEqual([]);
    expect(await made(name)).toEqual([]);
  });

  inFull("keeps what it has replaced when a later run deletes the old half, and with --replace", async () => {
    counter += 1;
    const name = `replaced-${counter}`;
    await world.server.request("POST", "/v10/projects", { name });
    const built = { project: name, directory: "./site", onDestroy: "delete" };
    const variable = { project: name, key: "KEY", value: canary, target: ["preview"] };
    const yaml = (declared: object, withVariable: boolean) =>
      stringify({
        resources: {
          built: { type: "slipway:Deployment", properties: { ...built, ...declared } },
          ...(withVariable && {
            late: {
              type: "slipway:EnvVar",
              properties: variable,
              options: { dependsOn: [reference("built")] },
            },
          }),
        },
      });
    const program = (declared: object, withVariable: boolean) => `
      const built = new Deployment("built", ${JSON.stringify({ ...built, ...declared })});
      ${withVariable ? `new EnvVar("late", ${JSON.stringify(variable)}, { dependsOn: built });` : ""}
    `;
    const stack =
      host === "plugin"
        ? await world.yaml(`${name}-program`, yaml({}, false))
        : await world.stack(`${name}-program`, program({}, false));
    mkdirSync(join(stack.folder, "site"));
    stack.file("site/index.html", name);
    const env = { SLIPWAY_API_URL: proxy.url };
    expect((await stack.up({ env })).errors).toEqual([]);

    if (host === "plugin") stack.yaml(yaml({ triggers: [2] }, true));
    else stack.program(program({ triggers: [2] }, true));
    proxy.before = ({ method, path }) =>
      method === "POST" && path.includes("/env") ? { status: 400, body: refusal } : undefined;
    expect((await stack.up({ env })).errors).not.toEqual([]);
    proxy.before = () => undefined;
    expect(await made(name)).toHaveLength(2);
    const later = await stack.up({ env });
    expect(later.errors).toEqual([]);
    expect(stepsOf(later)).toContain("delete-replaced built");
    expect(await made(name)).toHaveLength(2);

    const urn = (await stack.resources()).find(({ type }) => type.endsWith("Deployment"))?.urn;
    expect((await stack.up({ env, args: ["--replace", `${urn}`] })).errors).toEqual([]);
    const [newest, ...kept] = await made(name);
    expect(kept).toHaveLength(2);
    expect((await stack.destroy({ env })).errors).toEqual([]);
    expect((await made(name)).map(({ uid }) => uid)).toEqual(kept.map(({ uid }) => uid));
    expect(kept.map(({ uid }) => uid)).not.toContain(newest?.uid);
  });
});

it("keeps a deployment that is deleted first, because another provider replaces its trigger", async () => {
  await world.server.request("POST", "/v10/projects", { name: "first" });
  await world.server.request("POST", "/v10/projects", { name: "second" });
  const program = (project: string) =>
    stringify({
      resources: {
        own: { type: "pulumi:providers:slipway", properties: { team: "acme" } },
        variable: {
          type: "slipway:EnvVar",
          properties: { project, key: "KEY", value: canary, target: ["preview"] },
          options: { deleteBeforeReplace: true },
        },
        built: {
          type: "slipway:Deployment",
          properties: {
            ...{ project: "first", directory: "./site", onDestroy: "delete" },
            triggers: [reference("variable.id")],
          },
          options: { provider: reference("own") },
        },
      },
    });
  const stack = await world.yaml("triggered", program("first"));
  mkdirSync(join(stack.folder, "site"));
  stack.file("site/index.html", "triggered");
  expect((await stack.up()).errors).toEqual([]);
  const [old] = await made("first");

  stack.yaml(program("second"));
  const run = await stack.up();
  expect(run.errors).toEqual([]);
  expect(stepsOf(run)).toEqual(expect.arrayContaining(["delete-replaced built", "create-replacement built"]));
  expect((await made("first")).map(({ uid }) => uid)).toContain(old?.uid);

  const urn = (await stack.resources()).find(({ type }) => type.endsWith("EnvVar"))?.urn;
  const args = ["--target", `${urn}`, "--target-dependents"];
  const targeted = await stack.destroy({ args });
  expect(targeted.errors).toEqual([]);
  expect(targeted.warnings.join()).toMatch(/dpl_\w+ is kept, because this run may be replacing it/);
  expect(await made("first")).toHaveLength(2);
  await stack.destroy();
});
