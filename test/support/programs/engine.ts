import { isDeepStrictEqual } from "node:util";
import { isPlain, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/trampoline";
import type { Host } from "../../provider/host";
import { type Declaration, dependenciesOf, type Program, referred, resolve } from "./program";

/** What becomes of a resource that does not stay the same. */
export type Operation = "create" | "update" | "replace" | "delete";

export interface Plan {
  /** By name of the resource. */
  operations: Record<string, Operation>;
  /** Resources of which some input was not known. */
  uncertain: Set<string>;
}

/** A resource as the state has it. */
interface Held {
  type: ResourceType;
  name: string;
  id: string;
  inputs: Plain;
  outputs: Plain;
  dependencies: ReadonlySet<string>;
  /** The resources that each input refers to. */
  sources: Readonly<Record<string, ReadonlySet<string>>>;
}

/** How the engine writes what is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * A stack under Pulumi's engine, as far as it shows in plans: checks, diffs, previews without outputs, replacement
 * in both orders with what depends on it, deletions at the end. The provider runs in Pulumi's own process.
 * `test/e2e/plans.test.ts` holds the same programs against the real engine.
 */
export class Engine {
  #held = new Map<string, Held>();

  constructor(private host: Host) {}

  /** Goes on with another process, as each run does. */
  use(hosts: () => Host): void {
    this.host = hosts();
  }

  preview(program: Program): Promise<Plan> {
    return new Run(this.host, new Map(this.#held), true).of(program);
  }

  async up(program: Program): Promise<Plan> {
    return new Run(this.host, this.#held, false).of(program);
  }

  destroy(): Promise<Plan> {
    return this.up([]);
  }

  /** Reads everything. @returns what was found to differ from the state */
  async refresh(): Promise<string[]> {
    const found = await Promise.all([...this.#held.values()].map((held) => this.#read(held)));
    return found.flat();
  }

  async #read(held: Held): Promise<string[]> {
    const { type, name, id, inputs, outputs } = held;
    const read = await this.host.read(type, id, outputs);
    if (read.id === "") {
      this.#held.delete(name);
      return [`${name} is gone`];
    }
    Object.assign(held, { inputs: bare(read.inputs), outputs: bare(read.properties) });
    const differences = Object.keys({ ...outputs, ...held.outputs })
      .filter((key) => !isDeepStrictEqual(outputs[key], held.outputs[key]))
      .map(
        (key) => `${name}.${key}: ${JSON.stringify(outputs[key])} is ${JSON.stringify(held.outputs[key])}`,
      );
    // Inputs may be written in another way that means the same.
    const { changes } = await this.host.diff(type, read.id, held.outputs, inputs);
    return changes === 2 ? [...differences, `${name} is not as declared`] : differences;
  }
}

/** One preview or update. Steps are chosen one after the other, in the program's order, and taken side by side. */
class Run {
  readonly #plan: Plan = { operations: {}, uncertain: new Set() };
  readonly #olds: ReadonlyMap<string, Held>;
  /** Old objects that went before their successors were made. */
  readonly #deleted = new Set<string>();
  /** Old objects that go when all else is done. */
  readonly #condemned: Held[] = [];
  readonly #steps = new Map<string, Promise<Held>>();

  /** @param held the state, which becomes what the run leaves */
  constructor(
    private readonly host: Host,
    private readonly held: Map<string, Held>,
    private readonly isPreview: boolean,
  ) {
    this.#olds = new Map(held);
  }

  async of(program: Program): Promise<Plan> {
    try {
      for (const declaration of program) {
        await Promise.all([...dependenciesOf(declaration)].map((name) => this.#steps.get(name)));
        const step = await this.#choose(declaration);
        this.#steps.set(declaration.name, step());
      }
    } finally {
      await Promise.allSettled(this.#steps.values());
    }
    await Promise.all(this.#steps.values());
    const left = [...this.#olds.values()].filter(({ name }) => !this.#steps.has(name));
    for (const { name } of left) this.#plan.operations[name] = "delete";
    await this.#deleteAll([...this.#condemned, ...left.filter(({ name }) => !this.#deleted.has(name))]);
    return this.#plan;
  }

  async #choose(declaration: Declaration): Promise<() => Promise<Held>> {
    const { type, name } = declaration;
    const { operations, uncertain } = this.#plan;
    const args = (await this.#resolved(declaration)) as Plain;
    if (JSON.stringify(args).includes(unknown)) uncertain.add(name);
    const old = this.#deleted.has(name) ? undefined : this.#olds.get(name);
    const { inputs, failures } = await this.host.check(type, old?.inputs ?? {}, args);
    if (failures.length > 0) throw new Error(`${name}: ${failures.map(({ reason }) => reason).join("; ")}`);
    const next = {
      type,
      name,
      inputs: bare(inputs),
      dependencies: dependenciesOf(declaration),
      sources: Object.fromEntries(
        Object.entries(declaration.args).map(([key, value]) => [key, referred(value)]),
      ),
    };
    if (!old) {
      operations[name] = this.#deleted.has(name) ? "replace" : "create";
      return () => this.#create(next);
    }
    const diff = await this.host.diff(type, old.id, old.outputs, next.inputs);
    if (diff.changes !== 2) return async () => this.#keep({ ...old, ...next });
    if (diff.replaces.length === 0) {
      operations[name] = "update";
      return () => this.#update(old, next);
    }
    operations[name] = "replace";
    if (!diff.deleteFirst) {
      this.#condemned.push(old);
      return () => this.#create(next);
    }
    for (const dependent of (await this.#replacedWith(old)).reverse()) await this.#deleteFirst(dependent);
    await this.#deleteFirst(old);
    return () => this.#create(next);
  }

  async #resolved({ args }: Declaration): Promise<unknown> {
    const sources = new Map<string, Held>();
    for (const name of referred(args)) {
      const source = await this.#steps.get(name);
      if (!source) throw new Error(`${name} is referred to before it is declared`);
      sources.set(name, source);
    }
    const resolved = resolve(args, ({ $ref, output }) => {
      const source = sources.get($ref);
      const value = output === "id" ? source?.id : source?.outputs[output];
      // What a preview does not have is taken to come.
      return value ?? (this.isPreview ? unknown : undefined);
    });
    return JSON.parse(JSON.stringify(resolved));
  }

  /** Those that have to be replaced when this one goes first, each after what it depends on. */
  async #replacedWith(root: Held): Promise<Held[]> {
    const replaced = [root];
    const names = new Set([root.name]);
    const dependents = new Set([root.name]);
    for (const held of this.#olds.values()) {
      if (held === root || ![...held.dependencies].some((name) => dependents.has(name))) continue;
      dependents.add(held.name);
      if (this.#steps.has(held.name)) continue;
      const depends = ([key]: [string, unknown]) =>
        [...(held.sources[key] ?? [])].some((name) => names.has(name));
      if (!Object.entries(held.inputs).some(depends)) continue;
      const inputs = Object.entries(held.inputs).map((entry) =>
        depends(entry) ? [entry[0], unknown] : entry,
      );
      const diff = await this.host.diff(held.type, held.id, held.outputs, Object.fromEntries(inputs));
      if (diff.replaces.length === 0) continue;
      replaced.push(held);
      names.add(held.name);
    }
    return replaced.slice(1);
  }

  async #create(next: Omit<Held, "id" | "outputs">): Promise<Held> {
    if (this.isPreview) return { ...next, id: unknown, outputs: next.inputs };
    const { id, properties } = await this.host.create(next.type, next.inputs);
    return this.#keep({ ...next, id, outputs: bare(properties) });
  }

  async #update(old: Held, next: Omit<Held, "id" | "outputs">): Promise<Held> {
    if (this.isPreview) return { ...next, id: old.id, outputs: next.inputs };
    const outputs = await this.host.update(next.type, old.id, old.outputs, next.inputs);
    return this.#keep({ ...next, id: old.id, outputs: bare(outputs) });
  }

  #keep(held: Held): Held {
    // To the end: the state is in the order of the program.
    this.held.delete(held.name);
    this.held.set(held.name, held);
    return held;
  }

  async #deleteFirst(old: Held): Promise<void> {
    if (this.#deleted.has(old.name)) return;
    this.#deleted.add(old.name);
    await this.#delete(old);
  }

  async #deleteAll(condemned: readonly Held[]): Promise<void> {
    const going = new Map<Held, Promise<void>>();
    const go = (old: Held): Promise<void> => {
      const under = going.get(old) ?? after(old);
      going.set(old, under);
      return under;
    };
    const after = async (old: Held): Promise<void> => {
      await Promise.all(condemned.filter(({ dependencies }) => dependencies.has(old.name)).map(go));
      await this.#delete(old);
    };
    await Promise.all(condemned.map(go));
  }

  async #delete(old: Held): Promise<void> {
    if (this.isPreview) return;
    await this.host.remove(old.type, old.id, old.outputs);
    if (this.held.get(old.name) === old) this.held.delete(old.name);
  }
}

/** Without the text that the host adds. */
function bare(values: Plain): Plain {
  const { __provider: _, ...rest } = values;
  return isPlain(rest) ? rest : {};
}
