import { StoreError, type Tx } from "../store";
import type { Connection } from "./connection";

/** Units that share one commit, at most: bounds how long the first of them waits for its answer. */
const batchLimit = 256;

/**
 * Group commit: units wait in one queue, run one after the other in one transaction, and their answers wait for its
 * commit. A unit that fails before it has written leaves nothing behind. One that fails later is rare: then all of
 * them run again, each in a savepoint, which a commit without failures is spared.
 */
export class GroupCommit {
  /** Rises with every commit that changed something. */
  generation = 0;
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly connection: Connection,
    private readonly tx: Tx,
  ) {}

  run<T>(unit: (tx: Tx) => Promise<T>, writes: boolean): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError("The store is closed."));
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ unit, writes, resolve: resolve as (value: unknown) => void, reject });
      // Not before the requests that already arrived were read: they join the batch.
      this.running ??= new Promise((done) => setImmediate(() => this.drain().then(done)));
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const { batch, writes } = this.nextBatch();
      try {
        const answers = (await this.runTogether(batch)) ?? (await this.runApart(batch));
        if (writes) this.generation += 1;
        for (const answer of answers) answer();
      } catch (error) {
        if (this.connection.inTransaction) this.connection.exec("rollback");
        for (const { reject } of batch) reject(error);
      }
      // Lets the answers out and the next requests in.
      await new Promise((next) => setImmediate(next));
    }
    this.running = undefined;
  }

  /**
   * Reads and writes never share a batch: what a read keeps in memory must not come from a write that may yet be
   * taken back, or run again with another outcome.
   */
  private nextBatch(): { batch: Waiting[]; writes: boolean } {
    const writes = this.waiting[0]?.writes ?? false;
    const end = this.waiting.findIndex((one) => one.writes !== writes);
    return { batch: this.waiting.splice(0, Math.min(end < 0 ? batchLimit : end, batchLimit)), writes };
  }

  /** @returns what answers the units; undefined when one that failed had written, and nothing was committed */
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

/** A unit in the queue, and who waits for it. */
interface Waiting {
  unit: (tx: Tx) => Promise<unknown>;
  writes: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Answer = () => void;
