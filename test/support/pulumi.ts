import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { built } from "./dist";
import { type Language, usePlugin } from "./languages";
import { outsideValues } from "./outside-values";
import { killTree, treeOf } from "./process-tree";
import { root, type ServerProcess, serve } from "./server";

const { pinnedVersion }: { pinnedVersion: string } = require("../../scripts/setup/pulumi.mjs");

/** One run of the CLI: what a user saw, and what the engine did. */
export interface Run {
  code: number;
  /** Both outputs, as printed. */
  output: string;
  /** The resources that something happened to (or would, in a preview), without those that stay the same. */
  steps: Step[];
  /** Names of those of which some input was not known. */
  uncertain: string[];
  /** Errors and warnings, as texts. */
  errors: string[];
  warnings: string[];
  /** The reports of policies: `policy resource`, each once, sorted. */
  violations: string[];
}

export type Analysis = Pick<Run, "code" | "output" | "violations">;

export interface Step {
  /** The operation of the engine: create, update, delete, replace, create-replacement, delete-replaced, refresh, … */
  op: string;
  /** `Project`, `EnvVar`, … */
  type: string;
  name: string;
  /** The inputs that differ, as the CLI shows them: a secret looks the same before and after. */
  diffs: string[];
  /** The paths that the provider itself says to differ, and how. */
  detailed: Record<string, string>;
}

export interface RunOptions {
  args?: string[];
  env?: Record<string, string | undefined>;
  /** Show the plan before it is carried out. Left out by default, because it doubles the time. */
  preview?: boolean;
}

/** Secrets of the tests carry it, so that a search for it finds every one that escapes. */
export const canary = "canary";

/** A command that takes longer hangs: no test gives one as long. */
const hangMs = 240_000;

/**
 * A server, a state backend and programs of their own for one test file.
 * It ends with a search for secrets in clear: in the state, in everything that the CLI printed, and in the server's log.
 */
export class Workspace {
  readonly token = `${canary}-token-${unique()}`;
  readonly controlToken = `${canary}-control-${unique()}`;
  private readonly transcript: string[] = [];
  server!: ServerProcess;
  /** Where the hosts of programs in other languages are, of those that were asked for. */
  private readonly languages = new Map<string, string>();

  private constructor(readonly folder: string) {}

  static async start(seed: object = {}, main?: string): Promise<Workspace> {
    const world = new Workspace(mkdtempSync(join(tmpdir(), "slipway-e2e-")));
    mkdirSync(join(world.folder, "state"));
    world.server = await serve({
      folder: world.folder,
      ...(main && { main }),
      token: world.token,
      controlToken: world.controlToken,
      team: "acme",
      seed: {
        users: [{ username: "ada", email: "ada@example.com" }],
        teams: [
          {
            slug: "acme",
            plan: "enterprise",
            addons: ["advanced-deployment-protection"],
            members: [{ user: "ada", role: "OWNER" }],
          },
        ],
        tokens: [{ token: world.token, user: "ada", team: "acme" }],
        ...seed,
      },
    });
    return world;
  }

  /** A new stack with a program of its own, which finds its packages in `modules`. */
  async stack(name: string, program = "", modules = join(root, "node_modules")): Promise<Stack> {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    symlinkSync(modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.ts" }));
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      JSON.stringify({ name, runtime: { name: "nodejs", options: { typescript: false } } }),
    );
    const stack = new Stack(this, folder);
    stack.program(program);
    return this.begin(stack);
  }

  /** A new stack of a program in YAML, which finds the plugin where set-up leaves it. */
  async yaml(name: string, program: string): Promise<Stack> {
    this.provideHost("yaml");
    const folder = join(this.folder, name);
    mkdirSync(folder);
    const stack = new Stack(this, folder);
    stack.yaml(program);
    return this.begin(stack);
  }

  /** A new stack of a program of examples/, in a copy of its folder. */
  async example(name: string): Promise<Stack> {
    const folder = join(this.folder, name);
    cpSync(join(root, "examples", name), folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    return this.begin(new Stack(this, folder));
  }

  /** A new stack of a program in a language that uses the plugin, in a copy of its folder. */
  async program(language: Language, source: string): Promise<Stack> {
    if (language !== "typescript") this.provideHost(language);
    const folder = join(this.folder, `${language}-${unique()}`);
    // Files that somebody has created there by hand do not belong to the program.
    const isMade = (file: string): boolean => /(^|\/)(sdks|venv|Pulumi\.\w+\.yaml)$/.test(file);
    cpSync(source, folder, { recursive: true, filter: (file) => !isMade(file.slice(source.length)) });
    const stack = new Stack(this, folder);
    await usePlugin(stack, language);
    return this.begin(stack);
  }

  private provideHost(language: string): void {
    if (language === "hcl" || this.languages.has(language)) return;
    const setup = [join(root, "scripts/install.mjs"), `--print-${language}`];
    this.languages.set(language, execFileSync(process.execPath, setup, { encoding: "utf8" }).trim());
  }

  private async begin(stack: Stack): Promise<Stack> {
    const { code, output } = await stack.cli(["stack", "init", "test", "--secrets-provider", "passphrase"]);
    if (code !== 0) throw new Error(output);
    return stack;
  }

  environment(): NodeJS.ProcessEnv {
    const pulumi = pulumiPath();
    return {
      ...process.env,
      PATH: [
        dirname(pulumi),
        join(root, "node_modules/.bin"),
        process.env.PATH,
        ...new Set(this.languages.values()),
      ].join(delimiter),
      // As docs/guides/lost-run.md advises for a backend on disk.
      PULUMI_BACKEND_URL: `${pathToFileURL(join(this.folder, "state")).href}?metadata=skip`,
      PULUMI_CONFIG_PASSPHRASE: "passphrase",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // For `npx pulumi`: the launcher is older than the CLI.
      PULUMI_VERSION: pinnedVersion,
      // Each run of the CLI starts two processes that load the same packages.
      NODE_COMPILE_CACHE: join(root, "node_modules/.cache/slipway-compiled"),
      NODE_OPTIONS: `--require ${join(root, "test/support/compiled.cjs")}`,
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // Lets the CLI write what the engine did to a file, beside what it prints.
      PULUMI_DEBUG_COMMANDS: "true",
      SLIPWAY_API_URL: this.server.url,
      SLIPWAY_TOKEN: this.token,
      SLIPWAY_TEAM: "acme",
      ...outsideValues,
    };
  }

  record(text: string) {
    this.transcript.push(text);
  }

  /**
   * The lines with a secret of these tests in clear: in the state backend, the printed output and the server's log.
   * @param secrets others that do not carry the canary
   */
  leaks(...secrets: string[]): string[] {
    const backend = join(this.folder, "state");
    const files = readdirSync(backend, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const places: [string, string][] = [
      ...this.transcript.map((text): [string, string] => ["output", text]),
      ["server log", this.server.log()],
      ...files.map(({ parentPath, name }): [string, string] => [
        relative(backend, join(parentPath, name)),
        readFileSync(join(parentPath, name), "utf8"),
      ]),
    ];
    return places.flatMap(([place, text]) =>
      text
        .split("\n")
        .filter((line) => [canary, ...secrets].some((secret) => line.includes(secret)))
        .map((line) => `${place}: ${line}`),
    );
  }

  /** @throws Error if a secret of these tests is in clear somewhere */
  async stop() {
    await this.server.stop();
    const leaks = this.leaks();
    rmSync(this.folder, { recursive: true, force: true });
    if (leaks.length > 0) throw new Error(`secrets in clear:\n${leaks.join("\n")}`);
  }
}

export class Stack {
  constructor(
    private readonly world: Workspace,
    readonly folder: string,
  ) {}

  get name() {
    return this.folder.slice(dirname(this.folder).length + 1);
  }

  /** Writes the program; everything of the package is in scope. */
  program(text: string) {
    writeFileSync(
      join(this.folder, "index.ts"),
      [
        `import * as pulumi from "@pulumi/pulumi";`,
        `import { Deployment, DomainVerification, EnvVar, EnvVars, Project, ProjectDomain, Promotion, Provider } from "slipway";`,
        text,
      ].join("\n"),
    );
  }

  /** Writes a program in YAML: what it holds beside its name, runtime and plugin. */
  yaml(program: string, plugin = built("plugin")) {
    writeFileSync(
      join(this.folder, "Pulumi.yaml"),
      `name: ${this.name}\nruntime: yaml\nplugins: { providers: [{ name: slipway, path: ${plugin} }] }\n${program}`,
    );
  }

  /** Configuration as `pulumi config set` would write it, without its start for each. */
  configure(values: Record<string, string>, project = this.project) {
    const file = join(this.folder, "Pulumi.test.yaml");
    const lines = Object.entries(values).map(
      ([key, value]) => `  ${project}:${key}: ${JSON.stringify(value)}\n`,
    );
    const kept = readFileSync(file, "utf8").replace(/^config:[\s\S]*/m, "");
    writeFileSync(file, `${kept}config:\n${lines.join("")}`);
  }

  private get project(): string {
    return /^name: (.*)$/m.exec(readFileSync(join(this.folder, "Pulumi.yaml"), "utf8"))?.[1] ?? this.name;
  }

  /** Puts a file beside the program. */
  file(name: string, text: string) {
    writeFileSync(join(this.folder, name), text);
  }

  async up(options: RunOptions = {}): Promise<Run> {
    return this.operation(["up", "--yes", ...(options.preview ? [] : ["--skip-preview"])], options);
  }

  async preview(options: RunOptions = {}): Promise<Run> {
    return this.operation(["preview"], options);
  }

  async refresh(options: RunOptions = {}): Promise<Run> {
    return this.operation(["refresh", "--yes", "--skip-preview"], options);
  }

  async destroy(options: RunOptions = {}): Promise<Run> {
    return this.operation(["destroy", "--yes", "--skip-preview"], options);
  }

  /** Runs `pulumi policy analyze`. @param args what to analyze, and with which policies */
  async analyze(args: string[], env: Record<string, string> = {}): Promise<Analysis> {
    const { code, output, stdout } = await this.cli(["policy", "analyze", "--json", ...args], env);
    return { code, output, violations: violationsIn(eventsIn(stdout)) };
  }

  // biome-ignore lint/suspicious/noExplicitAny: outputs are what the program exports.
  async outputs(): Promise<Record<string, any>> {
    const { stdout } = await this.cli(["stack", "output", "--json"]);
    return JSON.parse(stdout);
  }

  /** The state as exported without secrets. */
  async exportText(): Promise<string> {
    return (await this.cli(["stack", "export"], {}, false)).stdout;
  }

  /** The recorded resources, without the stack and the providers. */
  async resources(): Promise<StateResource[]> {
    const { deployment } = JSON.parse(await this.exportText()) as {
      deployment: { resources?: StateResource[] };
    };
    return (deployment.resources ?? []).filter(({ type }) => !type.startsWith("pulumi:"));
  }

  private async operation(command: string[], { args = [], env = {} }: RunOptions): Promise<Run> {
    const log = join(this.folder, "events.json");
    rmSync(log, { force: true });
    const { code, output } = await this.cli([...command, "--event-log", log, ...args], env);
    return { code, output, ...readEvents(log) };
  }

  /**
   * Runs the CLI. One that hangs is killed before the time of a test is over, and the error tells what it did.
   * @param started given its process as it starts
   */
  cli(
    args: string[],
    env: Record<string, string | undefined> = {},
    record = true,
    started: (child: ChildProcess) => void = () => {},
  ) {
    return new Promise<{ code: number; output: string; stdout: string }>((done, fail) => {
      const child = spawn(pulumiPath(), [...args, "--non-interactive", "--color", "never"], {
        cwd: this.folder,
        env: { ...this.world.environment(), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      started(child);
      let output = "";
      let stdout = "";
      child.stdout.on("data", (text) => {
        output += text;
        stdout += text;
      });
      child.stderr.on("data", (text) => {
        output += text;
      });
      child.on("error", fail);
      const hangs = setTimeout(() => {
        const tree = treeOf(child.pid ?? 0).map(({ command }) => command);
        fail(new Error(`pulumi ${args.join(" ")} hangs:\n${output}\n${tree.join("\n")}`));
        killTree(child.pid ?? 0);
      }, hangMs);
      child.on("close", (code) => {
        clearTimeout(hangs);
        if (record) this.world.record(output);
        done({ code: code ?? 1, output, stdout });
      });
    });
  }
}

export interface StateResource {
  urn: string;
  type: string;
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** How the engine writes what is not known yet. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface EngineEvent {
  resourcePreEvent?: { metadata: StepMetadata };
  diagnosticEvent?: { message: string; severity: string };
  policyEvent?: { policyName: string; resourceUrn: string };
}

interface StepMetadata {
  op: string;
  urn: string;
  type: string;
  detailedDiff?: Record<string, { diffKind: string }> | null;
  old?: { inputs: Record<string, unknown> } | null;
  new?: { inputs: Record<string, unknown> } | null;
}

const eventsIn = (lines: string): EngineEvent[] =>
  lines
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as EngineEvent);

function violationsIn(events: readonly EngineEvent[]): string[] {
  const violations = events.flatMap(({ policyEvent: event }) =>
    event ? `${event.policyName} ${event.resourceUrn.split("::").at(-1)}` : [],
  );
  return [...new Set(violations)].sort();
}

function readEvents(file: string): Omit<Run, "code" | "output"> {
  const events = existsSync(file) ? eventsIn(readFileSync(file, "utf8")) : [];
  const said = (severity: string) =>
    events.flatMap(({ diagnosticEvent: event }) =>
      event?.severity === severity ? [event.message.trim()] : [],
    );
  const taken = events
    .flatMap(({ resourcePreEvent: event }) => (event ? [event.metadata] : []))
    .filter(({ op, type }) => op !== "same" && !type.startsWith("pulumi:"));
  const nameOf = ({ urn }: StepMetadata) => urn.split("::").at(-1) ?? urn;
  const steps = taken.map((step) => ({
    op: step.op,
    type: step.type.split(":").at(-1) ?? step.type,
    name: nameOf(step),
    diffs: differences(step),
    detailed: Object.fromEntries(
      Object.entries(step.detailedDiff ?? {}).map(([path, { diffKind }]) => [path, diffKind]),
    ),
  }));
  const uncertain = taken
    .filter((step) => JSON.stringify(step.new?.inputs ?? {}).includes(unknown))
    .map(nameOf);
  const violations = violationsIn(events);
  return { steps, uncertain, errors: said("error"), warnings: said("warning"), violations };
}

function differences({ old: before, new: after }: StepMetadata): string[] {
  if (!before || !after) return [];
  const keys = new Set([...Object.keys(before.inputs), ...Object.keys(after.inputs)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before.inputs[key], after.inputs[key])).sort();
}

let pulumiFound: string | undefined;

/** The CLI that set-up provides; `npm test` names it. */
export function pulumiPath(): string {
  pulumiFound ??=
    process.env.SLIPWAY_PULUMI ??
    execFileSync(process.execPath, [join(root, "scripts/install.mjs"), "--print-pulumi"], {
      encoding: "utf8",
    }).trim();
  return pulumiFound;
}

let counter = 0;

function unique() {
  counter += 1;
  return `${process.pid}-${counter}`;
}
