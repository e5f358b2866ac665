import type { Tx, Unit } from "../store/store";

/** The files that accounts have uploaded for their deployments. */

/** Digests per query, since both engines limit the number of parameters. */
const chunk = 500;

/** Records a file. Uploading it again keeps it for longer. */
export async function addUpload(
  { tx, now }: Unit,
  account: string,
  { sha, size }: { sha: string; size: number },
): Promise<void> {
  await tx
    .insertInto("uploads")
    .values({ account_id: account, sha, size, created_at: now })
    .onConflict((conflict) => conflict.columns(["account_id", "sha"]).doUpdateSet({ created_at: now }))
    .execute();
}

/** The digests among these that the account has not uploaded. */
export async function missingUploads(tx: Tx, account: string, digests: readonly string[]): Promise<string[]> {
  const missing = new Set(digests);
  const all = [...missing];
  for (let at = 0; at < all.length; at += chunk) {
    const found = await tx
      .selectFrom("uploads")
      .select("sha")
      .where("account_id", "=", account)
      .where("sha", "in", all.slice(at, at + chunk))
      .execute();
    for (const { sha } of found) missing.delete(sha);
  }
  return [...missing];
}
