import { randomFrom } from "../random";
import type { Declaration, Program, Reference } from "./program";

/**
 * Random histories of variables, deployments and promotions of two projects, with a model that says what production
 * lacks. Times are counted in events.
 */

interface Setting {
  value: string;
  type: string;
  target: string[];
}
type Settings = ReadonlyMap<string, Setting>;

/** A resource with one variable or several. */
interface Variables {
  name: string;
  type: "EnvVar" | "EnvVars";
  keys: readonly string[];
  declared: Settings | undefined;
  /** The content of the state. */
  state: Settings | undefined;
  /** When each last changed at the service. */
  changed: Map<string, number>;
  remote: Settings | undefined;
  revision: number;
}

interface Deployment {
  /** A literal trigger. */
  count: number;
  /** The revisions that are triggers too, by resource. */
  revisions: Record<string, number>;
}

interface ProjectModel {
  name: string;
  /** Production deployments serve at once. */
  assigns: boolean;
  variables: Variables[];
  deployment: {
    declared: Pick<Deployment, "count"> | undefined;
    state: Deployment | undefined;
    on: string[];
  };
  /** The promoted deployment: that of the program, or one by its id. */
  promotion: { declared: string | undefined; state: string | undefined };
  /** When each deployment was made. */
  built: Map<string, number>;
  serving: string | undefined;
}

/** Changes of somebody else at the service. */
export type ByHand =
  | { kind: "deploy"; id: string; project: string }
  | { kind: "promote"; id: string; project: string }
  | { kind: "change"; key: string; project: string; value: string };

export type Command = "preview" | "up" | "refresh" | "preview --refresh" | "up --refresh";

/** The keys that production lacks, by project. */
export type Lacks = Record<string, string[]>;

const types = ["plain", "encrypted", "sensitive"];
const targets = [["production"], ["preview"], ["production", "preview"]];
/** The deployment of the program. */
const own = "own";

export class History {
  readonly #random: () => number;
  readonly #projects: ProjectModel[];
  #fresh = 0;
  #now = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#projects = [true, false].map((assigns, i) => this.#project(`p${i}`, assigns));
  }

  /** Edits the program, or something at the service. @returns what is done by hand */
  edit(): ByHand[] {
    this.#now += 1;
    const project = this.#pick(this.#projects);
    const variables = this.#pick(project.variables);
    const edits: (() => ByHand[])[] = [
      () => this.#declare(variables),
      () => this.#declare(variables),
      () => this.#declare(variables),
      () => {
        variables.declared = undefined;
        project.deployment.on = project.deployment.on.filter((name) => name !== variables.name);
        return [];
      },
      () => this.#deployByHand(project),
      () => this.#deployByHand(project),
      () => this.#promoteByHand(project),
      () => this.#changeByHand(project, variables),
      () => this.#deployment(project),
      () => this.#deployment(project),
      () => this.#promotion(project),
    ];
    return this.#pick(edits)();
  }

  command(): Command {
    // Otherwise it would depend on the API what an update leaves of the other change.
    const isChanged = this.#projects.some(({ variables }) =>
      variables.some(({ state, remote }) => !isSame(state, remote)),
    );
    if (isChanged) return this.#pick(["refresh", "preview --refresh", "up --refresh"] as const);
    return this.#pick(["preview", "up", "up", "refresh", "preview --refresh", "up --refresh"] as const);
  }

  get program(): Program {
    return this.#projects.flatMap((project) => {
      const { name, assigns, variables, deployment, promotion } = project;
      const ref = ($ref: string, output: string): Reference => ({ $ref, output });
      const at = ref(name, "id");
      const declared = variables.filter((one) => one.declared);
      const program: Declaration[] = [
        { type: "Project", name, args: { name: `${name}-web`, autoAssignCustomDomains: assigns } },
        ...declared.map((one): Declaration => {
          const [[key, setting] = ["", undefined]] = one.declared ?? [];
          if (one.type === "EnvVar")
            return { type: "EnvVar", name: one.name, args: { project: at, key, ...setting } };
          return {
            type: "EnvVars",
            name: one.name,
            args: { project: at, variables: Object.fromEntries(one.declared ?? []) },
          };
        }),
      ];
      if (deployment.declared) {
        const triggers = [deployment.declared.count, ...deployment.on.map((other) => ref(other, "revision"))];
        program.push({
          type: "Deployment",
          name: `${name}-b`,
          args: { project: at, redeploy: `dpl_${name}`, target: "production", triggers },
          dependsOn: declared.map((one) => one.name),
        });
      }
      if (promotion.declared !== undefined) {
        const id = promotion.declared === own ? ref(`${name}-b`, "deploymentId") : promotion.declared;
        program.push({
          type: "Promotion",
          name: `${name}-l`,
          args: { project: at, deployment: id },
          // Otherwise a new deployment may take over production before or after it.
          dependsOn: program.slice(1).map((one) => one.name),
        });
      }
      return program;
    });
  }

  /** Carries out a command. @returns the warnings that it must show */
  run(command: Command): Lacks {
    this.#now += 1;
    const lacks: Lacks = {};
    for (const project of this.#projects) {
      const keys = this.#runIn(project, command);
      if (keys.length > 0) lacks[`${project.name}-web`] = keys.sort();
    }
    return lacks;
  }

  #runIn(project: ProjectModel, command: Command): string[] {
    const { variables, promotion } = project;
    const times = new Map<string, number>();
    const note = (one: Variables): void => {
      for (const [key, { target }] of one.state ?? [])
        if (target.includes("production")) times.set(key, one.changed.get(key) ?? 0);
    };
    if (/refresh/.test(command)) {
      for (const one of variables) {
        if (!one.state) continue;
        if (!isSame(one.state, one.remote)) one.revision += 1;
        one.state = one.remote;
        note(one);
      }
      if (promotion.state !== undefined) promotion.state = project.serving ?? "";
    }
    if (command === "refresh") return this.#outdated(project, times);

    const changing = variables.filter((one) => one.declared && !isSame(one.declared, one.state));
    const changed = new Set(changing.flatMap((one) => changedKeys(one)));
    const isBuilt = this.#builds(project, changing);
    const promotes =
      promotion.declared !== undefined &&
      (promotion.declared === own
        ? isBuilt || promotion.state !== this.#ownId(project)
        : promotion.declared !== promotion.state);
    // A variable that is changed otherwise has no time of a read any more.
    for (const one of changing)
      for (const key of one.keys)
        if (one.declared?.get(key)?.target.includes("production") !== true) times.delete(key);
    if (command.startsWith("preview")) {
      for (const key of changed) times.set(key, Number.POSITIVE_INFINITY);
      return (isBuilt && project.assigns) || promotes ? [] : this.#outdated(project, times);
    }

    for (const one of variables) this.#carryOut(one, times);
    for (const key of changed) times.set(key, this.#now);
    this.#deploy(project, isBuilt);
    if (promotion.declared === undefined) promotion.state = undefined;
    else if (promotes) {
      const id = promotion.declared === own ? this.#ownId(project) : promotion.declared;
      promotion.state = id;
      project.serving = id;
    }
    return this.#outdated(project, times);
  }

  #carryOut(one: Variables, times: Map<string, number>): void {
    if (!one.declared) {
      for (const key of one.keys) times.delete(key);
      one.state = undefined;
      one.remote = undefined;
      return;
    }
    if (isSame(one.declared, one.state)) return;
    for (const [key, setting] of one.declared)
      if (!isSameSetting(setting, one.state?.get(key))) one.changed.set(key, this.#now);
    one.state = one.declared;
    one.remote = one.declared;
    one.revision += 1;
  }

  #builds({ deployment: { declared, state, on }, variables }: ProjectModel, changing: Variables[]): boolean {
    if (!declared) return false;
    if (!state || state.count !== declared.count) return true;
    if (String(Object.keys(state.revisions)) !== String(on)) return true;
    return variables.some(
      (one) =>
        on.includes(one.name) && (changing.includes(one) || state.revisions[one.name] !== one.revision),
    );
  }

  #deploy(project: ProjectModel, isBuilt: boolean): void {
    const { deployment, variables, built } = project;
    if (!deployment.declared) deployment.state = undefined;
    if (!isBuilt || !deployment.declared) return;
    const revisions = deployment.on.map((name) => [
      name,
      variables.find((one) => one.name === name)?.revision ?? 0,
    ]);
    deployment.state = { count: deployment.declared.count, revisions: Object.fromEntries(revisions) };
    const id = `${own} ${this.#now}`;
    built.set(id, this.#now);
    if (project.assigns) project.serving = id;
  }

  /** The newest deployment of the program. */
  #ownId({ built }: ProjectModel): string {
    return [...built.keys()].findLast((id) => id.startsWith(own)) ?? "";
  }

  #outdated({ serving, built }: ProjectModel, times: ReadonlyMap<string, number>): string[] {
    if (serving === undefined) return [];
    const at = built.get(serving) ?? 0;
    return [...times].filter(([, time]) => time > at).map(([key]) => key);
  }

  #project(name: string, assigns: boolean): ProjectModel {
    const variables = [["A"], ["B"], ["C", "D"]].map((keys, i): Variables => {
      const one: Variables = {
        name: `${name}-v${i}`,
        type: keys.length > 1 ? "EnvVars" : "EnvVar",
        keys,
        ...{ declared: undefined, state: undefined, remote: undefined },
        changed: new Map(),
        revision: 0,
      };
      if (this.#chance(0.7)) this.#declare(one);
      return one;
    });
    return {
      ...{ name, assigns, variables },
      deployment: { declared: undefined, state: undefined, on: [] },
      promotion: { declared: undefined, state: undefined },
      built: new Map(),
      serving: undefined,
    };
  }

  /** Another value, type or target of one variable. */
  #declare(one: Variables): ByHand[] {
    const before = one.declared;
    const changed = this.#pick(one.keys);
    one.declared = new Map(
      one.keys.map((key) => {
        const old = before?.get(key);
        if (old && key !== changed) return [key, old];
        const value = old && this.#chance(0.4) ? old.value : `v${this.#fresh++}`;
        const type = old && this.#chance(0.6) ? old.type : this.#pick(types);
        const target = old && this.#chance(0.6) ? old.target : this.#pick(targets);
        return [key, { value, type, target }];
      }),
    );
    return [];
  }

  #deployByHand(project: ProjectModel): ByHand[] {
    const id = `dpl_${project.name}_${this.#fresh++}`;
    project.built.set(id, this.#now);
    if (project.assigns) project.serving = id;
    return [{ kind: "deploy", id, project: `${project.name}-web` }];
  }

  /** Also an older one: a rollback. */
  #promoteByHand(project: ProjectModel): ByHand[] {
    const ids = [...project.built.keys()].filter((id) => id.startsWith("dpl_"));
    if (ids.length === 0) return [];
    const id = this.#pick(ids);
    project.serving = id;
    return [{ kind: "promote", id, project: `${project.name}-web` }];
  }

  #changeByHand(project: ProjectModel, one: Variables): ByHand[] {
    const key = this.#pick(one.keys);
    const there = one.remote?.get(key);
    if (!there) return [];
    const value = `hand${this.#fresh++}`;
    one.remote = new Map([...(one.remote ?? []), [key, { ...there, value }]]);
    one.changed.set(key, this.#now);
    return [{ kind: "change", key, project: `${project.name}-web`, value }];
  }

  #deployment(project: ProjectModel): ByHand[] {
    const { deployment, variables, promotion } = project;
    if (deployment.declared && this.#chance(0.3)) {
      deployment.declared = undefined;
      if (promotion.declared === own) promotion.declared = undefined;
      return [];
    }
    deployment.declared = { count: this.#fresh++ };
    deployment.on = variables.filter((one) => one.declared && this.#chance(0.6)).map(({ name }) => name);
    return [];
  }

  #promotion({ promotion, deployment, built }: ProjectModel): ByHand[] {
    const choices = [
      undefined,
      ...(deployment.declared ? [own, own, own] : []),
      ...[...built.keys()].filter((id) => id.startsWith("dpl_")),
    ];
    promotion.declared = this.#pick(choices);
    return [];
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
}

function changedKeys({ declared, state }: Variables): string[] {
  return [...(declared ?? [])]
    .filter(
      ([key, setting]) => setting.target.includes("production") && !isSameSetting(setting, state?.get(key)),
    )
    .map(([key]) => key);
}

const isSameSetting = (one: Setting, other: Setting | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const isSame = (one: Settings | undefined, other: Settings | undefined): boolean =>
  JSON.stringify([...(one ?? [])]) === JSON.stringify([...(other ?? [])]);
