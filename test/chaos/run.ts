import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../support/random";
import { until } from "../support/until";
import { accountOf, read, Writer } from "./clients";
import { accounts, Cluster, type Engine, idOf } from "./cluster";
import { type Fault, faultsOf } from "./faults";
import { Ledger, type Recorded } from "./ledger";

export interface Plan {
  engine: Engine;
  /** How many faults. */
  faults: number;
  /** How many requests have to be acknowledged. */
  writes: number;
  /** The work of the writers, the faults, and how long they last. */
  seed: number;
}

/** How often a fault came, and how it went on. */
export interface Struck {
  times: number;
  /** Writes without an answer while it lasted, or with one that promises nothing. */
  doubtful: number;
  /** The longest time from its end until all servers answered again, in milliseconds. */
  slowestMs: number;
}

export interface Outcome {
  plan: Plan;
  struck: ReadonlyMap<string, Struck>;
  ledger: Ledger;
  events: number;
  /** Deliveries of events that the receiver had accepted before. */
  again: number;
  /** How long writing took, until the last fault and the last write. */
  stormMs: number;
  /** How long the receiver waited for the last event then. */
  drainMs: number;
}

const writers = 12;
const readers = 2;
/** So long may nothing be acknowledged, while servers recover. */
const standstillMs = 90_000;
/** Longer than the lease of a killed server lasts, which nobody else may deliver for meanwhile. */
const quietMs = 120_000;

/** Writers, readers and a receiver at work on servers, at which faults are thrown. */
export class Run {
  readonly ledger: Ledger;
  private readonly struck = new Map<string, Struck>();
  private stormMs = 0;

  private constructor(
    private readonly plan: Plan,
    readonly cluster: Cluster,
    private readonly progress: (line: string) => void,
  ) {
    this.ledger = cluster.ledger;
  }

  /** @param progress is told what happens, line by line */
  static async open(plan: Plan, progress: (line: string) => void = () => {}): Promise<Run> {
    return new Run(plan, await Cluster.open(plan.engine, new Ledger()), progress);
  }

  /** Writes and strikes as planned. @throws Error when it does not go on any more */
  async storm(): Promise<void> {
    const { cluster, ledger, plan } = this;
    const startedAt = performance.now();
    let over = false;
    const work = { cluster, ledger, isOver: () => over };
    const clients = Promise.all([
      ...Array.from({ length: writers }, (_, number) => new Writer(number, plan.seed, work).run()),
      ...Array.from({ length: readers }, (_, number) => read(number, plan.seed, work)),
    ]);
    try {
      await Promise.race([this.strikeAll(), clients.then(() => Promise.reject(new Error("clients ended")))]);
    } finally {
      over = true;
      await clients;
      this.stormMs = performance.now() - startedAt;
    }
  }

  private async strikeAll(): Promise<void> {
    const { cluster, plan } = this;
    const random = randomFrom(plan.seed);
    const draw = (least: number, most: number): number => least + random() * (most - least);
    const faults = shuffled(faultsOf(cluster), plan.faults, random);
    for (const [at, fault] of faults.entries()) {
      await this.untilWritten(Math.floor(((at + 1) * plan.writes) / (plan.faults + 1)));
      const replica = cluster.at(Math.floor(draw(0, 100)));
      const doubtfulBefore = this.ledger.doubtful;
      await fault.strike({ cluster, replica, draw });
      const overAt = performance.now();
      await cluster.untilReady();
      const recoveryMs = performance.now() - overAt;
      const { acknowledged, doubtful, findings } = this.ledger;
      const { times, ...before } = this.struck.get(fault.kind) ?? { times: 0, doubtful: 0, slowestMs: 0 };
      this.struck.set(fault.kind, {
        times: times + 1,
        doubtful: before.doubtful + doubtful - doubtfulBefore,
        slowestMs: Math.max(before.slowestMs, recoveryMs),
      });
      this.progress(
        `${at + 1}/${faults.length} ${fault.kind} (${replica.name}): ready after ${recoveryMs.toFixed(0)} ms; ` +
          `${acknowledged} written, ${doubtful} in doubt, ${findings.length} findings`,
      );
    }
    await this.untilWritten(plan.writes);
    await cluster.untilReady();
  }

  private async untilWritten(goal: number): Promise<void> {
    let seen = -1;
    let seenAt = 0;
    for (; this.ledger.acknowledged < goal; await sleep(5)) {
      if (this.ledger.acknowledged > seen) [seen, seenAt] = [this.ledger.acknowledged, performance.now()];
      if (performance.now() - seenAt > standstillMs) {
        const { engine, seed } = this.plan;
        const place = `on ${engine}, seed ${seed}, after ${seen} writes`;
        throw new Error(`nothing was acknowledged for ${standstillMs / 1000} s: ${place}`);
      }
    }
  }

  /** Waits for the last events, and compares everything with what was written. */
  async audit(): Promise<Outcome> {
    const { cluster, ledger, plan, struck, stormMs } = this;
    await cluster.untilReady();
    const startedAt = performance.now();
    const events = await this.settled();
    const drainMs = await this.drain(events, startedAt);
    for (const [at, project] of ledger.written.entries()) {
      const found = await until(`${project} is listed`, () =>
        cluster.variablesOf(accountOf(project), project, at),
      );
      ledger.settle(project, found);
    }
    ledger.checkEvents(events);
    let again = 0;
    for (const account of accounts) {
      const own = events.filter((event) => event.account === idOf(account));
      again += ledger.checkDeliveries(own, cluster.accepted[account] ?? []);
    }
    return { plan, struck, ledger, events: events.length, again, stormMs, drainMs };
  }

  /** The events, once no request whose answer nobody waits for adds to them. */
  private async settled(): Promise<Recorded[]> {
    let events = await this.cluster.events();
    for (;;) {
      await sleep(500);
      const later = await this.cluster.events();
      if (later.length === events.length) return later;
      events = later;
    }
  }

  /** @returns how long it took */
  private async drain(events: readonly Recorded[], startedAt: number): Promise<number> {
    let seen = -1;
    let seenAt = 0;
    for (let rounds = 0; ; rounds++) {
      const arrived = new Set(this.cluster.accepted.flat()).size;
      if (arrived > seen) [seen, seenAt] = [arrived, performance.now()];
      if (arrived >= events.length || performance.now() - seenAt > quietMs) {
        return performance.now() - startedAt;
      }
      if (rounds % 50 === 0) this.progress(`${arrived} of ${events.length} events have arrived`);
      await sleep(100);
    }
  }

  close(): Promise<void> {
    return this.cluster.close();
  }
}

/** Each kind as often as the others, in an order that is drawn. */
function shuffled(kinds: readonly Fault[], count: number, random: () => number): Fault[] {
  const order: Fault[] = [];
  while (order.length < count) {
    const round = [...kinds];
    while (round.length > 0) order.push(...round.splice(Math.floor(random() * round.length), 1));
  }
  return order.slice(0, count);
}
