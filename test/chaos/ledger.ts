/** The value of a variable; null: it does not exist. */
export type Value = string | null;
export type Change = "created" | "updated" | "deleted";

/** A change that a writer asks for. One request changes all of its keys, or none. */
export interface Intent {
  project: string;
  change: Change;
  keys: readonly string[];
  /** No two changes write the same one. */
  value: Value;
}

/** A change that was asked for. An answer that never came leaves it in doubt. */
export interface Write extends Intent {
  readonly began: number;
  acknowledged?: number;
}

/** A variable as a server lists it. */
export interface Found {
  id: string;
  key: string;
  value: string;
}

/** An event as the outbox has it. */
export interface Recorded {
  id: string;
  account: string;
  sequence: number;
  variable: string;
  change: Change;
}

/** Each way in which a promise can be broken. */
export const breaches = {
  lost: "acknowledged, and not there",
  doubled: "there twice, or made by nobody",
  torn: "half of a request that changes several variables",
  stale: "reads that miss what was acknowledged before them",
  refused: "refused, though it had to be accepted",
  silent: "changes without their event",
  repeated: "events without their change",
  misordered: "events before one that came first",
  undelivered: "events that their receiver never accepted",
  failed: "servers that ended by themselves",
} as const;
export type Breach = keyof typeof breaches;

export interface Finding {
  breach: Breach;
  text: string;
}

interface Entry {
  id?: string | undefined;
  writes: Write[];
}

/**
 * Keeps in mind what clients wrote, and says what of it a server has broken. Each key has one writer, which leaves it
 * alone after a change without an answer: that may take effect at any later time, or never.
 */
export class Ledger {
  readonly findings: Finding[] = [];
  acknowledged = 0;
  /** Requests without an answer, or with one that promises nothing. */
  doubtful = 0;
  reads = 0;
  private readonly projects = new Map<string, Map<string, Entry>>();
  private clock = 0;

  begin(intent: Intent): Write {
    const write: Write = { ...intent, began: ++this.clock };
    const entries = this.projects.get(intent.project) ?? new Map<string, Entry>();
    this.projects.set(intent.project, entries);
    for (const key of intent.keys) {
      const entry = entries.get(key);
      if (entry) entry.writes.push(write);
      else entries.set(key, { writes: [write] });
    }
    return write;
  }

  /** @param ids of the variables, where the change created them */
  acknowledge(write: Write, ids: readonly string[] = []): void {
    write.acknowledged = ++this.clock;
    this.acknowledged += 1;
    write.keys.forEach((key, at) => {
      const entry = this.projects.get(write.project)?.get(key);
      if (entry) entry.id ??= ids[at];
    });
  }

  doubt(): void {
    this.doubtful += 1;
  }

  /** The change did not happen, and there was no reason for that. */
  refuse(write: Write, answer: string): void {
    const entries = this.projects.get(write.project);
    for (const key of write.keys) {
      const entry = entries?.get(key);
      if (entry) entry.writes = entry.writes.filter((one) => one !== write);
    }
    this.report("refused", `${write.keys} of ${write.project} cannot be ${write.change}: ${answer}`);
  }

  report(breach: Breach, text: string): void {
    this.findings.push({ breach, text });
  }

  get written(): string[] {
    return [...this.projects.keys()];
  }

  /** @returns what to call with the answer of a list that begins now */
  beginRead(project: string): (found: readonly Found[]) => void {
    const began = ++this.clock;
    return (found) => {
      this.reads += 1;
      const ended = ++this.clock;
      const values = new Map(found.map(({ key, value }) => [key, value]));
      for (const [key, { writes }] of this.projects.get(project) ?? []) {
        const value = values.get(key) ?? null;
        if (isAdmissible(writes, value, began, ended)) continue;
        this.report("stale", `${key} of ${project} is read as ${value}, after ${describe(writes)}`);
      }
    };
  }

  /** Compares with what is there at the end, when nothing is under way any more. */
  settle(project: string, found: readonly Found[]): void {
    const entries = this.projects.get(project) ?? new Map<string, Entry>();
    const seen = new Set<string>();
    for (const { key, value } of found) {
      if (seen.has(key)) this.report("doubled", `${key} of ${project} is there twice`);
      if (!entries.has(key)) this.report("doubled", `${key} of ${project}, ${value}, was written by nobody`);
      seen.add(key);
    }
    const actual = new Map(found.map((one) => [one.key, one]));
    const effects = new Map<Write, Set<boolean>>();
    for (const [key, entry] of entries) {
      const { id, value = null } = actual.get(key) ?? {};
      entry.id ??= id;
      const last = entry.writes.at(-1);
      if (last && last.acknowledged === undefined) {
        const happened = value === last.value;
        effects.set(last, (effects.get(last) ?? new Set()).add(happened));
        if (!happened) entry.writes.pop();
      }
      if (value !== (entry.writes.at(-1)?.value ?? null)) {
        this.report("lost", `${key} of ${project} is ${value}, after ${describe(entry.writes)}`);
      }
    }
    for (const [write, happened] of effects) {
      if (happened.size > 1)
        this.report("torn", `of ${write.keys} of ${project} only some are ${write.change}`);
    }
  }

  /** Compares the outbox with what was written. Call it after `settle`. */
  checkEvents(events: readonly Recorded[]): void {
    const byVariable = new Map<string, Recorded[]>();
    for (const event of events) {
      const others = byVariable.get(event.variable);
      if (others) others.push(event);
      else byVariable.set(event.variable, [event]);
    }
    const writeOf = new Map<Recorded, Write>();
    for (const [project, entries] of this.projects) {
      for (const [key, { id, writes }] of entries) {
        const recorded = (byVariable.get(id ?? "") ?? []).sort(bySequence);
        byVariable.delete(id ?? "");
        const missing = [...writes];
        for (const event of recorded) {
          const at = missing.findIndex(({ change }) => change === event.change);
          const [write] = at < 0 ? [] : missing.splice(at, 1);
          if (write) writeOf.set(event, write);
          else this.report("repeated", `${event.change} of ${key} of ${project}, as event ${event.id}`);
        }
        for (const { change } of missing) this.report("silent", `${change} of ${key} of ${project}`);
      }
    }
    for (const [variable, extra] of byVariable) {
      for (const { id, change } of extra) this.report("repeated", `${change} of ${variable}, as event ${id}`);
    }
    for (const account of accountsOf(events)) this.checkOrder(account, writeOf);
  }

  /** A write that was answered before another one was sent has its event first. */
  private checkOrder(events: readonly Recorded[], writeOf: ReadonlyMap<Recorded, Write>): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const event of [...events].sort(bySequence).reverse()) {
      const { began = 0, acknowledged = Number.POSITIVE_INFINITY } = writeOf.get(event) ?? {};
      if (began > earliest) this.report("misordered", `event ${event.id} precedes that of an earlier change`);
      earliest = Math.min(earliest, acknowledged);
    }
  }

  /**
   * Compares what a receiver accepted with the outbox.
   * @param events those of its account
   * @param accepted ids of events, in the order in which they came
   * @returns how many came more than once, which they may
   */
  checkDeliveries(events: readonly Recorded[], accepted: readonly string[]): number {
    const sequences = new Map(events.map(({ id, sequence }) => [id, sequence]));
    const first = new Set(accepted);
    let latest = Number.NEGATIVE_INFINITY;
    for (const id of first) {
      const sequence = sequences.get(id);
      if (sequence === undefined)
        this.report("repeated", `event ${id} was delivered, and is not in the outbox`);
      else if (sequence < latest) this.report("misordered", `event ${id} was delivered after a later one`);
      else latest = sequence;
    }
    for (const { id } of events) if (!first.has(id)) this.report("undelivered", `event ${id}`);
    return accepted.length - first.size;
  }
}

const bySequence = (a: Recorded, b: Recorded): number => a.sequence - b.sequence;

function accountsOf(events: readonly Recorded[]): Recorded[][] {
  return Object.values(Object.groupBy(events, ({ account }) => account)).map((some) => some ?? []);
}

/** Whether a read from `began` to `ended` may see this value. */
function isAdmissible(writes: readonly Write[], value: Value, began: number, ended: number): boolean {
  for (const write of writes.toReversed()) {
    if (write.began < ended && write.value === value) return true;
    if (write.acknowledged !== undefined && write.acknowledged < began) return false;
  }
  return value === null;
}

const describe = (writes: readonly Write[]): string =>
  writes
    .map(({ value, acknowledged }) => `${value}${acknowledged === undefined ? " (no answer)" : ""}`)
    .join(", ") || "nothing";
