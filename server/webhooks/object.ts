import { json, object, publicId, type Row, receiverUrl, sealed, text, time } from "../store/object";

export const webhooks = object("webhooks", {
  columns: {
    id: publicId("webhook", "account_hook_", 16),
    account_id: text(),
    url: receiverUrl(),
    events: json(),
    project_ids: json().orNull(),
    secret: sealed(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id"]],
  section: "webhooks",
});
export type WebhookRow = Row<typeof webhooks>;
