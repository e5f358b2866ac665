import type { Plain } from "../../../provider/core/values";
import { blobStoreConnection } from "../../../provider/resources/blob-store-connection";
import { blobStores, container, ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

/** The connection with the id of a resource. */
async function connectionOf(w: Harness, id: string): Promise<Plain> {
  const [project, store] = id.split("/");
  const { connections } = await w.curl("GET", `/v1/storage/stores/${store}/connections`);
  return (connections as unknown as Plain[]).find(({ projectId }) => projectId === project) ?? {};
}

const change = (body: object) => async (w: Harness, id: string) => {
  const path = `/v1/storage/stores/${id.split("/")[1]}/connections`;
  return w.curl("PATCH", `${path}/${(await connectionOf(w, id)).id}`, body);
};

const prepare = (w: Harness): Promise<Plain> => blobStores(w);

export const subject: Subject = {
  resource: blobStoreConnection,
  handler: "blobconnection",
  async prepare(w) {
    const known: Plain = { ...(await projects(w)), ...(await blobStores(w)) };
    return { given: { project: known.web, blobStoreId: known.images }, known };
  },
  look: connectionOf,
  async all({ server }) {
    const { blobConnections } = await server.control.snapshot();
    return blobConnections.map(({ prefix, environments }) => ({ prefix, environments }));
  },
  listed: {
    query: { project: "web" },
    names: ["others"],
    async prepare(w) {
      const { others } = await blobStores(w);
      const { id: projectId } = await w.curl("GET", "/v9/projects/web");
      await w.curl("POST", `/v1/storage/stores/${others}/connections`, { projectId });
    },
  },
  rows: [
    ofProject,
    container("blobStoreId", "@images", "@others", () => ({})),
    {
      path: "envVarPrefix",
      first: "ASSETS",
      second: "FILES",
      changed: "update",
      cleared: "update",
      shown: (envVarPrefix = "BLOB") => ({ envVarPrefix }),
      drift: change({ envVarPrefix: "ELSEWHERE" }),
    },
    {
      path: "environments",
      first: ["preview"],
      second: ["preview", "development"],
      changed: "update",
      cleared: "update",
      shown: (envVarEnvironments = ["production", "preview"]) => ({ envVarEnvironments }),
      drift: change({ envVarEnvironments: ["production"] }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      blobStoreConnection,
      ({ images }) => ({ project: "web", blobStoreId: images }),
      ({ images }) => ({
        project: "web",
        blobStoreId: images,
        envVarPrefix: "ASSETS",
        environments: ["preview"],
      }),
      prepare,
    ),
    {
      name: "BlobStoreConnection: adopt",
      resource: blobStoreConnection,
      async prepare(w) {
        const known = await prepare(w);
        const { id: projectId } = await w.curl("GET", "/v9/projects/web");
        await w.curl("POST", `/v1/storage/stores/${known.images}/connections`, { projectId });
        return known;
      },
      step: "up",
      inputs: ({ images }) => ({
        project: "web",
        blobStoreId: images,
        environments: ["preview"],
        adopt: true,
      }),
    },
  ],
};
