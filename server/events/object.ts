import { integer, json, object, oneOf, type Row, sealed, text, time } from "../store/object";

/** An event in the outbox, written in the transaction of its change. */
export const events = object("events", {
  columns: {
    id: text(),
    account_id: text(),
    sequence: integer(),
    type: text(),
    payload: json(),
    project_id: text().orNull(),
    user_id: text().orNull(),
    created_at: time(),
  },
  unique: [{ columns: ["account_id", "sequence"] }],
  indexes: [["created_at"]],
});
export type EventRow = Row<typeof events>;

/** The delivery of one event to one receiver. */
export const deliveries = object("deliveries", {
  columns: {
    id: text(),
    receiver_id: text(),
    event_id: text(),
    /** Consecutive per receiver: the order of delivery. */
    position: integer(),
    state: oneOf("waiting", "delivered", "dead"),
    attempts: integer(),
    first_attempt_at: time().orNull(),
    last_error: text().orNull(),
  },
  unique: [{ columns: ["receiver_id", "position"] }],
  indexes: [["receiver_id", "state", "position"], ["event_id"]],
});
export type DeliveryRow = Row<typeof deliveries>;

/** A webhook, or the integration of an installation. A worker leases this row while it delivers. */
export const receivers = object("receivers", {
  columns: {
    id: text(),
    account_id: text(),
    kind: oneOf("webhook", "configuration"),
    /** A copy of the URL, so that the last event of a deleted webhook or installation can still be sent. */
    url: text(),
    secret: sealed(),
    /** The id of the webhook or the integration. The secret was sealed with this id. */
    secret_row: text(),
    /** The number of the receiver's last delivery. */
    position: integer(),
    /** null if no delivery waits, or deliveries are paused. */
    next_attempt_at: time().orNull(),
    /** The worker that sends to the receiver now; null if none does. */
    lease: text().orNull(),
    /** When the lease expires if its worker was killed, by the database's clock. */
    leased_until: time(),
  },
  indexes: [["next_attempt_at"]],
});
export type ReceiverRow = Row<typeof receivers>;
