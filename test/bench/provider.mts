import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDelayingProxy } from "./delaying-proxy.mts";
import { countOf, noopProgram, noopProvider, pluginProgram, type Size, slipwayProgram } from "./graphs.mts";
import { benchHosts } from "./hosts.mts";
import type { Plan } from "./plan.mts";
import { draw } from "./plot.mts";
import { start } from "./process.mts";
import { openStacks, type Stack, type Stacks, type Step, steps, type Took } from "./pulumi.mts";
import { median, progress, table } from "./report.mts";
import { withMisses } from "./rounds.mts";
import { type Shares, shareNames, sharesOf as tracedShares } from "./trace.mts";

const whole: Size = { projects: 50, variables: 5 };
const rounds = 5;
/** 10, 100 and 500 resources. */
const growing: Size[] = [1, 10, 50].map((projects) => ({ projects, variables: 8 }));
const growingRounds = 3;
/** The largest ratio of each step. */
const goals: Record<Step, number> = { up: 1.15, preview: 1.25, refresh: 1.2, destroy: 1.25 };

type Times = Record<Step, Took[]>;

/** One way to make the graph, and what it took. */
interface Contender {
  name: string;
  stack: Stack;
  program: (size: Size) => string;
}

/**
 * Measures the provider beside no-op resources of the same graph, which is what the engine, the program and the
 * file backend cost by themselves. Rounds alternate, and each figure is the median of them.
 * @returns the tables, in Markdown
 */
export async function benchProvider(plan: Plan): Promise<string> {
  const main = path.join(import.meta.dirname, "../../dist/server/main.js");
  const server = await start([main, "serve", "--port", "0", "--data", "memory", "--log-level", "warn"]);
  const stacks = openStacks(noopProvider);
  try {
    const account = {
      SLIPWAY_API_URL: server.url.origin,
      SLIPWAY_TOKEN: "slipway-dev-token",
      SLIPWAY_TEAM: "acme",
    };
    const slipway = {
      name: "Slipway",
      stack: await stacks.make("slipway", account),
      program: slipwayProgram,
    };
    const plugin = { name: "plugin", stack: await stacks.make("plugin", account), program: pluginProgram };
    const noop = { name: "no-op", stack: await stacks.make("noop"), program: noopProgram };
    // Without checkpoints the backend writes the state once, at the end.
    const unsaved = {
      name: "no-op, saved once",
      stack: await stacks.make("unsaved", { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
      program: noopProgram,
    };
    const started = await benchHosts();
    // Both make the same projects, so that each takes its own away before the other begins.
    const compared = await measure([slipway, plugin, noop], whole, rounds);
    const grown: [Size, Map<string, Times>][] = [];
    for (const size of growing)
      grown.push([size, await measure([slipway, noop, unsaved], size, growingRounds)]);
    const traced = await traceUps(server.url, stacks);
    const plots = [await growthOf(grown, plan), await sharesOf(grown, plan)];
    return [comparison(compared), byHost(compared), started, traced, growth(grown), ...plots].join("\n\n");
  } finally {
    stacks.remove();
    await server.stop();
  }
}

/** Traces one `up` of each host, through a proxy that times the requests. */
async function traceUps(target: URL, stacks: Stacks): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-trace-"));
  const proxy = await openDelayingProxy(target, undefined);
  try {
    const rows: string[][] = [];
    const wholes: Shares[] = [];
    for (const [name, program] of [
      ["dynamic", slipwayProgram],
      ["plugin", pluginProgram],
    ] as const) {
      const stack = await stacks.make(`traced-${name}`, {
        SLIPWAY_API_URL: proxy.url,
        SLIPWAY_TOKEN: "slipway-dev-token",
        SLIPWAY_TEAM: "acme",
      });
      stack.program(program(whole));
      proxy.takeTimes();
      const file = path.join(folder, `${name}.json`);
      await stack.run("up", ["--otel-traces", `file://${file}`]);
      const shares = tracedShares(file, proxy.takeTimes());
      await stack.run("destroy");
      wholes.push(shares);
      progress(`traced an up, ${name}`);
    }
    for (const share of shareNames) rows.push([share, ...wholes.map((shares) => partOf(shares, share))]);
    rows.push(["all", ...wholes.map((shares) => seconds(sumOf(shares)))]);
    return [
      "The next table shows where one traced `up` spends its time. A proxy times the requests. When several parts work at the same time, the time counts for the part that is first in the table:",
      table([["part", "dynamic", "plugin"], ...rows]),
    ].join("\n\n");
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const sumOf = (shares: Shares): number => shareNames.reduce((sum, share) => sum + shares[share], 0);

const partOf = (shares: Shares, share: keyof Shares): string =>
  `${seconds(shares[share])} (${Math.round((100 * shares[share]) / sumOf(shares))} %)`;

async function measure(contenders: Contender[], size: Size, times: number): Promise<Map<string, Times>> {
  const taken = new Map<string, Times>(
    contenders.map(({ name }) => [name, { up: [], preview: [], refresh: [], destroy: [] }]),
  );
  for (const { stack, program } of contenders) stack.program(program(size));
  for (let round = 0; round < times; round++) {
    // The order alternates, so that neither always finds the caches warm.
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, stack } of order) {
      const said: string[] = [];
      for (const step of steps) {
        const took = await stack.run(step);
        taken.get(name)?.[step].push(took);
        said.push(`${step} ${took.wall.toFixed(1)} s`);
      }
      progress(`${countOf(size)} resources, round ${round + 1} of ${times}, ${name}: ${said.join(", ")}`);
    }
  }
  return taken;
}

const middle = (taken: Map<string, Times>, name: string, step: Step, of: keyof Took): number =>
  median((taken.get(name)?.[step] ?? []).map((took) => took[of]));

function comparison(taken: Map<string, Times>): string {
  const rows = steps.map((step) => {
    const of = (name: string, what: keyof Took) => middle(taken, name, step, what);
    const ratio = (what: keyof Took): string => (of("Slipway", what) / of("no-op", what)).toFixed(2);
    const [slipway, noop] = [of("Slipway", "wall"), of("no-op", "wall")].map(seconds) as [string, string];
    return [step, slipway, noop, ratio("wall"), withMisses(ratio("wall"), `≤ ${goals[step]}`), ratio("work")];
  });
  const head = ["step", "Slipway", "no-op", "ratio", "goal", "ratio of processor time"];
  return [
    `${whole.projects} projects with ${whole.variables} variables and a domain each: ${countOf(whole)} resources.`,
    table([head, ...rows]),
  ].join("\n\n");
}

function byHost(taken: Map<string, Times>): string {
  const rows = steps.map((step) => {
    const [dynamic, plugin] = ["Slipway", "plugin"].map((name) => middle(taken, name, step, "wall")) as [
      number,
      number,
    ];
    const each = (wall: number): string => `${((wall * 1000) / countOf(whole)).toFixed(1)} ms`;
    return [step, seconds(dynamic), seconds(plugin), each(dynamic), each(plugin)];
  });
  const head = ["step", "dynamic", "plugin", "dynamic, per resource", "plugin, per resource"];
  return ["By host:", table([head, ...rows])].join("\n\n");
}

/** Whose the time of a step is, in seconds. */
function sharesIn(taken: Map<string, Times>, step: Step) {
  const of = (name: string) => middle(taken, name, step, "wall");
  const [all, noop, unsaved] = [of("Slipway"), of("no-op"), of("no-op, saved once")];
  return { all, engine: unsaved, backend: noop - unsaved, slipway: all - noop };
}

function growth(grown: [Size, Map<string, Times>][]): string {
  const rows = grown.flatMap(([size, taken]) =>
    steps.map((step) => {
      const { all, engine, backend, slipway } = sharesIn(taken, step);
      return [String(countOf(size)), step, ...[all, engine, backend, slipway].map(seconds)];
    }),
  );
  const head = ["resources", "step", "all", "engine and program", "file backend", "Slipway and its server"];
  return [
    "Growth, and the time of each part. The time of the file backend is the difference of two runs, so it can be negative:",
    table([head, ...rows]),
  ].join("\n\n");
}

const growthOf = (grown: [Size, Map<string, Times>][], plan: Plan): Promise<string> =>
  draw(
    {
      name: "growth-by-resources",
      title: "Time of each step, by number of resources",
      along: "resources",
      values: grown.map(([size]) => countOf(size)),
      measured: "seconds",
      series: steps.map((step) => ({
        name: step,
        values: grown.map(([, taken]) => sharesIn(taken, step).all),
      })),
    },
    plan,
  );

/** Differences of medians may come out below zero, which means nothing at all. */
const sharesOf = (grown: [Size, Map<string, Times>][], plan: Plan): Promise<string> =>
  draw(
    {
      name: "shares-of-an-up",
      title: "Share of each part in the time of an up, by number of resources",
      along: "resources",
      values: grown.map(([size]) => countOf(size)),
      measured: "seconds",
      series: (
        [
          ["engine and program", "engine"],
          ["file backend", "backend"],
          ["Slipway and its server", "slipway"],
        ] as const
      ).map(([name, share]) => ({
        name,
        values: grown.map(([, taken]) => Math.max(0, sharesIn(taken, "up")[share])),
      })),
      stacked: true,
    },
    plan,
  );

const seconds = (value: number): string => `${value.toFixed(2)} s`;
