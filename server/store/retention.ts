import type { Tx, Unit } from "./store";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * How long old rows are kept, in milliseconds of the server's clock: events with their deliveries, mail, uploads, and
 * promotions that later ones replaced. Deleting them limits the size of the store.
 * @choice The longest period in the API: a disabled installation is deleted after this time.
 */
export const retentionMs = 30 * dayMs;

/**
 * How long expired codes and past windows of rate limits are kept.
 * @choice For a day, the refusal of a code says that it has expired. After that, the code is unknown.
 */
const expiredMs = dayMs;

/** The maximum number of rows that one unit removes. Other writes can run between units. */
const batch = 500;

/** Selects old events, except those that still wait for a receiver. */
const pastEvents = ({ tx, now }: Unit) =>
  tx
    .selectFrom("events as e")
    .select("e.id")
    .where("e.created_at", "<=", now - retentionMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("deliveries as d")
            .select("d.id")
            .whereRef("d.event_id", "=", "e.id")
            .where("d.state", "=", "waiting"),
        ),
      ),
    )
    .limit(batch);

const pastMail = ({ tx, now }: Unit) =>
  tx
    .selectFrom("mail")
    .select("id")
    .where("created_at", "<=", now - retentionMs)
    .limit(batch);

const pastUploads = ({ tx, now }: Unit) =>
  tx
    .selectFrom("uploads")
    .select("sha")
    .where("created_at", "<=", now - retentionMs)
    .limit(batch);

const pastCodes = ({ tx, now }: Unit) =>
  tx
    .selectFrom("codes")
    .select("hash")
    .where("expires_at", "<=", now - expiredMs)
    .limit(batch);

const pastWindows = ({ tx, now }: Unit) =>
  tx
    .selectFrom("rate_windows")
    .select("bucket")
    .where("resets_at", "<=", now - expiredMs)
    .limit(batch);

/** True when there are rows to remove. */
export async function hasPast(unit: Unit): Promise<boolean> {
  const queries = [
    () => pastEvents(unit).limit(1).execute(),
    () => pastMail(unit).limit(1).execute(),
    () => pastUploads(unit).limit(1).execute(),
    () => pastCodes(unit).limit(1).execute(),
    () => pastWindows(unit).limit(1).execute(),
  ];
  for (const query of queries) if ((await query()).length > 0) return true;
  return false;
}

/** Removes one batch of old rows. */
export async function removePast(unit: Unit): Promise<void> {
  const { tx, now } = unit;
  const events = (await pastEvents(unit).execute()).map(({ id }) => id);
  if (events.length > 0) {
    await tx.deleteFrom("deliveries").where("event_id", "in", events).execute();
    await tx.deleteFrom("events").where("id", "in", events).execute();
    await removeOrphans(tx);
  }
  await tx.deleteFrom("mail").where("id", "in", pastMail(unit)).execute();
  await tx
    .deleteFrom("uploads")
    .where("created_at", "<=", now - retentionMs)
    .where("sha", "in", pastUploads(unit))
    .execute();
  await tx.deleteFrom("codes").where("hash", "in", pastCodes(unit)).execute();
  await tx.deleteFrom("rate_windows").where("bucket", "in", pastWindows(unit)).execute();
}

/** Removes the receivers of deleted webhooks and installations after their last event was delivered. */
async function removeOrphans(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("receivers")
    .where("id", "not in", (eb) => eb.selectFrom("webhooks").select("id"))
    .where("id", "not in", (eb) => eb.selectFrom("configurations").select("id"))
    .where("id", "not in", (eb) => eb.selectFrom("deliveries").select("receiver_id"))
    .execute();
}
