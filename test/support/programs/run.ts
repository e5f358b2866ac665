import { isPlain, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import type { Failed, Host } from "../../provider/host";
import { type Declaration, dependenciesOf, type Program, referred, resolve } from "./program";

/** The fate of a resource that does not stay the same. */
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
  /** It is the old half of a replacement, which is still to be deleted. */
  isReplaced?: boolean;
  /** It was deleted for a replacement that was not ended. */
  isPending?: boolean;
}

/** The process of each provider, by its name; undefined for the default one. */
export type Hosts = (provider: string | undefined) => Host;

/** How the engine writes what is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The resources of a state, by name; the old halves of replacements by a name of their own. */
export type State = Map<string, RecordedResource>;

/** How a run is carried out. */
export interface RunOptions {
  /** The only resources that are seen to, with those that they depend on. */
  targets?: ReadonlySet<string> | undefined;
  /** How many steps are taken at once. Default: all that can be. */
  parallel?: number;
}

/**
 * One preview or update. Steps are chosen one after the other, each when those that it depends on are taken, and taken
 * side by side.
 */
export class Run {
  readonly #plan: Plan = { operations: {}, uncertain: new Set() };
  #olds: ReadonlyMap<string, RecordedResource>;
  /** Old objects that went before their successors were made. */
  readonly #deleted = new Set<string>();
  /** Old objects that go when all else is done. */
  readonly #condemned: RecordedResource[];
  readonly #steps = new Map<string, Promise<RecordedResource>>();
  readonly #chosen = new Set<string>();
  #declared: Program = [];
  /** The choice of the next step waits for that of the one before. */
  #choice: Promise<unknown> = Promise.resolve();
  /** The number of steps that may begin now, and those that wait. */
  #slots: number;
  readonly #waiting: (() => void)[] = [];
  /** Why no further step begins. */
  #end: Error | undefined;
  #isKilled = false;

  /** @param recorded the state, which becomes what the run leaves */
  constructor(
    private readonly hosts: Hosts,
    private readonly recorded: State,
    private readonly isPreview: boolean,
    private readonly options: RunOptions,
  ) {
    const all = [...recorded.values()];
    this.#olds = new Map(all.filter(({ isReplaced }) => !isReplaced).map((one) => [one.name, one]));
    this.#condemned = all.filter(({ isReplaced }) => isReplaced);
    this.#slots = options.parallel ?? Number.POSITIVE_INFINITY;
  }

  /** Ends the run as a lost machine does: no step begins, and what those under way have done is not recorded. */
  kill(): void {
    this.#isKilled = true;
    this.#end ??= new Error("the run was killed");
  }

  async of(program: Program): Promise<Plan> {
    this.#declared = program;
    this.#rename(program);
    this.#record();
    for (const declaration of program) {
      const step = this.#take(declaration);
      // It is awaited below, with all others.
      step.catch(() => {});
      this.#steps.set(declaration.name, step);
    }
    await Promise.allSettled(this.#steps.values());
    if (this.#end) throw this.#end;
    const { targets } = this.options;
    const left = [...this.#olds.values()].filter(
      ({ name }) => !this.#steps.has(name) && (targets?.has(name) ?? true),
    );
    for (const { name } of left) this.#plan.operations[name] = "delete";
    // One that was to be replaced has no object any more.
    const isGone = ({ name, isPending }: RecordedResource) => isPending || this.#deleted.has(name);
    for (const one of left) if (isGone(one)) this.#drop(one.name);
    const doomed = left.filter((one) => !isGone(one));
    await this.#deleteAll([...this.#condemned, ...doomed]);
    return this.#plan;
  }

  /** Tells all providers the state. */
  #record(): void {
    const all = [...this.recorded.values()];
    const steps = this.#declared.map(({ type, name, ignoreChanges = [] }) => ({
      ...{ type, name, outputs: {}, ignoreChanges },
    }));
    for (const provider of new Set([...this.#declared, ...all].map(({ provider }) => provider)))
      this.hosts(provider).record(all, steps);
  }

  /** Takes the step of a resource. The first that fails ends the run. */
  async #take(declaration: Declaration): Promise<RecordedResource> {
    try {
      await Promise.all([...dependenciesOf(declaration)].map((name) => this.#steps.get(name)));
      const before = this.#choice;
      const choice = (async () => {
        await before.catch(() => {});
        this.#refuseAfterEnd();
        return this.#isLeft(declaration) ? this.#passing(declaration) : this.#choose(declaration);
      })();
      this.#choice = choice;
      const step = await choice;
      return await this.#within(step);
    } catch (error) {
      this.#end ??= error as Error;
      throw error;
    }
  }

  #refuseAfterEnd(): void {
    if (this.#end) throw this.#end;
  }

  #isLeft = ({ name }: Declaration): boolean => this.options.targets?.has(name) === false;

  /** Takes a step as soon as fewer than the most are under way. */
  async #within<T>(step: () => Promise<T>): Promise<T> {
    if (this.#slots > 0) this.#slots -= 1;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      this.#refuseAfterEnd();
      return await step();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#slots += 1;
    }
  }

  /** A resource that the state has under an alias gets its present name. */
  #rename(program: Program): void {
    const names = new Map<string, string>();
    for (const { name, aliases = [] } of program) {
      const alias = this.#olds.has(name) ? undefined : aliases.find((other) => this.#olds.has(other));
      if (alias !== undefined) names.set(alias, name);
    }
    if (names.size === 0) return;
    const now = (name: string): string => names.get(name) ?? name;
    const all = (set: ReadonlySet<string>): Set<string> => new Set([...set].map(now));
    for (const name of this.#olds.keys()) this.recorded.delete(name);
    for (const old of this.#olds.values()) {
      const sources = Object.entries(old.sources).map(([key, set]) => [key, all(set)] as const);
      this.recorded.set(now(old.name), {
        ...old,
        name: now(old.name),
        dependencies: all(old.dependencies),
        sources: Object.fromEntries(sources),
      });
    }
    this.#olds = new Map([...this.recorded].filter(([, { isReplaced }]) => !isReplaced));
  }

  /** Leaves one that is not to be seen to as it is; one that would be new is left out. */
  #passing({ type, name, args, provider }: Declaration): () => Promise<RecordedResource> {
    const old = this.#olds.get(name);
    if (old) return async () => this.#keep(old);
    const none = { id: "", outputs: {}, dependencies: new Set<string>(), sources: {} };
    return async () => ({ type, name, inputs: args, provider, ...none });
  }

  async #choose(declaration: Declaration): Promise<() => Promise<RecordedResource>> {
    const { type, name, provider } = declaration;
    this.#chosen.add(name);
    const host = this.hosts(provider);
    const { operations, uncertain } = this.#plan;
    const args = (await this.#resolved(declaration)) as Plain;
    if (JSON.stringify(args).includes(unknown)) uncertain.add(name);
    const recorded = this.#olds.get(name);
    const old = this.#deleted.has(name) || recorded?.isPending ? undefined : recorded;
    const given = old ? withIgnored(args, old.inputs, declaration.ignoreChanges) : args;
    const { inputs, failures } = await host.check(type, old?.inputs ?? {}, given, name);
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
      operations[name] = recorded ? "replace" : "create";
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
    const fresh = { ...next, inputs: bare(again.inputs) };
    if (!diff.deleteFirst && !declaration.deleteBeforeReplace) {
      const replaced = { ...old, isReplaced: true };
      this.#condemned.push(replaced);
      return async () => {
        const made = await this.#create(fresh);
        if (!this.isPreview && !this.#isKilled) {
          this.recorded.set(keyOfReplaced(replaced), replaced);
          this.#record();
        }
        return made;
      };
    }
    for (const dependent of (await this.#replacedWith(old)).reverse()) await this.#deleteFirst(dependent);
    await this.#deleteFirst(old);
    return () => this.#create(fresh);
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
      // A preview takes a missing value as unknown.
      return value ?? (this.isPreview ? unknown : undefined);
    });
    return JSON.parse(JSON.stringify(resolved));
  }

  /** Those that have to be replaced when this one goes first, each after what it depends on. */
  async #replacedWith(root: RecordedResource): Promise<RecordedResource[]> {
    const replaced = [root];
    const names = new Set([root.name]);
    const dependents = new Set([root.name]);
    for (const recorded of this.#olds.values()) {
      if (recorded === root || ![...recorded.dependencies].some((name) => dependents.has(name))) continue;
      dependents.add(recorded.name);
      if (this.#chosen.has(recorded.name)) continue;
      const depends = ([key]: [string, unknown]) =>
        [...(recorded.sources[key] ?? [])].some((name) => names.has(name));
      if (!Object.entries(recorded.inputs).some(depends)) continue;
      const inputs = Object.entries(recorded.inputs).map((entry) =>
        depends(entry) ? [entry[0], unknown] : entry,
      );
      const diff = await this.hosts(recorded.provider).diff(
        recorded.type,
        recorded.id,
        recorded.outputs,
        Object.fromEntries(inputs),
        recorded.name,
      );
      if (diff.replaces.length === 0) continue;
      replaced.push(recorded);
      names.add(recorded.name);
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

  #keep(recorded: RecordedResource): RecordedResource {
    if (this.#isKilled) return recorded;
    // To the end: the state is in the order of the program.
    this.recorded.delete(recorded.name);
    this.recorded.set(recorded.name, recorded);
    this.#record();
    return recorded;
  }

  #drop(key: string): void {
    if (this.isPreview || this.#isKilled) return;
    this.recorded.delete(key);
    this.#record();
  }

  async #deleteFirst(old: RecordedResource): Promise<void> {
    if (this.#deleted.has(old.name)) return;
    this.#deleted.add(old.name);
    if (this.isPreview) return;
    await this.hosts(old.provider).remove(old.type, old.id, old.outputs);
    this.#keep({ ...old, isPending: true });
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
      await this.#within(() => this.#delete(old));
    };
    const results = await Promise.allSettled(condemned.map(go));
    const failure = results.find((result) => result.status === "rejected");
    if (this.#end ?? failure) throw this.#end ?? failure?.reason;
  }

  async #delete(old: RecordedResource): Promise<void> {
    if (this.isPreview) return;
    await this.hosts(old.provider).remove(old.type, old.id, old.outputs);
    this.#drop(old.isReplaced ? keyOfReplaced(old) : old.name);
  }
}

const keyOfReplaced = ({ name, id }: RecordedResource): string => `${name} ${id}`;

/** Arguments with the recorded values of top-level inputs that the program ignores. */
function withIgnored(args: Plain, recorded: Plain, ignored: readonly string[] = []): Plain {
  const kept = Object.entries(args).filter(([key]) => !ignored.includes(key));
  const reset = Object.entries(recorded).filter(([key]) => ignored.includes(key));
  return Object.fromEntries([...kept, ...reset]);
}

/** Without the text that the host adds. */
export function bare(values: Plain): Plain {
  const { __provider: _, ...rest } = values;
  return isPlain(rest) ? rest : {};
}
