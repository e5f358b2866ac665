import { blobAccesses, blobRegions } from "../../provider/vocabulary";
import { integer, json, object, oneOf, publicId, type Row, sealed, text, time } from "../store/object";

export const blobStores = object("blob_stores", {
  columns: {
    id: publicId("blobStore", "store_", 16),
    account_id: text(),
    /** Not unique. */
    name: text(),
    access: oneOf(...blobAccesses),
    region: oneOf(...blobRegions),
    /** The token that reads and writes the files. */
    token: sealed(),
    /** The number of files, and their bytes. */
    file_count: integer(),
    size: integer(),
    created_at: time(),
    updated_at: time(),
  },
  indexes: [["account_id", "created_at"]],
  section: "blobStores",
});
export type BlobStoreRow = Row<typeof blobStores>;

/** The connection of a store to a project, which has a variable with the token of the store. */
export const blobConnections = object("blob_connections", {
  columns: {
    id: publicId("blobConnection", "spc_", 16),
    store_id: text(),
    project_id: text(),
    /** The beginning of the variable's key. */
    prefix: text(),
    /** Array of target names. */
    environments: json(),
    created_at: time(),
  },
  unique: [{ columns: ["store_id", "project_id"] }],
  indexes: [["project_id"]],
  section: "blobConnections",
});
export type BlobConnectionRow = Row<typeof blobConnections>;
