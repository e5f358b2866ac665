import * as z from "zod";
import { type Call, type Route, route } from "../http/route";
import { checkReceiverUrl, leadsInside } from "../log-drains/receiver";
import { newId, newSecret } from "../platform/ids";
import { notFound, Refusal, type RefusalRow } from "../platform/refusal";
import type { WebhookRow } from "../store/schema";
import * as wire from "./schema";

/** @source wire-shapes 10 */
const largestNumber = 20;

/** @choice Installations may not manage webhooks: their events go to the URL of the integration. */
const peopleOnly: RefusalRow<Pick<Call, "caller">> = [
  403,
  "forbidden",
  "Only users manage the webhooks of an account. Events of an installation go to the webhook URL of its integration.",
  ({ caller }) => caller.installation !== undefined,
];

/** @source wire-shapes 10 */
const createWebhook = route({
  method: "POST",
  path: "/v1/webhooks",
  summary: "Creates a webhook: a URL that gets the account's events. Only this answer shows its secret.",
  scope: ["read-write:project"],
  body: wire.createWebhook,
  success: [200, wire.createdWebhook],
  throws: [[400, "bad_request", "the account has 20 webhooks"]],
  before: checkReceiverUrl,
  refuse: [
    peopleOnly,
    leadsInside,
    [
      400,
      "bad_request",
      "projectIds names a project that the account does not have.",
      async ({ tx, account, body: { projectIds } }) => {
        if (!projectIds) return false;
        const known = await tx
          .selectFrom("projects")
          .select("id")
          .where("account_id", "=", account.id)
          .where("id", "in", projectIds)
          .execute();
        return known.length < new Set(projectIds).size;
      },
    ],
  ],
  async handle(call) {
    const { tx, account, body, now, services } = call;
    await refuseTooMany(call);
    const id = newId("webhook");
    const secret = newSecret("webhookSecret");
    const row = await tx
      .insertInto("webhooks")
      .values({
        id,
        account_id: account.id,
        url: body.url,
        events: JSON.stringify([...new Set(body.events)]),
        project_ids: body.projectIds ? JSON.stringify([...new Set(body.projectIds)]) : null,
        secret: services.vault.seal(id, secret),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...viewWebhook(row), secret };
  },
});

/** @throws Refusal 400 */
async function refuseTooMany({ tx, account }: Call): Promise<void> {
  const { number } = await tx
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll().as("number"))
    .where("account_id", "=", account.id)
    .executeTakeFirstOrThrow();
  if (Number(number) < largestNumber) return;
  throw new Refusal(
    400,
    "bad_request",
    `An account has at most ${largestNumber} webhooks. Delete one that is not needed.`,
  );
}

/** @source wire-shapes 10 */
const listWebhooks = route({
  method: "GET",
  path: "/v1/webhooks",
  summary: "Lists the account's webhooks, the newest first.",
  scope: ["read:project"],
  query: z.object({ projectId: z.string().optional() }),
  success: [200, z.array(wire.webhook)],
  refuse: [peopleOnly],
  async handle({ tx, account, query: { projectId } }) {
    const rows = await tx
      .selectFrom("webhooks")
      .selectAll()
      .where("account_id", "=", account.id)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute();
    return rows
      .map(viewWebhook)
      .filter(({ projectIds }) => projectId === undefined || (projectIds?.includes(projectId) ?? true));
  },
});

const byId = z.object({ id: z.string() });
const unknownWebhook = [404, "not_found", "no such webhook in the account"] as const;

/** @throws Refusal 404 */
async function loadWebhook({
  tx,
  account,
  params: { id },
}: Call<{ id: string }>): Promise<{ webhook: WebhookRow }> {
  const webhook = await tx
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account.id)
    .executeTakeFirst();
  if (webhook) return { webhook };
  throw notFound(`Webhook ${JSON.stringify(id)}`);
}

/** @source wire-shapes 10 */
const getWebhook = route({
  method: "GET",
  path: "/v1/webhooks/:id",
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
const deleteWebhook = route({
  method: "DELETE",
  path: "/v1/webhooks/:id",
  summary: "Deletes a webhook. Earlier events are still delivered.",
  scope: ["read-write:project"],
  params: byId,
  success: [204, null],
  throws: [unknownWebhook],
  load: loadWebhook,
  refuse: [peopleOnly],
  async handle({ tx, webhook }) {
    await tx.deleteFrom("webhooks").where("id", "=", webhook.id).execute();
  },
});

function viewWebhook(row: WebhookRow): wire.Webhook {
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

export const webhookRoutes: readonly Route[] = [createWebhook, listWebhooks, getWebhook, deleteWebhook];
