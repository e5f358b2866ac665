import { newId } from "../platform/ids";
import { prepared, type Tx } from "../store/store";
import { addReceivers, type Receiver } from "./receiver-store";

/** The events of accounts. */

/** Advances the sequence of an account. */
export const countEvent = prepared((tx, p: { account: string }) =>
  tx
    .updateTable("accounts")
    .set((eb) => ({ event_sequence: eb("event_sequence", "+", 1) }))
    .where("id", "=", p.account),
);

interface NewEvent extends Record<string, string | number | null> {
  id: string;
  account: string;
  type: string;
  payload: string;
  project: string | null;
  user: string | null;
  now: number;
}

/** Writes an event with the current sequence of its account, which `countEvent` has advanced. */
export const insertEvent = prepared((tx, p: NewEvent) =>
  tx.insertInto("events").values({
    id: p.id,
    account_id: p.account,
    // null if the account no longer exists. The table refuses null, so the unit fails.
    sequence: (eb) => eb.selectFrom("accounts").select("event_sequence").where("id", "=", p.account),
    type: p.type,
    payload: p.payload,
    project_id: p.project,
    user_id: p.user,
    created_at: p.now,
  }),
);

/** Adds a delivery of an event for each of its receivers. */
export async function putDeliveries(tx: Tx, event: string, receivers: Receiver[]): Promise<void> {
  if (receivers.length === 0) return;
  const positions = await addReceivers(tx, receivers);
  await tx
    .insertInto("deliveries")
    .values(
      positions.map(({ id, position }) => ({
        id: newId("row"),
        receiver_id: id,
        event_id: event,
        position,
        state: "waiting" as const,
        attempts: 0,
        first_attempt_at: null,
        last_error: null,
      })),
    )
    .execute();
}
