// Longer than other files: each kind of edit is a generator and its effect, and all share the state of the program.

import { randomFrom } from "../random";
import { type Declaration, isReference, type Program, type Reference, referred } from "./program";
import type { RecordedResource } from "./run";

const environments = ["production", "preview", "development"];
/** As many resources as a program has at most. */
const most = 30;

/** Variables, domains and projects that somebody makes at the service by hand. */
export interface ByHand {
  path: string;
  body: object;
}

/**
 * Writes a program and edits it as people do: other names, other kinds for the same object, other projects and
 * providers, with `adopt` and without, what exists already, and what is declared twice. All by one seed.
 */
export class Author {
  readonly #random: () => number;
  #fresh = 0;
  program: Program = [];

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    for (let i = this.#below(3); i >= 0; i--) this.#addProject();
    for (let i = 2 + this.#below(10); i > 0; i--) this.#add();
  }

  /** @returns what is made at the service before the program is run */
  edit(state: readonly RecordedResource[]): ByHand[] {
    const byHand: ByHand[] = [];
    for (let i = 1 + this.#below(4); i > 0; i--) {
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
        () => this.#handOver(this.#any()),
        () => this.#otherValue(this.#any()),
        () => this.#remove(this.#any()),
        () => this.#add(),
        () => this.#twin(this.#any()),
        () => this.#twin(this.#add()),
        () => byHand.push(...this.#byHand()),
        () => byHand.push(...this.#byHand()),
      ]);
      edit?.();
    }
    this.#unite(new Set(state.map(({ name }) => name)));
    return byHand;
  }

  /** Two new resources that adopt the same through different providers know nothing of each other: one may not be. */
  #unite(known: ReadonlySet<string>): void {
    const providers = new Map<string, string | undefined>();
    const makers = this.program.filter(({ name, type }) => type === "EnvVars" || !known.has(name));
    // Each time, one more of those that many variables link has the provider of the first.
    for (const _ of makers) {
      for (const one of makers) {
        const objects = objectsIn(one);
        const first = objects.find((object) => providers.has(object));
        const provider = first === undefined ? one.provider : providers.get(first);
        for (const object of objects) providers.set(object, provider);
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
    const at = this.#below(this.program.length + 1);
    return this.program.toSpliced(at, 0, { type: "EnvVar", name, args });
  }

  /** Some resources of a program and of what the state has beside, with all that they depend on; mostly all. */
  targets(program: Program, state: readonly RecordedResource[]): Set<string> | undefined {
    if (!this.chance(0.2)) return undefined;
    // The engine refuses to remove a project alone that others are in.
    const removable = state.filter(({ type }) => type !== "Project");
    const names = [...program, ...removable].map(({ name }) => name);
    const chosen = new Set(names.filter(() => this.chance(0.4)));
    for (const { name, args } of program.toReversed())
      if (chosen.has(name)) for (const other of referred(args)) chosen.add(other);
    return chosen;
  }

  /** Goes back to what the state has. */
  goBack(state: readonly RecordedResource[]): void {
    const projects = new Map(
      state.filter(({ type }) => type === "Project").map(({ id, name }) => [id, name]),
    );
    const all = state.map(({ type, name, inputs, provider }): Declaration => {
      const project = projects.get(String(inputs.project));
      const args = project === undefined ? inputs : { ...inputs, project: ref(project) };
      return { type, name, args, ...(provider !== undefined && { provider }) };
    });
    const rank = ({ type }: Declaration): number => (type === "Project" ? 0 : 1);
    this.program = all.sort((one, other) => rank(one) - rank(other));
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[this.#below(items.length)];
  }

  #any(type?: Declaration["type"]): Declaration | undefined {
    return this.#pick(this.program.filter((one) => type === undefined || one.type === type));
  }

  #name(prefix: string): string {
    return `${prefix}${this.#fresh++}`;
  }

  /** Some environments, at least one. */
  #environments(): string[] {
    const some = environments.filter(() => this.chance(0.5));
    return some.length > 0 ? some : [environments[this.#below(3)] ?? "production"];
  }

  #put(one: Declaration): Declaration {
    // Where references allow: after all projects.
    const first = this.program.findLastIndex(({ type }) => type === "Project") + 1;
    const at = one.type === "Project" ? 0 : first + this.#below(this.program.length - first + 1);
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
    const place = { project: ref(project.name) };
    if (this.chance(0.2)) {
      const name = this.#name("d");
      return this.#put({ type: "ProjectDomain", name, args: { ...place, name: `${name}.test` } });
    }
    const key = this.#name("K");
    const target = this.#environments();
    if (this.chance(0.75)) {
      const args = { ...place, key, value: "v", type: this.#pick(["plain", "encrypted"]), target };
      return this.#put({ type: "EnvVar", name: this.#name("e"), args });
    }
    const variables = { [key]: "v", [this.#name("K")]: { value: "v", target: this.#environments() } };
    return this.#put({ type: "EnvVars", name: this.#name("m"), args: { ...place, variables, target } });
  }

  #rename(one: Declaration | undefined): void {
    if (!one) return;
    const old = one.name;
    one.name = this.#name(old.slice(0, 1));
    if (this.chance(0.4)) one.aliases = [old, ...(one.aliases ?? [])];
    else delete one.aliases;
    if (this.chance(0.4)) one.args.adopt = true;
    for (const { args } of this.program)
      if (isReference(args.project) && args.project.$ref === old) args.project = ref(one.name);
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
    if (one && project && one.type !== "Project") one.args.project = ref(project.name);
  }

  #adopting(one: Declaration | undefined): void {
    if (one) one.args.adopt = this.chance(0.6);
  }

  #otherProvider(one: Declaration | undefined): void {
    if (!one) return;
    if (one.provider === undefined) one.provider = "own";
    else delete one.provider;
  }

  /** Another resource of another provider takes over what this one has, in the run in which this one goes. */
  #handOver(one: Declaration | undefined): void {
    this.#rename(one);
    this.#otherProvider(one);
    if (one) one.args.adopt = true;
  }

  #otherValue(one: Declaration | undefined): void {
    if (one?.type === "EnvVar") one.args.value = this.#name("v");
    if (one?.type === "Project") one.args.framework = this.#pick(["astro", "nextjs", "vue"]);
    if (one?.type === "EnvVar" && this.chance(0.5)) one.args.target = this.#environments();
  }

  #remove(one: Declaration | undefined): void {
    if (!one) return;
    this.program = this.program.filter((other) => other !== one && !referred(other.args).has(one.name));
  }

  /** The same object once more, under another name. */
  #twin(one: Declaration | undefined): void {
    if (!one) return;
    const twin = this.#copy(one);
    twin.args.adopt = this.chance(0.8);
    if (this.chance(0.3)) one.args.adopt = true;
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
    one.args.adopt = this.chance(0.8);
    if (this.chance(0.2)) one.provider = "own";
    const at = this.program.find(
      ({ name }) => isReference(one.args.project) && name === one.args.project.$ref,
    );
    const project = String(at?.args.name);
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

const ref = ($ref: string): Reference => ({ $ref, output: "id" });

/** What a declaration is about, such as a variable of a project. */
function objectsIn({ type, args }: Declaration): string[] {
  const place = JSON.stringify(args.project);
  const keys = type === "EnvVars" ? Object.keys(args.variables as object) : [args.key ?? args.name];
  return keys.map((key) => `${place}/${key}`);
}

const isAt = (one: Declaration, other: Declaration | undefined): boolean =>
  JSON.stringify(one.args.project) === JSON.stringify(other?.args.project);

const isOf = (one: Declaration, other: Declaration | undefined): boolean =>
  one.type === "EnvVar" && one.args.key === other?.args.key && isAt(one, other);
