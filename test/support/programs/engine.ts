import { isDeepStrictEqual } from "node:util";
import type { Host } from "../../provider/host";
import type { Program } from "./program";
import { bare, type Hosts, type Plan, type RecordedResource, Run, type RunOptions, type State } from "./run";

/**
 * A stack under Pulumi's engine, as far as it shows in plans: checks, diffs, previews without outputs, replacement
 * in both orders with what depends on it, deletions at the end. The provider runs in Pulumi's own process.
 * `test/e2e/plans.test.ts` holds the same programs against the real engine.
 */
export class Engine {
  #held: State = new Map();
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
    return [...this.#held.values()];
  }

  preview(program: Program, targets?: ReadonlySet<string>): Promise<Plan> {
    return new Run(this.#hosts, new Map(this.#held), true, { targets }).of(program);
  }

  async up(program: Program, options: RunOptions = {}): Promise<Plan> {
    this.#run = new Run(this.#hosts, this.#held, false, options);
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
    const there = [...this.#held.values()].filter(({ isReplaced, isPending }) => !isReplaced && !isPending);
    const found = await Promise.all(there.map((held) => this.#read(held)));
    return found.flat();
  }

  async #read(held: RecordedResource): Promise<string[]> {
    const { type, name, id, inputs, outputs } = held;
    const host = this.#hosts(held.provider);
    const read = await host.read(type, id, outputs);
    if (read.id === "") {
      this.#held.delete(name);
      return [`${name} is gone`];
    }
    const now = { inputs: bare(read.inputs), outputs: bare(read.properties), isPartial: false };
    Object.assign(held, now);
    const differences = Object.keys({ ...outputs, ...held.outputs })
      .filter((key) => !isDeepStrictEqual(outputs[key], held.outputs[key]))
      .map(
        (key) => `${name}.${key}: ${JSON.stringify(outputs[key])} is ${JSON.stringify(held.outputs[key])}`,
      );
    // Inputs may be written in another way that means the same.
    const diff = host.diff(type, read.id, held.outputs, inputs);
    // One that failed half-way may have been declared with what is another's: that is refused.
    const { changes } = await diff.catch(() => ({ changes: 2 }));
    return changes === 2 ? [...differences, `${name} is not as declared`] : differences;
  }
}
