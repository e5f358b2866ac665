import { addToMeta, readDatabaseNow, readMeta } from "../store/meta";
import type { Store, Tx } from "../store/store";

/** The latest time that the clock and seeds may have: ISO 8601 writes times of later years differently. */
export const latestTime = Date.UTC(9999, 11, 31);

/** The server's only source of time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** How far the clock was advanced since it was created, in milliseconds. */
  offset(): number;
  /** Advances the clock; called by the control plane. @throws RangeError when `ms` is negative */
  advance(ms: number): void;
  /** Calls the listener after each `advance`, so that due work runs at once. @returns a function that unsubscribes */
  onAdvance(listener: () => void): () => void;
  /** Corrects the clock to `time`, the current time of the database. A standing clock ignores this. */
  correct(time: number): void;
}

/**
 * The tolerated error of a machine's clock, in milliseconds.
 * @choice A second. A database returns its time faster than this, and no rule depends on a shorter time.
 */
const toleratedMs = 1_000;

/** The machine's time plus the offset by which it was advanced. */
export function systemClock(): Clock {
  let ahead = 0;
  return clockFrom(
    () => Date.now() - ahead,
    (time) => {
      if (Math.abs(Date.now() - ahead - time) > toleratedMs) ahead = Math.round(Date.now() - time);
    },
  );
}

/** A clock for tests: it stands still until it is advanced. */
export function standingClock(startsAt: number): Clock {
  return clockFrom(() => startsAt);
}

function clockFrom(base: () => number, correct: (time: number) => void = () => {}): Clock {
  let offset = 0;
  const listeners = new Set<() => void>();
  return {
    now: () => base() + offset,
    offset: () => offset,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError("time only goes forward");
      offset += ms;
      for (const listener of listeners) listener();
    },
    onAdvance(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    correct,
  };
}

/** A clock and the store that keeps its offset. */
interface Timed {
  store: Store;
  clock: Clock;
}

/** The name under which the store has the offset, for later starts and for all servers that share the store. */
const offsetName = "clock_offset";

/** Sets the clock at the start, so that times that were written earlier do not lie in the future. */
export async function restoreClock(timed: Timed): Promise<void> {
  const { store, clock } = timed;
  await (store.engine === "postgres" ? followDatabase(timed) : store.read((tx) => catchUp(tx, clock)));
}

/**
 * Servers that share a database use the clock of the database and the stored offset. The clocks of their machines may
 * differ by minutes, and a time that one server writes must not lie in the future of another server.
 */
export async function followDatabase({ store, clock }: Timed): Promise<void> {
  if (store.engine !== "postgres") return;
  const askedAt = performance.now();
  const [now] = await store.read((tx) => Promise.all([readDatabaseNow(tx), catchUp(tx, clock)]));
  const tookMs = performance.now() - askedAt;
  // After a slow answer, the time at which the database read its clock is not known well enough.
  if (tookMs < toleratedMs) clock.correct(now + tookMs / 2);
}

/** Uses the offset that another server on the same store may have set in the meantime. */
export async function followClock(tx: Tx, { store, clock }: Timed): Promise<void> {
  if (store.engine === "postgres") await catchUp(tx, clock);
}

async function catchUp(tx: Tx, clock: Clock): Promise<void> {
  moveTo(clock, Number((await readMeta(tx, offsetName)) ?? 0));
}

/** Advances the clock, for other servers and later starts too. */
export async function advanceClock({ store, clock }: Timed, ms: number): Promise<void> {
  moveTo(clock, await store.write((tx) => addToMeta(tx, offsetName, ms), offsetName));
}

/** Idempotent: two requests that see the same new offset advance the clock once. */
function moveTo(clock: Clock, offset: number): void {
  if (offset > clock.offset()) clock.advance(offset - clock.offset());
}
