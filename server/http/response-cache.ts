import { hash } from "node:crypto";
import type { Account, Caller } from "../access/caller";
import type { Store } from "../store/store";

/** Who sends a request, and the account that it acts on. */
export interface Identity {
  caller: Caller;
  account: Account;
}

/** The answer to a read, and on whose behalf it was given. */
export interface Answered {
  status: number;
  body: Buffer;
  caller: Caller | undefined;
  account: Account | undefined;
  /** Path of the route, without a version. */
  route: string | undefined;
  /** Id or name of the project that the path names. */
  projectKey: string | undefined;
}

/**
 * What was found out, kept until something is committed: between two commits the same question has the same
 * answer. Only a store that sees every commit can say that nothing changed; over one that several servers
 * share nothing is kept.
 */
export class UntilCommit<V> {
  private readonly kept = new Map<string, V>();
  private generation: number | undefined;
  private size = 0;

  /**
   * @param limit the sum of sizes that is kept at most; when it is reached, all is let go
   * @param sizeOf the size of a value
   */
  constructor(
    private readonly store: Pick<Store, "generation">,
    private readonly limit: number,
    private readonly sizeOf: (value: V) => number,
  ) {}

  /** @returns what still holds */
  find(key: string): V | undefined {
    return this.isEmpty ? undefined : this.kept.get(key);
  }

  /** Nothing that still holds is kept: then a key need not be made. */
  get isEmpty(): boolean {
    return this.kept.size === 0 || this.generation !== this.store.generation?.();
  }

  /** Is called before something is looked for. @returns what keeps it, unless something was committed meanwhile */
  keeper(key: string): (value: V) => void {
    const generation = this.store.generation?.();
    if (generation === undefined) return () => {};
    if (generation !== this.generation) this.clear(generation);
    return (value) => {
      if (generation !== this.store.generation?.()) return;
      const size = this.sizeOf(value);
      if (this.size + size > this.limit) this.clear(generation);
      this.size += size;
      this.kept.set(key, value);
    };
  }

  private clear(generation: number): void {
    this.kept.clear();
    this.size = 0;
    this.generation = generation;
  }
}

/** Answers to reads, at most 16 MiB of them, with what each takes beside its body. */
export const keptAnswers = (store: Pick<Store, "generation">): UntilCommit<Answered> =>
  new UntilCommit(store, 16 * 1024 * 1024, ({ body }) => body.length + 512);

/** Who calls, for the last tokens. */
export const keptIdentities = (store: Pick<Store, "generation">): UntilCommit<Identity> =>
  new UntilCommit(store, 1000, () => 1);

/** A key of what is asked with a token: tokens are not kept in the clear, here either. */
export const keyOf = (authorization: string | undefined, ...rest: readonly string[]): string =>
  hash("sha256", [authorization, ...rest].join("\n"), "base64");
