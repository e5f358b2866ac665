/**
 * The unique keys that the resources of a run declare. They are recorded when the engine checks a resource. It also
 * runs requests about one object one after the other. `resource` is the identity of a resource (`identityOf`).
 */
export class KeyPlan {
  readonly #resources = new Map<string, string>();
  readonly #keys = new Map<string, readonly string[]>();
  /** The resources that the state has. */
  readonly #existing = new Set<string>();
  readonly #steps = new Map<string, Promise<unknown>>();
  /** The times of the last write before and after an object got a temporary name, in milliseconds since the epoch. */
  readonly moves = new Map<string, { before: number; after: number }>();
  /** The projects that the program links to a shared variable with `projectIds`, by the id of the variable. */
  readonly links = new Map<string, readonly string[]>();

  /**
   * Records the keys that a resource declares.
   * @param isNew the engine checks it as a new resource, or as the new half of a replacement
   * @returns another resource that declares some of them
   */
  declare(resource: string, keys: readonly string[], isNew: boolean): string | undefined {
    if (!isNew) this.#existing.add(resource);
    for (const key of this.#keys.get(resource) ?? [])
      if (this.#resources.get(key) === resource) this.#resources.delete(key);
    this.#keys.set(resource, keys);
    const other = keys.map((key) => this.#resources.get(key)).find(Boolean);
    if (other === undefined) for (const key of keys) this.#resources.set(key, resource);
    return other;
  }

  /** The resource that declares a key. */
  resourceOf(key: string): string | undefined {
    return this.#resources.get(key);
  }

  /** True for a resource that is not in the state. */
  isNew(resource: string | undefined): boolean {
    return resource === undefined || !this.#existing.has(resource);
  }

  /** True for a resource of the program that declares none of the keys. */
  releases(resource: string, keys: readonly string[]): boolean {
    const declared = this.#keys.get(resource);
    return declared !== undefined && !declared.some((key) => keys.includes(key));
  }

  /** Runs requests about an object after earlier ones about it. @param id undefined for a new object */
  async exclusive<T>(id: string | undefined, step: () => Promise<T>): Promise<T> {
    if (id === undefined) return step();
    const before = this.#steps.get(id);
    const run = (async () => {
      await before?.catch(() => {});
      return step();
    })();
    this.#steps.set(id, run);
    try {
      return await run;
    } finally {
      if (this.#steps.get(id) === run) this.#steps.delete(id);
    }
  }
}
