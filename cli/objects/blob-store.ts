import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { inParallel } from "../../provider/core/parallel";
import { blobStore as resource } from "../../provider/resources/blob-store";
import {
  connectionList,
  connectionsOf,
  type RemoteStore,
  storeList,
  storesOf,
  tokenOf,
} from "../../provider/resources/blob-store/records";
import { blobStoreConnection as connectionResource } from "../../provider/resources/blob-store-connection";
import { type AccountKind, atOnce, itemOf, present } from "./kind";
import { listOperation } from "./operation";
import { listIn, objectOf, ofProject, textIn } from "./recorded";
import { times } from "./shapes";

/** Blob stores with their connections, which are in the row of the store. Files are not read. */

const timed = z.looseObject(times);

export const blobStore = {
  name: "Blob store",
  owner: "account",
  resource,
  suffix: "store",
  weight: 60,
  section: "blobStores",
  async rows({ client, note, withValues, projects }) {
    const all = await ifAllowed(storesOf(client));
    const read = async (store: RemoteStore) => {
      const { id, name, access, region, count, size } = store;
      const token = withValues ? await tokenOf(client, id) : null;
      if (token === null) note(`the token of the Blob store ${name} (${id})`);
      const connections = (await connectionsOf(client, id)).filter(({ projectId }) =>
        projects.has(projectId),
      );
      const { createdAt, updatedAt } = timed.parse(store);
      return present({
        ...{ id, name, access, region, count: count ?? undefined, size: size ?? undefined },
        token: token ?? undefined,
        connections: connections.map(({ id, projectId: project, envVarPrefix, envVarEnvironments }) =>
          present({ id, project, envVarPrefix: envVarPrefix || undefined, envVarEnvironments }),
        ),
        ...{ createdAt, updatedAt },
      });
    };
    // The API returns the newest first.
    return all && inParallel([...all].reverse(), read, atOnce);
  },
  items: ({ id, name, access, region }) => [itemOf({ id, name }, { fields: { name, access, region } })],
  secret: ["token"],
  async discover({ client, add, allowed }) {
    // The API returns the newest first.
    for (const { id, name } of [...(await allowed("Blob stores", storesOf(client)))].reverse()) {
      await add(resource, id, name);
      for (const { projectId, project } of await connectionsOf(client, id))
        await add(connectionResource, `${projectId}/${id}`, `${name}-${project?.name ?? projectId}`);
    }
  },
  recorded: { vercel_blob_store: (one) => [objectOf(one, resource, textIn(one.values, "id"))] },
  operations: {
    list: listOperation("/v1/storage/stores", "Blob stores", storeList, "stores"),
  },
} as const satisfies AccountKind;

export const blobStoreConnection = {
  name: "Blob store connection",
  owner: "account",
  resource: connectionResource,
  suffix: "connection",
  weight: 55,
  section: "blobStores",
  items: (row) =>
    listIn(row, "connections").map(({ project, envVarPrefix, envVarEnvironments }) => {
      const isProduction = Array.isArray(envVarEnvironments) && envVarEnvironments.includes("production");
      // A report names the project beside it.
      return itemOf(
        { id: `${project}/${row.id}`, name: row.name },
        { projectId: String(project), isProduction, fields: { envVarPrefix, envVarEnvironments } },
      );
    }),
  recorded: { vercel_blob_project_connection: ofProject(connectionResource, "blob_store_id") },
  operations: {
    list: listOperation(
      "/v1/storage/stores/{id}/connections",
      "connections of Blob stores",
      connectionList,
      "connections",
    ),
  },
} as const satisfies AccountKind;
