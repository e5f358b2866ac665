import type { Tx } from "../store/store";
import type { MailRow } from "./object";

export async function insertMail(tx: Tx, row: MailRow): Promise<void> {
  await tx.insertInto("mail").values(row).execute();
}

export function findMail(tx: Tx, id: string): Promise<MailRow | undefined> {
  return tx.selectFrom("mail").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Records an attempt to send a mail. */
export async function recordAttempt(
  tx: Tx,
  id: string,
  columns: Pick<MailRow, "attempts" | "sent_at" | "next_attempt_at" | "last_error">,
): Promise<void> {
  await tx.updateTable("mail").set(columns).where("id", "=", id).execute();
}
