import * as z from "zod";
import { derivedId } from "../platform/ids";
import { httpUrl, id, ownedRow, owner, ownerOf, section, times } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { drainFields } from "./drain-schema";
import { otherDrains as otherTable, logDrains as table } from "./object";
import { changedSettings, sealSettings } from "./settings";

const row = ownedRow({
  ...owner,
  id: id.optional(),
  name: z.string(),
  url: httpUrl,
  deliveryFormat: z.enum(["json", "ndjson"]),
  projectIds: z.array(z.string()).optional(),
  sources: z
    .array(z.enum(["build", "edge", "lambda", "static", "external", "firewall", "redirect"]))
    .optional(),
  environments: z.array(z.enum(["preview", "production"])),
  headers: z.record(z.string(), z.string()).optional(),
  samplingRate: z.number().optional(),
  secret: z.string().min(1).optional(),
  ...times,
});

/** Adds a log drain, unless the account has it. */
export const logDrains = section(
  "log_drains",
  row,
  async ({ tx, now, services: { vault } }, given, place) => {
    const { team, user, id: givenId, secret, createdAt = now, updatedAt = null, ...settings } = given;
    const account = await ownerOf(tx, { team, user }, place);
    const id = givenId ?? derivedId(table, account.id, settings.name, settings.url);
    if (await hasRow(tx, "log_drains", { id })) return;
    await insertRow(tx, "log_drains", {
      id,
      account_id: account.id,
      configuration_id: null,
      settings: sealSettings(vault, id, settings),
      secret: secret === undefined ? null : vault.seal(id, secret),
      created_at: createdAt,
      updated_at: updatedAt,
    });
  },
  ({ team, user, id, name, url }) => [id ?? [team, user, name, url]],
);

const otherFields = z.object({
  kind: z.enum(["trace", "audit_log"]),
  name: drainFields.name,
  /** The receiver, or `s3://bucket/prefix`. */
  url: z.string(),
  deliveryFormat: z.enum(["json", "ndjson", "proto"]),
  compression: z.enum(["gzip", "none"]).optional(),
  s3: z.record(z.string(), z.string()).optional(),
  projectIds: drainFields.projectIds,
  sampling: drainFields.sampling.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  secret: z.string().min(1).optional(),
});
type OtherFields = z.output<typeof otherFields>;

const otherRow = ownedRow({ ...owner, id: id.optional(), ...otherFields.shape, ...times }).refine(
  (given) => drainFields.delivery.safeParse(deliveryOf(given)).success,
  "needs a url, deliveryFormat and s3 that fit together",
);

function deliveryOf({ kind, url, deliveryFormat: encoding, compression, s3, headers, secret }: OtherFields) {
  if (s3) return { type: "s3", endpoint: url, encoding, compression: "none", fileStructure: "hive", ...s3 };
  const shared = { encoding, headers, ...(secret !== undefined && { secret }) };
  return kind === "trace"
    ? { type: "otlphttp", endpoint: { traces: url }, ...shared }
    : { type: "http", endpoint: url, ...(compression && { compression }), ...shared };
}

/** Adds a drain of traces or audit logs, unless the account has it. */
export const otherDrains = section(
  "other_drains",
  otherRow,
  async ({ tx, now, services: { vault } }, given, place) => {
    const { team, user, kind, name, projectIds, sampling, createdAt = now, updatedAt = createdAt } = given;
    const account = await ownerOf(tx, { team, user }, place);
    const id = given.id ?? derivedId(otherTable, account.id, kind, name);
    if (await hasRow(tx, "other_drains", { id })) return;
    const { secret, settings: stored } = changedSettings(undefined, {
      ...{ kind, name, delivery: drainFields.delivery.parse(deliveryOf(given)) },
      ...(projectIds && { projectIds }),
      ...(sampling && { sampling }),
    });
    await insertRow(tx, "other_drains", {
      ...{ id, account_id: account.id, kind, settings: sealSettings(vault, id, stored) },
      secret: secret === undefined ? null : vault.seal(id, secret),
      ...{ created_at: createdAt, updated_at: updatedAt },
    });
  },
  ({ team, user, id, kind, name }) => [id ?? [team, user, kind, name]],
);
