import type { ProjectRow } from "../projects/object";
import { deleteRows } from "../store/rows";
import { batched, type Tx } from "../store/store";
import type { BlobConnectionRow } from "./object";

/** A connection with what its list shows of the project. */
export type ListedConnection = BlobConnectionRow &
  Pick<ProjectRow, "name" | "settings"> & { deployment_id: string | null; deployment_url: string | null };

/** The connections of stores, the oldest first. */
export const connectionsOf = batched(
  (tx, has) =>
    tx
      .selectFrom("blob_connections as c")
      .innerJoin("projects as p", "p.id", "c.project_id")
      .leftJoin("deployments as d", "d.id", "p.production_deployment_id")
      .selectAll("c")
      .select(["p.name", "p.settings", "d.id as deployment_id", "d.url as deployment_url"])
      .where(has("c.store_id"))
      .orderBy("c.store_id")
      .orderBy("c.created_at")
      .orderBy("c.id"),
  (row) => row.store_id,
);

/** Deletes a store. It must have no connections. */
export const deleteStore = (tx: Tx, id: string): Promise<void> => deleteRows(tx, "blob_stores", { id });
