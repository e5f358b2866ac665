import * as z from "zod";
import { receiverUrl } from "../log-drains/schema";

/**
 * The events that a webhook can subscribe to. Most are about things that this server does not have, and never occur.
 * @choice The older names, with dashes instead of dots, are refused, since the server sends no events with these names.
 * @source wire-shapes 10
 */
const eventNames = [
  ...family("ai-gateway", ["auto-reload.limit-reached", "balance-depleted"]),
  ...family("alerts", ["triggered"]),
  ...family("botid", ["anomaly"]),
  ...family("budget", ["reached", "reset"]),
  ...family("comment", [
    "created",
    "deleted",
    "mentioned",
    "reaction-added",
    "reaction-removed",
    "resolved",
    "unresolved",
    "updated",
  ]),
  ...family("deployment", [
    "blocked",
    "build-requested",
    "canceled",
    "check-rerequested",
    "checkrun.cancel",
    "checkrun.start",
    "checks.failed",
    "checks.succeeded",
    "cleanup",
    "created",
    "error",
    "integration.action.cancel",
    "integration.action.cleanup",
    "integration.action.start",
    "promoted",
    "ready",
    "rollback",
    "succeeded",
  ]),
  ...family("domain", [
    "auto-renew.changed",
    "certificate.add",
    "certificate.add.failed",
    "certificate.deleted",
    "certificate.renew",
    "certificate.renew.failed",
    "created",
    "dns.records.changed",
    "renewal",
    "renewal.failed",
    "transfer-in.completed",
    "transfer-in.failed",
    "transfer-in.started",
  ]),
  ...family("edge-config", ["created", "deleted", "items.updated"]),
  ...family("firewall", ["attack", "custom-rule-anomaly", "system-rule-anomaly"]),
  ...family("flag", [
    "created",
    "deleted",
    "segment.created",
    "segment.deleted",
    "segment.updated",
    "updated",
  ]),
  ...family("function", ["archival-required", "removal-required"]),
  ...family("integration-configuration", [
    "permission-upgraded",
    "removed",
    "scope-change-confirmed",
    "transferred",
  ]),
  ...family("integration-resource", ["project-connected", "project-disconnected"]),
  ...family("marketplace.invoice", ["created", "notpaid", "overdue", "paid", "refunded"]),
  ...family("marketplace.member", ["changed"]),
  ...family("message", ["created", "deleted", "mentioned", "reaction-added", "reaction-removed", "updated"]),
  ...family("observability", ["anomaly", "anomaly-error", "error-anomaly", "usage-anomaly"]),
  ...family("project", [
    "created",
    "domain.created",
    "domain.deleted",
    "domain.moved",
    "domain.unverified",
    "domain.updated",
    "domain.verified",
    "env-variable.created",
    "env-variable.deleted",
    "env-variable.updated",
    "removed",
    "renamed",
    "rolling-release.aborted",
    "rolling-release.approved",
    "rolling-release.completed",
    "rolling-release.started",
  ]),
  ...family("thread", ["resolved", "unresolved"]),
];

function family(name: string, events: readonly string[]): string[] {
  return events.map((event) => `${name}.${event}`);
}

/** @source wire-shapes 10 */
export const createWebhook = z.strictObject({
  url: receiverUrl,
  events: z.array(z.enum(eventNames)).min(1).max(eventNames.length),
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
