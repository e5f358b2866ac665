import { sql } from "kysely";
import { newId } from "../platform/ids";
import type { Tx } from "../store/store";

export interface Mail {
  /** Address of the recipient. */
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
}

/**
 * Puts a mail into the outbox, in the transaction of what it tells of. The control plane shows it there; it
 * is sent when the server knows an SMTP server.
 */
export async function queueMail(tx: Tx, now: number, { to, subject, body }: Mail): Promise<void> {
  await tx
    .insertInto("mail")
    .values({
      id: newId("row"),
      sequence: await nextSequence(tx),
      recipient: to,
      subject,
      body,
      created_at: now,
      sent_at: null,
      attempts: 0,
      next_attempt_at: now,
      last_error: null,
      lease: null,
      leased_until: 0,
    })
    .execute();
}

/** A counter that writers wait for, so that a higher number is never seen before a lower one. */
async function nextSequence(tx: Tx): Promise<number> {
  const { value } = await tx
    .insertInto("meta")
    .values({ name: "mail_sequence", value: "1" })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value: sql<string>`cast(cast(meta.value as bigint) + 1 as text)` }),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return Number(value);
}
