import { isPlain, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import type { Snapshot } from "../../../server/control/routes/snapshot";
import { killTree } from "../process-tree";
import type { Run, Stack, Workspace } from "../pulumi";
import type { RecordedRequest, RecordingProxy } from "../recording-proxy";
import { declare, interpreter } from "./interpreter";
import type { TestStack, UpOptions } from "./lifetime";
import { losing } from "./lost-answers";
import { type Objects, objectsOf, type Tokens, tokensPath } from "./owners";
import type { Program } from "./program";
import { bare, type Operation, type Plan, type RecordedResource } from "./run";
import { toYaml } from "./yaml";

/** How the CLI exports a secret that it is to show. */
const secretSignature = "4dabf18193072939515e22adb298388d";

interface Exported {
  urn: string;
  type: string;
  id?: string;
  inputs?: Plain;
  outputs?: Plain;
  provider?: string;
  dependencies?: string[];
  delete?: boolean;
  pendingReplacement?: boolean;
}

export const cliHosts = ["dynamic", "plugin"] as const;

/** A stack under the real CLI. */
export class CliStack implements TestStack {
  state: readonly RecordedResource[] = [];
  readonly isOrdered = false;

  private constructor(
    private readonly world: Workspace,
    private readonly proxy: RecordingProxy,
    private readonly stack: Stack,
    private readonly write: (program: Program) => void,
  ) {}

  /** @param proxy by which its requests go */
  static async in(
    world: Workspace,
    proxy: RecordingProxy,
    name: string,
    host: (typeof cliHosts)[number],
  ): Promise<CliStack> {
    if (host === "dynamic") {
      const stack = await world.stack(name, interpreter);
      return new CliStack(world, proxy, stack, (program) => declare(stack, program));
    }
    const stack = await world.yaml(name, "");
    return new CliStack(world, proxy, stack, (program) => stack.yaml(toYaml(program, "acme")));
  }

  async begin(): Promise<void> {
    // Each command has processes of its own.
  }

  async preview(program: Program): Promise<Pick<Plan, "operations">> {
    this.write(program);
    const { code, errors, output, steps } = await this.stack.preview({ env: this.#env });
    if (code !== 0) throw new Error(errors.join("\n") || output);
    return { operations: Object.fromEntries(steps.map(({ name, op }) => [name, operationOf(op)])) };
  }

  async up(
    program: Program,
    { targets, isPreviewed = false, parallel, killAfter, killAt, losses = new Map() }: UpOptions,
  ): Promise<void> {
    this.write(program);
    const args = [
      ...[...(targets ?? [])].flatMap((name) => ["--target", `**::${name}`]),
      ...(parallel === undefined ? [] : ["--parallel", `${parallel}`]),
    ];
    // Without any it would be about all of them.
    if (targets?.size === 0) return;
    const options = { args, preview: isPreviewed, env: this.#env };
    const run = () => this.#carryOut(() => this.stack.up(options));
    if (killAfter === undefined) await losing(this.proxy, losses, run);
    else await this.#carryOut(() => this.#killed(killAfter, killAt, args));
  }

  async refresh(): Promise<void> {
    await this.#carryOut(() => this.stack.refresh({ env: this.#env }));
  }

  async expectDone(): Promise<void> {
    const args = ["--refresh", "--expect-no-changes"];
    const { code, output } = await this.stack.preview({ args, env: this.#env });
    if (code !== 0) throw new Error(output);
  }

  async objects(): Promise<Objects> {
    const tokens = await this.world.server.request("GET", tokensPath);
    return objectsOf(await this.#snapshot(), tokens.body as Tokens);
  }

  async snapshot(): Promise<object> {
    const { now: _, ...all } = await this.#snapshot();
    return all;
  }

  async request(path: string, body: object, method = "POST"): Promise<number> {
    return (await this.world.server.request(method, path, body)).status;
  }

  get requests(): readonly RecordedRequest[] {
    return this.proxy.requests;
  }

  async #snapshot(): Promise<Snapshot> {
    return (await this.world.server.control("GET", "/snapshot")).body as Snapshot;
  }

  get #env(): Record<string, string> {
    return { SLIPWAY_API_URL: this.proxy.url };
  }

  /** Kills the CLI with all that it has started after some changes of the service. */
  async #killed(
    killAfter: number,
    killAt: string | undefined,
    args: string[],
  ): Promise<Pick<Run, "code" | "errors" | "output">> {
    let cli = 0;
    let changes = 0;
    this.proxy.after = ({ method, path }) => {
      if (method === "GET" || !path.includes(killAt ?? "/")) return;
      changes += 1;
      if (changes === killAfter) killTree(cli);
    };
    const refusal = JSON.stringify({ error: { code: "forbidden", message: "The run is over." } });
    this.proxy.before = () => (changes < killAfter ? undefined : { status: 403, body: refusal });
    try {
      const up = ["up", "--yes", "--skip-preview", ...args];
      const run = await this.stack.cli(up, this.#env, true, (child) => {
        cli = child.pid ?? 0;
      });
      await this.proxy.idle();
      if (changes >= killAfter) await this.stack.cli(["cancel", "--yes"]);
      return { ...run, errors: [] };
    } finally {
      this.proxy.after = () => {};
      this.proxy.before = () => undefined;
    }
  }

  async #carryOut(command: () => Promise<Pick<Run, "code" | "errors" | "output">>): Promise<void> {
    const { code, errors, output } = await command();
    const { stdout } = await this.stack.cli(["stack", "export", "--show-secrets"], {}, false);
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: Exported[] } };
    this.state = (deployment.resources ?? []).filter(({ type }) => !type.startsWith("pulumi:")).map(heldOf);
    if (code !== 0) throw new Error(errors.join("\n") || output);
  }
}

function operationOf(op: string): Operation {
  if (/replace/.test(op)) return "replace";
  return op === "create" || op === "update" ? op : "delete";
}

function heldOf({
  urn,
  type,
  id = "",
  inputs,
  outputs,
  provider,
  dependencies = [],
  ...marks
}: Exported): RecordedResource {
  // `urn:pulumi:stack::project::pulumi:providers:pulumi-nodejs::name::id`
  const name = provider?.split("::").at(-2) ?? "";
  return {
    type: type.split(":").at(-1) as ResourceType,
    name: nameIn(urn),
    id,
    inputs: shown(inputs),
    outputs: shown(outputs),
    dependencies: new Set(dependencies.map(nameIn)),
    sources: {},
    provider: name.startsWith("default") ? undefined : name,
    isReplaced: marks.delete === true,
    isPending: marks.pendingReplacement === true,
  };
}

const nameIn = (urn: string): string => urn.split("::").at(-1) ?? "";

const shown = (values: Plain = {}): Plain => bare(opened(values) as Plain);

/** With secrets as what they are. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isPlain(value)) return value;
  if (secretSignature in value) return JSON.parse(String(value.plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}
