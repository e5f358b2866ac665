import { fingerprint, type Plain } from "./values";

/**
 * The objects that a run replaces: a diff plans it, and the create that follows takes the plan. Neither a create
 * nor a delete is told by the engine that it is part of a replacement.
 */
export class Replacements {
  /** The ids of the objects to replace, by the inputs of the new one. */
  readonly #planned = new Map<string, Set<string>>();
  readonly #replaced = new Set<string>();
  #hasProgram = false;

  /**
   * Begins the check of a program. Without one, as in a destroy, nothing is replaced: the engine then diffs what depends
   * on the objects that it deletes, with inputs that are not known.
   */
  beginProgram(): void {
    this.#hasProgram = true;
  }

  plan(id: string, news: Plain): void {
    if (!this.#hasProgram) return;
    const key = fingerprint(news);
    this.#planned.set(key, (this.#planned.get(key) ?? new Set()).add(id));
  }

  /** Begins the replacement of an object by one with these inputs. @returns its id, undefined for a new resource */
  take(news: Plain): string | undefined {
    const planned = this.#planned.get(fingerprint(news));
    const [id] = planned ?? [];
    if (id === undefined) return undefined;
    planned?.delete(id);
    this.#replaced.add(id);
    return id;
  }

  /** True for an object that has been replaced, or will be: with `deleteBeforeReplace`, it is deleted before. */
  has(id: string): boolean {
    return this.#replaced.has(id) || [...this.#planned.values()].some((ids) => ids.has(id));
  }
}
