import type { Owner, StackSnapshot } from "./stack-snapshot";

/** The option that keeps a resource which the program does not declare. */
export type KeepingOption = "protect" | "retainOnDelete" | "--target";

/** The stack, as the host knows it. */
export interface StackReader {
  /** The URN of the provider. */
  provider?: string | undefined;
  /**
   * Reads the state of the stack; undefined if the stack is not known.
   * @throws Error with the reason when it cannot be read
   */
  readSnapshot?(): Promise<StackSnapshot | undefined>;
  /** Reads the state again, with the steps that the run has completed so far. @throws Error as `readSnapshot` does */
  readAgain?(): Promise<StackSnapshot | undefined>;
  /** True when the run leaves a resource as it is, because of `--target` or `--exclude`. @param urn its identity */
  leavesOut?(urn: string): Promise<boolean>;
}

/**
 * The owners of the objects in this run. The name of an object is its id. Before it has an id, its names are its unique
 * keys.
 */
export class Ownership {
  readonly #owners = new Map<string, string>();
  /** The objects that this run has created or updated. */
  readonly #done = new Set<string>();
  /** The owners that this run has removed. */
  readonly #removed = new Set<string>();
  readonly #projects = new Set<string>();
  /** The owners of objects that the run replaces and keeps. The engine removes them from the state during the run. */
  readonly #retained = new Map<string, Owner & { id: string }>();

  constructor(
    private readonly apiUrl: string,
    private readonly stack: StackReader,
  ) {}

  /** Makes a resource the owner of objects. @returns false, without a change, if another resource owns one of them */
  acquire(owner: string, names: readonly string[]): boolean {
    if (names.some((name) => this.isOthers(owner, name))) return false;
    this.assign(owner, names);
    return true;
  }

  /** Makes a resource the owner of objects, even if another one was their owner. */
  assign(owner: string, names: readonly string[]): void {
    for (const name of names) this.#owners.set(name, owner);
  }

  /** Records that this run has created or updated these objects, after the whole step. Compare `KeyPlan.finish`. */
  finish(names: readonly string[]): void {
    for (const name of names) this.#done.add(name);
  }

  /** True when this run has created or updated an object. */
  isDone(name: string): boolean {
    return this.#done.has(name);
  }

  /** True when another resource of this run owns an object. */
  isOthers(owner: string, name: string): boolean {
    return (this.#owners.get(name) ?? owner) !== owner;
  }

  /** True when a resource that the run has checked or changed owns an object. Resources to be deleted are not checked. */
  isKnown(name: string): boolean {
    return this.#owners.has(name);
  }

  /** Releases all objects of a resource. */
  release(owner: string): void {
    for (const [key, other] of this.#owners) if (other === owner) this.#owners.delete(key);
  }

  /**
   * Returns the resource of the stack that owns an object; undefined for an unmanaged object.
   * @param names the id of the object, and its unique keys
   * @throws Error with the reason when the state of the stack cannot be read
   */
  async ownerOf(names: readonly [id: string, ...string[]]): Promise<Owner | undefined> {
    const snapshot = await this.stack.readSnapshot?.();
    // Abandoned resources no longer have an object, but their diffs in this run have made them owners again.
    for (const owner of snapshot?.abandoned ?? []) this.release(owner);
    const recorded = snapshot?.ownerOf(this.apiUrl, names);
    if (recorded !== undefined) return recorded;
    return this.#retained.get(names[0]) ?? (this.#owners.has(names[0]) ? {} : undefined);
  }

  /** Records that the run replaces an object, which `retainOnDelete` of its resource then keeps. */
  async replace(owner: string, id: string): Promise<void> {
    const found = (await this.#readableSnapshot())?.ownerOf(this.apiUrl, [id]);
    if (found?.keptBy === "retainOnDelete") this.#retained.set(id, { ...found, id: owner });
  }

  /**
   * Releases an object of a resource that the run replaces and keeps, so that the new resource can have it. The last
   * read of the state can be older than the step that has removed the old resource from it.
   * @param urn see `Owner`
   */
  letGo(urn: string, id: string): void {
    const retained = this.#retained.get(id);
    if (retained?.urn === urn && this.#owners.get(id) === retained.id) this.#owners.delete(id);
  }

  /** True if the run replaces an object of a resource, and `retainOnDelete` keeps it. @param urn see `Owner` */
  isRetainedBy(urn: string, id: string): boolean {
    return this.#retained.get(id)?.urn === urn;
  }

  /**
   * Why the run leaves a resource and its object as they are, if the program does not declare the resource: an option;
   * undefined if the run deletes them.
   */
  async whyKept({ urn, keptBy }: Owner): Promise<KeepingOption | undefined> {
    if (urn !== undefined && (await this.stack.leavesOut?.(urn))) return "--target";
    return keptBy;
  }

  /** Releases all objects of a resource that is deleted. */
  remove(owner: string): void {
    this.#removed.add(owner);
    this.release(owner);
  }

  /**
   * True when another resource of the state has an object, for example after an interrupted run. False if the state
   * cannot be read.
   */
  async isRecordedForOther(owner: string, name: string): Promise<boolean> {
    const snapshot = await this.#readableSnapshot();
    const others = [...(snapshot?.ownerIdsOf(this.apiUrl, name) ?? [])].filter((id) => id !== owner);
    return others.some((id) => !this.#removed.has(id));
  }

  /** True when several resources of the state have an object, as after an interrupted run; false if it cannot be read. */
  async isShared(name: string): Promise<boolean> {
    return ((await this.#readableSnapshot())?.ownerIdsOf(this.apiUrl, name).size ?? 0) > 1;
  }

  /** True when a resource of the state has an object; false if the state cannot be read. */
  async isRecorded(name: string): Promise<boolean> {
    const snapshot = await this.#readableSnapshot();
    return snapshot?.ownerOf(this.apiUrl, [name]) !== undefined;
  }

  /**
   * True when, in the state, only the old resource of a replacement has the object. The replacement belongs to this run
   * or to an interrupted one. False if the state cannot be read.
   */
  async isReplaced(name: string): Promise<boolean> {
    const snapshot = await this.stack.readAgain?.().catch(() => undefined);
    return snapshot?.isReplaced(this.apiUrl, name) ?? false;
  }

  /**
   * Returns the ids (`<project id>/<name>`) of the objects in the state that have this name, in any project; empty if
   * the state cannot be read.
   */
  async recordedAs(name: string): Promise<string[]> {
    const snapshot = await this.#readableSnapshot();
    return [...(snapshot?.projects ?? [])]
      .map((projectId) => `${projectId}/${name}`)
      .filter((id) => snapshot?.ownerOf(this.apiUrl, [id]));
  }

  /**
   * True when an earlier run stopped in a replacement: after the deletion of the old object, before the create of the
   * new one.
   */
  async hasAbandoned(): Promise<boolean> {
    return ((await this.#readableSnapshot())?.abandoned ?? []).length > 0;
  }

  /** The state; undefined if it cannot be read. */
  async #readableSnapshot(): Promise<StackSnapshot | undefined> {
    return this.stack.readSnapshot?.().catch(() => undefined);
  }

  /** Records a project that a resource of the run belongs to. */
  visit(projectId: string): void {
    this.#projects.add(projectId);
  }

  /** The ids of the projects that the resources of the run and of the stack belong to. */
  async projects(): Promise<ReadonlySet<string>> {
    return new Set([...this.#projects, ...((await this.stack.readSnapshot?.())?.projects ?? [])]);
  }
}
