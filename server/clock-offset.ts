import type { Clock } from "./clock";
import type { Services } from "./services";
import type { Store } from "./store/store";

const name = "clock_offset";

/** Moves a clock on by all that it was moved before: what was written then must not lie in the future. */
export async function restoreClock(store: Store, clock: Clock): Promise<void> {
  const row = await store.read((tx) =>
    tx.selectFrom("meta").select("value").where("name", "=", name).executeTakeFirst(),
  );
  if (row) clock.advance(Number(row.value));
}

/** Moves the clock on, for later starts too. */
export async function advanceClock({ store, clock }: Services, ms: number): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx.selectFrom("meta").select("value").where("name", "=", name).executeTakeFirst();
    const value = String(Number(row?.value ?? 0) + ms);
    await tx
      .insertInto("meta")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  });
  clock.advance(ms);
}
