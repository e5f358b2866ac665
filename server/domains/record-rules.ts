import type { RefusalRow } from "../platform/refusal";
import type { DomainRecordRow } from "./object";
import type { UpdateRecord } from "./record-schema";
import type { RecordData, RecordProblem } from "./record-values";
import type { ZoneFileProblem } from "./zone-file";

/** The facts that decide whether the records of a domain can be changed. */
export interface RecordZone {
  domain: string;
  /** True if another account has verified the domain. */
  ownedElsewhere: boolean;
  /** The number of names under the domain on projects that the caller may not see. */
  hidden: number;
}

/** The facts that decide whether a record can be written. */
export interface RecordWrite {
  problem: RecordProblem | undefined;
  data: RecordData | undefined;
  /** The id of a record that conflicts with this one. */
  conflict: string | undefined;
}

/** @choice A domain that no account has verified can have records in any account, as it can be a project domain. */
export const ownedElsewhere: RefusalRow<RecordZone> = [
  403,
  "forbidden",
  ({ domain }) => `Another account owns ${domain}. Verify the domain in this account first.`,
  (zone) => zone.ownedElsewhere,
];

export const hiddenNames: RefusalRow<RecordZone> = [
  403,
  "forbidden",
  ({ domain }) => `The integration has no access to all projects with names under ${domain}.`,
  ({ hidden }) => hidden > 0,
];

const problemRow = (code: RecordProblem["code"]): RefusalRow<RecordWrite> => [
  400,
  code,
  ({ problem }) => problem?.message ?? "",
  ({ problem }) => problem?.code === code,
];

/** @source the official command line, which reads `oldId`; pulumiverse/pulumi-vercel#252 */
const conflictingRecord: RefusalRow<RecordWrite> = [
  409,
  "record_conflicts",
  ({ data, conflict }) =>
    `Existing record ("${conflict}") conflicts with the ${data?.type} record of "${data?.name}". ` +
    "The domain already has this record, or the name would have a CNAME record and another record. Change or delete the existing record first.",
  ({ conflict }) => conflict !== undefined,
  ({ conflict }) => ({ oldId: conflict }),
];

export const writeRefusals: readonly RefusalRow<RecordWrite>[] = [
  problemRow("bad_request"),
  problemRow("invalid_name"),
  problemRow("invalid_value"),
  conflictingRecord,
];

export const zoneFileProblem: RefusalRow<{ problem: ZoneFileProblem | undefined }> = [
  400,
  "bad_request",
  ({ problem }) => `Line ${problem?.line} of the zone file: ${problem?.message}`,
  ({ problem }) => problem !== undefined,
];

/** @source DNSControl/dnscontrol#3887, which replaces a record in order to change its type */
export const otherType: RefusalRow<{ record: DomainRecordRow; body: UpdateRecord }> = [
  400,
  "bad_request",
  ({ record }) =>
    `Invalid body member type: the type of a record cannot change from ${record.type}. Delete the record, and create another one.`,
  ({ record, body }) => body.type != null && body.type !== record.type,
];
