import type { Account } from "../access/caller";
import { newId } from "../platform/ids";
import { prepared, type Tx, type Unit } from "../store/store";
import type { Emit } from "./event";
import { addReceivers, type Receiver, receiversOf } from "./receivers";

/**
 * Writes events and their deliveries into the outbox, within the transaction of the change. Receivers that
 * subscribe later do not get them. The receivers are looked up here, so emit a removal before its rows are deleted.
 * The sequence of an account has no gaps, so writers of one account wait for each other.
 */
export function outbox({ tx, now }: Unit, account: Pick<Account, "id" | "kind">, user: string | null): Emit {
  return async (event) => {
    const { type, payload, projectId } = event;
    const id = newId("event");
    const team = { id: account.kind === "team" ? account.id : null };
    const insert = async (): Promise<void> => {
      await countEvent(tx, { account: account.id });
      await insertEvent(tx, {
        id,
        account: account.id,
        type,
        payload: JSON.stringify({ team, user: { id: user }, ...payload }),
        project: projectId ?? null,
        user,
        now,
      });
    };
    // Run together, so that PostgreSQL gets them in one round trip.
    const [receivers] = await Promise.all([receiversOf(tx, account.id, event), insert()]);
    await putDeliveries(tx, id, receivers);
  };
}

const countEvent = prepared((tx, p: { account: string }) =>
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

const insertEvent = prepared((tx, p: NewEvent) =>
  tx.insertInto("events").values({
    id: p.id,
    account_id: p.account,
    // As counted before; none where the account is gone, which the table refuses.
    sequence: (eb) => eb.selectFrom("accounts").select("event_sequence").where("id", "=", p.account),
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
