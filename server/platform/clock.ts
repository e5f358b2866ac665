import { addToMeta, readMeta } from "../store/meta";
import type { Store, Tx } from "../store/store";

/** The server's only source of time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** By how much it was moved on since it began. */
  offset(): number;
  /** Moves time on, by the control plane. @throws RangeError when it would go back */
  advance(ms: number): void;
  /** Calls back after each `advance`, so that what became due is done at once. @returns what ends it */
  onAdvance(listener: () => void): () => void;
}

/** The machine's time, moved on by what was advanced. */
export function systemClock(): Clock {
  return clockFrom(() => Date.now());
}

/** Stands still at a time until it is advanced: for tests. */
export function standingClock(startsAt: number): Clock {
  return clockFrom(() => startsAt);
}

function clockFrom(base: () => number): Clock {
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
  };
}

/** A clock beside the store that keeps its offset. */
interface Timed {
  store: Store;
  clock: Clock;
}

/** By how much time was moved on is kept in the store: for later starts, and for all servers that share it. */
const offsetName = "clock_offset";

/** Moves a clock on by all that it was moved before: what was written then must not lie in the future. */
export async function restoreClock(store: Store, clock: Clock): Promise<void> {
  await store.read((tx) => catchUp(tx, clock));
}

/** Where servers share a store, another may have moved time on since this one looked. */
export async function followClock(tx: Tx, { store, clock }: Timed): Promise<void> {
  if (store.engine === "postgres") await catchUp(tx, clock);
}

async function catchUp(tx: Tx, clock: Clock): Promise<void> {
  moveTo(clock, Number((await readMeta(tx, offsetName)) ?? 0));
}

/** Moves the clock on, for later starts and other servers too. */
export async function advanceClock({ store, clock }: Timed, ms: number): Promise<void> {
  moveTo(clock, await store.write((tx) => addToMeta(tx, offsetName, ms)));
}

/** Two that learn of it at once move it once. */
function moveTo(clock: Clock, offset: number): void {
  if (offset > clock.offset()) clock.advance(offset - clock.offset());
}
