import { newId } from "../platform/ids";
import { addToMeta } from "../store/meta";
import { insertRow } from "../store/rows";
import type { Unit } from "../store/store";

export interface Mail {
  /** Address of the recipient. */
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
}

/** A name as one line, for the texts of mails. With line breaks, a name could look like text of the server. */
export const nameInMail = (name: string): string => name.replace(/[\s\p{Cc}]+/gu, " ").trim();

/**
 * Puts a mail into the outbox, in the transaction of the change that the mail reports. The control plane lists the mail
 * in the outbox. The mail is sent only if the server has an SMTP server.
 */
export async function queueMail({ tx, now }: Unit, { to, subject, body }: Mail): Promise<void> {
  await insertRow(tx, "mail", {
    id: newId("row"),
    // Writers wait for this counter, so that a higher number is never visible before a lower one.
    sequence: await addToMeta(tx, "mail_sequence", 1),
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
  });
}
