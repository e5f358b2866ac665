import type { Services } from "../platform/services";
import type { Contents } from "../store/contents";
import type { Tx, Unit } from "../store/store";

/** The files that accounts have uploaded for their deployments. */

/** The largest number of digests in a query, because both engines limit the number of parameters. */
const chunk = 500;

/** Records uploaded files, each once. If a file is uploaded again, it is kept for longer. */
export async function addUploads(
  { tx, now }: Unit,
  account: string,
  files: readonly { sha: string; size: number }[],
): Promise<void> {
  for (const some of chunksOf(files))
    await tx
      .insertInto("uploads")
      .values(some.map(({ sha, size }) => ({ account_id: account, sha, size, created_at: now })))
      .onConflict((conflict) => conflict.columns(["account_id", "sha"]).doUpdateSet({ created_at: now }))
      .execute();
}

/**
 * Returns the given digests that the account has not uploaded, or whose contents are not stored.
 * @param contents the stored contents, already loaded; undefined if contents are not kept
 */
export async function missingUploads(
  tx: Tx,
  account: string,
  digests: readonly string[],
  contents: Contents | undefined,
): Promise<string[]> {
  const missing = new Set(digests);
  for (const some of chunksOf([...missing])) {
    const found = await tx
      .selectFrom("uploads")
      .select(["sha", "size"])
      .where("account_id", "=", account)
      .where("sha", "in", some)
      .execute();
    for (const { sha, size } of found) if (contents?.has(sha, size) ?? true) missing.delete(sha);
  }
  return [...missing];
}

/** Removes contents that no account has a record of. */
export async function collectContents({ store, contents }: Services): Promise<void> {
  if (!contents) return;
  for (const some of chunksOf(await contents.due())) {
    const rows = await store.read((tx) =>
      tx.selectFrom("uploads").select("sha").distinct().where("sha", "in", some).execute(),
    );
    const recorded = new Set(rows.map(({ sha }) => sha));
    for (const sha of some) if (!recorded.has(sha)) await contents.remove(sha);
  }
}

function* chunksOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += chunk) yield all.slice(at, at + chunk);
}
