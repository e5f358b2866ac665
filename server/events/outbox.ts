import type { Account } from "../access/caller";
import { newId } from "../platform/ids";
import type { Unit } from "../store/store";
import type { Emit } from "./event";
import { countEvent, insertEvent, putDeliveries } from "./event-store";
import { receiversOf } from "./receivers";

/**
 * Writes events and their deliveries into the outbox, within the transaction of the change. Receivers that
 * subscribe later do not get them. The receivers are looked up here, so emit the event of a removal before you delete
 * its rows.
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
    // Run together, so that PostgreSQL gets both in one round trip.
    const [receivers] = await Promise.all([receiversOf(tx, account.id, event), insert()]);
    await putDeliveries(tx, id, receivers);
  };
}
