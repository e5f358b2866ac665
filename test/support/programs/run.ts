import { isPlain, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import type { Failed, Host } from "../../provider/host";
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
export interface RecordedResource {
  type: ResourceType;
  name: string;
  id: string;
  inputs: Plain;
  outputs: Plain;
  dependencies: ReadonlySet<string>;
  /** The resources that each input refers to. */
  sources: Readonly<Record<string, ReadonlySet<string>>>;
  /** Name of the provider by which it was last seen to. */
  provider: string | undefined;
  /** A step of it failed half-way: the next one is an update, whatever a diff says. */
  isPartial?: boolean;
}

/** The process of each provider, by its name; undefined for the default one. */
export type Hosts = (provider: string | undefined) => Host;

/** How the engine writes what is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** One preview or update. Steps are chosen one after the other, in the program's order, and taken side by side. */
export class Run {
  readonly #plan: Plan = { operations: {}, uncertain: new Set() };
  #olds: ReadonlyMap<string, RecordedResource>;
  /** Old objects that went before their successors were made. */
  readonly #deleted = new Set<string>();
  /** Old objects that go when all else is done. */
  readonly #condemned: RecordedResource[] = [];
  readonly #steps = new Map<string, Promise<RecordedResource>>();

  /** @param held the state, which becomes what the run leaves */
  constructor(
    private readonly hosts: Hosts,
    private readonly held: Map<string, RecordedResource>,
    private readonly isPreview: boolean,
    private readonly targets: ReadonlySet<string> | undefined,
  ) {
    this.#olds = new Map(held);
  }

  async of(program: Program): Promise<Plan> {
    this.#rename(program);
    const steps = program.map(({ type, name }) => ({ type, name, outputs: {} }));
    for (const provider of new Set(program.map(({ provider }) => provider)))
      this.hosts(provider).record([...this.held.values()], steps);
    try {
      for (const declaration of program) {
        await Promise.all([...dependenciesOf(declaration)].map((name) => this.#steps.get(name)));
        if (this.targets && !this.targets.has(declaration.name)) {
          this.#pass(declaration);
          continue;
        }
        const step = (await this.#choose(declaration))();
        // It is awaited below, with all others.
        step.catch(() => {});
        this.#steps.set(declaration.name, step);
      }
    } finally {
      await Promise.allSettled(this.#steps.values());
    }
    await Promise.all(this.#steps.values());
    const left = [...this.#olds.values()].filter(
      ({ name }) => !this.#steps.has(name) && (this.targets?.has(name) ?? true),
    );
    for (const { name } of left) this.#plan.operations[name] = "delete";
    await this.#deleteAll([...this.#condemned, ...left.filter(({ name }) => !this.#deleted.has(name))]);
    return this.#plan;
  }

  /** What the state has under an alias goes by the name that it has now. */
  #rename(program: Program): void {
    const names = new Map<string, string>();
    for (const { name, aliases = [] } of program) {
      const alias = this.#olds.has(name) ? undefined : aliases.find((other) => this.#olds.has(other));
      if (alias !== undefined) names.set(alias, name);
    }
    if (names.size === 0) return;
    const now = (name: string): string => names.get(name) ?? name;
    const all = (set: ReadonlySet<string>): Set<string> => new Set([...set].map(now));
    this.held.clear();
    for (const old of this.#olds.values()) {
      const sources = Object.entries(old.sources).map(([key, set]) => [key, all(set)] as const);
      this.held.set(now(old.name), {
        ...old,
        name: now(old.name),
        dependencies: all(old.dependencies),
        sources: Object.fromEntries(sources),
      });
    }
    this.#olds = new Map(this.held);
  }

  /** Leaves one that is not to be seen to as it is. */
  #pass(declaration: Declaration): void {
    const old = this.#olds.get(declaration.name);
    // One that would be new is left out.
    if (old) this.#steps.set(declaration.name, Promise.resolve(this.#keep(old)));
  }

  async #choose(declaration: Declaration): Promise<() => Promise<RecordedResource>> {
    const { type, name, provider } = declaration;
    const host = this.hosts(provider);
    const { operations, uncertain } = this.#plan;
    const args = (await this.#resolved(declaration)) as Plain;
    if (JSON.stringify(args).includes(unknown)) uncertain.add(name);
    const old = this.#deleted.has(name) ? undefined : this.#olds.get(name);
    const { inputs, failures } = await host.check(type, old?.inputs ?? {}, args, name);
    if (failures.length > 0) throw new Error(`${name}: ${failures.map(({ reason }) => reason).join("; ")}`);
    const next = {
      type,
      name,
      provider,
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
    const diff = await host.diff(type, old.id, old.outputs, next.inputs, name);
    if (diff.changes !== 2 && !old.isPartial) return async () => this.#keep({ ...old, ...next });
    if (diff.replaces.length === 0) {
      operations[name] = "update";
      return () => this.#update(old, next);
    }
    operations[name] = "replace";
    // The engine checks the new half once more, as if it were new.
    const again = await host.check(type, {}, args, name);
    if (again.failures.length > 0)
      throw new Error(`${name}: ${again.failures.map(({ reason }) => reason).join("; ")}`);
    if (!diff.deleteFirst) {
      this.#condemned.push(old);
      return () => this.#create(next);
    }
    for (const dependent of (await this.#replacedWith(old)).reverse()) await this.#deleteFirst(dependent);
    await this.#deleteFirst(old);
    return () => this.#create(next);
  }

  async #resolved({ args }: Declaration): Promise<unknown> {
    const sources = new Map<string, RecordedResource>();
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
  async #replacedWith(root: RecordedResource): Promise<RecordedResource[]> {
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
      const diff = await this.hosts(held.provider).diff(
        held.type,
        held.id,
        held.outputs,
        Object.fromEntries(inputs),
        held.name,
      );
      if (diff.replaces.length === 0) continue;
      replaced.push(held);
      names.add(held.name);
    }
    return replaced.slice(1);
  }

  async #create(next: Omit<RecordedResource, "id" | "outputs">): Promise<RecordedResource> {
    if (this.isPreview) return { ...next, id: unknown, outputs: next.inputs };
    const { id, properties } = await this.#keeping(next, () =>
      this.hosts(next.provider).create(next.type, next.inputs, next.name),
    );
    return this.#keep({ ...next, id, outputs: bare(properties) });
  }

  async #update(
    old: RecordedResource,
    next: Omit<RecordedResource, "id" | "outputs">,
  ): Promise<RecordedResource> {
    if (this.isPreview) return { ...next, id: old.id, outputs: next.inputs };
    const outputs = await this.#keeping(next, () =>
      this.hosts(next.provider).update(next.type, old.id, old.outputs, next.inputs, next.name),
    );
    return this.#keep({ ...next, id: old.id, outputs: bare(outputs) });
  }

  /** Keeps what a step that failed has reached. */
  async #keeping<T>(next: Omit<RecordedResource, "id" | "outputs">, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      const { kept } = error as Failed;
      if (kept) this.#keep({ ...next, id: kept.id, outputs: bare(kept.properties), isPartial: true });
      throw error;
    }
  }

  #keep(held: RecordedResource): RecordedResource {
    // To the end: the state is in the order of the program.
    this.held.delete(held.name);
    this.held.set(held.name, held);
    return held;
  }

  async #deleteFirst(old: RecordedResource): Promise<void> {
    if (this.#deleted.has(old.name)) return;
    this.#deleted.add(old.name);
    await this.#delete(old);
  }

  async #deleteAll(condemned: readonly RecordedResource[]): Promise<void> {
    const going = new Map<RecordedResource, Promise<void>>();
    const go = (old: RecordedResource): Promise<void> => {
      const under = going.get(old) ?? after(old);
      going.set(old, under);
      return under;
    };
    const after = async (old: RecordedResource): Promise<void> => {
      await Promise.all(condemned.filter(({ dependencies }) => dependencies.has(old.name)).map(go));
      await this.#delete(old);
    };
    await Promise.all(condemned.map(go));
  }

  async #delete(old: RecordedResource): Promise<void> {
    if (this.isPreview) return;
    await this.hosts(old.provider).remove(old.type, old.id, old.outputs);
    if (this.held.get(old.name) === old) this.held.delete(old.name);
  }
}

/** Without the text that the host adds. */
export function bare(values: Plain): Plain {
  const { __provider: _, ...rest } = values;
  return isPlain(rest) ? rest : {};
}
