import { integer, object, type Row, text, time } from "../store/object";

export const mail = object("mail", {
  columns: {
    id: text(),
    /** Consecutive: the order of sending. */
    sequence: integer(),
    recipient: text(),
    subject: text(),
    body: text(),
    created_at: time(),
    sent_at: time().orNull(),
    attempts: integer(),
    /** null if it was sent or is not retried any more. */
    next_attempt_at: time().orNull(),
    last_error: text().orNull(),
    /** As in `receivers`. */
    lease: text().orNull(),
    leased_until: time(),
  },
  unique: [{ columns: ["sequence"] }],
  indexes: [["next_attempt_at"], ["created_at"]],
});
export type MailRow = Row<typeof mail>;
