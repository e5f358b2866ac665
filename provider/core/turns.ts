import { pause } from "../client/limits";
import { same } from "./values";

/** What a resource is about to do in this run, as far as others have to know. */
interface Plan {
  /** Type of the resource. */
  type: string;
  /** Places that it has before its step. */
  has: readonly string[];
  /** Places that it is to have; undefined while that is not known. */
  wants: readonly string[] | undefined;
  /** Another object comes in its stead. */
  isReplaced: boolean;
  /** When it lets go what it does not want: in its own step, or only when the run ends. */
  leaves: "in turn" | "at the end";
  /** Objects that it takes over as they are, by id. */
  adopts?: readonly string[];
  /** Its step has failed, so that it keeps what it has. */
  failed?: boolean;
}

/** How long resources wait for each other, in milliseconds. */
export interface Patience {
  /** For word of the resource that has a place: whether it is one of this run at all. */
  unheardMs: number;
  /** For a resource that is to give a place up. */
  letGoMs: number;
}

/** A step that needs places which others may have. */
export interface Taking<T> {
  wants: readonly string[];
  /** Who has some of these at this moment, by id. */
  holders(): Promise<string[]>;
  /** Does the step. @throws what `isTaken` tells when a place is not free */
  attempt(): Promise<T>;
  isTaken(error: unknown): boolean;
  /** Gives up the places that it has by taking one of its own, so that whoever waits for them can go on. */
  stepAside?(): Promise<void>;
  /** Whether a holder that nothing was heard of may be heard of later. */
  isPatient: boolean;
}

/**
 * Names that only one object can have at a time, such as a variable's key and target, pass from one resource of a run
 * to another here. A place is a text. Each diff tells what a resource has and is to have; whoever finds a place taken
 * by one that gives it up waits for it, and where all wait for each other in a circle, one steps aside.
 */
export class Turns {
  readonly #plans = new Map<string, Plan>();
  /** Whom a resource waits for. */
  readonly #waits = new Map<string, readonly string[]>();
  /** When a resource last gave up what it had, counted in such moments. */
  readonly #freed = new Map<string, number>();
  #moments = 0;
  readonly #listeners = new Set<() => void>();
  readonly #projects = new Set<string>();
  readonly #said = new Map<string, string>();

  constructor(private readonly patience: Patience) {}

  /** The ids of the projects that resources of this run are about. */
  get projects(): ReadonlySet<string> {
    return this.#projects;
  }

  visit(projectId: string): void {
    this.#projects.add(projectId);
  }

  /**
   * Notes how a resource that a project has only one of calls that project: a resource calls it in one way.
   * @returns how another one has called it
   */
  sayOtherwise(projectId: string, said: string): string | undefined {
    const before = this.#said.get(projectId) ?? said;
    this.#said.set(projectId, before);
    return before === said ? undefined : before;
  }

  /** What a resource of this run has and is to have. */
  plan(id: string, plan: Plan): void {
    this.#plans.set(id, plan);
    this.#tell();
  }

  /** Its step is done. */
  finish(id: string, succeeded: boolean): void {
    const plan = this.#plans.get(id);
    if (!plan) return;
    this.#plans.set(id, succeeded ? { ...plan, has: plan.wants ?? [] } : { ...plan, failed: true });
    this.#free(id);
  }

  /** It is removed. A list that was read before may still tell of it: it is known to have nothing. */
  gone(id: string): void {
    const type = this.typeOf(id) ?? "";
    this.#plans.set(id, { type, has: [], wants: [], isReplaced: false, leaves: "in turn" });
    this.#free(id);
  }

  /** Whether a resource of this run has told of this object. */
  knows(id: string): boolean {
    return this.#plans.has(id);
  }

  typeOf(id: string): string | undefined {
    return this.#plans.get(id)?.type;
  }

  /** What a resource takes over as it is. */
  adoptedBy(id: string): readonly string[] {
    return this.#plans.get(id)?.adopts ?? [];
  }

  /** A resource that is to get some of these places, which another one has. */
  wantedBy(id: string, places: readonly string[]): string | undefined {
    const wanting = [...this.#plans].find(
      ([other, { has, wants = [] }]) => other !== id && meet(without(wants, has), places),
    );
    return wanting?.[0];
  }

  /** What a resource is to have. */
  wants(id: string): readonly string[] {
    return this.#plans.get(id)?.wants ?? [];
  }

  /** What the successor of a resource that goes first is to have beyond what this one has. */
  gainsOfReplaced(id: string): string[] {
    const plan = this.#plans.get(id);
    return plan?.isReplaced && plan.leaves === "in turn" ? without(plan.wants ?? [], plan.has) : [];
  }

  /** The resource that makes way for one that is to have just these places. */
  replacedBy(places: readonly string[]): string | undefined {
    return [...this.#plans].find(([, { isReplaced, wants }]) => isReplaced && same(wants, places))?.[0];
  }

  /**
   * What becomes of places that another one has: nothing is known of it; it keeps them; it lets them go, in its turn
   * or only when the run ends.
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
            // Freed in between; or taken by something that is not to be found.
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

  /** Waits until every holder is known to let go in its turn. @returns one that does not, if there is one */
  async clear(holders: readonly string[], places: readonly string[]): Promise<string | undefined> {
    const deadline = Date.now() + this.patience.unheardMs;
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
      const deadline = begun + (isUnheard ? this.patience.unheardMs : this.patience.letGoMs);
      if (Date.now() >= deadline) return "stays";
      await this.#news(deadline);
    }
  }

  /** Whether one of those that a resource waits for waits, at last, for it. */
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

  /** The next thing that a resource tells; nothing more once the deadline has passed. @throws Interrupted */
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

/** How long a wait lasts at most before it is looked at again: what is left of it when news comes holds up nobody. */
const lookAgainMs = 250;

const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((place) => others.includes(place));

export const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((place) => !others.includes(place));
