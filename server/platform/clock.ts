import { sql } from "kysely";
import { prepared, type Store, type Tx } from "../store/store";
import type { Services } from "./services";

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

type Timed = Pick<Services, "store" | "clock">;

/** By how much time was moved on is kept in the store: for later starts, and for all servers that share it. */
const name = "clock_offset";

const stored = prepared((tx, p: { name: string }) =>
  tx.selectFrom("meta").select("value").where("name", "=", p.name),
);

/** Moves a clock on by all that it was moved before: what was written then must not lie in the future. */
export async function restoreClock(store: Store, clock: Clock): Promise<void> {
  await store.read((tx) => catchUp(tx, clock));
}

/** Where servers share a store, another may have moved time on since this one looked. */
export async function followClock(tx: Tx, { store, clock }: Timed): Promise<void> {
  if (store.engine === "postgres") await catchUp(tx, clock);
}

async function catchUp(tx: Tx, clock: Clock): Promise<void> {
  const [row] = await stored(tx, { name });
  moveTo(clock, Number(row?.value ?? 0));
}

/** Moves the clock on, for later starts and other servers too. */
export async function advanceClock({ store, clock }: Timed, ms: number): Promise<void> {
  const { value } = await store.write((tx) =>
    tx
      .insertInto("meta")
      .values({ name, value: String(ms) })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet({
          value: sql<string>`cast(cast(meta.value as bigint) + cast(${ms} as bigint) as text)`,
        }),
      )
      .returning("value")
      .executeTakeFirstOrThrow(),
  );
  moveTo(clock, Number(value));
}

/** Two that learn of it at once move it once. */
function moveTo(clock: Clock, offset: number): void {
  if (offset > clock.offset()) clock.advance(offset - clock.offset());
}
