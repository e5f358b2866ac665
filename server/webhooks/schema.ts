import * as z from "zod";
import { webhookEvents } from "../../provider/webhook-events";
import { receiverUrl } from "../events/receiver-url";

/** @source wire-shapes 10 */
export const createWebhook = z.strictObject({
  url: receiverUrl,
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  projectIds: z.array(z.string().min(1)).min(1).max(50).optional(),
});

export const webhook = z.strictObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  projectIds: z.array(z.string()).optional(),
  /** Id of the account. */
  ownerId: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Webhook = z.infer<typeof webhook>;

export const createdWebhook = webhook.extend({ secret: z.string() });
