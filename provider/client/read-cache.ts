interface List {
  items: Promise<unknown[]>;
  scope: string;
  at: number;
  /** True when the project was written to after the read. */
  outdated: boolean;
}

interface Identity {
  id: string;
  accountId: string;
}

/**
 * Caches lists and identities (ids and accounts of projects). Equal reads at the same time share one request. A write
 * to a project (`scope`) invalidates its lists.
 */
export class ReadCache {
  readonly #flights = new Map<string, Promise<unknown>>();
  readonly #lists = new Map<string, List>();
  readonly #identities = new Map<string, { identity: Identity; at: number }>();
  /** Planned names of projects. */
  readonly #plannedNames = new Map<string, Identity>();
  /** Names that no project had, with the time of the read. */
  readonly #absent = new Map<string, number>();
  /** The projects that this run has created, by id. */
  readonly #created = new Map<string, Identity>();
  #renames = 0;

  /** @param freshMs how long lists and identities are cached, in milliseconds */
  constructor(private readonly freshMs: number) {}

  /** Runs `read`, or shares the answer of an equal read in progress. */
  shared<T>(key: string, read: () => Promise<T>): Promise<T> {
    // Equal keys mean equal requests with equal shapes.
    const running = this.#flights.get(key) as Promise<T> | undefined;
    if (running) return running;
    const flight = read().finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }

  list<T>(key: string, scope: string, stale: boolean, read: () => Promise<T[]>): Promise<T[]> {
    const known = this.#lists.get(key);
    if (known && this.#isUsable(known, stale)) return known.items as Promise<T[]>;
    const list: List = { items: read(), scope, at: Date.now(), outdated: false };
    this.#lists.set(key, list);
    list.items.catch(() => {
      if (this.#lists.get(key) === list) this.#lists.delete(key);
    });
    return list.items as Promise<T[]>;
  }

  /** True when a list is known, or is being read. */
  hasList(key: string, stale: boolean): boolean {
    const known = this.#lists.get(key);
    return known !== undefined && this.#isUsable(known, stale);
  }

  #isUsable({ at, outdated }: List, stale: boolean): boolean {
    return Date.now() - at < this.freshMs && (stale || !outdated);
  }

  /**
   * Invalidates the reads of a project.
   * @param wholly true to delete the cached lists; false if they may still be used as stale lists
   */
  forget(scope: string, wholly: boolean): void {
    for (const [key, list] of this.#lists) {
      if (list.scope !== scope) continue;
      if (wholly) this.#lists.delete(key);
      else list.outdated = true;
    }
    // A read in progress may not contain the write, so later reads do not share it.
    for (const key of this.#flights.keys()) {
      if (scope === "" || key.includes(`/projects/${scope}`)) this.#flights.delete(key);
    }
  }

  /** Forgets all identities, and reads outside of projects, after a project was renamed, removed or transferred. */
  forgetIdentities(): void {
    this.#renames += 1;
    this.forget("", true);
    this.#identities.clear();
    this.#plannedNames.clear();
    this.#absent.clear();
  }

  /** How often identities were forgotten. */
  get renames(): number {
    return this.#renames;
  }

  /** Records the planned name of a project, until identities are forgotten. */
  plan(name: string, identity: Identity): void {
    this.#plannedNames.set(name, identity);
  }

  remember(idOrName: string, { id, accountId }: Identity): void {
    this.#identities.set(idOrName, { identity: { id, accountId }, at: Date.now() });
  }

  recall(idOrName: string): Identity | undefined {
    const planned = this.#plannedNames.get(idOrName);
    if (planned) return planned;
    const known = this.#identities.get(idOrName);
    if (known && Date.now() - known.at < this.freshMs) return known.identity;
    return this.#created.get(idOrName);
  }

  /** Records that no project had a name. */
  rememberAbsent(name: string): void {
    this.#absent.set(name, Date.now());
  }

  /** True when a recent read found no project with a name. Others may have added one since. */
  isAbsent(name: string): boolean {
    const at = this.#absent.get(name);
    return at !== undefined && Date.now() - at < this.freshMs;
  }

  /** Records a project that this run has created. Its account is known for the rest of the run. */
  rememberCreated(id: string, name: string, accountId: string): void {
    const identity = { id, accountId };
    this.#absent.delete(name);
    this.#created.set(id, identity);
    for (const key of [id, name]) this.remember(key, identity);
  }

  hasCreated(id: string): boolean {
    return this.#created.has(id);
  }

  forgetCreated(id: string): void {
    this.#created.delete(id);
  }
}
