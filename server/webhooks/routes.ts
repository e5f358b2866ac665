import * as z from "zod";
import { hasUnknownProjects } from "../access/projects";
import { type Call, type Route, route } from "../http/route";
import { checkReceiverUrl } from "../log-drains/receiver-url";
import { privateReceiver } from "../log-drains/rules";
import { newId, newSecret } from "../platform/ids";
import { notFound } from "../platform/refusal";
import type { WebhookRow } from "./object";
import { peopleOnly, tooManyWebhooks, unknownProjects } from "./rules";
import * as wire from "./schema";
import { countWebhooks, deleteWebhook, findWebhook, insertWebhook, listWebhooks } from "./store";
import { viewWebhook } from "./view";

/** @source wire-shapes 10 */
const create = route({
  method: "POST",
  path: "/v1/webhooks",
  operationId: "createWebhook",
  summary: "Creates a webhook: a URL that gets the account's events. Only this answer shows its secret.",
  scope: ["read-write:project"],
  body: wire.createWebhook,
  example: { url: "http://127.0.0.1:8080/hook", events: ["deployment.created"] },
  success: [200, wire.createdWebhook],
  before: checkReceiverUrl,
  load: loadFacts,
  refuse: [peopleOnly, privateReceiver, unknownProjects, tooManyWebhooks],
  async handle({ tx, account, body, now, services }) {
    const id = newId("webhook");
    const secret = newSecret("webhookSecret");
    const row: WebhookRow = {
      id,
      account_id: account.id,
      url: body.url,
      events: JSON.stringify([...new Set(body.events)]),
      project_ids: body.projectIds ? JSON.stringify([...new Set(body.projectIds)]) : null,
      secret: services.vault.seal(id, secret),
      created_at: now,
      updated_at: now,
    };
    await insertWebhook(tx, row);
    return { ...viewWebhook(row), secret };
  },
});

async function loadFacts(
  call: Call<unknown, unknown, { projectIds?: string[] | undefined }>,
): Promise<{ hasUnknownProjects: boolean; webhookCount: number }> {
  return {
    hasUnknownProjects: await hasUnknownProjects(call, call.body.projectIds),
    webhookCount: await countWebhooks(call),
  };
}

/** @source wire-shapes 10 */
const list = route({
  method: "GET",
  path: "/v1/webhooks",
  operationId: "getWebhooks",
  summary: "Lists the account's webhooks, the newest first.",
  scope: ["read:project"],
  query: z.object({ projectId: z.string().optional() }),
  success: [200, z.array(wire.webhook)],
  refuse: [peopleOnly],
  async handle(call) {
    const { projectId } = call.query;
    return (await listWebhooks(call))
      .map(viewWebhook)
      .filter(({ projectIds }) => projectId === undefined || (projectIds?.includes(projectId) ?? true));
  },
});

const byId = z.object({ id: z.string() });
const unknownWebhook = [404, "not_found", "no such webhook in the account"] as const;

/** @throws Refusal 404 */
async function loadWebhook(call: Call<{ id: string }>): Promise<{ webhook: WebhookRow }> {
  const webhook = await findWebhook(call, call.params.id);
  if (webhook) return { webhook };
  throw notFound(`Webhook ${JSON.stringify(call.params.id)}`);
}

/** @source wire-shapes 10 */
const get = route({
  method: "GET",
  path: "/v1/webhooks/:id",
  operationId: "getWebhook",
  summary: "Returns a webhook.",
  scope: ["read:project"],
  params: byId,
  success: [200, wire.webhook],
  throws: [unknownWebhook],
  load: loadWebhook,
  refuse: [peopleOnly],
  handle: async ({ webhook }) => viewWebhook(webhook),
});

/**
 * @choice Events before the removal are still delivered.
 * @source wire-shapes 10
 */
const remove = route({
  method: "DELETE",
  path: "/v1/webhooks/:id",
  operationId: "deleteWebhook",
  summary: "Deletes a webhook. Earlier events are still delivered.",
  scope: ["read-write:project"],
  params: byId,
  success: [204, null],
  throws: [unknownWebhook],
  load: loadWebhook,
  refuse: [peopleOnly],
  handle: ({ tx, webhook }) => deleteWebhook(tx, webhook.id),
});

export const webhookRoutes: readonly Route[] = [create, list, get, remove];
