import { createHash } from "node:crypto";
import type { Account } from "../access/caller";
import { pageOf } from "../http/query";
import { laterThan, nextTime } from "../store/monotonic";
import type { Tx, Unit } from "../store/store";
import type { DomainRecordRow } from "./object";
import type { RecordData } from "./record-values";

/** The DNS records of the domains of an account. */

interface OfAccount {
  tx: Tx;
  account: Pick<Account, "id">;
}

interface OfDomain extends OfAccount {
  domain: string;
}

const recordsOf = ({ tx, account, domain }: OfDomain) =>
  tx.selectFrom("domain_records").where("account_id", "=", account.id).where("domain", "=", domain);

/** A page of a domain's records, the newest first. */
export const listRecords = (of: OfDomain, query: Parameters<typeof pageOf>[2]) =>
  pageOf(recordsOf(of).selectAll(), "created_at", query);

export const findRecord = ({ tx, account }: OfAccount, id: string): Promise<DomainRecordRow | undefined> =>
  tx
    .selectFrom("domain_records")
    .selectAll()
    .where("account_id", "=", account.id)
    .where("id", "=", id)
    .executeTakeFirst();

/** The domains of an account that have records, with the creation time of the oldest record of each. */
export const domainsWithRecords = ({ tx, account }: OfAccount) =>
  tx
    .selectFrom("domain_records")
    .select((eb) => ["domain", eb.fn.min("created_at").as("created_at")])
    .where("account_id", "=", account.id)
    .groupBy("domain")
    .execute();

/**
 * Returns the id of a record that conflicts with `data`: an equal record, or a record of the same name if one of the
 * two is a CNAME.
 * @param except the id of the record that is being changed
 */
export async function conflictOf(
  of: OfDomain,
  data: RecordData,
  except: string | undefined,
): Promise<string | undefined> {
  let others = recordsOf(of).select("id");
  if (except !== undefined) others = others.where("id", "!=", except);
  const named = others.where("name", "=", data.name);
  const conflicting = data.type === "CNAME" ? named : named.where("type", "=", "CNAME");
  const found =
    (await others.where("digest", "=", digestOf(data)).executeTakeFirst()) ??
    (await conflicting.limit(1).executeTakeFirst());
  return found?.id;
}

/** A digest of the contents of a record, for a unique index with short keys. */
const digestOf = ({ name, type, priority, value }: RecordData): string =>
  createHash("sha256")
    .update(JSON.stringify([name, type, priority, value]))
    .digest("hex");

/**
 * The id of a record. It follows the contents: a record with other contents gets another id, and equal contents get the
 * same id again.
 * @source recorded answers of the hosted API
 */
export const recordIdOf = (account: string, domain: string, data: RecordData): string =>
  `rec_${createHash("sha256")
    .update(JSON.stringify([account, domain, digestOf(data)]))
    .digest("hex")
    .slice(0, 24)}`;

export interface NewRecord extends RecordData {
  id: string;
  accountId: string;
  domain: string;
  ttl: number;
  comment: string | null;
  creatorId: string;
}

/**
 * Adds a record. Without `times`, its `created_at` is unique in the domain, because lists are paged by this time.
 * @param times the times of a record that is restored
 */
export async function insertRecord(
  { tx, now }: Unit,
  { id, accountId, domain, ttl, comment, creatorId, ...data }: NewRecord,
  times: { createdAt?: number | undefined; updatedAt?: number | undefined } = {},
): Promise<DomainRecordRow> {
  const createdAt =
    times.createdAt ??
    (await nextTime(recordsOf({ tx, account: { id: accountId }, domain }), "created_at", now));
  const { name, type, priority, value } = data;
  return tx
    .insertInto("domain_records")
    .values({
      id,
      account_id: accountId,
      domain,
      name,
      type,
      priority,
      value,
      digest: digestOf(data),
      ttl,
      comment,
      creator_id: creatorId,
      created_at: createdAt,
      updated_at: times.updatedAt ?? createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function changeRecord(
  { tx, now }: Unit,
  row: DomainRecordRow,
  { ttl, comment, ...data }: RecordData & Pick<NewRecord, "ttl" | "comment">,
): Promise<DomainRecordRow> {
  const { name, priority, value } = data;
  const isSame = digestOf(data) === row.digest;
  return tx
    .updateTable("domain_records")
    .set({
      id: isSame ? row.id : recordIdOf(row.account_id, row.domain, data),
      name,
      priority,
      value,
      digest: digestOf(data),
      ttl,
      comment,
      updated_at: laterThan(row.updated_at, now),
    })
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteRecord(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("domain_records").where("id", "=", id).execute();
}

/** Deletes the records of a domain that is removed from the account. */
export async function deleteRecordsOf({ tx, account, domain }: OfDomain): Promise<void> {
  await tx
    .deleteFrom("domain_records")
    .where("account_id", "=", account.id)
    .where("domain", "=", domain)
    .execute();
}
