import { isDeepStrictEqual } from "node:util";
import type { Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import type { Host } from "../../provider/host";
import type { Program } from "./program";
import { bare, type Hosts, type Plan, type RecordedResource, Run, type RunOptions, type State } from "./run";

/** Outputs that the steps of other resources change; no plan shows them. */
const changedByOthers: Partial<Record<ResourceType, readonly string[]>> = {
  // By a link.
  SharedEnvVar: ["linkedProjectIds", "updatedAt"],
};

/**
 * A stack under Pulumi's engine, as far as it shows in plans: checks, diffs, previews without outputs, replacement
 * in both orders with what depends on it, deletions at the end. The provider runs in Pulumi's own process.
 * `test/e2e/plans.long.test.ts` holds the same programs against the real engine.
 */
export class Engine {
  #recorded: State = new Map();
  #hosts: Hosts;
  #run: Run | undefined;

  constructor(host: Host) {
    this.#hosts = () => host;
  }

  /** Goes on with other processes, as each run does. */
  use(hosts: Hosts): void {
    this.#hosts = hosts;
  }

  /** The resources that the state has. */
  get state(): readonly RecordedResource[] {
    return [...this.#recorded.values()];
  }

  preview(program: Program, targets?: ReadonlySet<string>): Promise<Plan> {
    return new Run(this.#hosts, new Map(this.#recorded), true, { targets }).of(program);
  }

  async up(program: Program, options: RunOptions = {}): Promise<Plan> {
    this.#run = new Run(this.#hosts, this.#recorded, false, options);
    return this.#run.of(program);
  }

  /** Ends the run under way as a lost machine does. */
  kill(): void {
    this.#run?.kill();
  }

  destroy(): Promise<Plan> {
    return this.up([]);
  }

  /** Reads everything. @returns what was found to differ from the state */
  async refresh(): Promise<string[]> {
    const there = [...this.#recorded.values()].filter(
      ({ isReplaced, isPending }) => !isReplaced && !isPending,
    );
    const found = await Promise.all(there.map((recorded) => this.#read(recorded)));
    return found.flat();
  }

  async #read(recorded: RecordedResource): Promise<string[]> {
    const { type, name, id, inputs, outputs } = recorded;
    const host = this.#hosts(recorded.provider);
    const read = await host.read(type, id, outputs);
    if (read.id === "") {
      this.#recorded.delete(name);
      return [`${name} is gone`];
    }
    const now = { inputs: bare(read.inputs), outputs: bare(read.properties), isPartial: false };
    Object.assign(recorded, now);
    const differences = Object.keys({ ...outputs, ...recorded.outputs })
      .filter((key) => !(changedByOthers[type] ?? []).includes(key))
      .filter((key) => !isDeepStrictEqual(outputs[key], recorded.outputs[key]))
      .filter((key) => key !== "project" || !this.#isPassed(outputs.project, recorded.outputs))
      .map(
        (key) =>
          `${name}.${key}: ${JSON.stringify(outputs[key])} is ${JSON.stringify(recorded.outputs[key])}`,
      );
    // Inputs may be written in another way that means the same.
    const diff = host.diff(type, read.id, recorded.outputs, inputs);
    // One that failed half-way may have been declared with what is another's: that is refused.
    const { changes } = await diff.catch(() => ({ changes: 2 }));
    return changes === 2 ? [...differences, `${name} is not as declared`] : differences;
  }

  /** True for a name by which a state has its project, and which is another project's now: it is read as the id. */
  #isPassed(name: unknown, { project, projectId }: Plain): boolean {
    const hasName = ({ type, outputs }: RecordedResource) => type === "Project" && outputs.name === name;
    return project === projectId && this.state.some(hasName);
  }
}
