import { json, object, type Row, receiverUrl, sealed, text, time } from "../store/object";

export const webhooks = object({
  columns: {
    id: text(),
    account_id: text(),
    url: receiverUrl(),
    events: json(),
    project_ids: json().orNull(),
    secret: sealed(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id"]],
  hasPublicId: true,
  section: "webhooks",
});
export type WebhookRow = Row<typeof webhooks>;
