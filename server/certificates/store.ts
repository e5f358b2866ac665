import { pageOf } from "../http/query";
import { nextTime } from "../store/monotonic";
import { listRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { CertificateRow } from "./object";

const ofAccount = (tx: Tx, account: string) =>
  tx.selectFrom("certificates").where("account_id", "=", account);

/** A page of the certificates of an account, the newest first. */
export const certificatePage = (tx: Tx, account: string, query: Parameters<typeof pageOf>[2]) =>
  pageOf(ofAccount(tx, account).selectAll(), "created_at", query);

/** The time of a new certificate, which is unique in the account. */
export const timeOfNew = (tx: Tx, account: string, from: number): Promise<CertificateRow["created_at"]> =>
  nextTime(ofAccount(tx, account), "created_at", from);

/** The names that an account has verified. Names below them are its own too. */
export async function verifiedNames(tx: Tx, account: string): Promise<string[]> {
  const own = { account_id: account, verified: 1 } as const;
  const rows = [...(await listRows(tx, "domains", own)), ...(await listRows(tx, "added_domains", own))];
  return rows.map(({ name }) => name);
}
