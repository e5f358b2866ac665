import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { certify, type DelayingProxy, openDelayingProxy } from "./delaying-proxy.mts";
import {
  bridgedYaml,
  dynamicProgram,
  type Graph,
  type Program,
  resourcesIn,
  sitesYaml,
  slipwayYaml,
  terraformProgram,
  togetherYaml,
} from "./peer-programs.mts";
import type { Plan } from "./plan.mts";
import { draw } from "./plot.mts";
import { type Running, start } from "./process.mts";
import { openStacks, type Stacks, timed } from "./pulumi.mts";
import { median, progress, table } from "./report.mts";
import { main } from "./servers.mts";

const steps = ["create", "unchanged, with refresh", "one changed variable", "destroy"] as const;
type Step = (typeof steps)[number];

/** Milliseconds that are added to each request: on this machine, and as over the internet. */
const delays = [0, 60];
const wholeGraph: Graph = { projects: 20, variables: 15, domains: 2 };
const quickGraph: Graph = { projects: 2, variables: 3, domains: 1 };

/** The name that the peers ask, and a token in the form that they accept. */
const publicName = "api.vercel.com";
const token = "abcdefghijklmnopqrstuvwx";

/** A provider that carries out the graph. */
interface Contender {
  name: string;
  /** @throws Error with what was printed when it fails */
  run(step: Step): Promise<{ wall: number }>;
}

/** The requirements of contenders. */
interface Site {
  folder: string;
  stacks: Stacks;
  proxy: DelayingProxy;
  graph: Graph;
  /** The environment of programs that know the public address only; undefined where it cannot be made. */
  intercepted: Record<string, string> | undefined;
}

/** A contender, or why it is left out. */
type Entry = { name: string; open(site: Site): Promise<Contender | string> };

const noYaml = "Install Pulumi as its vendor provides it: its host for YAML was not found.";
const hasYaml = (): boolean =>
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, "pulumi-language-yaml")));

const entries: readonly Entry[] = [
  { name: "Terraform provider", open: openTerraform },
  { name: "bridged Pulumi provider", open: openBridged },
  { name: "Slipway, plugin, YAML", open: (site) => openPulumi(site, "plugin", slipwayYaml) },
  { name: "Slipway, one EnvVars per project", open: (site) => openPulumi(site, "together", togetherYaml) },
  { name: "Slipway, one Site per project", open: (site) => openPulumi(site, "sites", sitesYaml) },
  { name: "Slipway, dynamic", open: (site) => openPulumi(site, "dynamic", dynamicProgram) },
];

interface Measured {
  seconds: number;
  requests: number;
}

/** By contender, delay and step. */
type Results = Map<string, Map<number, Record<Step, Measured>>>;

/**
 * Measures what a whole run takes with Slipway and with the providers that others use, on the bundled server with its data
 * on disk, and counts the requests.
 * @returns the tables, in Markdown
 */
export async function benchProviderPeers(plan: Plan): Promise<string> {
  const graph = plan.isRehearsal ? quickGraph : wholeGraph;
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-provider-peers-"));
  const server = await startServer(folder);
  const authority = certify(publicName, folder);
  const proxy = await openDelayingProxy(server.url, authority);
  const stacks = openStacks("");
  const intercepted = authority && {
    ...{ HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1,localhost", SSL_CERT_FILE: authority.file },
    ...{ VERCEL_API_TOKEN: token, VERCEL_TEAM: "acme" },
  };
  try {
    const results: Results = new Map();
    const left: string[] = [];
    for (const { name, open } of entries) {
      const contender = await open({ folder, stacks, proxy, graph, intercepted });
      if (typeof contender === "string") left.push(`Not measured: ${name}. ${contender}`);
      else results.set(name, await measure({ ...contender, name }, proxy, plan));
    }
    for (const line of left) progress(line);
    return [...tablesOf(results, graph), ...left, await plotOf(results, plan)].join("\n\n");
  } finally {
    stacks.remove();
    await proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startServer(folder: string): Promise<Running> {
  const seed = path.join(folder, "seed.json");
  const document = {
    users: [{ username: "ada", email: "ada@example.com" }],
    teams: [{ slug: "acme", plan: "enterprise", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token, user: "ada", team: "acme" }],
  };
  writeFileSync(seed, JSON.stringify(document));
  const data = path.join(folder, "data");
  const limits = ["--log-level", "warn"];
  return start([main, "serve", "--port", "0", "--data", data, "--seed", seed, ...limits]);
}

async function measure(
  { name, run }: Contender,
  proxy: DelayingProxy,
  { rounds: mostRounds }: Plan,
): Promise<Map<number, Record<Step, Measured>>> {
  const measured = new Map<number, Record<Step, Measured>>();
  for (const delayMs of delays) {
    proxy.delayMs = delayMs;
    const rounds: Record<Step, Measured>[] = [];
    for (let round = 0; round < Math.min(mostRounds, 3); round++) {
      const taken = {} as Record<Step, Measured>;
      for (const step of steps) {
        proxy.take();
        const { wall } = await run(step);
        taken[step] = { seconds: wall, requests: proxy.take() };
      }
      rounds.push(taken);
      const said = steps.map(
        (step) => `${step} ${taken[step].seconds.toFixed(1)} s, ${taken[step].requests}`,
      );
      progress(`${name}, ${delayMs} ms added: ${said.join("; ")}`);
    }
    const middle = (step: Step, of: keyof Measured) => median(rounds.map((taken) => taken[step][of]));
    const all = steps.map((step) => [
      step,
      { seconds: middle(step, "seconds"), requests: middle(step, "requests") },
    ]);
    measured.set(delayMs, Object.fromEntries(all));
  }
  return measured;
}

const tablesOf = (results: Results, graph: Graph): string[] => [
  `${resourcesIn(graph)} resources: ${graph.projects} projects, each with ${graph.variables} variables and ${graph.domains} domains.`,
  ...delays.map((delayMs) => {
    const rows = [...results].map(([name, measured]) => [
      name,
      ...steps.map((step) => {
        const { seconds = Number.NaN, requests = 0 } = measured.get(delayMs)?.[step] ?? {};
        return `${seconds.toFixed(1)} s, ${requests} ${requests === 1 ? "request" : "requests"}`;
      }),
    ]);
    const head = delayMs === 0 ? "no added delay" : `${delayMs} ms added to each request`;
    return table([[head, ...steps], ...rows]);
  }),
];

const plotOf = (results: Results, plan: Plan): Promise<string> => {
  const delayMs = delays.at(-1) ?? 0;
  return draw(
    {
      name: "providers-by-step",
      title: `Time of each step with ${delayMs} ms added to each request, by provider`,
      along: "step",
      values: steps,
      measured: "seconds",
      series: [...results].map(([name, measured]) => ({
        name,
        values: steps.map((step) => measured.get(delayMs)?.[step].seconds ?? 0),
      })),
      bars: true,
    },
    plan,
  );
};

/** Slipway, or another provider of Pulumi. */
async function openPulumi(
  { stacks, proxy, graph }: Site,
  name: "plugin" | "together" | "sites" | "dynamic" | "bridged",
  program: Program,
  env: Record<string, string> = {
    ...{ SLIPWAY_API_URL: proxy.url, SLIPWAY_TOKEN: token, SLIPWAY_TEAM: "acme" },
  },
): Promise<Contender | string> {
  const language = name === "dynamic" ? "nodejs" : "yaml";
  if (language === "yaml" && !hasYaml()) return noYaml;
  const stack = await stacks.make(`peer-${name}`, env, language);
  return {
    name,
    async run(step) {
      if (step === "destroy") return stack.run("destroy");
      stack.program(program(graph, step === "one changed variable" ? "changed" : "first"));
      return stack.run(step === "unchanged, with refresh" ? "refreshed" : "up");
    },
  };
}

/** The bridged provider, which is started from the folder that SLIPWAY_BENCH_BRIDGED names. */
async function openBridged(site: Site): Promise<Contender | string> {
  const folder = process.env.SLIPWAY_BENCH_BRIDGED;
  if (folder === undefined || !existsSync(path.join(folder, "pulumi-resource-vercel")))
    return "Set SLIPWAY_BENCH_BRIDGED to the folder of its executable, pulumi-resource-vercel.";
  if (!site.intercepted) return noOpenSsl;
  const PATH = `${folder}${path.delimiter}${process.env.PATH}`;
  return openPulumi(site, "bridged", bridgedYaml, { ...site.intercepted, PATH });
}

/** The Terraform provider, which is started from the file that SLIPWAY_BENCH_TERRAFORM names. */
async function openTerraform({ folder, graph, intercepted }: Site): Promise<Contender | string> {
  const file = process.env.SLIPWAY_BENCH_TERRAFORM;
  if (file === undefined || !existsSync(file))
    return "Set SLIPWAY_BENCH_TERRAFORM to its executable, terraform-provider-vercel.";
  const cli = ["terraform", "tofu"].find((name) => spawnSync(name, ["version"]).status === 0);
  if (cli === undefined) return "Install Terraform or OpenTofu.";
  if (!intercepted) return noOpenSsl;
  const cwd = path.join(folder, "terraform");
  mkdirSync(cwd);
  const settings = path.join(cwd, "cli.tfrc");
  writeFileSync(
    settings,
    `provider_installation {\n  dev_overrides { "vercel/vercel" = ${JSON.stringify(path.dirname(file))} }\n  direct {}\n}\n`,
  );
  const env = { ...process.env, ...intercepted, TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1" };
  const commands: Record<Step, string[]> = {
    create: ["apply", "-auto-approve"],
    "unchanged, with refresh": ["apply", "-auto-approve"],
    "one changed variable": ["apply", "-auto-approve"],
    destroy: ["destroy", "-auto-approve"],
  };
  return {
    name: cli,
    async run(step) {
      const text = terraformProgram(graph, step === "one changed variable" ? "changed" : "first");
      // A destroy goes by what the program says last.
      if (step !== "destroy") writeFileSync(path.join(cwd, "main.tf.json"), text);
      return timed(cwd, [cli, ...commands[step], "-no-color", "-input=false"], env);
    },
  };
}

const noOpenSsl = "Install OpenSSL, which makes the certificate by which it trusts the bundled server.";
