import type { Pacer } from "../pacer";
import { StoreError, type Tx } from "../store";
import type { Session, Snapshots } from "./snapshots";

/** The reads of one key, which run one after the other. */
interface Line {
  isBusy: boolean;
  /** How often the latest read paused. */
  pauses: number;
  readonly waiting: (() => void)[];
}

/** The number of lines above which idle lines are forgotten. */
const mostLines = 1_000;
/** The most pauses of a read that may delay a write. */
const mostPauses = 10;

/**
 * Shares the connection of the writes with reads. Short reads share a transaction, which stays open until the next
 * write, so that locks are taken once instead of for each statement. They miss no changes, because no other process
 * writes. A read that meets a write uses a snapshot instead, and so does a read that would delay a write for long: one
 * that is very long, or one that is long while other reads are in progress.
 */
export class Reads {
  private readonly lines = new Map<string, Line>();
  /** The number of reads in progress. */
  private inProgress = 0;
  /** The number of them on the connection of the writes. */
  private active = 0;
  private isWriting = false;
  /** True while the write in progress has paused. */
  private isLongWrite = false;
  /** Begins a write that waits for the active reads. */
  private beginWrite: (() => void) | undefined;
  /** Reads that wait until the write in progress ends or pauses. */
  private readonly held: (() => void)[] = [];
  private closed = false;

  /** @param snapshots undefined for a store in memory, whose reads wait for the write in progress */
  constructor(
    private readonly main: Session,
    private readonly snapshots: Snapshots | undefined,
    private readonly pacer: Pacer,
    /** Throws while changes of a failed commit could be read. */
    private readonly requireUndone: () => void,
  ) {}

  async read<T>(unit: (tx: Tx) => Promise<T>, key: string): Promise<T> {
    if (this.closed) throw new StoreError("The store is closed.");
    const line = this.lineOf(key);
    if (line.isBusy) await new Promise<void>((begin) => line.waiting.push(begin));
    line.isBusy = true;
    this.inProgress += 1;
    try {
      return await this.readNow(unit, line);
    } finally {
      this.inProgress -= 1;
      const next = line.waiting.shift();
      if (next) next();
      else line.isBusy = false;
    }
  }

  /** Runs a write while no read uses its connection. */
  async alone(write: () => Promise<void>): Promise<void> {
    while (this.active > 0) {
      await new Promise<void>((begin) => {
        this.beginWrite = begin;
      });
    }
    this.beginWrite = undefined;
    this.isWriting = true;
    try {
      await write();
    } finally {
      this.isWriting = false;
      this.isLongWrite = false;
      this.releaseHeld();
    }
  }

  /**
   * Pauses a long unit on the connection of the writes. In memory, a write does not pause, because all reads wait for it.
   */
  pauseIfDue(): Promise<void> | undefined {
    if (!this.pacer.isDue) return undefined;
    if (this.isWriting) {
      if (!this.snapshots) return undefined;
      this.isLongWrite = true;
      this.releaseHeld();
    }
    return this.pacer.pause();
  }

  /** Accepts no more reads. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { isBusy, waiting } of [...this.lines.values()])
      if (isBusy) await new Promise<void>((end) => waiting.push(end)).then(() => waiting.shift()?.());
  }

  private lineOf(key: string): Line {
    let line = this.lines.get(key);
    if (line === undefined) {
      if (this.lines.size >= mostLines) this.forgetIdle();
      line = { isBusy: false, pauses: 0, waiting: [] };
      this.lines.set(key, line);
    }
    return line;
  }

  private forgetIdle(): void {
    for (const [key, { isBusy }] of this.lines) if (!isBusy) this.lines.delete(key);
  }

  private async readNow<T>(unit: (tx: Tx) => Promise<T>, line: Line): Promise<T> {
    const { snapshots } = this;
    for (;;) {
      const meetsWrite = this.beginWrite !== undefined || this.isLongWrite;
      if (snapshots && (meetsWrite || this.mayDelayWrites(line)))
        return snapshots.read((tx) => this.timed(() => unit(tx), line));
      // In memory, a waiting write goes before a long read, but after the short reads.
      if (!this.isWriting && !(this.beginWrite && line.pauses > 0)) break;
      await new Promise<void>((next) => this.held.push(next));
    }
    this.active += 1;
    try {
      this.requireUndone();
      const { connection, tx } = this.main;
      if (!connection.inTransaction) connection.exec("begin");
      return await this.timed(() => unit(tx), line);
    } finally {
      this.endRead();
    }
  }

  /** True if the next read of a line may be so long, or pause for other reads so often, that a write waits for it. */
  private mayDelayWrites({ pauses }: Line): boolean {
    return pauses > mostPauses || (pauses > 0 && this.inProgress > 1);
  }

  private endRead(): void {
    this.active -= 1;
    if (this.active === 0) this.beginWrite?.();
  }

  /** Runs a read, and counts its pauses, with those of reads at the same time. */
  private async timed<T>(read: () => Promise<T>, line: Line): Promise<T> {
    const { resumed } = this.pacer;
    this.pacer.begin();
    try {
      return await read();
    } finally {
      line.pauses = this.pacer.resumed - resumed;
    }
  }

  private releaseHeld(): void {
    for (const next of this.held.splice(0)) next();
  }
}
