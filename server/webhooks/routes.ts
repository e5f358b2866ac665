import * as z from "zod";
import { hasUnknownProjects } from "../access/projects";
import { checkReceiverUrl, privateReceiver } from "../events/receiver-url";
import { type Call, type Route, route } from "../http/route";
import { newId, newSecret } from "../platform/ids";
import { notFound } from "../platform/refusal";
import { countRows, deleteRows, findRow, insertRow, listRows } from "../store/rows";
import { type WebhookRow, webhooks } from "./object";
import { peopleOnly, tooManyWebhooks, unknownProjects } from "./rules";
import * as wire from "./schema";

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
    const id = newId(webhooks);
    const secret = newSecret(32);
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
    await insertRow(tx, "webhooks", row);
    return { ...viewWebhook(row), secret };
  },
});

async function loadFacts(
  call: Call<unknown, unknown, { projectIds?: string[] | undefined }>,
): Promise<{ hasUnknownProjects: boolean; webhookCount: number }> {
  return {
    hasUnknownProjects: await hasUnknownProjects(call, call.body.projectIds),
    webhookCount: await countRows(call.tx, "webhooks", { account_id: call.account.id }),
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
  async handle({ tx, account, query: { projectId } }) {
    return (await listRows(tx, "webhooks", { account_id: account.id }, "-created_at", "id"))
      .map(viewWebhook)
      .filter(({ projectIds }) => projectId === undefined || (projectIds?.includes(projectId) ?? true));
  },
});

const byId = z.object({ id: z.string().describe("Id of the webhook.") });
const unknownWebhook = [404, "not_found", "no such webhook in the account"] as const;

/** @throws Refusal 404 */
async function loadWebhook({
  tx,
  account,
  params: { id },
}: Call<{ id: string }>): Promise<{ webhook: WebhookRow }> {
  const webhook = await findRow(tx, "webhooks", { id, account_id: account.id });
  if (webhook) return { webhook };
  throw notFound(`Webhook ${JSON.stringify(id)}`);
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
  handle: ({ tx, webhook }) => deleteRows(tx, "webhooks", { id: webhook.id }),
});

/** A webhook as an answer, without its secret. */
const viewWebhook = (row: WebhookRow): wire.Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events),
  ...(row.project_ids === null ? {} : { projectIds: JSON.parse(row.project_ids) }),
  ownerId: row.account_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const webhookRoutes: readonly Route[] = [create, list, get, remove];
