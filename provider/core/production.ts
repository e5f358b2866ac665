import type { Client } from "../client/client";
import type * as responses from "../client/responses";
import type { Phases } from "./phases";
import { isPlain, own, type Plain, same } from "./values";

/**
 * Warns when production does not have the last change of a variable: builds read variables, so a change takes effect
 * with the next deployment. The warnings come at the end of a run, when all deployments of the run are known. Only
 * variables that the run has changed or read are compared, so the check sends no requests for variables.
 */

/**
 * How a resource changes what production serves: it builds a deployment, or promotes one. A deployment for another
 * environment (`preview`) changes nothing, and cannot be promoted.
 */
export type ProductionChange = "build" | "preview" | "promotion";

/**
 * The times of the last changes (milliseconds since the epoch; infinity for a planned change), by key of the variable.
 */
type Times = ReadonlyMap<string, number>;

type Project = { id: string; name: string } & Plain;

/** How the resource changes what production serves. */
export interface ProductionEffects {
  /**
   * Returns the values that deployments read. Their changes give the output `revision` a new value.
   * @param values declared inputs, or a state
   */
  revisionValues?(values: Plain): unknown;
  /** Returns how a create or update with these inputs changes production; undefined if it does not. */
  change?(inputs: Plain): ProductionChange | undefined;
  /**
   * Returns when the deployment in a state was created (milliseconds since the epoch); undefined if the deployment is
   * not for production, or if its build failed.
   */
  build?(state: Plain): number | undefined;
}

interface Variables {
  /** Id or name of the project. */
  project: string;
  times: Times;
}

/** The maximum number of keys in a warning. */
const mostKeys = 10;

/** Records the variables that a run reads or changes, and the changes that the run makes to production. */
export class Production {
  /** The variables at the service, by the owner id of their resource. */
  readonly #known = new Map<string, Variables>();
  /** The variables after the planned changes of a preview, by owner id. */
  readonly #planned = new Map<string, Variables>();
  /** The planned changes of production, by project. The key is undefined if the project is not known yet. */
  readonly #changes = new Map<string | undefined, Set<ProductionChange>>();
  /** The deployments for production that the run created or waited for, by id. */
  readonly #builds = new Map<string, { project: string; createdAt: number }>();
  /** The projects that get a deployment for another environment, as in `#changes`. */
  readonly #previews = new Set<string | undefined>();
  /** The projects with a deployment for production that is in the plan, even if the run does not build it again. */
  readonly #productionDeployments = new Set<string | undefined>();
  #isTold = false;

  constructor(
    private readonly client: Client,
    private readonly phases: Phases,
  ) {}

  /** Records the variables in a state that was read. */
  read({ revisionValues }: ProductionEffects, owner: string, state: Plain): void {
    if (!revisionValues || typeof state.projectId !== "string") return;
    this.#known.set(owner, { project: state.projectId, times: timesOf(variablesIn(state, revisionValues)) });
  }

  /**
   * Records a planned create or change.
   * @param owner undefined for a new resource whose URN the host does not know
   * @param change the planned change of an existing resource; undefined for a new one
   */
  plan(
    { revisionValues, change: changeOf }: ProductionEffects,
    owner: string | undefined,
    news: Plain,
    change?: { state: Plain; isReplaced: boolean },
  ): void {
    if (!this.phases.hasProgram) return;
    const project = change?.state.projectId ?? news.project;
    this.#planChange([project, news.project], changeOf?.(news), change?.isReplaced !== false);
    if (!revisionValues || typeof project !== "string") return;
    const key = owner ?? `new ${this.#planned.size}`;
    // The engine checks a replacement again as a new resource, and this check plans the variables. An adopted variable
    // may already have the declared value.
    const isUndecided = change ? change.isReplaced : news.adopt === true;
    const times = isUndecided
      ? new Map()
      : this.#timesAfter(key, revisionValues, news, change?.state, () => Number.POSITIVE_INFINITY);
    this.#planned.set(key, { project, times });
  }

  /** The times of the variables after a change. Variables whose settings stay have the known time. */
  #timesAfter(
    owner: string,
    revisionValues: (values: Plain) => unknown,
    news: Plain,
    before: Plain | undefined,
    timeOf: (variable: BuiltVariable) => number,
  ): Times {
    const known = this.#known.get(owner)?.times;
    const olds = before && variablesIn(before, revisionValues);
    const times = new Map<string, number>();
    for (const [key, variable] of variablesIn(news, revisionValues)) {
      const isKept = same(variable.settings, olds?.get(key)?.settings);
      const time = isKept ? known?.get(key) : timeOf(variable);
      if (time !== undefined) times.set(key, time);
    }
    return times;
  }

  /**
   * True when the run builds deployments of a project, and has none for production: neither a new one nor one that
   * changes in place, whose id a preview may not know. `Promotion` then refuses a deployment that is not known yet.
   */
  buildsOnlyPreviews(project: unknown): boolean {
    const key = keyOf(project);
    return this.#previews.has(key) && !this.#productionDeployments.has(key);
  }

  /**
   * @param names the project, as the state and as the program names it
   * @param isNew true for a create or a replacement, which alone build a deployment
   */
  #planChange(names: [unknown, unknown], planned: ProductionChange | undefined, isNew: boolean): void {
    const [key, ...others] = names.map(keyOf);
    if (planned === "build") for (const name of [key, ...others]) this.#productionDeployments.add(name);
    if (planned === undefined || !(isNew || planned === "promotion")) return;
    if (planned === "preview") this.#previews.add(key);
    else this.#changes.set(key, (this.#changes.get(key) ?? new Set()).add(planned));
  }

  /** Records the state after a create or update. @param before undefined for a new resource */
  change({ revisionValues }: ProductionEffects, owner: string, state: Plain, before?: Plain): void {
    if (!revisionValues || typeof state.projectId !== "string") return;
    const times = this.#timesAfter(owner, revisionValues, state, before, ({ updatedAt }) => updatedAt);
    this.#known.set(owner, { project: state.projectId, times });
  }

  /** Records the deployment in a state, even if it is still being built. */
  build({ build }: ProductionEffects, id: string, state: Plain): void {
    const createdAt = build?.(state);
    if (createdAt === undefined || typeof state.projectId !== "string") this.#builds.delete(id);
    else this.#builds.set(id, { project: state.projectId, createdAt });
  }

  remove(owner: string): void {
    this.#known.delete(owner);
  }

  /** The warnings of the run, one for each project. Further calls return none. */
  async warnings(): Promise<string[]> {
    if (this.#isTold) return [];
    this.#isTold = true;
    const all = this.phases.hasSteps ? this.#known : new Map([...this.#known, ...this.#planned]);
    const projects = new Map<string, Map<string, number>>();
    for (const { project, times } of all.values()) {
      const known = projects.get(project) ?? new Map<string, number>();
      for (const [key, time] of times) known.set(key, Math.max(time, known.get(key) ?? 0));
      if (known.size > 0) projects.set(project, known);
    }
    const told = await Promise.all([...projects].map(([project, times]) => this.#warningFor(project, times)));
    return told.filter((warning) => warning !== undefined);
  }

  async #warningFor(idOrName: string, times: Times): Promise<string | undefined> {
    // A project that the run has created without a deployment has no production yet.
    if (this.phases.hasSteps && this.#changes.size === 0 && this.client.hasCreated(idOrName))
      return undefined;
    try {
      const seen = this.phases.hasSteps ? undefined : this.client.lastSeen(idOrName);
      return this.#warningAbout(seen ?? (await this.client.project(idOrName)), times);
    } catch {
      // If the project cannot be read, the run neither fails nor warns.
      return undefined;
    }
  }

  #warningAbout(project: responses.Project, times: Times): string | undefined {
    const serving = project.targets?.production;
    if (!serving || typeof serving.createdAt !== "number") return undefined;
    // With rolling releases, a change of production takes effect by stages, after the run.
    if ((!this.phases.hasSteps || isPlain(project.rollingRelease)) && this.#isPlanned(project))
      return undefined;
    const createdAt = Math.max(serving.createdAt, ...this.#buildsOf(project));
    // A deployment older than its project, as in seeds of the bundled server, was not built with any variables.
    if (typeof project.createdAt === "number" && createdAt < project.createdAt) return undefined;
    const keys = [...times].filter(([, time]) => time > createdAt).map(([key]) => key);
    return keys.length === 0 ? undefined : warningOf(project.name, serving.id, keys.sort());
  }

  /** True when the plan changes the deployment that serves production. */
  #isPlanned(project: Project): boolean {
    const changes = this.#changesOf(project);
    return changes.has("promotion") || (changes.has("build") && project.autoAssignCustomDomains !== false);
  }

  /** The creation times of the deployments of the run that will serve production after their build. */
  #buildsOf(project: Project): number[] {
    // After a promotion, the project itself names the deployment that serves production.
    if (project.autoAssignCustomDomains === false || this.#changesOf(project).has("promotion")) return [];
    return [...this.#builds.values()]
      .filter((build) => build.project === project.id)
      .map(({ createdAt }) => createdAt);
  }

  #changesOf({ id, name }: Project): ReadonlySet<ProductionChange> {
    return new Set([id, name, undefined].flatMap((key) => [...(this.#changes.get(key) ?? [])]));
  }
}

/** @param project id or name; any other value means that the project is not known yet */
const keyOf = (project: unknown): string | undefined => (typeof project === "string" ? project : undefined);

const timesOf = (variables: BuiltVariables): Times =>
  new Map([...variables].map(([key, { updatedAt }]) => [key, updatedAt]));

function warningOf(project: string, deployment: string, keys: readonly string[]): string {
  const more = keys.length - mostKeys;
  const named = more > 0 ? [...keys.slice(0, mostKeys), `${more} more`] : keys;
  const list = [named.slice(0, -1).join(", "), named.at(-1)].filter(Boolean).join(" and ");
  return (
    `Production of the project ${project} serves the deployment ${deployment}, which does not have the last change of ` +
    `${list}: a change takes effect with the next deployment. Add the revision of each variable to the triggers of a ` +
    "Deployment, or redeploy production."
  );
}

/** A variable with the target production. */
interface BuiltVariable {
  /** The values whose changes give a new revision. */
  settings: Plain;
  /** The time of the last change (milliseconds since the epoch); 0 if it is not known. */
  updatedAt: number;
}

/** The variables with the target production, by key. */
type BuiltVariables = ReadonlyMap<string, BuiltVariable>;

/**
 * Returns the variables with the target production in inputs or a state.
 * @param revisionValues returns the settings of one variable, or of several
 */
function variablesIn(values: Plain, revisionValues: (values: Plain) => unknown): BuiltVariables {
  const all = [revisionValues(values)].flat().filter(isPlain);
  const built = all.filter(({ key, target }) => typeof key === "string" && isForProduction(target));
  const updatedAtOf = (key: string): unknown => {
    const record = isPlain(values.records) ? own(values.records, key) : values;
    return isPlain(record) ? record.updatedAt : undefined;
  };
  return new Map(
    built.map((settings) => {
      const key = String(settings.key);
      const updatedAt = updatedAtOf(key);
      return [key, { settings, updatedAt: typeof updatedAt === "number" ? updatedAt : 0 }];
    }),
  );
}

const isForProduction = (target: unknown): boolean => Array.isArray(target) && target.includes("production");
