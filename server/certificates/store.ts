import { pageOf } from "../http/query";
import { nextTime } from "../store/monotonic";
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
