// Longer than other files: each kind of edit is a generator and its effect, and all share the state of the program.

import { randomFrom } from "../random";
import {
  type Companion,
  companions,
  companionTypes,
  identityOf,
  isCompanion,
  keyedTypes,
  sharedTypes,
} from "./companions";
import type { Loss } from "./lost-answers";
import {
  type Declaration,
  dependenciesOf,
  isReference,
  type Program,
  type Reference,
  referred,
  resolve,
} from "./program";
import { declarationsOf, mended, mendOptions, ref } from "./references";
import type { RecordedResource } from "./run";

const environments = ["production", "preview", "development"];
/** As many resources as a program has at most. */
const most = 40;
/** A list has up to four more, and a plan permits ten. */
const mostConfigs = 3;
/** More than the real engine changes at once by default in the tests. */
const longList = 12;

/** The kinds of resources that most lists are of, each with the input that is the unique key. */
const mainKeys = {
  EnvVar: "key",
  ProjectDomain: "name",
  Project: "name",
  CustomEnvironment: "slug",
} as const;
type Listed = keyof typeof mainKeys | Companion;
const keyInputOf = (type: Listed): string =>
  isCompanion(type) ? (companions[type].key as string) : mainKeys[type];
/** The types that have the input `adopt`. */
const adoptable = new Set<string>([
  ...["Project", "ProjectDomain", "EnvVar", "EnvVars"],
  ...companionTypes.filter((type) => !companions[type].hasNoAdopt),
]);
const listName = /^(list\d+)v(\d+)$/;
const providers = ["own", "other"];
const branches = ["main", "next", "old"];

/** Variables, domains and projects that somebody makes at the service by hand. */
export interface ByHand {
  path: string;
  body: object;
  /** Default: POST. */
  method?: string;
}

/**
 * Writes a program and edits it as people do: other names, other kinds for the same object, other projects and
 * providers, with `adopt` and without, what exists already, and what is declared twice. All by one seed.
 */
export class Author {
  readonly #random: () => number;
  /** Lost requests do not change the programs that follow. */
  readonly #luck: () => number;
  #fresh = 0;
  program: Program = [];
  /** How often each kind of edit was made. */
  readonly made = new Map<string, number>();
  /** The unique keys of what is made by hand, of which an adoption leaves what is ignored as it is. */
  readonly #byOthers = new Set<unknown>();

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#luck = randomFrom(seed + 0.5 * 2 ** 32);
    for (let i = this.below(3); i >= 0; i--) this.#addProject();
    if (this.chance(0.25)) this.#addList("EnvVar", longList);
    for (let i = 2 + this.below(10); i > 0; i--) this.#add();
    for (let i = this.below(3); i > 0; i--) this.#addList();
    for (let i = 1 + this.below(3); i > 0; i--) this.#deploy();
    if (this.chance(0.5)) this.#promote(this.#any("Deployment"));
    for (const one of this.program) if (this.chance(0.2)) this.#option(one);
    this.#mend();
  }

  /** @returns what is made at the service before the program is run */
  edit(state: readonly RecordedResource[]): ByHand[] {
    const byHand: ByHand[] = [];
    for (let i = 1 + this.below(4); i > 0; i--) {
      const edit = this.#pick([
        () => this.#rename(this.#any()),
        () => this.#rename(this.#any()),
        () => this.#split(this.#any("EnvVar")),
        () => this.#merge(this.#any("EnvVar")),
        () => this.#toMany(this.#any("EnvVar")),
        () => this.#toOne(this.#any("EnvVars")),
        () => this.#toSite(this.#any("Project")),
        () => this.#elsewhere(this.#any()),
        () => this.#adopting(this.#any()),
        () => {
          for (const one of this.program) this.#adopting(one);
        },
        () => this.#otherProvider(this.#any()),
        () => this.#shift(),
        () => this.#shift(),
        () => this.#shift(),
        () => this.#addList(),
        () => this.#deploy(),
        () => this.#promote(this.#any("Deployment")),
        () => this.#deployOtherwise(this.#any("Deployment")),
        () => this.#deployOtherwise(this.#any("Deployment")),
        () => this.#deployOtherwise(this.#any("Deployment")),
        () => this.#otherValue(this.#anyTrigger()),
        () => this.#otherValue(this.#anyTrigger()),
        () => this.#option(this.#any("Deployment")),
        () => this.#remove(this.#any("Deployment")),
        () => this.#swap(),
        () => this.#swap(),
        () => this.#exchange(),
        () => this.#trade(),
        () => this.#trade(),
        () => this.#option(this.#any()),
        () => this.#option(this.#any()),
        () => this.#handOver(this.#any()),
        () => this.#otherValue(this.#any()),
        () => this.#otherType(this.#any("EnvVar")),
        () => this.#otherType(this.#any(this.#pick(["EnvVars", "SharedEnvVar"]) as "EnvVars")),
        () => byHand.push(...this.#rotate(this.#pick(state.filter(({ type }) => isVariable(type))))),
        () => byHand.push(...this.#rotate(this.#pick(state.filter(({ type }) => isVariable(type))))),
        () => this.#remove(this.#any()),
        () => this.#add(),
        () => this.#twin(this.#any()),
        () => this.#twin(this.#add()),
        () => byHand.push(...this.#byHand()),
        () => byHand.push(...this.#byHand()),
        () => byHand.push(...this.#byHand()),
        () => byHand.push(...this.#byHand()),
      ]);
      edit?.();
    }
    this.#mend();
    this.#unite(state);
    return byHand;
  }

  #mend(): void {
    this.program = mended(this.program);
    mendOptions(this.program);
  }

  /**
   * Gives resources that declare the same new key the same provider: providers know nothing of each other, so that it
   * would be found in the run. An object of the state with that key is found at preview.
   */
  #unite(state: readonly RecordedResource[]): void {
    const now = new Map(this.program.map(({ name, provider }) => [name, provider]));
    const taken = new Set(
      declarationsOf(state)
        // One that changes its provider is checked by the new one alone.
        .filter(({ name, provider }) => !now.has(name) || now.get(name) === provider)
        .flatMap(keysIn)
        .map(({ key }) => key),
    );
    const providerOf = new Map<string, string | undefined>();
    // Each time, one more of those that many variables link has the provider of the first.
    for (const _ of this.program) {
      for (const one of this.program) {
        const objects = keysIn(one)
          .filter(({ key }) => !taken.has(key))
          .map(({ object }) => object);
        const first = objects.find((object) => providerOf.has(object));
        const provider = first === undefined ? one.provider : providerOf.get(first);
        for (const object of objects) providerOf.set(object, provider);
        if (provider === undefined) delete one.provider;
        else one.provider = provider;
      }
    }
  }

  /** The program with a resource in its midst that no service makes. */
  failing(): Program {
    if (!this.chance(0.35)) return this.program;
    const name = this.#name("failing");
    const args = { project: "prj_missing", key: "K", value: "v", target: ["production"] };
    const at = this.below(this.program.length + 1);
    return this.program.toSpliced(at, 0, { type: "EnvVar", name, args });
  }

  /** Some resources of a program and of what the state has beside, with all that they depend on; mostly all. */
  targets(program: Program, state: readonly RecordedResource[]): Set<string> | undefined {
    if (!this.chance(0.2)) return undefined;
    // The engine refuses to remove alone what others refer to.
    const needed = new Set(declarationsOf(state).flatMap(({ args }) => [...referred(args)]));
    const removable = state.filter(({ type, name }) => type !== "Project" && !needed.has(name));
    const names = [...program, ...removable].map(({ name }) => name);
    const chosen = new Set(names.filter(() => this.chance(0.4)));
    for (const one of program.toReversed())
      if (chosen.has(one.name)) for (const other of dependenciesOf(one)) chosen.add(other);
    return chosen;
  }

  /** Goes back to what the state has. */
  goBack(state: readonly RecordedResource[]): void {
    // A run that was ended, or had targets, may leave two resources of which a program declares one.
    const keyOfOne = ({ type, id, inputs, outputs }: RecordedResource): string =>
      `${type} ${{ EdgeConfig: inputs.slug, DnsRecord: outputs.recordId }[type as string] ?? id}`;
    const last = new Map(state.map((one) => [keyOfOne(one), one.name]));
    const mayBeTwo = (type: string): boolean => sharedTypes.has(type) || type === "EdgeConfig";
    const single = state.filter((one) => !mayBeTwo(one.type) || last.get(keyOfOne(one)) === one.name);
    // Items and tokens go with their Edge Config.
    const ids = new Set(single.map(({ id }) => id));
    const isLeft = ({ edgeConfigId }: Declaration["args"]): boolean =>
      edgeConfigId === undefined || ids.has(String(edgeConfigId));
    this.program = declarationsOf(single.filter(({ inputs }) => isLeft(inputs)));
  }

  /** After how many changes of the service a run is killed, and whether only those that make a deployment count. */
  end(isDeploying: boolean): { killAfter: number; killAt?: string } {
    if (isDeploying && this.chance(0.5)) return { killAfter: 1, killAt: "/deployments" };
    return { killAfter: 1 + this.below(3) };
  }

  /** The same resources in another order. */
  shuffled(program: Program): Program {
    const rest = [...program];
    return program.map(() => rest.splice(Math.floor(this.#luck() * rest.length), 1)[0] as Declaration);
  }

  /** How many steps a run takes at once. */
  parallel(): number | undefined {
    return this.#pick([undefined, 1, 2]);
  }

  /** The creates of several variables that a run loses, by their number. */
  losses(): ReadonlyMap<number, Loss> {
    if (this.#luck() >= 0.4) return new Map();
    const some = [0, 1, 2, 3].filter(() => this.#luck() < 0.5);
    return new Map(some.map((number) => [number, this.#luck() < 0.7 ? "answer" : "request"]));
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  #any(type?: Declaration["type"]): Declaration | undefined {
    return this.#pick(this.program.filter((one) => type === undefined || one.type === type));
  }

  #name(prefix: string): string {
    return `${prefix}${this.#fresh++}`;
  }

  #count(kind: string): void {
    this.made.set(kind, (this.made.get(kind) ?? 0) + 1);
  }

  /** Some environments, at least one. */
  #environments(): string[] {
    const some = environments.filter(() => this.chance(0.5));
    return some.length > 0 ? some : [environments[this.below(3)] ?? "production"];
  }

  #put(one: Declaration): Declaration {
    // Where references allow: after all projects.
    const first = this.program.findLastIndex(({ type }) => type === "Project") + 1;
    const at = one.type === "Project" ? 0 : first + this.below(this.program.length - first + 1);
    if (this.program.length < most) this.program = this.program.toSpliced(at, 0, one);
    return one;
  }

  #drop(one: Declaration): void {
    this.program = this.program.filter((other) => other !== one);
  }

  #addProject(): Declaration {
    const name = this.#name("p");
    return this.#put({ type: "Project", name, args: { name: `${name}-project`, framework: "nextjs" } });
  }

  #add(): Declaration | undefined {
    const project = this.#any("Project");
    if (!project || this.chance(0.1)) return this.#addProject();
    const projectInput = { project: ref(project.name) };
    if (this.chance(0.2)) {
      const name = this.#name("d");
      return this.#put({ type: "ProjectDomain", name, args: { ...projectInput, name: `${name}.test` } });
    }
    if (this.chance(0.35)) return this.#addCompanion(project);
    const key = this.#name("K");
    const target = this.#environments();
    if (this.chance(0.75)) {
      const type = this.#pick(["plain", "encrypted", "sensitive"]);
      const args = { ...projectInput, key, value: "v", type, target };
      return this.#put({ type: "EnvVar", name: this.#name("e"), args });
    }
    const variables = { [key]: "v", [this.#name("K")]: { value: "v", target: this.#environments() } };
    return this.#put({
      type: "EnvVars",
      name: this.#name("m"),
      args: { ...projectInput, variables, target },
    });
  }

  #addCompanion(project: Declaration): Declaration {
    const type = this.#companionType();
    this.#count(type);
    return this.#put({ type, name: this.#name("c"), args: this.#companionArgs(type, project) });
  }

  /** One needs its containers: a kind of these is chosen first. */
  #companionType(from = companionTypes): Companion {
    const containersOf = (type: Companion) => Object.values<Declaration["type"]>(companions[type].of ?? {});
    const missingOf = (type: Companion) => containersOf(type).filter((one) => !this.#any(one));
    const nested = from.filter(
      (type) => containersOf(type).some((one) => one !== "Project") && missingOf(type).length === 0,
    );
    const isFull = this.program.filter(({ type }) => type === "EdgeConfig").length > mostConfigs;
    const open = isFull ? from.filter((type) => type !== "EdgeConfig") : from;
    let type = this.#pick(nested.length > 0 && this.chance(0.4) ? nested : open) as Companion;
    for (let [other] = missingOf(type); other; [other] = missingOf(type)) type = other as Companion;
    return type;
  }

  #companionArgs(type: Companion, project: Declaration): Declaration["args"] {
    const { key, of = {}, inputs } = companions[type];
    const containerOf = (kind: Declaration["type"]) => (kind === "Project" ? project : this.#any(kind));
    return {
      ...Object.fromEntries(
        Object.entries(of).map(([input, kind]) => [
          input,
          ref(containerOf(kind)?.name ?? "", kind === "Alias" ? "alias" : "id"),
        ]),
      ),
      ...(key !== undefined && { [key]: this.#key(type) }),
      ...inputs((choices) => this.#pick(choices) as string, ref(project.name), this.#fresh++),
    };
  }

  /** Builds a branch of a project, or another deployment of it again, with the values of some variables. */
  #deploy(): void {
    const project = this.#any("Project");
    if (!project) return;
    const others = this.program.filter(
      (one) => one.type === "Deployment" && isAt(one, { ...one, args: { project: ref(project.name) } }),
    );
    const other = this.chance(0.5) ? this.#pick(others) : undefined;
    const args = {
      project: ref(project.name),
      ...(other ? { redeploy: ref(other.name, "deploymentId") } : { ref: this.#pick(branches) }),
      triggers: this.#triggers(),
      ...(this.chance(0.5) && { target: this.#pick(["production", "preview"]) }),
      ...(this.chance(0.5) && { onDestroy: this.#pick(["keep", "delete"]) }),
    };
    const one = this.#put({ type: "Deployment", name: this.#name("b"), args });
    this.#count(`Deployment of ${other ? "redeploy" : "ref"}`);
    if (this.chance(0.4)) this.#promote(one);
  }

  /** Other triggers, another source, another target, or another end. */
  #deployOtherwise(one: Declaration | undefined): void {
    if (!one) return;
    const input = this.#pick(["triggers", "triggers", "source", "target", "onDestroy"]) as string;
    this.#count(`Deployment has other ${input}`);
    if (input === "triggers") one.args.triggers = this.#triggers();
    const isPromoted = this.program.some(
      ({ type, args }) => type === "Promotion" && [...referred(args.deployment)].includes(one.name),
    );
    if (input === "target" && !isPromoted)
      one.args.target = one.args.target === "production" ? "preview" : "production";
    if (input === "onDestroy") one.args.onDestroy = one.args.onDestroy === "delete" ? "keep" : "delete";
    if (input !== "source") return;
    delete one.args.redeploy;
    one.args.ref = this.#pick(branches.filter((name) => name !== one.args.ref));
  }

  /** Revisions of variables, or what somebody counts. */
  #triggers(): unknown[] {
    const all = this.program.filter(({ type }) => type === "EnvVar" || type === "EnvVars");
    const revisions = [this.#pick(all), this.#pick(all)].flatMap((one) =>
      one && this.chance(0.7) ? ref(one.name, "revision") : [],
    );
    return revisions.length > 0 ? revisions : [this.#name("t")];
  }

  /** A variable whose revision triggers a deployment. */
  #anyTrigger(): Declaration | undefined {
    const names = new Set(this.program.flatMap(({ args }) => [...referred(args.triggers)]));
    const one = this.#pick(this.program.filter(({ name }) => names.has(name)));
    if (one) this.#count("other value of a trigger");
    return one;
  }

  #promote(one: Declaration | undefined): void {
    if (!one) return;
    // Only a deployment for production can be promoted.
    one.args.target = "production";
    const { project } = one.args;
    const now = this.program.find((other) => other.type === "Promotion" && isAt(other, one));
    // A project has one promotion.
    if (now && this.chance(0.9)) {
      now.args.deployment = ref(one.name, "deploymentId");
      this.#count("Promotion of another deployment");
      return;
    }
    const onDelete = this.#pick(["keep", "rollback"]);
    const args = { project, deployment: ref(one.name, "deploymentId"), onDelete };
    this.#put({ type: "Promotion", name: this.#name("l"), args });
    this.#count("Promotion");
  }

  /** A list of resources that are named by their projectInput in it. */
  #addList(type = this.#listedType(), length = 2 + this.below(3)): void {
    const project = this.#any("Project");
    if (!project || this.program.length + length > most) return;
    const prefix = this.#name("list");
    const projectInput = type === "Project" ? {} : { project: ref(project.name) };
    const more = type === "EnvVar" ? { value: "v", type: "plain", target: this.#environments() } : {};
    const common = isCompanion(type) ? this.#companionArgs(type, project) : { ...projectInput, ...more };
    const provider = this.chance(0.2) ? this.#pick(providers) : undefined;
    for (let i = 0; i < length; i++) {
      const args = { ...structuredClone(common), [keyInputOf(type)]: this.#key(type) };
      const one: Declaration = {
        type,
        name: `${prefix}v${i}`,
        args,
        ...(provider !== undefined && { provider }),
      };
      if (type === "Project") this.program.unshift(one);
      else this.program.push(one);
    }
    this.#count(length >= longList ? "long list" : `list of ${type}`);
  }

  /** Mostly one of those that programs are mostly of. */
  #listedType(): Listed {
    const main = ["EnvVar", "ProjectDomain", "Project", "CustomEnvironment"] as const;
    if (this.chance(0.5)) return this.#pick(main) as Listed;
    const type = this.#companionType(keyedTypes);
    return companions[type].key === undefined ? "EnvVar" : type;
  }

  #key(type: Listed): string {
    if (isCompanion(type)) return companions[type].keyOf?.(this.#fresh++) ?? "";
    const name = this.#name("k");
    if (type === "EnvVar") return name.toUpperCase();
    return type === "ProjectDomain" ? `${name}.test` : `${name}-item`;
  }

  /** A list loses its first item, is rotated, or gets an item at the front. */
  #shift(): void {
    const lists = new Map<string, Declaration[]>();
    for (const one of this.program) {
      const [, prefix] = listName.exec(one.name) ?? [];
      if (prefix !== undefined) lists.set(prefix, [...(lists.get(prefix) ?? []), one]);
    }
    const [prefix, items] = this.#pick([...lists]) ?? [];
    const type = items?.[0]?.type as Listed | undefined;
    if (!items || type === undefined || items.some((one) => one.type !== type)) return;
    const listIndex = ({ name }: Declaration): number => Number(listName.exec(name)?.[2]);
    items.sort((one, other) => listIndex(one) - listIndex(other));
    const input = keyInputOf(type);
    const keys = items.map(({ args }) => args[input]);
    const how = this.#pick(["loses its first", "is rotated", "gets one at the front"]) as string;
    const next =
      how === "gets one at the front"
        ? [this.#key(type), ...keys]
        : how === "is rotated"
          ? [...keys.slice(1), keys[0]]
          : keys.slice(1);
    this.#count(`list ${how}`);
    if (items.length >= longList) this.#count("long list is shifted");
    for (const [i, one] of items.entries()) {
      if (i < next.length) one.args[input] = next[i];
      else this.#remove(one);
    }
    const last = items.at(-1);
    if (next.length <= items.length || !last || this.program.length >= most) return;
    const added = { ...this.#copy(last), name: `${prefix}v${listIndex(last) + 1}` };
    added.args[input] = next.at(-1);
    this.program.splice(this.program.indexOf(last) + 1, 0, added);
  }

  /** Two resources of one kind swap their keys. */
  #swap(): [Declaration, Declaration] | undefined {
    const type = this.#listedType();
    const all = this.program.filter((one) => one.type === type);
    const one = this.#pick(all);
    const other = this.#pick(
      all.filter((other) => other !== one && (type !== "EnvVar" || isAt(other, one as Declaration))),
    );
    if (!one || !other) return undefined;
    const input = keyInputOf(type);
    [one.args[input], other.args[input]] = [other.args[input], one.args[input]];
    this.#count("swap");
    return [one, other];
  }

  /** Two resources swap their keys, which have different providers or get them. */
  #exchange(): void {
    const [one, other] = this.#swap() ?? [];
    if (!one || !other) return;
    if (one.provider === other.provider) this.#otherProvider(one);
    if (one.provider !== other.provider) this.#count("exchange between providers");
  }

  /** Two resources of many variables trade one of them, or one gives it to the other. */
  #trade(): void {
    const many = this.program.filter(({ type }) => type === "EnvVars");
    const one = this.#pick(many);
    const other = this.#pick(many.filter((other) => other !== one && isAt(other, one)));
    if (!one || !other) return;
    const [given, taken] = [one, other].map(({ args }) =>
      this.#pick(Object.entries(args.variables as object)),
    );
    const without = ({ args }: Declaration, key: string | undefined) =>
      Object.entries(args.variables as object).filter(([name]) => name !== key);
    const isGift = this.chance(0.3);
    one.args.variables = Object.fromEntries([
      ...without(one, given?.[0]),
      ...(taken && !isGift ? [taken] : []),
    ]);
    other.args.variables = Object.fromEntries([
      ...without(other, isGift ? undefined : taken?.[0]),
      ...(given ? [given] : []),
    ]);
    this.#count("trade");
  }

  /** An option of a resource. */
  #option(one: Declaration | undefined): void {
    if (!one) return;
    const before = this.program.slice(0, this.program.indexOf(one));
    const kind = this.#pick(["dependsOn", "ignoreChanges", "deleteBeforeReplace"]);
    if (kind === "dependsOn") {
      const other = this.#pick(before);
      if (other) one.dependsOn = this.chance(0.8) ? [other.name] : [];
    }
    if (kind === "ignoreChanges") {
      const inputs: Record<string, string[]> = {
        EnvVar: ["value", "key", "type"],
        Project: ["framework", "name"],
        Deployment: ["triggers"],
      };
      const all = inputs[one.type] ?? [];
      const input = this.#pick(one.provider === undefined ? all : all.filter((one) => !isKey(one)));
      const key = one.args[one.type === "EnvVar" ? "key" : "name"];
      if (input !== undefined && !this.#byOthers.has(key)) one.ignoreChanges = [input];
    }
    if (kind === "deleteBeforeReplace" && one.type !== "Project") one.deleteBeforeReplace = true;
    this.#count(`option ${kind}`);
  }

  #rename(one: Declaration | undefined): void {
    if (!one) return;
    const old = one.name;
    one.name = this.#name(listName.test(old) ? "r" : old.slice(0, 1));
    if (this.chance(0.4)) {
      one.aliases = [old, ...(one.aliases ?? [])];
      this.#count("option aliases");
    } else delete one.aliases;
    if (this.chance(0.4) && adoptable.has(one.type)) one.args.adopt = true;
    for (const other of this.program) {
      const { dependsOn = [] } = other;
      other.args = resolve(other.args, ({ $ref, output }) =>
        ref($ref === old ? one.name : $ref, output),
      ) as Declaration["args"];
      if (dependsOn.includes(old)) dependsOn.splice(dependsOn.indexOf(old), 1, one.name);
    }
  }

  /** One variable becomes two, each for a part of the environments. */
  #split(one: Declaration | undefined): void {
    const target = one?.args.target as string[] | undefined;
    if (!one || !target || target.length < 2) return;
    const twin = this.#copy(one);
    twin.args.target = target.slice(1);
    if (this.chance(0.8)) one.args.target = target.slice(0, 1);
    this.#put(twin);
  }

  /** Two variables of one key become one. */
  #merge(one: Declaration | undefined): void {
    const others = this.program.filter((other) => other !== one && isOf(other, one));
    const other = this.#pick(others);
    if (!one || !other) return;
    one.args.target = [...new Set([one.args.target, other.args.target].flat())];
    this.#drop(other);
  }

  #toMany(one: Declaration | undefined, into?: Declaration): void {
    if (!one) return;
    const { project, key, value, type, target, adopt } = one.args as Record<string, string>;
    const variable = { value, type, target };
    this.#drop(one);
    const there = into ?? this.program.find((other) => other.type === "EnvVars" && isAt(other, one));
    if (there && this.chance(0.8)) {
      there.args.variables = { ...(there.args.variables as object), [String(key)]: variable };
      if (adopt) there.args.adopt = true;
      return;
    }
    const args = { project, variables: { [String(key)]: variable }, adopt: this.chance(0.7) };
    this.#put({ type: "EnvVars", name: this.#name("m"), args });
  }

  #toOne(many: Declaration | undefined): void {
    if (!many) return;
    const {
      project,
      variables,
      target: usual,
    } = many.args as { project: Reference } & Record<string, object>;
    const all = Object.entries(variables ?? {});
    const [key, given] = this.#pick(all) ?? [];
    if (key === undefined) return;
    many.args.variables = Object.fromEntries(all.filter(([other]) => other !== key));
    const one = typeof given === "string" ? { value: given } : (given as object);
    const args = { project, key, target: usual ?? environments, ...one, adopt: this.chance(0.7) };
    this.#put({ type: "EnvVar", name: this.#name("e"), args });
  }

  /** The parts of a project become those of a site, which has names of its own for them. */
  #toSite(project: Declaration | undefined): void {
    if (!project) return;
    const parts = this.program.filter(
      (one) => isReference(one.args.project) && one.args.project.$ref === project.name,
    );
    const [first, ...variables] = parts.filter(({ type }) => type === "EnvVar");
    this.#toMany(first);
    for (const one of variables) this.#toMany(one);
    for (const one of [project, ...parts]) if (this.program.includes(one)) this.#rename(one);
  }

  #elsewhere(one: Declaration | undefined): void {
    const project = this.#any("Project");
    if (one && project && "project" in one.args) one.args.project = ref(project.name);
  }

  #adopting(one: Declaration | undefined): void {
    if (!one || !adoptable.has(one.type)) return;
    one.args.adopt = this.chance(0.6);
    this.#count("option adopt");
  }

  #otherProvider(one: Declaration | undefined): void {
    if (!one) return;
    // Decision 21 says what happens to a key that is ignored, and taken in the same run.
    if (one.ignoreChanges?.some(isKey)) return;
    const now = one.provider;
    const next = this.#pick([undefined, ...providers].filter((name) => name !== now));
    if (next === undefined) delete one.provider;
    else one.provider = next;
    this.#count("other provider");
  }

  /** Another resource of another provider takes over what this one has, in the run in which this one goes. */
  #handOver(one: Declaration | undefined): void {
    this.#rename(one);
    this.#otherProvider(one);
    this.#adopting(one);
  }

  #otherValue(one: Declaration | undefined): void {
    if (one && isCompanion(one.type))
      Object.assign(
        one.args,
        companions[one.type].edited((choices) => this.#pick(choices) as string),
      );
    if (one?.type === "EnvVar") one.args.value = this.#name("v");
    if (one?.type === "Project") one.args.framework = this.#pick(["astro", "nextjs", "vue"]);
    if (one?.type === "EnvVar" && this.chance(0.5)) one.args.target = this.#environments();
    if (one?.type !== "EnvVars") return;
    const [key] = this.#pick(Object.entries(one.args.variables as object)) ?? [];
    if (key !== undefined)
      one.args.variables = { ...(one.args.variables as object), [key]: { value: this.#name("v") } };
  }

  /** A variable is stored in another way. */
  #otherType(one: Declaration | undefined): void {
    if (!one) return;
    const types =
      one.type === "SharedEnvVar" ? ["encrypted", "sensitive"] : ["plain", "encrypted", "sensitive"];
    const type = this.#pick(types) as string;
    this.#count("other type of a variable");
    if (one.type !== "EnvVars") {
      one.args.type = type;
      return;
    }
    const [key, given] = this.#pick(Object.entries(one.args.variables as object)) ?? [];
    if (key === undefined) return;
    const before = typeof given === "string" ? { value: given } : (given as object);
    const target = this.#environments();
    one.args.variables = { ...(one.args.variables as object), [key]: { target, ...before, type } };
  }

  /** Somebody changes the value of a variable, which the program leaves to others from now on. */
  #rotate(recorded: RecordedResource | undefined): ByHand[] {
    if (!recorded) return [];
    const one = this.program.find(({ name }) => name === recorded.name);
    // An empty text is what a sensitive variable has after an import.
    if (one?.args.type === "sensitive" && this.chance(0.5)) one.args.value = "";
    else if (one) one.ignoreChanges = ["value"];
    const value = this.#name("outside");
    if (recorded.type === "SharedEnvVar")
      return [{ method: "PATCH", path: "/v1/env", body: { updates: { [recorded.id]: { value } } } }];
    const [project, id] = recorded.id.split("/");
    return [{ method: "PATCH", path: `/v9/projects/${project}/env/${id}`, body: { value } }];
  }

  #remove(one: Declaration | undefined): void {
    if (!one) return;
    this.#drop(one);
    this.#mend();
  }

  /** The same object once more, under another name. */
  #twin(one: Declaration | undefined): void {
    if (!one) return;
    const twin = this.#copy(one);
    if (adoptable.has(one.type)) {
      twin.args.adopt = this.chance(0.8);
      if (this.chance(0.3)) one.args.adopt = true;
    }
    this.#put(twin);
  }

  #copy(one: Declaration): Declaration {
    const { aliases: _, ...rest } = structuredClone(one);
    return { ...rest, name: this.#name(one.name.slice(0, 1)) };
  }

  /** Something is there already, and is adopted as it is, or otherwise. */
  #byHand(): ByHand[] {
    const one = this.#add();
    if (!one || !this.program.includes(one)) return [];
    if (adoptable.has(one.type)) one.args.adopt = this.chance(0.8);
    if (this.chance(0.2)) one.provider = this.#pick(providers) as string;
    const at = this.program.find(
      ({ name }) => isReference(one.args.project) && name === one.args.project.$ref,
    );
    const project = String(at?.args.name);
    this.#byOthers.add(one.args.key ?? one.args.name);
    if (isCompanion(one.type)) {
      const request = companions[one.type].request?.(one.args, project);
      return request ? [request] : [];
    }
    if (one.type === "Project") return [{ path: "/v10/projects", body: { name: one.args.name } }];
    if (one.type === "ProjectDomain")
      return [{ path: `/v10/projects/${project}/domains`, body: { name: one.args.name } }];
    const path = `/v10/projects/${project}/env`;
    const keys = one.type === "EnvVar" ? [one.args.key] : Object.keys(one.args.variables as object);
    return keys.map((key) => ({
      path,
      body: { key, value: "live", type: "plain", target: this.#environments() },
    }));
  }
}

/** The unique keys of a declaration, each with the objects that it may adopt, whatever their environments are. */
function keysIn({ type, args }: Declaration): { key: string; object: string }[] {
  const projectKey = JSON.stringify(args.project);
  const of = (object: string, target: unknown): { key: string; object: string }[] =>
    (Array.isArray(target) ? target : environments).map((name) => ({ key: `${object}/${name}`, object }));
  if (type === "Deployment" || (isCompanion(type) && companions[type].isNeverUnique)) return [];
  if (isCompanion(type)) {
    const identity = identityOf(type, args);
    return [{ key: identity, object: identity }];
  }
  if (type === "Promotion")
    return [{ key: `production of ${projectKey}`, object: `production of ${projectKey}` }];
  if (type === "EnvVar") return of(`${projectKey}/${args.key}`, args.target);
  if (type === "EnvVars")
    return Object.entries(args.variables as Record<string, { target?: string[] } | string>).flatMap(
      ([key, one]) =>
        of(`${projectKey}/${key}`, (typeof one === "object" ? one.target : undefined) ?? args.target),
    );
  const object = type === "CustomEnvironment" ? `${projectKey}/${args.slug}` : `${type}/${args.name}`;
  return [{ key: object, object }];
}

const isVariable = (type: string): boolean => type === "EnvVar" || type === "SharedEnvVar";

/** Whether an input is the unique key of a project or variable. */
const isKey = (input: string): boolean => input === "key" || input === "name";

const isAt = (one: Declaration, other: Declaration | undefined): boolean =>
  JSON.stringify(one.args.project) === JSON.stringify(other?.args.project);

const isOf = (one: Declaration, other: Declaration | undefined): boolean =>
  one.type === "EnvVar" && one.args.key === other?.args.key && isAt(one, other);
