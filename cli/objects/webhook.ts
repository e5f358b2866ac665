import { z } from "zod";
import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import {
  type RemoteWebhook,
  remoteWebhook,
  webhook as resource,
  webhookPath,
} from "../../provider/resources/webhook";
import { type AccountKind, itemOf, placeholderUrl } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { knownSecret, logicalName, objectOf, textIn } from "./recorded";
import { string, texts, times } from "./shapes";

const shape = z.object({ id: string, url: string, events: z.array(string), projectIds: texts, ...times });

const listShape = z.array(remoteWebhook);

/** All webhooks of the account, the oldest first. */
export const webhooksOf = async (client: Client): Promise<RemoteWebhook[]> =>
  [...(await client.get(webhookPath(), listShape))].reverse();

export const webhook = {
  name: "webhook",
  owner: "account",
  resource,
  suffix: "webhook",
  weight: 20,
  section: "webhooks",
  async rows({ get, note, withValues }) {
    const hooks = await ifAllowed(get(webhookPath(), z.array(shape)));
    return hooks?.map((hook) => {
      note(`the secret of the webhook ${hook.id}`);
      if (withValues) return hook;
      note(`the URL of the webhook ${hook.id}`);
      return { ...hook, url: placeholderUrl(hook.url) };
    });
  },
  // The rest of the URL can contain a key.
  items: (row) => [
    itemOf(row, { name: URL.canParse(`${row.url}`) ? new URL(`${row.url}`).host : "a receiver" }),
  ],
  secret: ["url"],
  async discover({ client, add, note, allowed }) {
    for (const { id, url } of await allowed("webhooks", webhooksOf(client))) {
      const host = URL.canParse(url) ? new URL(url).hostname : id;
      await add(resource, id, logicalName([host]));
      note(`Webhook ${host} (${id}): its signing key cannot be read, so its output secret is null.`);
    }
  },
  recorded: {
    vercel_webhook: (one) => [
      objectOf(one, resource, textIn(one.values, "id"), { known: knownSecret(one, "outputs") }),
    ],
  },
  operations: {
    list: listOperation("/v1/webhooks", "webhooks", listShape, ""),
    one: oneOperation("/v1/webhooks/{id}", "webhook", remoteWebhook),
  },
} as const satisfies AccountKind;
