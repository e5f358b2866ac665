import type { Owner, StackSnapshot } from "./stack-snapshot";
import { digest } from "./values";

/**
 * The owners of the objects that this run has met, by API and name of the object. The names of an object are its id
 * and, before it has one, its unique keys.
 */
class Ownership {
  readonly #owners = new Map<string, string>();
  /** The objects whose own step of this run is done. */
  readonly #done = new Set<string>();
  /** The owners that this run has removed. */
  readonly #removed = new Set<string>();
  #projects = new Set<string>();
  /** Reads the state of the stack, once per run. @throws Error with the reason when it cannot be read */
  readSnapshot: (() => Promise<StackSnapshot>) | undefined;
  /** The URN of the provider of this process. */
  provider: string | undefined;

  /** Makes a resource the owner of objects, unless another one owns some of them. @returns true when it is the owner */
  acquire(apiUrl: string, owner: string, names: readonly string[]): boolean {
    const keys = names.map((name) => keyOf(apiUrl, name));
    if (keys.some((key) => (this.#owners.get(key) ?? owner) !== owner)) return false;
    for (const key of keys) this.#owners.set(key, owner);
    return true;
  }

  /** Makes a resource the owner of objects that it certainly has, even if another one was their owner. */
  assign(apiUrl: string, owner: string, names: readonly string[]): void {
    for (const name of names) this.#owners.set(keyOf(apiUrl, name), owner);
  }

  /** Records that the step of the resource that owns these objects is done. */
  finish(apiUrl: string, names: readonly string[]): void {
    for (const name of names) this.#done.add(keyOf(apiUrl, name));
  }

  /** True when this run has created or updated an object. */
  isDone(apiUrl: string, name: string): boolean {
    return this.#done.has(keyOf(apiUrl, name));
  }

  /** True when another resource of this run owns an object. */
  isOthers(apiUrl: string, owner: string, name: string): boolean {
    return (this.#owners.get(keyOf(apiUrl, name)) ?? owner) !== owner;
  }

  /** Releases all objects of a resource. */
  release(owner: string): void {
    for (const [key, other] of this.#owners) if (other === owner) this.#owners.delete(key);
  }

  /**
   * The resource of the stack that owns an object; undefined for an unmanaged object.
   * @param names the id of the object, and its unique keys
   * @throws Error with the reason when the state of the stack cannot be read
   */
  async ownerOf(apiUrl: string, names: readonly [id: string, ...string[]]): Promise<Owner | undefined> {
    const snapshot = await this.readSnapshot?.();
    // The diffs of these have claimed what they no longer have.
    for (const owner of snapshot?.abandoned ?? []) this.release(owner);
    const recorded = snapshot?.ownerOf(apiUrl, names);
    if (recorded !== undefined) return recorded;
    return this.#owners.has(keyOf(apiUrl, names[0])) ? {} : undefined;
  }

  /** Releases all objects of a resource that is deleted. */
  remove(owner: string): void {
    this.#removed.add(owner);
    this.release(owner);
  }

  /** True when another resource of the state has an object, as an interrupted run leaves it. */
  async isRecordedForOther(apiUrl: string, owner: string, name: string): Promise<boolean> {
    // What cannot be read decides nothing.
    const snapshot = await this.readSnapshot?.().catch(() => undefined);
    const others = [...(snapshot?.ownerIdsOf(apiUrl, name) ?? [])].filter((id) => id !== owner);
    return others.some((id) => !this.#removed.has(id));
  }

  /** Records a project that a resource of the run belongs to. */
  visit(projectId: string): void {
    this.#projects.add(projectId);
  }

  /** The ids of the projects that the resources of the run and of the stack belong to. */
  async projects(): Promise<ReadonlySet<string>> {
    return new Set([...this.#projects, ...((await this.readSnapshot?.())?.projects ?? [])]);
  }

  /** Starts again without owners, as a new process would. */
  reset(): void {
    this.#owners.clear();
    this.#done.clear();
    this.#removed.clear();
    this.#projects = new Set();
  }
}

export const ownership = new Ownership();

const keyOf = (apiUrl: string, name: string): string => digest(apiUrl) + digest(name);
