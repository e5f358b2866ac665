import { z } from "zod";
import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import { logDrain as resource } from "../../provider/resources/log-drain";
import {
  drainList,
  drainPath,
  isLogDrain,
  type RemoteDrain,
  remoteDrain,
} from "../../provider/resources/log-drain/settings";
import { logEnvironments } from "../../provider/vocabulary";
import { type AccountKind, itemOf, placeholder, placeholderUrl } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { knownSecret, logicalName, objectOf, textIn } from "./recorded";
import { maybe, number, string, text, texts, times } from "./shapes";

const shape = z.looseObject({
  ...{ id: string, name: text, url: text, deliveryFormat: text, projectIds: texts, sources: texts },
  ...{ environments: texts, headers: maybe(z.record(string, string)), samplingRate: number, ...times },
});

/** All drains of the account, the oldest first, including those for data other than logs. */
const drainsOf = async (client: Client): Promise<RemoteDrain[]> =>
  [...(await client.get(drainPath(), drainList)).drains].reverse();

export const logDrain = {
  name: "log drain",
  owner: "account",
  resource,
  suffix: "drain",
  weight: 10,
  section: "logDrains",
  async rows({ get, note, withValues }) {
    const drains = await ifAllowed(get("/v1/log-drains", z.array(shape)));
    const rowOf = ({
      id,
      name = id,
      url,
      deliveryFormat,
      projectIds,
      sources,
      ...rest
    }: z.infer<typeof shape> & { url: string }) => {
      const { environments = [...logEnvironments], headers, samplingRate, createdAt, updatedAt } = rest;
      const shown = Object.entries(headers ?? {}).map(([key, value]) => [
        key,
        withValues ? value : placeholder,
      ]);
      if (shown.some(([, value]) => value === placeholder)) note(`the headers of the log drain ${id}`);
      if (!withValues) note(`the URL of the log drain ${id}`);
      return {
        ...{
          id,
          name,
          url: withValues ? url : placeholderUrl(url),
          deliveryFormat: deliveryFormat === "ndjson" ? "ndjson" : "json",
        },
        ...{ projectIds, sources, environments, headers: headers && Object.fromEntries(shown) },
        ...{ samplingRate, createdAt, updatedAt },
      };
    };
    return drains?.flatMap((drain) => (drain.url === undefined ? [] : [rowOf({ ...drain, url: drain.url })]));
  },
  items: (row) => [itemOf(row)],
  secret: ["url", "headers"],
  async discover({ client, add, note, allowed }) {
    for (const drain of await allowed("drains", drainsOf(client))) {
      const { id, name } = drain;
      if (isLogDrain(drain)) {
        await add(resource, id, logicalName([name]));
        note(`LogDrain ${name}: its secret cannot be read, so it stays as it is until you set it.`);
      } else note(`The drain ${name} (${id}) was left out, because it does not send logs over HTTP.`);
    }
  },
  recorded: {
    vercel_log_drain: (one) => [
      objectOf(one, resource, textIn(one.values, "id"), { known: knownSecret(one, "inputs") }),
    ],
  },
  operations: {
    list: listOperation("/v1/drains", "drains", drainList, "drains"),
    one: oneOperation("/v1/drains/{id}", "drain", remoteDrain),
  },
} as const satisfies AccountKind;
