import type { Tx } from "../store";
import type { Connection } from "./connection";

/** A connection and its queries. */
export interface Session {
  readonly connection: Connection;
  readonly tx: Tx;
}

interface Snapshot extends Session {
  readonly generation: number;
  users: number;
}

/** The most connections that are open for snapshots. */
const mostSessions = 8;

/**
 * Reads on connections of their own, which see only what was committed when they began. They neither wait for a write
 * nor delay one. A connection has its own page cache, so short reads use the connection of the writes instead.
 */
export class Snapshots {
  private readonly idle: Session[] = [];
  private open = 0;
  private latest: Snapshot | undefined;
  private readonly waiting: (() => void)[] = [];

  /** @param generation the number of commits, so that units share a snapshot only if it is current */
  constructor(
    private readonly openSession: () => Session,
    private readonly generation: () => number,
  ) {}

  async read<T>(unit: (tx: Tx) => Promise<T>): Promise<T> {
    const snapshot = await this.take();
    snapshot.users += 1;
    try {
      return await unit(snapshot.tx);
    } finally {
      snapshot.users -= 1;
      if (snapshot.users === 0) this.end(snapshot);
    }
  }

  private async take(): Promise<Snapshot> {
    for (;;) {
      if (this.latest?.generation === this.generation()) return this.latest;
      const session = this.idle.pop() ?? (this.open < mostSessions ? this.openAnother() : undefined);
      if (session) {
        session.connection.exec("begin");
        this.latest = { ...session, generation: this.generation(), users: 0 };
        return this.latest;
      }
      await new Promise<void>((next) => this.waiting.push(next));
    }
  }

  private openAnother(): Session {
    this.open += 1;
    return this.openSession();
  }

  private end(snapshot: Snapshot): void {
    if (this.latest === snapshot) this.latest = undefined;
    snapshot.connection.exec("commit");
    this.idle.push(snapshot);
    this.waiting.shift()?.();
  }
}
