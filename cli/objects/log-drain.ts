import { z } from "zod";
import type { Client } from "../../provider/client/client";
import { ifAllowed } from "../../provider/client/errors";
import type { Resource } from "../../provider/core/resource";
import { isPlain, type Plain } from "../../provider/core/values";
import {
  auditLogDrain as auditResource,
  bucketOf,
  isAuditLogDrain,
} from "../../provider/resources/audit-log-drain";
import { drainList, drainPath, type RemoteDrain, remoteDrain } from "../../provider/resources/drain/records";
import { isLogDrain, logDrain as resource } from "../../provider/resources/log-drain";
import { isTraceDrain, traceDrain as traceResource } from "../../provider/resources/trace-drain";
import { logEnvironments } from "../../provider/vocabulary";
import { type AccountKind, itemOf, placeholder, placeholderUrl, present, type Reading } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { knownSecret, logicalName, objectOf, textIn } from "./recorded";
import { maybe, number, string, text, texts, times } from "./shapes";

const shape = z.looseObject({
  ...{ id: string, name: text, url: text, deliveryFormat: text, projectIds: texts, sources: texts },
  ...{ environments: texts, headers: maybe(z.record(string, string)), samplingRate: number, ...times },
});

/** The kinds of drains that Slipway manages. */
const resources: readonly [isOfKind: (drain: RemoteDrain) => boolean, resource: Resource][] = [
  [isLogDrain, resource],
  [isTraceDrain, traceResource],
  [isAuditLogDrain, auditResource],
];

/** All drains of the account, the oldest first, including those for data other than logs. */
const drainsOf = async (client: Client): Promise<RemoteDrain[]> =>
  [...(await client.get(drainPath(), drainList)).drains].reverse();

const operations = {
  list: listOperation("/v1/drains", "drains", drainList, "drains"),
  one: oneOperation("/v1/drains/{id}", "drain", remoteDrain),
};

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
      const found = resources.find(([isOfKind]) => isOfKind(drain))?.[1];
      if (found) {
        await add(found, id, logicalName([name]));
        if (drain.delivery.type !== "s3")
          note(`${found.type} ${name}: its secret cannot be read, so it stays as it is until you set it.`);
      } else note(`The drain ${name} (${id}) was left out, because Slipway cannot manage it.`);
    }
  },
  recorded: {
    vercel_log_drain: (one) => [
      objectOf(one, resource, textIn(one.values, "id"), { known: knownSecret(one, "inputs") }),
    ],
  },
  operations,
} as const satisfies AccountKind;

/** The row of a drain of traces or audit logs, as a seed has it. */
function otherRow(drain: RemoteDrain, { withValues, note }: Pick<Reading, "withValues" | "note">): Plain {
  const { id, name, projectIds, delivery, sampling, createdAt, updatedAt } = drain;
  const [kind, noun] = isTraceDrain(drain) ? ["trace", "trace drain"] : ["audit_log", "audit log drain"];
  const { traces: url } = { traces: delivery.endpoint, ...(isPlain(delivery.endpoint) && delivery.endpoint) };
  const s3 = bucketOf(delivery);
  const shown = Object.entries(delivery.headers ?? {}).map(([key, value]) => [
    key,
    withValues ? value : placeholder,
  ]);
  if (!withValues && shown.length > 0) note(`the headers of the ${noun} ${id}`);
  if (!withValues && !s3) note(`the URL of the ${noun} ${id}`);
  return present({
    ...{ id, kind, name, deliveryFormat: delivery.encoding, s3 },
    url: withValues || s3 ? url : placeholderUrl(String(url)),
    compression: delivery.type === "http" ? (delivery.compression ?? undefined) : undefined,
    ...{ projectIds: projectIds ?? undefined, sampling: sampling ?? undefined },
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    ...{ createdAt, updatedAt },
  });
}

export const traceDrain = {
  name: "trace drain",
  owner: "account",
  resource: traceResource,
  suffix: "drain",
  weight: 10,
  section: "otherDrains",
  async rows(reading) {
    const drains = await ifAllowed(drainsOf(reading.client));
    return drains
      ?.filter((drain) => isTraceDrain(drain) || isAuditLogDrain(drain))
      .map((drain) => otherRow(drain, reading));
  },
  items: (row) => (row.kind === "trace" ? [itemOf(row)] : []),
  secret: ["url", "headers"],
  recorded: {
    vercel_trace_drain: (one) => [
      objectOf(one, traceResource, textIn(one.values, "id"), { known: knownSecret(one, "inputs") }),
    ],
  },
  operations,
} as const satisfies AccountKind;

export const auditLogDrain = {
  name: "audit log drain",
  owner: "account",
  resource: auditResource,
  suffix: "drain",
  weight: 10,
  section: "otherDrains",
  items: (row) => (row.kind === "audit_log" ? [itemOf(row)] : []),
  secret: ["url", "headers"],
  recorded: {
    vercel_audit_log_drain: (one) => {
      const values = isPlain(one.values.http) ? one.values.http : {};
      const known = knownSecret({ ...one, values }, "inputs");
      return [objectOf(one, auditResource, textIn(one.values, "id"), { known })];
    },
  },
  operations,
} as const satisfies AccountKind;
