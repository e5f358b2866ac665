import type { Phases } from "./phases";
import { fingerprint, type Plain } from "./values";

/**
 * The objects that a run replaces. The engine does not say that a create or a delete is part of a replacement. So the
 * diff records the replacement, and the create finds it by the inputs of the new object.
 */
export class Replacements {
  /** The ids of the objects to replace, by the inputs of the new object. */
  readonly #planned = new Map<string, Set<string>>();
  readonly #replaced = new Set<string>();

  constructor(private readonly phases: Pick<Phases, "hasProgram">) {}

  plan(id: string, news: Plain): void {
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

  /**
   * Returns whether the deletion of an object is part of a replacement. With `deleteBeforeReplace`, the delete comes
   * before the create.
   * @returns "perhaps" if a diff planned the replacement, but the engine has not checked a program yet. The run is then
   *   a destroy with `--target`, or a run that first deletes the object, because the object depends on an object that
   *   another provider replaces.
   */
  has(id: string): boolean | "perhaps" {
    if (this.#replaced.has(id)) return true;
    const isPlanned = [...this.#planned.values()].some((ids) => ids.has(id));
    return isPlanned && !this.phases.hasProgram ? "perhaps" : isPlanned;
  }
}
