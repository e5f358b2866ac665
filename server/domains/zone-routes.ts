import * as z from "zod";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { refuseIf } from "../platform/refusal";
import { rateLimits } from "./rate-limits";
import { changed, inDomain, loadZone, unknownDomain } from "./record-routes";
import { hiddenNames, ownedElsewhere, type RecordZone, writeRefusals, zoneFileProblem } from "./record-rules";
import { conflictOf, findRecord, insertRecord, recordIdOf } from "./record-store";
import { defaultTtl, isProblem, type RecordData, readRecord } from "./record-values";
import { readZoneFile, type ZoneFileProblem } from "./zone-file";

interface ZoneFile {
  problem: ZoneFileProblem | undefined;
  records: (RecordData & { ttl: number })[];
}

/**
 * Adds the records of a zone file. Either all of them are added, or none.
 * @choice A record that exists already is kept, so that a file can be imported again.
 * @source the official command line: `dns import`
 */
const importRecords = route({
  method: "PUT",
  path: "/v3/domains/:domain/records",
  operationId: "replaceDomainsByDomainRecords",
  summary: "Adds the records of a zone file to a domain of the account.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainWrite,
  params: inDomain,
  body: z.string().min(1, "must be a zone file"),
  text: "text/dns",
  example: "www 300 IN A 192.0.2.1",
  success: [200, z.strictObject({ recordIds: z.array(z.string()) })],
  throws: [unknownDomain, [409, "record_conflicts", "a record conflicts with another one of the domain"]],
  async load(call: Call<{ domain: string }, unknown, string>): Promise<RecordZone & ZoneFile> {
    const zone = await loadZone(call);
    return { ...zone, ...readFile(call.body, zone.domain) };
  },
  refuse: [softBlocked, paymentMethodNeeded, ownedElsewhere, hiddenNames, zoneFileProblem],
  async handle(call) {
    const { tx, now, account, caller, domain, records, emit } = call;
    const recordIds: string[] = [];
    for (const { ttl, ...data } of records) {
      const id = recordIdOf(account.id, domain, data);
      recordIds.push(id);
      if (await findRecord(call, id)) continue;
      const conflict = await conflictOf(call, data, undefined);
      await refuseIf(writeRefusals, { problem: undefined, data, conflict });
      const record = { ...data, id, accountId: account.id, domain, ttl, comment: null };
      await emit(changed(await insertRecord({ tx, now }, { ...record, creatorId: caller.userId })));
    }
    return { recordIds };
  },
});

function readFile(text: string, domain: string): ZoneFile {
  const lines = readZoneFile(text, domain);
  if (!Array.isArray(lines)) return { problem: lines, records: [] };
  const records: ZoneFile["records"] = [];
  for (const { line, members } of lines) {
    const data = readRecord(members, domain);
    if (isProblem(data)) return { problem: { line, message: data.message }, records: [] };
    records.push({ ...data, ttl: members.ttl ?? defaultTtl });
  }
  return { problem: undefined, records };
}

export const zoneRoutes: readonly Route[] = [importRecords];
