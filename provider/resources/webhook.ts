import { z } from "zod";
import type { Client } from "../client/client";
import { anything } from "../client/responses";
import { createSecret } from "../core/create-secret";
import type { Created } from "../core/definition";
import { openList } from "../core/known-values";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { asDeclared, same } from "../core/values";
import { webhookEvents } from "../webhook-events";
import { projectIdsInput } from "./id-inputs";
import { projectId, receiverUrl } from "./names";

export const webhookPath = (id?: string): string =>
  ["/v1/webhooks", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

export const remoteWebhook = z.looseObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  projectIds: z.array(z.string()).nullish(),
  /** The id of the account. */
  ownerId: z.string(),
});
export type RemoteWebhook = z.infer<typeof remoteWebhook>;

/** Only the answer to a create has the secret. */
export const createdWebhook = remoteWebhook.extend({ secret: z.string() });

/** The API cannot update a webhook, so every change replaces it. */
const inputs = z.strictObject({
  /** URL that receives events, http or https. Changing it replaces the webhook. */
  url: receiverUrl,
  /** Names of the events to send, such as project.created. Changing it replaces the webhook. */
  events: z.array(openList(webhookEvents)).min(1).max(webhookEvents.length),
  /** Ids of the projects whose events are sent. Default: all projects. Changing it replaces the webhook. */
  projectIds: z.array(projectId).min(1).max(50).optional(),
});

const outputs = z.object({
  /** Key that signs each delivery. Null after `Webhook.get`, because the API returns the key only for a new webhook. */
  secret: z.string().nullable(),
});

const filters = z.strictObject({});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * A webhook of the account: an endpoint that receives the account's events. Each delivery is signed with `secret`. The
 * API cannot update a webhook, so every change creates a new webhook with another secret, then deletes the old
 * webhook.
 * @throws ApiError 400 if the account has 20 webhooks, or if `projectIds` contains a project of another account
 * @source wire-shapes 10
 */
export const webhook = resource({
  type: "Webhook",
  handler: "webhook",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["secret"],
    stable: ["secret"],
    replaceOn: ["url", "events", "projectIds"],
    ids: { projectIds: projectIdsInput },
  },
  ownership: { objects: (_outputs, id) => [id] },
  // Always one page.
  list: listing(filters, async (client) => ({
    items: (await webhooksOf(client)).map(({ id, url }) => ({ id, name: url })),
  })),

  // Webhooks have no unique key.
  create: (operation, declared) =>
    operation.run.keys.exclusive("webhooks", async () => {
      const { client, isOthers } = operation;
      const remote = await createSecret(operation, {
        request: { method: "POST", path: webhookPath(), body: declared, shape: createdWebhook },
        equal: async () =>
          (await webhooksOf(client)).filter((one) => !isOthers(one.id) && isAsDeclared(one, declared)),
        twinHint: ({ id }) => twinHint(id),
        remove: (id) => remove(client, id),
      });
      return resultOf(remote, remote.secret);
    }),

  async read(client, id, state) {
    const remote = await client.get(webhookPath(id), remoteWebhook);
    const { url, events, projectIds } = remote;
    const now: Partial<Inputs> = {
      url,
      events: state?.events ? (asDeclared(state.events, events) as string[]) : events,
      ...(projectIds && {
        projectIds: state?.projectIds ? (asDeclared(state.projectIds, projectIds) as string[]) : projectIds,
      }),
    };
    return { ...resultOf(remote, state?.secret ?? null), inputs: now };
  },

  async update({ client }, id, { secret }) {
    return resultOf(await client.get(webhookPath(id), remoteWebhook), secret);
  },

  async remove({ client }, id) {
    await remove(client, id);
  },
});

const twinHint = (id: string): string =>
  `The account already has an equal webhook (${id}), so each event is delivered twice. If an interrupted run created it, ` +
  "delete it at the service: nobody knows its secret.";

const webhooksOf = (client: Client): Promise<RemoteWebhook[]> =>
  client.send({ method: "GET", path: webhookPath(), shape: z.array(remoteWebhook) });

const isAsDeclared = ({ url, events, projectIds }: RemoteWebhook, declared: Inputs): boolean =>
  same({ url, events, projectIds: projectIds ?? undefined }, declared);

const remove = (client: Client, id: string): Promise<unknown> =>
  client.send({ method: "DELETE", path: webhookPath(id), shape: anything });

const resultOf = ({ id, ownerId }: RemoteWebhook, secret: string | null): Created<Outputs> => ({
  id,
  accountId: ownerId,
  outputs: { secret },
});
