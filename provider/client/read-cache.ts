interface List {
  items: Promise<unknown[]>;
  scope: string;
  at: number;
  /** The project was written to since. */
  outdated: boolean;
}

interface Identity {
  id: string;
  accountId: string;
}

/** Reads that are answered together. Scopes are projects: a write makes the lists of its project outdated. */
export class ReadCache {
  readonly #flights = new Map<string, Promise<unknown>>();
  readonly #lists = new Map<string, List>();
  readonly #identities = new Map<string, { identity: Identity; at: number }>();
  /** Names that projects are about to get, and whose they are. */
  readonly #plannedNames = new Map<string, Identity>();

  /** @param freshMs how long a list serves further reads, and a name means the same project */
  constructor(private readonly freshMs: number) {}

  /** Runs `read` unless an equal one is under way, whose answer then is shared. */
  shared<T>(key: string, read: () => Promise<T>): Promise<T> {
    // Equal keys are equal requests with equal shapes.
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
    if (known && Date.now() - known.at < this.freshMs && (stale || !known.outdated))
      return known.items as Promise<T[]>;
    const list: List = { items: read(), scope, at: Date.now(), outdated: false };
    this.#lists.set(key, list);
    list.items.catch(() => {
      if (this.#lists.get(key) === list) this.#lists.delete(key);
    });
    return list.items as Promise<T[]>;
  }

  /**
   * What was read of a project no longer counts.
   * @param wholly not even for what was there before
   */
  forget(scope: string, wholly: boolean): void {
    for (const [key, list] of this.#lists) {
      if (list.scope !== scope) continue;
      if (wholly) this.#lists.delete(key);
      else list.outdated = true;
    }
    // A read that is under way may miss the write: whoever asks from now on asks anew.
    for (const key of this.#flights.keys()) {
      if (scope === "" || key.includes(`/projects/${scope}`)) this.#flights.delete(key);
    }
  }

  /** A project was renamed, removed or moved: names may mean something else now. */
  forgetIdentities(): void {
    this.#identities.clear();
    this.#plannedNames.clear();
  }

  /** Lets a name mean a project that has not got it yet: until a project is written to. */
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
    return known && Date.now() - known.at < this.freshMs ? known.identity : undefined;
  }
}
