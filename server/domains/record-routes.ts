import * as z from "zod";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import type { DomainEvent } from "../events/event";
import { page, pageSize, paging } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import { hasDomain, hiddenUnder, isOwnedElsewhere } from "./account-store";
import { loadApex } from "./account-view";
import { canonicalDomain } from "./names";
import type { DomainRecordRow } from "./object";
import { rateLimits } from "./rate-limits";
import {
  hiddenNames,
  otherType,
  ownedElsewhere,
  type RecordWrite,
  type RecordZone,
  writeRefusals,
} from "./record-rules";
import * as wire from "./record-schema";
import {
  changeRecord,
  conflictOf,
  deleteRecord,
  findRecord,
  insertRecord,
  listRecords,
  recordIdOf,
} from "./record-store";
import {
  defaultTtl,
  isProblem,
  membersOf,
  mergeMembers,
  type RecordData,
  type RecordProblem,
  readRecord,
} from "./record-values";
import { viewListedRecord, viewRecord } from "./record-view";
import { serviceRecords } from "./service-records";

/**
 * The DNS records of a domain of the account.
 * @choice The server stores the records but answers no DNS queries, because it is not a nameserver of the domains. A TXT
 *   record here therefore verifies no domain.
 * @source the newest official client, the official command line and the official Terraform provider
 */

export const inDomain = z.object({ domain: z.string().transform(canonicalDomain) });
export const unknownDomain = [404, "not_found", "no such domain in the account"] as const;
const unknownRecord = [404, "not_found", "no such record in the account"] as const;

const list = route({
  method: "GET",
  path: "/v5/domains/:domain/records",
  operationId: "getRecords",
  summary: "Lists the DNS records of a domain of the account, also those of the service, the newest first.",
  scope: ["read:domain"],
  limit: rateLimits.domainList,
  params: inDomain,
  query: z.object(paging),
  success: [200, wire.recordList],
  throws: [unknownDomain],
  load: loadZone,
  async handle(call) {
    const { tx, account, params, query } = call;
    const { createdAt } = await loadApex(call);
    const own = serviceRecords(account.id, params.domain, createdAt);
    const { rows, pagination } = await page(
      query,
      pageSize(query.limit),
      (record: wire.ListedRecord) => record.createdAt,
      async ({ since, until, limit }) => {
        const { rows } = await listRecords({ tx, account, domain: params.domain }, { since, until, limit });
        const within = own.filter((record) => record.createdAt > since && record.createdAt < until);
        return [...rows.map(viewListedRecord), ...within].slice(0, limit);
      },
    );
    return { records: rows, pagination };
  },
});

const create = route({
  method: "POST",
  path: "/v2/domains/:domain/records",
  operationId: "createRecord",
  summary: "Creates a DNS record of a domain of the account.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainWrite,
  params: inDomain,
  body: wire.createRecord,
  example: { name: "www", type: "A", value: "192.0.2.1", ttl: 300 },
  success: [200, wire.createdRecord],
  throws: [unknownDomain],
  async load(call: Call<{ domain: string }, unknown, wire.CreateRecord>) {
    const zone = await loadZone(call);
    return { ...zone, ...(await loadWrite(call, zone.domain, readRecord(call.body, zone.domain))) };
  },
  refuse: [softBlocked, paymentMethodNeeded, ownedElsewhere, hiddenNames, ...writeRefusals],
  async handle({ tx, now, account, caller, domain, body, data, emit }) {
    const row = await insertRecord(
      { tx, now },
      {
        ...dataOf(data),
        id: recordIdOf(account.id, domain, dataOf(data)),
        accountId: account.id,
        domain,
        ttl: body.ttl ?? defaultTtl,
        comment: body.comment || null,
        creatorId: caller.userId,
      },
    );
    await emit(changed(row));
    return { uid: row.id };
  },
});

const byId = z.object({ recordId: z.string() });

/** @source the official command line and the newest official client: GET /domains/records/{recordId} */
const get = route({
  method: "GET",
  path: "/v5/domains/records/:recordId",
  operationId: "getDomainsRecordsByRecordId",
  summary: "Returns a DNS record.",
  scope: ["read:domain"],
  params: byId,
  success: [200, wire.record],
  throws: [unknownRecord],
  load: loadRecord,
  handle: async ({ record }) => viewRecord(record),
});

const update = route({
  method: "PATCH",
  path: "/v1/domains/records/:recordId",
  operationId: "updateRecord",
  summary: "Changes a DNS record. Its type cannot change.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainWrite,
  params: byId,
  body: wire.updateRecord,
  example: { value: "192.0.2.2", comment: "moved" },
  success: [200, wire.updatedRecord],
  throws: [unknownRecord],
  async load(call: Call<{ recordId: string }, unknown, wire.UpdateRecord>) {
    const { record, ...zone } = await loadRecord(call);
    const read = readRecord(mergeMembers(membersOf(record), call.body), zone.domain);
    return { record, ...zone, ...(await loadWrite(call, zone.domain, read, record.id)) };
  },
  refuse: [softBlocked, paymentMethodNeeded, ownedElsewhere, hiddenNames, otherType, ...writeRefusals],
  async handle({ tx, now, record, body, data, emit }) {
    const row = await changeRecord({ tx, now }, record, {
      ...dataOf(data),
      ttl: body.ttl ?? record.ttl,
      comment: body.comment === undefined ? record.comment : body.comment || null,
    });
    await emit(changed(row));
    return { ...viewRecord(row), type: "record" };
  },
});

const remove = route({
  method: "DELETE",
  path: "/v2/domains/:domain/records/:recordId",
  operationId: "removeRecord",
  summary: "Deletes a DNS record.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainWrite,
  params: inDomain.extend(byId.shape),
  success: [200, z.strictObject({})],
  throws: [unknownDomain, unknownRecord],
  async load(call: Call<{ domain: string; recordId: string }>) {
    const { record, ...zone } = await loadRecord(call);
    if (record.domain !== call.params.domain) throw missing(record.id);
    return { record, ...zone };
  },
  refuse: [hiddenNames],
  async handle({ tx, record, emit }) {
    await deleteRecord(tx, record.id);
    await emit(changed(record));
    return {};
  },
});

/** @throws Refusal 404 */
export async function loadZone(call: Call<{ domain: string }>): Promise<RecordZone> {
  const { domain } = call.params;
  if (!(await hasDomain(call, domain))) throw notFound(`Domain ${JSON.stringify(domain)}`);
  return zoneOf(call, domain);
}

async function zoneOf(call: Call, domain: string): Promise<RecordZone> {
  return {
    domain,
    ownedElsewhere: await isOwnedElsewhere(call, domain),
    hidden: await hiddenUnder(call, domain),
  };
}

const missing = (id: string) => notFound(`DNS record ${JSON.stringify(id)}`);

/** @throws Refusal 404, also when the caller may not see the domain of the record */
async function loadRecord(
  call: Call<{ recordId: string }>,
): Promise<RecordZone & { record: DomainRecordRow }> {
  const { recordId } = call.params;
  const record = await findRecord(call, recordId);
  if (!record || !(await hasDomain(call, record.domain))) throw missing(recordId);
  return { record, ...(await zoneOf(call, record.domain)) };
}

async function loadWrite(
  call: Call,
  domain: string,
  read: RecordData | RecordProblem,
  except?: string,
): Promise<RecordWrite> {
  if (isProblem(read)) return { problem: read, data: undefined, conflict: undefined };
  const conflict = await conflictOf({ ...call, domain }, read, except);
  return { problem: undefined, data: read, conflict };
}

/** The data of a record that was not refused. */
function dataOf(data: RecordData | undefined): RecordData {
  if (!data) throw new TypeError("a record without data is refused");
  return data;
}

/** @choice The payload has the domain and the record. The documentation of the public API describes no payload. */
export const changed = ({ id, domain, name, type }: DomainRecordRow): DomainEvent => ({
  type: "domain.dns.records.changed",
  payload: { domain: { name: domain }, record: { id, name, type } },
});

export const recordRoutes: readonly Route[] = [list, create, get, update, remove];
