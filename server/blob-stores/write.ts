import { blobEnvironments, blobPrefix, type blobRegions, blobTokenKey } from "../../provider/vocabulary";
import type { EnvWriter } from "../env/access";
import type { EnvVarRow } from "../env/object";
import { countOf, envEvent, writeChange } from "../env/store";
import { EnvTotals } from "../env/totals";
import { createEnvVars, editEnvVar, refusalOf } from "../env/write";
import type { DomainEvent } from "../events/event";
import { newId, newSecret } from "../platform/ids";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { ProjectRow } from "../projects/object";
import { changeRows, deleteRows, findRow, insertRow, listRows } from "../store/rows";
import { type BlobConnectionRow, type BlobStoreRow, blobConnections } from "./object";

/** Stores and their connections. A connection has a variable of the project, whose value is the token of the store. */

/** A request that writes connections. */
export interface Connecting extends EnvWriter {
  services: Pick<Services, "vault">;
  emit(event: DomainEvent): Promise<unknown>;
}

interface NewStore extends Pick<BlobStoreRow, "id" | "name" | "account_id" | "created_at"> {
  access?: BlobStoreRow["access"] | undefined;
  region?: string | undefined;
  token?: string | undefined;
  count?: number | undefined;
  size?: number | undefined;
  updated_at?: number | undefined;
}

/** Adds a store without connections. @source the newest official client: the defaults of `access` and `region` */
export async function addStore(
  { tx, services }: Pick<Connecting, "tx" | "services">,
  { id, access = "public", region = "iad1", token = newToken(id), count = 0, size = 0, ...rest }: NewStore,
): Promise<BlobStoreRow> {
  const row: BlobStoreRow = {
    ...{ id, access, region: region as (typeof blobRegions)[number], file_count: count, size },
    ...{ account_id: rest.account_id, name: rest.name },
    token: services.vault.seal(id, token),
    ...{ created_at: rest.created_at, updated_at: rest.updated_at ?? rest.created_at },
  };
  await insertRow(tx, "blob_stores", row);
  return row;
}

/** @source the Terraform provider, its tests: the form of the token */
const newToken = (id: string): string => `vercel_blob_rw_${id.replace(/^store_/, "")}_${newSecret(32)}`;

interface NewConnection {
  id?: string | undefined;
  prefix?: string | undefined;
  environments?: readonly string[] | undefined;
}

/**
 * Connects a store to a project.
 * @throws Refusal when the project cannot have the variable, such as 403 if another variable has the key
 */
export async function connect(
  call: Connecting,
  store: BlobStoreRow,
  project: ProjectRow,
  given: NewConnection,
): Promise<BlobConnectionRow> {
  const { prefix = blobPrefix, environments = blobEnvironments, id = newId(blobConnections) } = given;
  const row: BlobConnectionRow = {
    ...{ id, store_id: store.id, project_id: project.id, prefix },
    ...{ environments: JSON.stringify(environments), created_at: call.now },
  };
  await insertRow(call.tx, "blob_connections", row);
  await addVariable(call, store, project, row);
  return row;
}

async function addVariable(
  call: Connecting,
  store: BlobStoreRow,
  project: ProjectRow,
  row: BlobConnectionRow,
) {
  const { created, failed } = await createEnvVars(call, project, [variableOf(call, store, row)]);
  const [variable] = created;
  if (!variable) throw failed[0] ? refusalOf(failed[0]) : new Error("no variable was created");
  await changeRows(call.tx, "env_vars", { id: variable.id }, { store_id: store.id });
  await call.emit(envEvent("created", variable));
}

/** @choice The variable is encrypted. It is sensitive where the policy of the team requires this. */
function variableOf({ account, services }: Connecting, store: BlobStoreRow, row: BlobConnectionRow) {
  const target: EnvTargets = JSON.parse(row.environments);
  const value = services.vault.tryOpen(store.id, store.token);
  // A damaged token makes no variable, since its value would be wrong.
  if (value === undefined)
    throw new Refusal(500, "internal_server_error", "The token of the Blob store is damaged.");
  const isSensitive = account.wantsSensitive && !target.includes("development");
  const type = isSensitive ? ("sensitive" as const) : ("encrypted" as const);
  return { key: blobTokenKey(row.prefix), value, type, target };
}
type EnvTargets = ("production" | "preview" | "development")[];

/**
 * Changes the key or the environments of a connection's variable.
 * @choice A variable that was deleted meanwhile is created again.
 * @throws Refusal as `connect`
 */
export async function changeConnection(
  call: Connecting,
  store: BlobStoreRow,
  project: ProjectRow,
  before: BlobConnectionRow,
  { prefix = before.prefix, environments }: NewConnection,
): Promise<void> {
  const changed = environments ? JSON.stringify(environments) : before.environments;
  const row = { ...before, prefix, environments: changed };
  await changeRows(call.tx, "blob_connections", { id: row.id }, { prefix, environments: changed });
  const variable = await variableIn(call, row);
  if (!variable) return addVariable(call, store, project, row);
  const { edited, isChanged } = await editEnvVar(call, project, variable, variableOf(call, store, row));
  if (isChanged) await call.emit(envEvent("updated", edited));
}

const variableIn = ({ tx }: Pick<Connecting, "tx">, row: BlobConnectionRow): Promise<EnvVarRow | undefined> =>
  findRow(tx, "env_vars", { project_id: row.project_id, store_id: row.store_id });

/** Deletes a connection with its variable. */
export async function disconnect(
  { tx, emit }: Pick<Connecting, "tx" | "emit">,
  project: ProjectRow,
  row: BlobConnectionRow,
): Promise<void> {
  const deleted = await listRows(tx, "env_vars", { project_id: project.id, store_id: row.store_id });
  const totals = new EnvTotals(project);
  for (const variable of deleted) totals.exchange(countOf(variable), undefined);
  await writeChange(tx, project, totals, { deleted });
  for (const variable of deleted) await emit(envEvent("deleted", variable));
  await deleteRows(tx, "blob_connections", { id: row.id });
}
