import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { noopProvider } from "./graphs.mts";
import type { Plan } from "./plan.mts";
import { type Running, start } from "./process.mts";
import { openStacks, type Stack, type Took, timed } from "./pulumi.mts";
import { median, progress, table } from "./report.mts";
import { main, serve } from "./servers.mts";

const root = path.join(import.meta.dirname, "../..");
const cli = path.join(root, "test/contract/cli");
const command = path.join(cli, "node_modules/vercel/dist/vc.js");
const token = "slipwaydevtoken";
const goal = 1.5;
const rounds = 3;
/** The most resident memory of a host, or growth of one that others use too, in MiB. */
const memoryGoal = 200;

/** One way to deploy a folder. */
interface Contender {
  name: string;
  deploy(folder: string): Promise<Took>;
}

/**
 * Measures how long a folder takes to deploy, beside the official command line, on the same server, and the memory of
 * each host.
 * @returns the tables, in Markdown
 */
export async function benchDeploy(plan: Plan): Promise<string> {
  installCommandLine();
  const folder = mkdtempSync(path.join(os.tmpdir(), "slipway-bench-"));
  const options = ["--files-limit", "50GB", "--banner", "off"];
  const server = await start([...serve(path.join(folder, "data"), { entry: main }), ...options]);
  const stacks = openStacks(noopProvider);
  try {
    const env = { SLIPWAY_API_URL: server.url.origin, SLIPWAY_TOKEN: token, SLIPWAY_TEAM: "acme" };
    const dynamic = await contender("dynamic", await stacks.make("dynamic", env), server, dynamicProgram);
    const plugin = await contender("plugin", await stacks.make("plugin", env), server, pluginProgram);
    const official = await officialClient(server);
    const size = plan.isRehearsal ? { files: 50, bytes: 20_000 } : { files: 5_000, bytes: 20_000 };
    const times = await compare([official, dynamic, plugin], folder, size, plan.isRehearsal ? 1 : rounds);
    const memory = await measureMemory([dynamic, plugin], folder, plan);
    return [times, memory].join("\n\n");
  } finally {
    stacks.remove();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The deployments of each round, one after the other. */
const steps = ["all files are new", "none has changed", "one has changed"] as const;

async function compare(
  contenders: readonly Contender[],
  folder: string,
  { files, bytes }: { files: number; bytes: number },
  rounds: number,
): Promise<string> {
  const taken = new Map(contenders.map(({ name }): [string, Took[][]] => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, deploy } of order) {
      const site = path.join(folder, `site-${name.replaceAll(" ", "-")}`);
      fill(
        site,
        Array.from({ length: files }, () => bytes),
      );
      const took = [await deploy(site), await deploy(site)];
      writeFileSync(path.join(site, "0/0.bin"), randomBytes(bytes));
      took.push(await deploy(site));
      progress(`${name}, round ${round} of ${rounds}: ${took.map(({ wall }) => seconds(wall)).join(", ")}`);
      if (round > 0) taken.get(name)?.push(took);
      rmSync(site, { recursive: true });
    }
  }
  const of = (name: string, at: number, what: keyof Took): number =>
    median((taken.get(name) ?? []).map((round) => round[at]?.[what] ?? Number.NaN));
  const cell = (name: string, at: number): string => {
    const ratio = (what: keyof Took): string => (of(name, at, what) / of(official, at, what)).toFixed(2);
    const beside = name === official ? "" : `: ${ratio("wall")} ×, work ${ratio("work")} ×`;
    return `${seconds(of(name, at, "wall"))}${beside}`;
  };
  const names = contenders.map(({ name }) => name);
  return [
    `${files} files of ${bytes / 1000} kB:`,
    table([
      ["what", ...names, "goal"],
      ...steps.map((step, at) => [
        step,
        ...names.map((name) => cell(name, at)),
        at === 0 ? `≤ ${goal} ×` : "",
      ]),
    ]),
  ].join("\n\n");
}

/** The largest files that the server accepts, and many smaller ones: 500 MB. */
const large = [
  ...Array.from({ length: 4 }, () => 100_000_000),
  ...Array.from({ length: 100 }, () => 1_000_000),
];
const small = [1000];

/** The memory of each host while it deploys a large folder, and while it deploys a single file. */
async function measureMemory(contenders: readonly Contender[], folder: string, plan: Plan): Promise<string> {
  const rows: string[][] = [];
  for (const { name, deploy } of contenders) {
    const peaks: number[] = [];
    for (const sizes of [small, plan.isRehearsal ? [1_000_000] : large]) {
      const site = path.join(folder, "large");
      fill(site, sizes);
      const watch = watchMemory(processes[name as keyof typeof processes]);
      const took = await deploy(site);
      peaks.push(watch.end());
      progress(`${name}, ${sizes.length} files: ${peaks.at(-1)?.toFixed(0)} MiB, ${seconds(took.wall)}`);
      rmSync(site, { recursive: true });
    }
    const [before = 0, during = 0] = peaks;
    const isAlone = name === "plugin";
    rows.push([
      name,
      `${before.toFixed(0)} MiB`,
      `${during.toFixed(0)} MiB`,
      isAlone ? `< ${memoryGoal} MiB` : `growth < ${memoryGoal} MiB`,
    ]);
  }
  return table([["resident memory at its peak", "one file of 1 kB", "500 MB in 104 files", "goal"], ...rows]);
}

/** A part of the command of each host's process. */
const processes = { dynamic: /dynamic-provider/, plugin: /dist\/plugin/ };

/** Observes the processes below this one. @returns how to end it, which returns the largest peak, in MiB */
function watchMemory(isHost: RegExp): { end(): number } {
  let most = 0;
  const look = (): void => {
    for (const pid of descendants(process.pid)) {
      try {
        if (!isHost.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"))) continue;
        const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
        most = Math.max(most, Number(peak ?? 0) / 1024);
      } catch {
        // It has ended.
      }
    }
  };
  const timer = setInterval(look, 50);
  return {
    end() {
      clearInterval(timer);
      return most;
    },
  };
}

function descendants(of: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, rest = ""] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      parents.set(Number(name), Number(rest));
    } catch {
      // It has ended.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === of || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

async function contender(
  name: string,
  stack: Stack,
  server: Running,
  program: (project: string, folder: string) => string,
): Promise<Contender> {
  const project = await addProject(server, name);
  return {
    name,
    async deploy(folder) {
      stack.program(program(project.id, folder));
      return stack.run("up");
    },
  };
}

const declared = (project: string, folder: string): string =>
  `new Deployment("web", ${JSON.stringify({ project, directory: folder })});`;

const dynamicProgram = (project: string, folder: string): string =>
  `import { Deployment } from "slipway";\n${declared(project, folder)}`;

const pluginProgram = (project: string, folder: string): string => `
import * as pulumi from "@pulumi/pulumi";
class Deployment extends pulumi.CustomResource {
  constructor(name, args) {
    super("slipway:index:Deployment", name, args);
  }
}
${declared(project, folder)}`;

const official = "vercel deploy";

async function officialClient(server: Running): Promise<Contender> {
  const { id, accountId } = await addProject(server, "official");
  return {
    name: official,
    async deploy(folder) {
      mkdirSync(path.join(folder, ".vercel"), { recursive: true });
      writeFileSync(
        path.join(folder, ".vercel/project.json"),
        JSON.stringify({ projectId: id, orgId: accountId }),
      );
      const args = ["--api", server.url.origin, "--token", token, "--global-config", `${folder}-config`];
      return timed(folder, [process.execPath, command, ...args, "deploy", "--yes", "--scope", "acme"], {
        PATH: process.env.PATH,
        HOME: path.dirname(folder),
        CI: "1",
        NO_COLOR: "1",
        NO_UPDATE_NOTIFIER: "1",
        VERCEL_TELEMETRY_DISABLED: "1",
        // All other addresses end at a port where nobody listens.
        HTTPS_PROXY: "http://127.0.0.1:9",
      });
    },
  };
}

async function addProject({ url }: Running, name: string): Promise<{ id: string; accountId: string }> {
  const answer = await fetch(`${url.origin}/v10/projects?slug=acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  if (!answer.ok) throw new Error(`${name} was not created: ${await answer.text()}`);
  return (await answer.json()) as { id: string; accountId: string };
}

/** Writes files of random contents, 100 to a folder. */
function fill(folder: string, sizes: readonly number[]): void {
  for (const [at, size] of sizes.entries()) {
    const part = path.join(folder, String(Math.floor(at / 100)));
    if (at % 100 === 0) mkdirSync(part, { recursive: true });
    writeFileSync(path.join(part, `${at}.bin`), randomBytes(size));
  }
}

function installCommandLine(): void {
  if (existsSync(command)) return;
  progress("installing the official command line");
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: cli });
}

const seconds = (value: number): string => `${value.toFixed(2)} s`;
