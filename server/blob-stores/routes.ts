import * as z from "zod";
import { findProject } from "../access/project-store";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { refusedWhenNew } from "../env/rules";
import { flag } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { damaged, damagedData } from "../platform/damage";
import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { changeRows, countRows, findRow, listRows } from "../store/rows";
import { type BlobConnectionRow, type BlobStoreRow, blobStores } from "./object";
import {
  alreadyConnected,
  noSuchConnection,
  noSuchStore,
  peopleOnly,
  tooManyConnections,
  tooManyStores,
} from "./rules";
import * as wire from "./schema";
import { connectionsOf, deleteStore } from "./store";
import { viewConnection, viewStore } from "./view";
import { addStore, changeConnection, connect, disconnect } from "./write";

/**
 * The Blob stores of an account, and their connections to projects.
 * @choice Names are not unique. The server stores no files: a seed says how many a store has. It emits no events for
 *   stores, and the events of variables for connections. A store is deleted with its connections and their variables.
 * @source the newest official client: /storage/stores; the Terraform provider: /v1/storage/stores
 */

const byId = z.object({ id: z.string().describe("Id of the Blob store.") });
const unknownStore = [404, "not_found", "no such Blob store of the account"] as const;
const blocked = [peopleOnly, softBlocked, paymentMethodNeeded];

/** @throws Refusal 404 */
async function loadStore(call: Call<{ id: string }>): Promise<{ store: BlobStoreRow }> {
  const store = await findRow(call.tx, "blob_stores", { id: call.params.id, account_id: call.account.id });
  if (store) return { store };
  throw noSuchStore(call.params.id);
}

const list = route({
  method: "GET",
  path: "/v1/storage/stores",
  operationId: "getStorageStores",
  summary: "Lists the Blob stores of the account, the newest first.",
  scope: ["read:project"],
  success: [200, wire.storeList],
  refuse: [peopleOnly],
  async handle({ tx, account }) {
    const rows = await listRows(tx, "blob_stores", { account_id: account.id }, "-created_at", "-id");
    return { stores: await Promise.all(rows.map((row) => viewStore(tx, row))) };
  },
});

const create = route({
  method: "POST",
  path: "/v1/storage/stores/blob",
  operationId: "createStorageStoresBlob",
  summary: "Creates a Blob store.",
  scope: ["read-write:project"],
  body: wire.createStore,
  example: { name: "images", region: "fra1", access: "private" },
  success: [200, wire.oneStore],
  load: async ({ tx, account }: Call) => ({
    storeCount: await countRows(tx, "blob_stores", { account_id: account.id }),
  }),
  refuse: [...blocked, tooManyStores],
  async handle(call) {
    const { account, now, body } = call;
    const row = { id: newId(blobStores), account_id: account.id, created_at: now, ...body };
    return { store: await viewStore(call.tx, await addStore(call, row)) };
  },
});

const get = route({
  method: "GET",
  path: "/v1/storage/stores/:id",
  operationId: "getStorageStoresById",
  summary: "Returns a Blob store.",
  scope: ["read:project"],
  params: byId,
  query: z.object({
    "skip-metadata": flag.optional().describe("Leaves out the projects."),
    "include-guides": flag.optional().describe("Ignored."),
  }),
  success: [200, wire.oneStore],
  throws: [unknownStore],
  load: loadStore,
  refuse: [peopleOnly],
  handle: async ({ tx, store, query }) => ({ store: await viewStore(tx, store, !query["skip-metadata"]) }),
});

const update = route({
  method: "PUT",
  path: "/v1/storage/stores/blob/:id",
  operationId: "updateStorageStoresBlob",
  summary: "Renames a Blob store.",
  scope: ["read-write:project"],
  params: byId,
  body: wire.updateStore,
  example: { name: "pictures" },
  success: [200, wire.oneStore],
  throws: [unknownStore],
  load: loadStore,
  refuse: blocked,
  async handle({ tx, now, store, body: { name } }) {
    await changeRows(tx, "blob_stores", { id: store.id }, { name, updated_at: now });
    return { store: await viewStore(tx, { ...store, name, updated_at: now }) };
  },
});

const remove = route({
  method: "DELETE",
  path: "/v1/storage/stores/blob/:id",
  operationId: "deleteStorageStoresBlobById",
  summary: "Deletes a Blob store with its files, its connections and their variables.",
  scope: ["read-write:project"],
  params: byId,
  success: [200, wire.deletedStore],
  throws: [unknownStore],
  load: loadStore,
  refuse: [peopleOnly],
  async handle(call) {
    const { tx, account, store } = call;
    for (const row of await connectionsOf(tx, store.id)) {
      const project = await findProject(tx, account.id, row.project_id);
      if (project) await disconnect(call, project, row);
    }
    await deleteStore(tx, store.id);
    return { id: store.id };
  },
});

const getSecrets = route({
  method: "GET",
  path: "/v1/storage/stores/:id/secrets",
  operationId: "getStorageStoreSecrets",
  summary: "Returns the token that reads and writes the files of a Blob store.",
  scope: ["read-write:project"],
  params: byId,
  success: [200, wire.storeSecrets],
  throws: [unknownStore, damagedData],
  load: loadStore,
  refuse: [peopleOnly],
  async handle({ store, services: { vault, log } }) {
    const rwToken = vault.tryOpen(store.id, store.token);
    if (rwToken === undefined) throw damaged(log, "the token of a Blob store", store.id);
    return { rwToken };
  },
});

const listConnections = route({
  method: "GET",
  path: "/v1/storage/stores/:id/connections",
  operationId: "getStorageStoreConnections",
  summary: "Lists the connections of a Blob store to projects, the oldest first.",
  scope: ["read:project"],
  params: byId,
  success: [200, wire.connectionList],
  throws: [unknownStore],
  load: loadStore,
  refuse: [peopleOnly],
  handle: async ({ tx, store }) => ({
    connections: (await connectionsOf(tx, store.id)).map(viewConnection),
  }),
});

/** The refusals of the variable of a connection. */
const variableRefused = [
  ...refusedWhenNew,
  [403, "ENV_CONFLICT", "another variable has the key for one of the environments"],
] as const;

/** The answer about a connection. */
async function viewById(call: Pick<Call, "tx">, { id, store_id }: BlobConnectionRow) {
  const row = (await connectionsOf(call.tx, store_id)).find((one) => one.id === id);
  if (!row) throw noSuchConnection(store_id, id);
  return viewConnection(row);
}

const createConnection = route({
  method: "POST",
  path: "/v1/storage/stores/:id/connections",
  operationId: "createStorageStoreConnection",
  summary: "Connects a Blob store to a project, which gets a variable with the token of the store.",
  scope: ["read-write:project"],
  params: byId,
  body: wire.createConnection,
  example: {
    projectId: "prj_12HKQaOmR5t5Uy6vdcQsNIiZgHGB",
    envVarPrefix: "BLOB",
    envVarEnvironments: ["production", "preview"],
  },
  success: [200, wire.blobConnection],
  throws: [unknownStore, unknownProject, ...variableRefused],
  async load(call: Call<{ id: string }, unknown, z.infer<typeof wire.createConnection>>) {
    const { store } = await loadStore(call);
    const { project } = await loadProject({ ...call, params: { projectId: call.body.projectId } });
    const of = { store_id: store.id, project_id: project.id };
    return {
      ...{ store, project, current: await findRow(call.tx, "blob_connections", of) },
      connectionCount: await countRows(call.tx, "blob_connections", { store_id: store.id }),
    };
  },
  refuse: [...blocked, beingTransferred, alreadyConnected, tooManyConnections],
  async handle(call) {
    const { envVarPrefix: prefix, envVarEnvironments: environments } = call.body;
    const row = await connect(call, call.store, call.project, { prefix, environments });
    return viewById(call, row);
  },
});

const connectionPath = byId.extend({ connectionId: z.string().describe("Id of the connection.") });
const unknownConnection = [404, "not_found", "no such connection of the Blob store"] as const;

/** @throws Refusal 404 */
async function loadConnection(
  call: Call<z.infer<typeof connectionPath>>,
): Promise<{ store: BlobStoreRow; connection: BlobConnectionRow; project: ProjectRow }> {
  const { store } = await loadStore(call);
  const { connectionId: id } = call.params;
  const connection = await findRow(call.tx, "blob_connections", { id, store_id: store.id });
  if (!connection) throw noSuchConnection(store.id, id);
  const { project } = await loadProject({ ...call, params: { projectId: connection.project_id } });
  return { store, connection, project };
}

const updateConnection = route({
  method: "PATCH",
  path: "/v1/storage/stores/:id/connections/:connectionId",
  operationId: "updateStorageStoreConnection",
  summary: "Changes the key or the environments of the variable of a connection.",
  scope: ["read-write:project"],
  params: connectionPath,
  body: wire.updateConnection,
  example: { envVarPrefix: "ASSETS", envVarEnvironments: ["preview"] },
  success: [200, wire.blobConnection],
  throws: [unknownStore, unknownConnection, ...variableRefused],
  load: loadConnection,
  refuse: [...blocked, beingTransferred],
  async handle(call) {
    const { store, project, connection, body } = call;
    const change = { prefix: body.envVarPrefix, environments: body.envVarEnvironments };
    await changeConnection(call, store, project, connection, change);
    return viewById(call, connection);
  },
});

const removeConnection = route({
  method: "DELETE",
  path: "/v1/storage/stores/:id/connections/:connectionId",
  operationId: "deleteStorageStoreConnection",
  summary: "Disconnects a Blob store from a project, and deletes the variable of the connection.",
  scope: ["read-write:project"],
  params: connectionPath,
  success: [204, null],
  throws: [unknownStore, unknownConnection],
  load: loadConnection,
  refuse: [peopleOnly, beingTransferred],
  handle: (call) => disconnect(call, call.project, call.connection),
});

export const blobStoreRoutes: readonly Route[] = [
  ...[list, create, get, update, remove, getSecrets],
  ...[listConnections, createConnection, updateConnection, removeConnection],
];
