import { isPlain, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import type { Snapshot } from "../../../server/control/routes/snapshot";
import type { Run, Stack, Workspace } from "../pulumi";
import { declare, interpreter } from "./interpreter";
import type { TestStack } from "./lifetime";
import { type Objects, objectsOf } from "./owners";
import type { Program } from "./program";
import { bare, type RecordedResource } from "./run";

/** How the CLI exports a secret that it is to show. */
const secretSignature = "4dabf18193072939515e22adb298388d";

interface Exported {
  urn: string;
  type: string;
  id?: string;
  inputs?: Plain;
  outputs?: Plain;
  provider?: string;
}

/** A stack under the real CLI. */
export class CliStack implements TestStack {
  state: readonly RecordedResource[] = [];

  private constructor(
    private readonly world: Workspace,
    private readonly stack: Stack,
  ) {}

  static async in(world: Workspace, name: string): Promise<CliStack> {
    return new CliStack(world, await world.stack(name, interpreter));
  }

  async begin(): Promise<void> {
    // Each command has processes of its own.
  }

  async preview(program: Program): Promise<void> {
    declare(this.stack, program);
    const { code, errors, output } = await this.stack.preview();
    if (code !== 0) throw new Error(errors.join("\n") || output);
  }

  async up(program: Program, targets: ReadonlySet<string> | undefined): Promise<void> {
    declare(this.stack, program);
    const args = [...(targets ?? [])].flatMap((name) => ["--target", `**::${name}`]);
    // Without any it would be about all of them.
    if (targets?.size === 0) return;
    await this.#carryOut(() => this.stack.up({ args }));
  }

  async refresh(): Promise<void> {
    await this.#carryOut(() => this.stack.refresh());
  }

  async expectDone(): Promise<void> {
    const { code, output } = await this.stack.preview({ args: ["--refresh", "--expect-no-changes"] });
    if (code !== 0) throw new Error(output);
  }

  async objects(): Promise<Objects> {
    const { body } = await this.world.server.control("GET", "/snapshot");
    return objectsOf(body as Snapshot);
  }

  async request(path: string, body: object): Promise<number> {
    return (await this.world.server.request("POST", path, body)).status;
  }

  async #carryOut(command: () => Promise<Run>): Promise<void> {
    const { code, errors, output } = await command();
    const { stdout } = await this.stack.cli(["stack", "export", "--show-secrets"], {}, false);
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: Exported[] } };
    this.state = (deployment.resources ?? []).filter(({ type }) => !type.startsWith("pulumi:")).map(heldOf);
    if (code !== 0) throw new Error(errors.join("\n") || output);
  }
}

function heldOf({ urn, type, id = "", inputs, outputs, provider }: Exported): RecordedResource {
  // `urn:pulumi:stack::project::pulumi:providers:pulumi-nodejs::name::id`
  const name = provider?.split("::").at(-2) ?? "";
  return {
    type: type.split(":").at(-1) as ResourceType,
    name: urn.split("::").at(-1) ?? "",
    id,
    inputs: shown(inputs),
    outputs: shown(outputs),
    dependencies: new Set(),
    sources: {},
    provider: name.startsWith("default") ? undefined : name,
  };
}

const shown = (values: Plain = {}): Plain => bare(opened(values) as Plain);

/** With secrets as what they are. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isPlain(value)) return value;
  if (secretSignature in value) return JSON.parse(String(value.plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}
