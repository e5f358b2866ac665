import { sql } from "kysely";
import { prepared, type Store, type Tx } from "../store/store";
import type { Clock } from "./clock";
import type { Services } from "./services";

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
