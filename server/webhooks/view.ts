import type { WebhookRow } from "./object";
import type { Webhook } from "./schema";

/** A webhook as an answer, without its secret. */
export function viewWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events),
    ...(row.project_ids === null ? {} : { projectIds: JSON.parse(row.project_ids) }),
    ownerId: row.account_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
