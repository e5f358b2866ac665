import type { RunningServer } from "../../server";
import { FakeCli } from "../support/fake-cli";
import { startServer } from "../support/profile";
import { account } from "../support/programs/account";
import { Engine } from "../support/programs/engine";
import { type ByHand, type Command, History, type Lacks } from "../support/programs/histories";
import { type Program, toCode } from "../support/programs/program";
import { openRecordingProxy } from "../support/recording-proxy";
import { isLong } from "../support/slices";
import type { Host } from "./host";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";

/** Each is a history of a program, through either host; the number is its seed. */
const histories = Number(process.env.SLIPWAY_TEST_PROGRAMS ?? (isLong ? 200 : 2));
const first = Number(process.env.SLIPWAY_TEST_SEED ?? 0);
const commands = 12;

let server: RunningServer;
let cli: FakeCli;
const path = process.env.PATH;
let printed: jest.SpyInstance;

beforeAll(async () => {
  server = await startServer({ seed: account });
  cli = new FakeCli();
  process.env.PATH = cli.path;
  printed = jest.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(async () => {
  printed.mockRestore();
  process.env.PATH = path;
  cli.close();
  await server.close();
});

const config = (start: string, url = server.url) => ({
  [`${start}apiUrl`]: url,
  [`${start}token`]: server.token,
  [`${start}team`]: "acme",
});
const hosts = {
  dynamic: (url?: string) => inProcessHost(config("slipway:", url)),
  plugin: (url?: string) => inProcessPluginHost(config("", url), cli),
};

const warning =
  /^slipway: warning: Production of the project (\S+) serves the deployment dpl_\w+, which does not have the last change of (.+): a change takes effect with the next deployment\. Add the revision of each variable to the triggers of a Deployment, or redeploy production\.$/;

/** Runs a command in a process of its own. @returns the warnings about production, by project */
async function warningsOf(
  engine: Engine,
  start: () => Promise<Host>,
  run: () => Promise<void>,
): Promise<Lacks> {
  const host = await start();
  engine.use(() => host);
  printed.mockClear();
  await run();
  await host.cancel();
  const lacks: Lacks = {};
  for (const [text] of printed.mock.calls) {
    const [, project, keys] = warning.exec(String(text)) ?? [];
    if (project === undefined || keys === undefined) continue;
    if (project in lacks) throw new Error(`${project} is warned of twice`);
    lacks[project] = keys.split(/, | and /);
  }
  return lacks;
}

const counts = { warned: 0, silent: 0 };
// They would prove little if few commands had to warn.
afterAll(() => {
  if (isLong) console.info(counts);
  if (counts.warned + counts.silent < histories) return;
  expect(counts.warned).toBeGreaterThan(histories);
  expect(counts.silent).toBeGreaterThan(histories);
});

describe.each(["dynamic", "plugin"] as const)("through the %s host", (name) => {
  it("a run asks for nothing but the projects whose variables it changes, once each", async () => {
    await server.control.reset();
    await server.control.seed(account);
    const proxy = await openRecordingProxy(server.url);
    const engine = new Engine(await hosts[name](proxy.url));
    const programOf = (value: string): Program =>
      ["one", "two"].flatMap((project) => [
        { type: "Project", name: project, args: { name: project } },
        ...["A", "B"].map((key): Program[number] => ({
          type: "EnvVar",
          name: `${project}-${key}`,
          args: { project: { $ref: project, output: "id" }, key, value, target: ["production"] },
        })),
      ]);
    /** The requests at the end of a run. */
    const end = async (run: (program: Program) => Promise<unknown>, value = ""): Promise<string[]> => {
      await server.control.advanceClock(1_000);
      const host = await hosts[name](proxy.url);
      engine.use(() => host);
      await run(programOf(value));
      const begun = proxy.requests.length;
      await host.cancel();
      return proxy.requests.slice(begun).map(({ method, path }) => `${method} ${path.split("?", 1)[0]}`);
    };
    const up = (program: Program) => engine.up(program);
    const preview = (program: Program) => engine.preview(program);
    await end(up, "v1");
    await server.control.deploy(
      ...["one", "two"].map((project) => ({
        ...{ team: "acme", project, target: "production" as const, readyState: "READY" as const },
      })),
    );
    const ids = engine.state.filter(({ type }) => type === "Project").map(({ id }) => id);
    const projects = ids.map((id) => `GET /v9/projects/${id}`).toSorted();
    expect((await end(up, "v2")).toSorted()).toEqual(projects);
    expect(await end(up, "v2")).toEqual([]);
    expect(await end(preview, "v2")).toEqual([]);
    expect((await end(preview, "v3")).every((asked) => projects.includes(asked))).toBe(true);
    printed.mockClear();
    expect(await end(() => engine.refresh())).toEqual([]);
    const told = printed.mock.calls.filter(([text]) => warning.test(String(text)));
    expect(told).toHaveLength(2);
    await proxy.close();
  });

  describe("an update that makes a deployment", () => {
    let engine: Engine;
    const programOf = (value: string, triggers?: string[], deployed = true): Program => {
      const project = { $ref: "web", output: "id" };
      const variable = { key: "KEY", value, target: ["production"] };
      return [
        { type: "Project", name: "web", args: { name: "web" } },
        { type: "EnvVar", name: "key", args: { project, ...variable } },
        ...(deployed ? [built(triggers)] : []),
      ];
    };
    const built = (triggers?: string[]): Program[number] => ({
      type: "Deployment",
      name: "built",
      args: { project: { $ref: "web", output: "id" }, redeploy: "dpl_0", target: "production", triggers },
      dependsOn: ["key"],
    });
    /** @returns the warnings of a run */
    const up = async (program: Program, timeoutMs?: number): Promise<Lacks> => {
      await server.control.advanceClock(1_000);
      const timed = program.map((one) =>
        one.type === "Deployment" ? { ...one, args: { ...one.args, timeoutMs } } : one,
      );
      return warningsOf(engine, hosts[name], () => engine.up(timed).then(noop, noop));
    };
    const noop = (): void => {};

    beforeEach(async () => {
      await server.control.reset();
      await server.control.seed({
        ...account,
        deployments: [{ id: "dpl_0", team: "acme", project: "web", readyState: "READY", target: "preview" }],
      });
      await server.control.planBuilds({ buildMs: 0 });
      engine = new Engine(await hosts[name]());
      expect(await up(programOf("v1", ["1"]))).toEqual({});
    });

    it("warns when it continues with one from before the change", async () => {
      expect(await up(programOf("v1", ["1"], false))).toEqual({});
      expect(await up(programOf("v2", ["1"]))).toEqual({ web: ["KEY"] });
    });

    it("warns when the build fails", async () => {
      await server.control.planBuilds({ buildMs: 0, error: { message: "no" } });
      expect(await up(programOf("v2", ["2"]))).toEqual({ web: ["KEY"] });
    });

    it("warns when the new one is staged, because the project assigns no domains itself", async () => {
      const staged = (value: string, triggers: string[]): Program =>
        programOf(value, triggers).map((one) =>
          one.type === "Project" ? { ...one, args: { ...one.args, autoAssignCustomDomains: false } } : one,
        );
      expect(await up(staged("v1", ["1"]))).toEqual({});
      const preview = () => engine.preview(staged("v2", ["2"])).then(noop);
      expect(await warningsOf(engine, hosts[name], preview)).toEqual({ web: ["KEY"] });
      expect(await up(staged("v2", ["2"]))).toEqual({ web: ["KEY"] });
    });

    it("does not warn while the build runs", async () => {
      await server.control.planBuilds({ buildMs: 60_000 });
      expect(await up(programOf("v2", ["2"]), 0)).toEqual({});
    });
  });

  it.each(Array.from({ length: histories }, (_, i) => first + i))(
    "a run warns exactly when production lacks the last change of a variable (seed %i)",
    async (seed) => {
      await server.control.reset();
      await server.control.seed({
        ...account,
        deployments: ["p0", "p1"].map((project) => ({
          ...{ id: `dpl_${project}`, team: "acme", project: `${project}-web`, target: "preview" as const },
          readyState: "READY" as const,
        })),
      });
      await server.control.planBuilds({ buildMs: 0 });
      const history = new History(seed);
      const engine = new Engine(await hosts[name]());
      const told: string[] = [];
      try {
        await run("up");
        for (let i = 0; i < commands; i++) {
          for (const act of [...history.edit(), ...history.edit()]) await byHand(act);
          await run(history.command());
        }
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}\n${told.join("\n")}`);
      }

      async function run(command: Command): Promise<void> {
        await server.control.advanceClock(1_000);
        const { program } = history;
        told.push(toCode(program), `// ${command}`);
        const expected = history.run(command);
        const lacks = await warningsOf(engine, hosts[name], async () => {
          if (/refresh/.test(command)) await engine.refresh();
          if (command.startsWith("preview")) await engine.preview(program);
          if (command.startsWith("up")) await engine.up(program);
        });
        told.push(`// warned: ${JSON.stringify(lacks)}, expected: ${JSON.stringify(expected)}`);
        expect(lacks).toEqual(expected);
        counts[Object.keys(lacks).length > 0 ? "warned" : "silent"] += 1;
      }

      async function byHand(act: ByHand): Promise<void> {
        await server.control.advanceClock(1_000);
        told.push(`// by hand: ${JSON.stringify(act)}`);
        const { project } = act;
        if (act.kind === "deploy")
          await server.control.deploy({
            id: act.id,
            project,
            team: "acme",
            target: "production",
            readyState: "READY",
          });
        if (act.kind === "promote") {
          const { targets } = await ask("GET", `/v9/projects/${project}`);
          if (targets?.production?.id !== act.id)
            await ask("POST", `/v10/projects/${project}/promote/${act.id}`);
          // On the profile `hosted`, a promotion takes two seconds.
          await server.control.advanceClock(2_000);
        }
        if (act.kind !== "change") return;
        const { envs } = await ask("GET", `/v9/projects/${project}/env`);
        const { id } = envs?.find(({ key }) => key === act.key) ?? {};
        await ask("PATCH", `/v9/projects/${project}/env/${id}`, { value: act.value });
      }
    },
    isLong ? 600_000 : 120_000,
  );
});

async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<{ envs?: { id: string; key: string }[]; targets?: { production?: { id: string } } }> {
  const answer = await fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
