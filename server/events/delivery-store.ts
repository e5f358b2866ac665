import type { DeliveryRow, EventRow, ReceiverRow } from "../store/schema";
import type { Tx, Unit } from "../store/store";
import type { Leases } from "./leases";
import { sentWhileDisabled } from "./receivers";

/** The next event of a receiver. */
export interface Head {
  receiver: ReceiverRow;
  delivery: DeliveryRow;
  event: EventRow;
}

/** How long an event is retried before the next one follows, in milliseconds. @source wire-shapes 10 */
const giveUpAfterMs = 24 * 60 * 60 * 1000;
const firstPauseMs = 5_000;
const longestPauseMs = 60 * 60 * 1000;

/**
 * The pause after a failed attempt: exponential backoff with jitter, so that deliveries that failed together are not
 * retried together.
 * @choice From 5 s to an hour.
 */
function pauseMs(attempts: number): number {
  const longest = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
  return Math.round(longest * (0.5 + Math.random() / 2));
}

/**
 * Takes the oldest event for a receiver; while its configuration is disabled, the oldest of the kinds that are still
 * sent. Without one, the receiver rests until an event is queued.
 * @source Events
 */
export async function takeHead(tx: Tx, leases: Leases, id: string): Promise<Head | undefined> {
  if (!(await leases.hold(tx, id))) return undefined;
  const receiver = await tx.selectFrom("receivers").selectAll().where("id", "=", id).executeTakeFirst();
  // A reset by the control plane may have emptied the store.
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

/**
 * Records the outcome of an attempt.
 * @param problem the error; null: the event was delivered
 * @param startedAt when the attempt began, in milliseconds since the epoch
 * @returns the next event for the same receiver
 */
export async function settle(
  { tx, now }: Unit,
  leases: Leases,
  { receiver, delivery }: Head,
  problem: string | null,
  startedAt: number,
): Promise<Head | undefined> {
  // Another server took over meanwhile. It sends the event again, and records the outcome.
  if (!(await leases.hold(tx, receiver.id))) return undefined;
  const first = delivery.first_attempt_at ?? startedAt;
  const attempts = delivery.attempts + 1;
  const isDead = problem !== null && now >= first + giveUpAfterMs;
  await tx
    .updateTable("deliveries")
    .set({
      state: problem === null ? "delivered" : isDead ? "dead" : "waiting",
      attempts,
      first_attempt_at: first,
      last_error: problem,
    })
    .where("id", "=", delivery.id)
    .where("state", "=", "waiting")
    .execute();
  if (problem === null || isDead) return takeHead(tx, leases, receiver.id);
  // The last attempt is made when the time for retries ends.
  await rest(tx, leases, receiver.id, Math.min(now + pauseMs(attempts), first + giveUpAfterMs));
  return undefined;
}

async function rest(tx: Tx, leases: Leases, id: string, until: number | null): Promise<void> {
  await tx.updateTable("receivers").set({ next_attempt_at: until }).where("id", "=", id).execute();
  await leases.release(tx, id);
}

/**
 * Sends an event to a receiver again, whatever its outcome was, and before all later ones.
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
