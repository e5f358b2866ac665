import { StackState } from "../../provider/stack-state";
import { type RunningServer, startServer } from "../../server";
import { FakeCli } from "../support/fake-cli";
import { account } from "../support/programs/account";
import { Author } from "../support/programs/author";
import { companionTypes, keyedTypes } from "../support/programs/companions";
import { Engine } from "../support/programs/engine";
import { noCounts, runLifetime, type TestStack } from "../support/programs/lifetime";
import { losing } from "../support/programs/lost-answers";
import { objectsOf, type Tokens, tokensPath } from "../support/programs/owners";
import type { Program } from "../support/programs/program";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { isLong } from "../support/slices";
import type { Host } from "./host";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";

/** Each is a program with edits of it, through either host, on either profile; the number is its seed. */
const programs = Number(process.env.SLIPWAY_TEST_PROGRAMS ?? (isLong ? 500 : 1));
const first = Number(process.env.SLIPWAY_TEST_SEED ?? 0);
/** On the profile `hosted`, in milliseconds: how old reads are after a write, and how long promotions take. */
const late = {
  staleMs: Number(process.env.SLIPWAY_TEST_STALE_MS ?? 300),
  delayMs: Number(process.env.SLIPWAY_TEST_PROMOTION_MS ?? 600),
};
const edits = 5;

let server: RunningServer;
let cli: FakeCli;
let proxy: RecordingProxy;
/** How many requests that create several variables were lost. */
let lost = 0;
/** The targets of the run under way, which the provider reads from the command line of the real CLI. */
let runTargets: ReadonlySet<string> | undefined;
const path = process.env.PATH;

beforeAll(() => {
  cli = new FakeCli();
  process.env.PATH = cli.path;
  jest
    .spyOn(StackState.prototype, "leavesOut")
    .mockImplementation(async (urn) => runTargets?.has(urn.split("::").at(-1) ?? "") === false);
});
afterAll(() => {
  jest.restoreAllMocks();
  process.env.PATH = path;
  cli.close();
});

const config = (start: string) => ({
  [`${start}apiUrl`]: proxy.url,
  [`${start}token`]: server.token,
  [`${start}team`]: "acme",
});
const hosts = {
  dynamic: (provider?: string) => inProcessHost(config("slipway:"), provider),
  plugin: (provider?: string) => inProcessPluginHost(config(""), cli, provider),
};

it("the programs have every kind of edit", () => {
  const made = new Map<string, number>();
  for (let seed = 0; seed < 300; seed++) {
    const author = new Author(seed);
    for (let i = 0; i < edits; i++) author.edit([]);
    for (const [kind, count] of author.made) made.set(kind, (made.get(kind) ?? 0) + count);
  }
  const main = ["EnvVar", "ProjectDomain", "Project", "CustomEnvironment"];
  const lists = [...main, ...keyedTypes].map((type) => `list of ${type}`);
  const shifts = ["loses its first", "is rotated", "gets one at the front"].map((how) => `list ${how}`);
  const options = ["dependsOn", "ignoreChanges", "deleteBeforeReplace", "adopt", "aliases"];
  const kinds = [
    ...companionTypes,
    ...[...lists, ...shifts, "long list", "long list is shifted", "swap", "trade"],
    ...["Deployment of ref", "Deployment of redeploy", "Promotion", "Promotion of another deployment"],
    ...["triggers", "source", "target", "onDestroy"].map((input) => `Deployment has other ${input}`),
    ...["other value of a trigger", "other type of a variable"],
    ...["other provider", "exchange between providers", ...options.map((name) => `option ${name}`)],
  ];
  expect(kinds.filter((kind) => (made.get(kind) ?? 0) < 3)).toEqual([]);
});

/** Each host and each profile once; every pair in the long run. */
const pairs = [
  ["dynamic", "specification"],
  ["plugin", "hosted"],
  ...(isLong
    ? ([
        ["plugin", "specification"],
        ["dynamic", "hosted"],
      ] as const)
    : []),
] as const;

describe.each(pairs)("through the %s host, on the profile %s", (name, profile) => {
  beforeAll(async () => {
    server = await startServer({ seed: account, profile });
    proxy = await openRecordingProxy(server.url);
  });
  /** The outcomes of all runs. */
  const counts = noCounts();
  let ran = 0;

  it.each(Array.from({ length: programs }, (_, i) => first + i))(
    "random edits of a program lose nothing, share nothing and leave nothing behind (seed %i)",
    async (seed) => {
      await server.control.reset();
      await server.control.seed(account);
      await server.control.planBuilds({ buildMs: 0 });
      if (profile === "hosted") await server.control.planPromotions({ delayMs: late.delayMs });
      const warnings = jest.spyOn(console, "error").mockImplementation(() => {});
      try {
        const staleMs = profile === "hosted" ? late.staleMs : 0;
        await runLifetime(new Author(seed), edits, await stackOf(hosts[name], staleMs), counts);
        ran += 1;
      } finally {
        warnings.mockRestore();
      }
    },
    isLong ? 600_000 : 120_000,
  );

  // The programs would prove little if all of them were refused, or none recovered. Not for a test that ran alone.
  afterAll(async () => {
    await proxy.close();
    await server.close();
    if (isLong)
      console.info(`${ran} of ${programs} programs through the ${name} host, ${profile}`, counts, { lost });
    if (ran < programs) return;
    expect(counts.done).toBeGreaterThanOrEqual(programs);
    expect(counts.recovered).toBeGreaterThanOrEqual(programs);
    if (isLong)
      for (const count of [...Object.values(counts), lost])
        expect(count).toBeGreaterThanOrEqual(programs / 10);
  });
});

/**
 * A stack under an engine of ours, with a process for each provider.
 * @param staleMs how long reads of a run are older than its writes; what was written before the run is always seen
 */
async function stackOf(host: (provider?: string) => Promise<Host>, staleMs: number): Promise<TestStack> {
  const hosts = new Map<string | undefined, Host>();
  const engine = new Engine(await host());
  engine.use((provider) => {
    const running = hosts.get(provider);
    if (!running) throw new Error(`the provider ${provider} is not started`);
    return running;
  });
  /** Starts the processes of the providers that a run needs. */
  async function start(program: Program = []): Promise<void> {
    for (const provider of new Set([...program, ...engine.state].map(({ provider }) => provider)))
      if (!hosts.has(provider)) hosts.set(provider, await host(provider));
  }
  return {
    get state() {
      return engine.state;
    },
    isOrdered: true,
    async begin() {
      hosts.clear();
      if (staleMs > 0) await server.control.setConsistency({ staleMs });
    },
    async preview(program) {
      await start(program);
      return engine.preview(program);
    },
    async up(program, { targets, isPreviewed = false, parallel, killAfter, killAt, losses = new Map() }) {
      await start(program);
      runTargets = targets;
      try {
        if (isPreviewed) {
          await engine.preview(program, targets);
          hosts.clear();
          await start(program);
        }
        const run = () => engine.up(program, { targets, ...(parallel !== undefined && { parallel }) });
        if (killAfter === undefined) lost += await losing(proxy, losses, run);
        else await killing(killAfter, killAt, () => engine.kill(), run);
      } finally {
        runTargets = undefined;
      }
    },
    async refresh() {
      await start();
      await engine.refresh();
    },
    async expectDone(program) {
      await start(program);
      expect(await engine.refresh()).toEqual([]);
      expect((await engine.preview(program)).operations).toEqual({});
    },
    objects: there,
    async snapshot() {
      const { now: _, ...all } = await server.control.snapshot();
      return all;
    },
    request,
    get requests() {
      return proxy.requests;
    },
  };
}

/** Kills a run after some changes of the service: nothing further that it asks for is heard. */
async function killing(
  killAfter: number,
  killAt: string | undefined,
  kill: () => void,
  run: () => Promise<unknown>,
): Promise<void> {
  let changes = 0;
  proxy.after = ({ method, path }) => {
    if (method === "GET" || !path.includes(killAt ?? "/")) return;
    changes += 1;
    if (changes === killAfter) kill();
  };
  const refusal = JSON.stringify({ error: { code: "forbidden", message: "The run is over." } });
  proxy.before = () => (changes < killAfter ? undefined : { status: 403, body: refusal });
  try {
    await run();
  } finally {
    proxy.after = () => {};
    proxy.before = () => undefined;
  }
}

const there = async () => {
  const tokens = await ask("GET", tokensPath);
  return objectsOf(await server.control.snapshot(), (await tokens.json()) as Tokens);
};

/** A request behind the program's back, which may be refused. */
async function request(path: string, body: object, method = "POST"): Promise<number> {
  const answer = await ask(method, path, body);
  await answer.arrayBuffer();
  return answer.status;
}

const ask = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
