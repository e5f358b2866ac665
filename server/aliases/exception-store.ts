import { deleteRows, insertRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { ExceptionRow } from "./object";

/** The exceptions of names that have not expired, the oldest first. */
export async function exceptionsOf(
  { tx, now }: Unit,
  names: readonly { readonly alias: string }[],
): Promise<ExceptionRow[]> {
  if (names.length === 0) return [];
  return tx
    .selectFrom("protection_exceptions")
    .selectAll()
    .where("alias", "in", [...new Set(names.map(({ alias }) => alias))])
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("created_at")
    .orderBy("key")
    .execute();
}

/** Adds an exception. It replaces an exception of the same key. */
export async function putException(tx: Tx, row: ExceptionRow): Promise<void> {
  await deleteRows(tx, "protection_exceptions", { alias: row.alias, key: row.key });
  await insertRow(tx, "protection_exceptions", row);
}

/** Deletes the exceptions of an alias that has moved to a deployment of another project. */
export async function deleteOthersExceptions(tx: Tx, alias: string, project: string): Promise<void> {
  await tx
    .deleteFrom("protection_exceptions")
    .where("alias", "=", alias)
    .where("project_id", "!=", project)
    .execute();
}
