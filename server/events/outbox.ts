import { newId } from "../platform/ids";
import { prepared, type Tx, type Unit } from "../store/store";
import type { Emit } from "./event";
import { addReceivers, type Receiver, receiversOf } from "./receivers";

/**
 * Writes events and their deliveries into the outbox, within the transaction of the change. Receivers that
 * subscribe later do not get them. The receivers are looked up here, so emit a removal before its rows are deleted.
 * The sequence of an account has no gaps, so writers of one account wait for each other.
 */
export function outbox({ tx, now }: Unit, account: string, user: string | null): Emit {
  return async (event) => {
    const { type, payload, projectId } = event;
    const [[counter], receivers] = await Promise.all([
      nextSequence(tx, { account }),
      receiversOf(tx, account, event),
    ]);
    if (!counter) throw new Error(`account ${account} is gone`);
    const id = newId("event");
    const team = { id: counter.kind === "team" ? account : null };
    await insertEvent(tx, {
      id,
      account,
      sequence: counter.event_sequence,
      type,
      payload: JSON.stringify({ team, user: { id: user }, ...payload }),
      project: projectId ?? null,
      user,
      now,
    });
    await putDeliveries(tx, id, receivers);
  };
}

const nextSequence = prepared((tx, p: { account: string }) =>
  tx
    .updateTable("accounts")
    .set((eb) => ({ event_sequence: eb("event_sequence", "+", 1) }))
    .where("id", "=", p.account)
    .returning(["event_sequence", "kind"]),
);

interface NewEvent extends Record<string, string | number | null> {
  id: string;
  account: string;
  sequence: number;
  type: string;
  payload: string;
  project: string | null;
  user: string | null;
  now: number;
}

const insertEvent = prepared((tx, p: NewEvent) =>
  tx.insertInto("events").values({
    id: p.id,
    account_id: p.account,
    sequence: p.sequence,
    type: p.type,
    payload: p.payload,
    project_id: p.project,
    user_id: p.user,
    created_at: p.now,
  }),
);

async function putDeliveries(tx: Tx, event: string, receivers: Receiver[]): Promise<void> {
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
