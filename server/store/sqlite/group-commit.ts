import { FairQueue } from "../fair-queue";
import type { Pacer } from "../pacer";
import { StoreError, type Tx } from "../store";
import type { Connection } from "./connection";

/** The largest number of units in one commit, which bounds how long the first of them waits. */
const batchLimit = 256;
/** The time after which a commit takes no more units, in milliseconds. */
const batchMs = 20;

/**
 * Turns of the event loop before each commit. In the first turn, requests that have already arrived are added. In the
 * second turn, clients whose requests the previous commit answered send their next requests. Without the second turn,
 * half of these requests would wait for another commit.
 */
const ticksBetween = 2;

/**
 * Group commit: queued writes run one after the other in one transaction, and their results wait for its commit. Units
 * of different keys are served round robin. A unit that fails before it has written needs no rollback. After a later failure, which
 * is rare, all units run again, each in a savepoint. A commit without failures therefore needs no savepoints.
 */
export class GroupCommit {
  /** Incremented by every commit that changed something. */
  generation = 0;
  private readonly waiting = new FairQueue<Waiting>();
  private running: Promise<void> | undefined;
  private closed = false;
  /** Set while the changes of a commit that failed could not be rolled back. */
  private notUndone: StoreError | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly tx: Tx,
    private readonly options: {
      /** Throws if a commit would be lost, for example because the file was deleted. */
      check: () => void;
      /** Runs a commit while no other unit uses the connection. */
      alone: (commit: () => Promise<void>) => Promise<void>;
      pacer: Pacer;
    },
  ) {}

  write<T>(unit: (tx: Tx) => Promise<T>, key: string): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError("The store is closed."));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push(key, { unit, resolve: resolve as (value: unknown) => void, reject });
      this.running ??= this.drain();
    });
  }

  /** Refuses the units that have not begun. */
  abandon(): void {
    this.closed = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift())
      next.item.reject(new StoreError("The store is closed."));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  /** @throws StoreError while changes of a failed commit could be read or committed */
  requireUndone(): void {
    if (this.notUndone) this.undo();
    if (this.notUndone) throw this.notUndone;
  }

  private async drain(): Promise<void> {
    while (this.waiting.size > 0) {
      // Lets the process send answers and read requests before the commit.
      for (let tick = 0; tick < ticksBetween; tick++) await new Promise((next) => setImmediate(next));
      await this.options.alone(() => this.commit());
    }
    this.running = undefined;
  }

  private async commit(): Promise<void> {
    const batch: Waiting[] = [];
    try {
      this.requireUndone();
      this.options.check();
      // Ends the transaction of the earlier reads.
      if (this.connection.inTransaction) this.connection.exec("commit");
      const answers = (await this.runTogether(batch)) ?? (await this.runApart(batch));
      this.generation += 1;
      for (const answer of answers) answer();
    } catch (error) {
      this.undo();
      // The first unit is refused even if the transaction could not begin, so that the queue ends.
      const refused = batch.length > 0 ? batch : this.takeBatch();
      for (const { reject } of refused) reject(error);
    }
  }

  private takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    while (batch.length < batchLimit) {
      const next = this.waiting.shift();
      if (!next) break;
      batch.push(next.item);
    }
    return batch;
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

  /**
   * Takes units from the queue and runs them.
   * @param batch gets the units that were taken
   * @returns the results of the units; undefined when a unit failed after it had written, and nothing was committed
   */
  private async runTogether(batch: Waiting[]): Promise<Answer[] | undefined> {
    const { connection, waiting, options } = this;
    const answers: Answer[] = [];
    const startedAt = performance.now();
    connection.exec("begin immediate");
    while (batch.length < batchLimit && (batch.length === 0 || performance.now() - startedAt < batchMs)) {
      const next = waiting.shift();
      if (!next) break;
      const { unit, resolve, reject } = next.item;
      batch.push(next.item);
      const before = connection.writes;
      try {
        options.pacer.begin();
        const value = await unit(this.tx);
        answers.push(() => resolve(value));
      } catch (error) {
        // A full disk or a broken file ends the whole transaction.
        if (!connection.inTransaction) throw error;
        answers.push(() => reject(error));
        if (connection.writes === before) continue;
        connection.exec("rollback");
        return batch.length === 1 ? answers : undefined;
      }
    }
    connection.exec("commit");
    return answers;
  }

  private async runApart(batch: readonly Waiting[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    this.connection.exec("begin immediate");
    for (const { unit, resolve, reject } of batch) {
      this.connection.exec("savepoint unit");
      try {
        this.options.pacer.begin();
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
