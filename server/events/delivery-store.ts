import type { Tx } from "../store/store";
import type { Leases } from "./lease-store";
import type { DeliveryRow, EventRow, ReceiverRow } from "./object";
import { sentWhileDisabled } from "./receiver-store";

/** The next event of a receiver. */
export interface Head {
  receiver: ReceiverRow;
  delivery: DeliveryRow;
  event: EventRow;
}

/** The outcome of an attempt to deliver an event. */
export interface Outcome {
  /** `dead`: the event is not sent again. */
  state: DeliveryRow["state"];
  /** The error; null if there was none. */
  problem: string | null;
  attempts: number;
  firstAttemptAt: number;
  /** When the next attempt is due, if the state is `waiting`. */
  retryAt: number;
}

/**
 * Returns the oldest event that waits for a receiver. While the receiver's configuration is disabled, only some types
 * of events are sent. If no event can be sent, the lease is released, and the receiver waits until an event is queued.
 * @param id the receiver's id
 * @source Events
 */
export async function takeHead(tx: Tx, leases: Leases, id: string): Promise<Head | undefined> {
  if (!(await leases.hold(tx, id))) return undefined;
  const receiver = await tx.selectFrom("receivers").selectAll().where("id", "=", id).executeTakeFirst();
  // A reset by the control plane may have deleted the receiver.
  if (!receiver) return undefined;
  const disabled = await tx
    .selectFrom("configurations")
    .select("id")
    .where("id", "=", id)
    .where("disabled_at", "is not", null)
    .executeTakeFirst();
  let waiting = tx
    .selectFrom("deliveries")
    .selectAll()
    .where("receiver_id", "=", id)
    .where("state", "=", "waiting")
    .orderBy("position")
    .limit(1);
  if (disabled) {
    waiting = waiting.where("event_id", "in", (eb) =>
      eb.selectFrom("events").select("id").where("type", "in", sentWhileDisabled),
    );
  }
  const delivery = await waiting.executeTakeFirst();
  if (!delivery) {
    await rest(tx, leases, id, null);
    return undefined;
  }
  const event = await tx
    .selectFrom("events")
    .selectAll()
    .where("id", "=", delivery.event_id)
    .executeTakeFirstOrThrow();
  return { receiver, delivery, event };
}

/** Records the outcome of an attempt. @returns the next event for the same receiver */
export async function recordOutcome(
  tx: Tx,
  leases: Leases,
  { receiver, delivery }: Head,
  { state, problem, attempts, firstAttemptAt, retryAt }: Outcome,
): Promise<Head | undefined> {
  // Another server has taken over. It sends the event again and records the outcome.
  if (!(await leases.hold(tx, receiver.id))) return undefined;
  await tx
    .updateTable("deliveries")
    .set({ state, attempts, first_attempt_at: firstAttemptAt, last_error: problem })
    .where("id", "=", delivery.id)
    .where("state", "=", "waiting")
    .execute();
  if (state !== "waiting") return takeHead(tx, leases, receiver.id);
  await rest(tx, leases, receiver.id, retryAt);
  return undefined;
}

async function rest(tx: Tx, leases: Leases, id: string, until: number | null): Promise<void> {
  await tx.updateTable("receivers").set({ next_attempt_at: until }).where("id", "=", id).execute();
  await leases.release(tx, id);
}

/**
 * Queues an event for a receiver again, whether or not it was delivered. It is sent before all later events.
 * @returns false when there is no such delivery
 */
export async function redeliver(tx: Tx, event: string, receiver: string): Promise<boolean> {
  const delivery = await tx
    .updateTable("deliveries")
    .set({ state: "waiting", attempts: 0, first_attempt_at: null, last_error: null })
    .where("event_id", "=", event)
    .where("receiver_id", "=", receiver)
    .returning("id")
    .executeTakeFirst();
  if (!delivery) return false;
  await tx.updateTable("receivers").set({ next_attempt_at: 0 }).where("id", "=", receiver).execute();
  return true;
}

/** The number of deliveries that wait for an attempt, and of those that failed for good. */
export async function countUndelivered(tx: Tx): Promise<{ waiting: number; dead: number }> {
  const rows = await tx
    .selectFrom("deliveries")
    .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
    .where("state", "!=", "delivered")
    .groupBy("state")
    .execute();
  const count = (state: string): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
  return { waiting: count("waiting"), dead: count("dead") };
}

/** The deliveries of events with their state: `waiting`, `delivered`, or `dead` after a day of attempts. */
export async function deliveriesOf(tx: Tx, events: readonly string[]) {
  if (events.length === 0) return [];
  const rows = await tx
    .selectFrom("deliveries as d")
    .innerJoin("receivers as r", "r.id", "d.receiver_id")
    .select(["d.event_id", "d.receiver_id", "d.state", "d.attempts", "d.last_error", "r.url"])
    .where("d.event_id", "in", events)
    .orderBy("d.receiver_id")
    .execute();
  return rows.map((row) => ({
    event: row.event_id,
    receiver: row.receiver_id,
    url: row.url,
    state: row.state,
    attempts: row.attempts,
    lastError: row.last_error,
  }));
}
