/**
 * The unique keys that the resources of a run declare. The keys are recorded when the engine checks a resource. The
 * plan also runs the requests about one object one after the other. The parameter `resource` is the identity of a
 * resource (`identityOf`).
 */
export class KeyPlan {
  readonly #resources = new Map<string, string>();
  readonly #keys = new Map<string, readonly string[]>();
  /** The ids of the objects that had the keys when the run began. */
  readonly #before = new Map<string, string>();
  /** The resources that the state has. */
  readonly #existing = new Set<string>();
  readonly #replaced = new Set<string>();
  readonly #steps = new Map<string, Promise<unknown>>();
  /** The ids of the objects that have the keys which their resources declare, because the run has changed them. */
  readonly #finished = new Set<string>();
  /**
   * The `updatedAt` of objects before and after they got a temporary name (milliseconds since the epoch), by object id.
   */
  readonly moves = new Map<string, { before: number; after: number }>();
  /** The resources that the run creates, by kind of object. */
  readonly #created = new Map<string, Set<string>>();
  /** The projects that the program links to a shared variable with `projectIds`, by the id of the variable. */
  readonly links = new Map<string, readonly string[]>();

  /**
   * Records the keys that a resource declares.
   * @param isNew true if the engine checks the resource as a new one, also in a replacement
   * @returns the identity of another resource that declares one of the keys; undefined if there is none
   */
  declare(resource: string, keys: readonly string[], isNew: boolean): string | undefined {
    if (!isNew) this.#existing.add(resource);
    else if (this.#existing.has(resource)) this.replace(resource);
    for (const key of this.#keys.get(resource) ?? [])
      if (this.#resources.get(key) === resource) this.#resources.delete(key);
    this.#keys.set(resource, keys);
    const other = keys.map((key) => this.#resources.get(key)).find(Boolean);
    if (other === undefined) for (const key of keys) this.#resources.set(key, resource);
    return other;
  }

  /** Records a resource that the run creates. @param noun the kind of its object */
  create(noun: string, resource: string): void {
    this.#created.set(noun, (this.#created.get(noun) ?? new Set()).add(resource));
  }

  /** True when the run creates one object of a kind, as far as its resources are checked. */
  createsOne(noun: string): boolean {
    return this.#created.get(noun)?.size === 1;
  }

  /** Records the keys of an object of the state. */
  hold(id: string, keys: readonly string[]): void {
    for (const key of keys) this.#before.set(key, id);
  }

  /** The ids of the objects of the state that had the keys, also if the run has released them. */
  heldBefore(keys: readonly string[]): string[] {
    return [...new Set(keys.flatMap((key) => this.#before.get(key) ?? []))];
  }

  /** The resource that declares a key. */
  resourceOf(key: string): string | undefined {
    return this.#resources.get(key);
  }

  /** A resource that declares a key for which the function returns true. */
  resourceWith(isKey: (key: string) => boolean): string | undefined {
    for (const [key, resource] of this.#resources) if (isKey(key)) return resource;
    return undefined;
  }

  /** True for a resource that is not in the state. */
  isNew(resource: string | undefined): boolean {
    return resource === undefined || !this.#existing.has(resource);
  }

  /** True when the program declares the resource with the key, also if another resource declared the key before. */
  declares(resource: string, key: string): boolean {
    return this.#keys.get(resource)?.includes(key) === true;
  }

  /** True when the program declares the resource, but with none of the keys. */
  releases(resource: string, keys: readonly string[]): boolean {
    const declared = this.#keys.get(resource);
    return declared !== undefined && !declared.some((key) => keys.includes(key));
  }

  /** True when the program declares the resource, with whatever keys. */
  isDeclared(resource: string): boolean {
    return this.#keys.has(resource);
  }

  /** Records that the run replaces the object of a resource. `declare` records it for a resource checked again as new. */
  replace(resource: string): void {
    this.#replaced.add(resource);
  }

  /** True when the run replaces the object of the resource. */
  isReplaced(resource: string): boolean {
    return this.#replaced.has(resource);
  }

  /**
   * Records that an update gave an object the keys that its resource declares, so that it is not moved out of the way.
   * Unlike `Ownership.finish`, this is known within the step, before other steps about the object can run.
   */
  finish(id: string): void {
    this.#finished.add(id);
  }

  isFinished(id: string): boolean {
    return this.#finished.has(id);
  }

  /**
   * Runs a step after the earlier steps about the same object.
   * @param id undefined for a new object: the step does not wait
   */
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
