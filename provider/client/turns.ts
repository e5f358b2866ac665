import { pause } from "./step-limits";

/** The plan of a resource in this run. */
interface Plan {
  /** Type of the resource. */
  type: string;
  /** The places that it has before its step. */
  has: readonly string[];
  /** The places that it will have; undefined: not yet known. */
  wants: readonly string[] | undefined;
  /** It is replaced by another object. */
  isReplaced: boolean;
  /** When it releases its old places: in its own step, or only at the end of the run. */
  leaves: "in turn" | "at the end";
  /** The ids of objects that it adopts. */
  adopts?: readonly string[];
  /** Its step failed, so it keeps its places. */
  failed?: boolean;
}

/** The longest waits of resources for each other, in milliseconds. */
export interface TurnTiming {
  /** To learn whether the holder of a place is a resource of this run. */
  claimWaitMs: number;
  /** For a resource that will release a place. */
  releaseWaitMs: number;
}

/** A step that needs places that others may have. */
export interface Taking<T> {
  wants: readonly string[];
  /** The ids of the current holders. */
  holders(): Promise<string[]>;
  /** Runs the step. @throws an error that `isTaken` recognizes when a place is not free */
  attempt(): Promise<T>;
  isTaken(error: unknown): boolean;
  /** Releases its places by taking a temporary one, so that those that wait for them can continue. */
  stepAside?(): Promise<void>;
  /** True when an unknown holder may still turn out to be a resource of this run. */
  isPatient: boolean;
}

/**
 * Passes unique names ("places"), such as a variable's key and target, from one resource of a run to another. Each
 * diff reports the places that a resource has and will have. A resource that finds its place taken waits until the
 * other one releases it; when all wait for each other, one steps aside.
 */
export class Turns {
  readonly #plans = new Map<string, Plan>();
  /** The ids that a resource waits for. */
  readonly #waits = new Map<string, readonly string[]>();
  /** When a resource last released places, as a count of releases. */
  readonly #freed = new Map<string, number>();
  #moments = 0;
  readonly #listeners = new Set<() => void>();
  readonly #projects = new Set<string>();
  readonly #said = new Map<string, string>();
  /** How many diffs of refreshes are to come, by resource. */
  readonly #refreshed = new Map<string, number>();

  constructor(private readonly timing: TurnTiming) {}

  /** The ids of the projects of this run's resources. */
  get projects(): ReadonlySet<string> {
    return this.#projects;
  }

  visit(projectId: string): void {
    this.#projects.add(projectId);
  }

  /**
   * Records by which name or id a resource that exists once per project names its project.
   * @returns the other one, if another resource named it differently
   */
  sayOtherwise(projectId: string, said: string): string | undefined {
    const before = this.#said.get(projectId) ?? said;
    this.#said.set(projectId, before);
    return before === said ? undefined : before;
  }

  /** Records that a refresh has read a resource. */
  refreshed(resource: string): void {
    this.#refreshed.set(resource, (this.#refreshed.get(resource) ?? 0) + 1);
  }

  /** True for the next diff of a resource after a refresh, by which the engine shows what that found: it is no plan. */
  isOfRefresh(resource: string): boolean {
    const due = this.#refreshed.get(resource) ?? 0;
    this.#refreshed.set(resource, Math.max(0, due - 1));
    return due > 0;
  }

  /** Records the plan of a resource. */
  plan(id: string, plan: Plan): void {
    this.#plans.set(id, plan);
    this.#tell();
  }

  /** Records that its step has ended. */
  finish(id: string, succeeded: boolean): void {
    const plan = this.#plans.get(id);
    if (!plan) return;
    this.#plans.set(id, succeeded ? { ...plan, has: plan.wants ?? [] } : { ...plan, failed: true });
    this.#free(id);
  }

  /** Records that it was removed, since a cached list may still have it. */
  gone(id: string): void {
    const type = this.typeOf(id) ?? "";
    this.#plans.set(id, { type, has: [], wants: [], isReplaced: false, leaves: "in turn" });
    this.#free(id);
  }

  /** True when this object has a plan. */
  knows(id: string): boolean {
    return this.#plans.has(id);
  }

  /** True when this object is to be replaced, and was not removed. */
  isReplaced(id: string): boolean {
    return this.#plans.get(id)?.isReplaced === true;
  }

  typeOf(id: string): string | undefined {
    return this.#plans.get(id)?.type;
  }

  /** The ids of the objects that a resource adopts. */
  adoptedBy(id: string): readonly string[] {
    return this.#plans.get(id)?.adopts ?? [];
  }

  /** The id of another resource that will have some of these places. */
  wantedBy(id: string, places: readonly string[]): string | undefined {
    const wanting = [...this.#plans].find(
      ([other, { has, wants = [] }]) => other !== id && meet(without(wants, has), places),
    );
    return wanting?.[0];
  }

  /** The places that a resource will have. */
  wants(id: string): readonly string[] {
    return this.#plans.get(id)?.wants ?? [];
  }

  /** The additional places of the replacement of a resource that is deleted first. */
  gainsOfReplaced(id: string): string[] {
    const plan = this.#plans.get(id);
    return plan?.isReplaced && plan.leaves === "in turn" ? without(plan.wants ?? [], plan.has) : [];
  }

  /** The id of the resource that is replaced by one with exactly these places. */
  replacedBy(places: readonly string[]): string | undefined {
    const replaced = [...this.#plans].find(
      ([, { isReplaced, wants }]) => isReplaced && wants && isSameSet(wants, places),
    );
    return replaced?.[0];
  }

  /**
   * The plan of a holder for places: unknown; it keeps them; it releases them in its step or at the end of the run.
   */
  outlook(holder: string, places: readonly string[]): "unheard" | "kept" | Plan["leaves"] {
    const plan = this.#plans.get(holder);
    if (!plan) return "unheard";
    if (plan.failed || (plan.leaves === "in turn" && plan.wants && meet(plan.wants, places))) return "kept";
    return plan.leaves;
  }

  /** Takes places when they are free. @throws the error of the last attempt when they do not become free */
  async take<T>(id: string, taking: Taking<T>): Promise<T> {
    const begun = Date.now();
    let isAside = false;
    try {
      for (let vacant = 0; ; ) {
        const moment = this.#moments;
        try {
          return await taking.attempt();
        } catch (error) {
          if (!taking.isTaken(error)) throw error;
          const holders = (await taking.holders()).filter((holder) => holder !== id);
          if (holders.length === 0) {
            // Released meanwhile, or taken by something that cannot be found.
            if (vacant++ < 2) continue;
            throw error;
          }
          this.#waits.set(id, holders);
          const outcome = await this.#wait(id, holders, taking, { begun, moment, isAside });
          if (outcome === "stays") throw error;
          if (outcome === "circle") {
            isAside = true;
            await taking.stepAside?.();
            this.#free(id);
          }
        }
      }
    } finally {
      this.#waits.delete(id);
    }
  }

  /** Waits until all holders are known to release the places. @returns the id of one that does not */
  async clear(holders: readonly string[], places: readonly string[]): Promise<string | undefined> {
    const deadline = Date.now() + this.timing.claimWaitMs;
    for (;;) {
      const staying = holders.find((holder) => this.outlook(holder, places) !== "in turn");
      if (staying === undefined) return undefined;
      if (this.outlook(staying, places) !== "unheard" || Date.now() >= deadline) return staying;
      await this.#news(deadline);
    }
  }

  async #wait(
    id: string,
    holders: readonly string[],
    { wants, stepAside, isPatient }: Taking<unknown>,
    { begun, moment, isAside }: { begun: number; moment: number; isAside: boolean },
  ): Promise<"stays" | "circle" | "freed"> {
    for (;;) {
      if (holders.some((holder) => (this.#freed.get(holder) ?? 0) > moment)) return "freed";
      const outlooks = holders.map((holder) => this.outlook(holder, wants));
      const isUnheard = outlooks.includes("unheard");
      if (outlooks.includes("kept") || (isUnheard && !isPatient)) return "stays";
      if (stepAside && !isAside && this.#isCircle(id)) return "circle";
      const deadline = begun + (isUnheard ? this.timing.claimWaitMs : this.timing.releaseWaitMs);
      if (Date.now() >= deadline) return "stays";
      await this.#news(deadline);
    }
  }

  /** True when a resource waits, through others, for itself. */
  #isCircle(id: string): boolean {
    const reached = new Set<string>();
    const open = [...(this.#waits.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === id) return true;
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...(this.#waits.get(next) ?? []));
    }
    return false;
  }

  #free(id: string): void {
    this.#moments += 1;
    this.#freed.set(id, this.#moments);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Waits for the next change of a plan, at most until the deadline. @throws Interrupted */
  async #news(deadline: number): Promise<void> {
    let listener = (): void => {};
    const told = new Promise<void>((resolve) => {
      listener = resolve;
      this.#listeners.add(listener);
    });
    try {
      await Promise.race([told, pause(Math.min(lookAgainMs, Math.max(0, deadline - Date.now())))]);
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

/** The largest time between two checks while waiting, in milliseconds. */
const lookAgainMs = 250;

const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((place) => others.includes(place));

export const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((place) => !others.includes(place));

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  without(some, others).length === 0 && without(others, some).length === 0;
