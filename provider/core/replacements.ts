import { fingerprint, type Plain } from "./values";

/**
 * The objects that a run replaces. The engine does not tell a create or a delete that it is part of a replacement, so
 * the diff records the replacement, and the create finds it by its inputs.
 */
export class Replacements {
  /** The ids of the objects to replace, by the inputs of the new one. */
  readonly #planned = new Map<string, Set<string>>();
  readonly #replaced = new Set<string>();
  #hasProgram = false;

  /**
   * Records that the engine checks a program. Without a program, as in a destroy, nothing is replaced. In a destroy, the
   * engine also compares resources that depend on deleted ones, with unknown inputs.
   */
  beginProgram(): void {
    this.#hasProgram = true;
  }

  plan(id: string, news: Plain): void {
    if (!this.#hasProgram) return;
    const key = fingerprint(news);
    this.#planned.set(key, (this.#planned.get(key) ?? new Set()).add(id));
  }

  /** Finds the object that a create with these inputs replaces. @returns its id; undefined for a new resource */
  take(news: Plain): string | undefined {
    const planned = this.#planned.get(fingerprint(news));
    const [id] = planned ?? [];
    if (id === undefined) return undefined;
    planned?.delete(id);
    this.#replaced.add(id);
    return id;
  }

  /** True for an object that the run replaces. With `deleteBeforeReplace`, its delete comes before the create. */
  has(id: string): boolean {
    return this.#replaced.has(id) || [...this.#planned.values()].some((ids) => ids.has(id));
  }
}
