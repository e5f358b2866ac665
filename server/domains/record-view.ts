import type { DomainRecordRow } from "./object";
import type { DnsRecord, ListedRecord } from "./record-schema";

const commentOf = ({ comment }: DomainRecordRow) => (comment === null ? {} : { comment });

/**
 * A record in a list.
 * @choice The slug is the full name.
 */
export function viewListedRecord(row: DomainRecordRow): ListedRecord {
  const priority = row.priority === null ? {} : { priority: row.priority };
  return {
    id: row.id,
    slug: row.name === "" ? row.domain : `${row.name}.${row.domain}`,
    name: row.name,
    type: row.type,
    value: row.value,
    ...(row.type === "MX" && row.priority !== null ? { mxPriority: row.priority } : priority),
    ttl: row.ttl,
    ...commentOf(row),
    creator: row.creator_id,
    created: row.created_at,
    updated: row.updated_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A single record. @source the Terraform provider, which reads the priority from the value */
export function viewRecord(row: DomainRecordRow): DnsRecord {
  return {
    id: row.id,
    domain: row.domain,
    name: row.name,
    recordType: row.type,
    type: row.type,
    value: row.priority === null ? row.value : `${row.priority} ${row.value}`,
    ttl: row.ttl,
    ...commentOf(row),
    creator: row.creator_id,
    createdAt: row.created_at,
  };
}
