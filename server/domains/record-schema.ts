import * as z from "zod";
import { dnsRecordTypes, dnsTtl } from "../../provider/vocabulary";
import { pagination } from "../http/query";

/**
 * Bodies and answers of DNS records.
 * @source the newest official client: /v5/domains/{domain}/records, /v1/domains/records/{recordId}
 */

const type = z.enum(dnsRecordTypes);
export type RecordType = z.infer<typeof type>;

const ttl = z.int().min(dnsTtl.least).max(dnsTtl.largest);
const uint16 = z.int().min(0).max(65_535);
const comment = z.string().max(500);
/** The maximum length of a record's value. */
const value = z.string().max(65_535);
const name = z.string().max(253);
const target = z.string().max(255);

/** @choice `null` counts as 0. */
const srv = z.strictObject({
  priority: uint16.nullable(),
  weight: uint16.nullable(),
  port: uint16.nullable(),
  target,
});

const https = z.strictObject({
  priority: uint16.nullable(),
  target,
  params: value.optional(),
});

/**
 * The members of a record depend on its type: see `record-values.ts`.
 * @choice A record without a name is for the domain itself. The official SDK omits the name for some types.
 */
export const createRecord = z.strictObject({
  name: name.optional(),
  type,
  value: value.optional(),
  ttl: ttl.optional(),
  mxPriority: uint16.optional(),
  srv: srv.optional(),
  https: https.optional(),
  comment: comment.optional(),
});
export type CreateRecord = z.infer<typeof createRecord>;

/** @choice Members that are absent or `null` keep their value, inside `srv` and `https` too. */
export const updateRecord = z.strictObject({
  name: name.nullable().optional(),
  type: type.nullable().optional(),
  value: value.nullable().optional(),
  ttl: ttl.nullable().optional(),
  mxPriority: uint16.nullable().optional(),
  srv: srv.extend({ target: target.nullable() }).nullable().optional(),
  https: https
    .extend({ target: target.nullable(), params: value.nullable().optional() })
    .nullable()
    .optional(),
  comment: comment.optional(),
});
export type UpdateRecord = z.infer<typeof updateRecord>;

export const createdRecord = z.strictObject({ uid: z.string() });

/** A record in a list, with a separate priority. */
export const listedRecord = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type,
  value: z.string(),
  mxPriority: uint16.optional(),
  priority: uint16.optional(),
  ttl,
  comment: comment.optional(),
  creator: z.string(),
  created: z.number(),
  updated: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type ListedRecord = z.infer<typeof listedRecord>;

export const recordList = z.strictObject({ records: z.array(listedRecord), pagination });

/** A single record. Its value begins with the priority. */
export const record = z.strictObject({
  id: z.string(),
  domain: z.string(),
  name: z.string(),
  recordType: type,
  type,
  value: z.string(),
  ttl,
  comment: comment.optional(),
  creator: z.string(),
  createdAt: z.number(),
});
export type DnsRecord = z.infer<typeof record>;

/** The answer to a change: a single record, but `type` is `record`. The DNS type is in `recordType`. */
export const updatedRecord = record.extend({ type: z.literal("record") });
