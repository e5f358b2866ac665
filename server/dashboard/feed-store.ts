import type { EventRow } from "../events/object";
import type { MailRow } from "../mail/object";
import { contains } from "../store/like";
import type { Tx } from "../store/store";
import { type Found, found, pageSize } from "./store";

/** Events, the newest first. @param before the sequence of the last event of the previous page */
export function findEvents(
  tx: Tx,
  account: string,
  type: string,
  before: number | undefined,
): Promise<Found<EventRow>> {
  const matching = tx.selectFrom("events").where("account_id", "=", account).where(contains("type", type));
  return found(
    matching
      .selectAll()
      .where("sequence", "<", before ?? Number.MAX_SAFE_INTEGER)
      .orderBy("sequence", "desc")
      .limit(pageSize + 1)
      .execute(),
    matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow(),
  );
}

/** Mail, the newest first. @param before the sequence of the last mail of the previous page */
export function findMail(tx: Tx, before: number | undefined): Promise<Found<MailRow>> {
  return found(
    tx
      .selectFrom("mail")
      .selectAll()
      .where("sequence", "<", before ?? Number.MAX_SAFE_INTEGER)
      .orderBy("sequence", "desc")
      .limit(pageSize + 1)
      .execute(),
    tx
      .selectFrom("mail")
      .select((eb) => eb.fn.countAll().as("total"))
      .executeTakeFirstOrThrow(),
  );
}
