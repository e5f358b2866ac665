import * as z from "zod";
import {
  blobAccesses,
  blobEnvironments,
  blobPrefix,
  blobRegions,
  blobTokenKey,
} from "../../provider/vocabulary";
import { scopesOfRole } from "../access/scopes";
import { isSameSet } from "../env/rules";
import { derivedId } from "../platform/ids";
import { Refusal } from "../platform/refusal";
import { type DocumentPath, SeedConflict } from "../seed/error";
import {
  id,
  idWith,
  listOf,
  name,
  ownedRow,
  owner,
  ownerOf,
  projectOf,
  type Seeding,
  section,
  times,
} from "../seed/section";
import { changeRows, hasRow, insertRow, listRows } from "../store/rows";
import { type BlobStoreRow, blobConnections, blobStores as table } from "./object";
import { connectionEnvironments, envVarPrefix, storeName } from "./schema";
import { addStore, connect } from "./write";

const connection = z.strictObject({
  id: id.optional(),
  project: name,
  envVarPrefix: envVarPrefix.optional(),
  envVarEnvironments: connectionEnvironments.optional(),
});

/** A Blob store with its connections. The numbers of files and bytes are only shown. */
const row = ownedRow({
  ...owner,
  id: idWith("store_").optional(),
  name: storeName,
  access: z.enum(blobAccesses).optional(),
  region: z.enum(blobRegions).optional(),
  count: z.int().min(0).optional(),
  size: z.int().min(0).optional(),
  token: z.string().min(1).optional(),
  connections: listOf(connection, ({ project }) => project).optional(),
  ...times,
});

/** Adds a Blob store with its connections, unless one with this id exists. */
export const blobStores = section(
  "blob_stores",
  row,
  async (seeding, given, place) => {
    const { tx, now } = seeding;
    const account = await ownerOf(tx, given, place);
    const { name, createdAt = now, updatedAt: updated_at, connections = [], ...rest } = given;
    const storeId = given.id ?? derivedId(table, account.id, name);
    if (await hasRow(tx, "blob_stores", { id: storeId })) return;
    const of = { account_id: account.id, created_at: createdAt, updated_at };
    const store = await addStore(seeding, { ...rest, ...of, id: storeId, name });
    for (const [at, one] of connections.entries())
      await addConnection(seeding, store, { ...given, ...one, id: one.id }, [...place, "connections", at]);
  },
  ({ team, user, id, name }) => [id ?? [team, user, name]],
);

type SeedConnection = z.output<typeof connection> & { team?: string | undefined; user?: string | undefined };

/** Connects a store. The variable of the connection is the one in the document, or a new one. */
async function addConnection(
  { tx, now, services }: Seeding,
  store: BlobStoreRow,
  given: SeedConnection,
  place: DocumentPath,
): Promise<void> {
  const project = await projectOf(tx, given, place);
  const connectionId = given.id ?? derivedId(blobConnections, store.id, project.id);
  const { envVarPrefix: prefix = blobPrefix, envVarEnvironments: environments = [...blobEnvironments] } =
    given;
  const of = { project_id: project.id, key: blobTokenKey(prefix) };
  const variable = (await listRows(tx, "env_vars", of)).find(({ target }) =>
    isSameSet(JSON.parse(target), environments),
  );
  if (variable) {
    await changeRows(tx, "env_vars", { id: variable.id }, { store_id: store.id });
    await insertRow(tx, "blob_connections", {
      ...{ id: connectionId, store_id: store.id, project_id: project.id, prefix },
      ...{ environments: JSON.stringify(environments), created_at: now },
    });
    return;
  }
  const call = {
    ...{ tx, now, services, emit: async () => {} },
    caller: { userId: null, installation: undefined },
    account: { role: "OWNER" as const, scopes: scopesOfRole("OWNER"), wantsSensitive: false },
  };
  await connect(call, store, project, { id: connectionId, prefix, environments }).catch((error) => {
    throw error instanceof Refusal ? new SeedConflict(place, error.message) : error;
  });
}
