import { StoreError, type Tx } from "../store";
import type { Connection } from "./connection";

/** The largest number of units in one commit, which bounds how long the first of them waits. */
const batchLimit = 256;

/**
 * Turns of the event loop before each commit. In the first turn, requests that have already arrived are added. In the
 * second turn, clients whose requests the previous commit answered send their next requests. Without the second turn,
 * half of these requests would wait for another commit.
 */
const ticksBetween = 2;

/**
 * Group commit: queued writes run one after the other in one transaction, and their results wait for its commit. A unit
 * that fails before it has written needs no rollback. After a later failure, which is rare, all units run again, each
 * in a savepoint. A commit without failures therefore needs no savepoints.
 *
 * Reads share a transaction, which stays open until the next write, so that locks are taken once instead of for each
 * statement. Reads miss no changes, because no other process writes. A second connection for reads would not be faster,
 * because a commit blocks the whole process.
 */
export class GroupCommit {
  /** Incremented by every commit that changed something. */
  generation = 0;
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  /** Resolves when the last requested transaction is done. */
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** Set while the changes of a commit that failed could not be rolled back. */
  private notUndone: StoreError | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly tx: Tx,
    /** Throws if a commit would be lost, for example because the file was deleted. */
    private readonly check: () => void,
  ) {}

  read<T>(unit: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError("The store is closed."));
    return this.alone(() => {
      this.requireUndone();
      if (!this.connection.inTransaction) this.connection.exec("begin");
      return unit(this.tx);
    });
  }

  write<T>(unit: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError("The store is closed."));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ unit, resolve: resolve as (value: unknown) => void, reject });
      this.running ??= this.drain();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.running;
    await this.last;
  }

  private alone<T>(transaction: () => Promise<T>): Promise<T> {
    const mine = this.last.then(transaction);
    this.last = mine.catch(() => {});
    return mine;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      // Lets the process send answers and read requests before the commit.
      for (let tick = 0; tick < ticksBetween; tick++) await new Promise((next) => setImmediate(next));
      await this.alone(() => this.commit(this.waiting.splice(0, batchLimit)));
    }
    this.running = undefined;
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    try {
      this.requireUndone();
      this.check();
      // Ends the transaction of the earlier reads.
      if (this.connection.inTransaction) this.connection.exec("commit");
      const answers = (await this.runTogether(batch)) ?? (await this.runApart(batch));
      this.generation += 1;
      for (const answer of answers) answer();
    } catch (error) {
      this.undo();
      for (const { reject } of batch) reject(error);
    }
  }

  private undo(): void {
    try {
      if (this.connection.inTransaction) this.connection.exec("rollback");
      this.notUndone = undefined;
    } catch (error) {
      this.notUndone = new StoreError(
        `The changes of a failed commit are not rolled back yet: ${(error as Error).message}`,
      );
    }
  }

  /** @throws StoreError while changes of a failed commit could be read or committed */
  private requireUndone(): void {
    if (this.notUndone) this.undo();
    if (this.notUndone) throw this.notUndone;
  }

  /** @returns the results of the units; undefined when a unit failed after it had written, and nothing was committed */
  private async runTogether(batch: readonly Waiting[]): Promise<Answer[] | undefined> {
    const answers: Answer[] = [];
    this.connection.exec("begin immediate");
    for (const { unit, resolve, reject } of batch) {
      const before = this.connection.writes;
      try {
        const value = await unit(this.tx);
        answers.push(() => resolve(value));
      } catch (error) {
        // A full disk or a broken file ends the whole transaction.
        if (!this.connection.inTransaction) throw error;
        answers.push(() => reject(error));
        if (this.connection.writes === before) continue;
        this.connection.exec("rollback");
        return batch.length === 1 ? answers : undefined;
      }
    }
    this.connection.exec("commit");
    return answers;
  }

  private async runApart(batch: readonly Waiting[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    this.connection.exec("begin immediate");
    for (const { unit, resolve, reject } of batch) {
      this.connection.exec("savepoint unit");
      try {
        const value = await unit(this.tx);
        answers.push(() => resolve(value));
      } catch (error) {
        if (!this.connection.inTransaction) throw error;
        this.connection.exec("rollback to unit");
        answers.push(() => reject(error));
      }
      this.connection.exec("release unit");
    }
    this.connection.exec("commit");
    return answers;
  }
}

/** A queued unit, and the promise of its result. */
interface Waiting {
  unit: (tx: Tx) => Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Answer = () => void;
