import type { Resource } from "../../../provider/core/resource";
import type { Plain } from "../../../provider/core/values";
import { blobStoreConnection } from "../../../provider/resources/blob-store-connection";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { blobStores } from "../fields/common";
import { type Harness, type Stack, startHarness } from "../stack";

let w: Harness;
let web: string;
let images: string;
let others: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
  ({ images, others } = await blobStores(w));
});
afterEach(() => w.close());

const variables = async (): Promise<unknown[]> =>
  ((await w.curl("GET", "/v9/projects/web/env")).envs as unknown as Plain[]).map(
    ({ key, target }) => `${key} ${target}`,
  );
const declared = (more: object = {}): Plain => ({ project: "web", blobStoreId: images, ...more });
const tokenKey = "BLOB_READ_WRITE_TOKEN";

it("makes a variable, changes it in place, and deletes it", async () => {
  const connection = w.stack(blobStoreConnection, "connection");
  await connection.up(declared());
  expect(connection).toMatchObject({
    id: `${web}/${images}`,
    state: { projectId: web, connectionId: expect.stringMatching(/^spc_/), envVarKey: tokenKey },
  });
  expect(JSON.stringify(connection.state)).not.toContain("vercel_blob_rw");
  expect(await variables()).toEqual([`${tokenKey} production,preview`]);
  const changed = declared({ envVarPrefix: "ASSETS", environments: ["development", "preview"] });
  expect(await connection.up(changed)).toBe("update");
  expect(connection.state.envVarKey).toBe("ASSETS_READ_WRITE_TOKEN");
  expect(await variables()).toEqual(["ASSETS_READ_WRITE_TOKEN development,preview"]);
  expect(await connection.up(declared({ project: web }))).toBe("update");
  expect(await variables()).toEqual([`${tokenKey} production,preview`]);
  await connection.destroy();
  expect(await variables()).toEqual([]);
  expect(((await w.curl("GET", "/v1/storage/stores")).stores as unknown as Plain[]).length).toBe(2);
});

it("deletes the old variable first when another store replaces the old one in the project", async () => {
  const connection = w.stack(blobStoreConnection, "connection");
  await connection.up(declared());
  expect(await connection.up(declared({ blobStoreId: others }))).toBe("replace");
  expect(connection.id).toBe(`${web}/${others}`);
  expect(await variables()).toEqual([`${tokenKey} production,preview`]);
});

it("refuses a key that a variable of the project has, at preview and in a step", async () => {
  const body = { key: tokenKey, value: "v", type: "encrypted", target: ["preview"] };
  await w.curl("POST", "/v10/projects/web/env", body);
  const connection = w.stack(blobStoreConnection, "connection");
  await expect(connection.preview(declared())).rejects.toThrow(
    /The project web has a variable BLOB_READ_WRITE_TOKEN \(\w+\)\. Choose another envVarPrefix/,
  );
  await expect(w.stack(blobStoreConnection).up(declared())).rejects.toThrow(
    /ENV_CONFLICT.*Choose another envVarPrefix/,
  );
  await connection.up(declared({ envVarPrefix: "ASSETS" }));
  await expect(connection.preview(declared())).rejects.toThrow(/has a variable BLOB_READ_WRITE_TOKEN/);
});

it("refuses a second connection of the project with the same key, and says why", async () => {
  await w.stack(blobStoreConnection, "first").up(declared());
  const second = w.stack(blobStoreConnection, "second");
  await expect(second.up(declared({ blobStoreId: others }))).rejects.toThrow(/Choose another envVarPrefix/);
  await second.up(declared({ blobStoreId: others, envVarPrefix: "OTHERS" }));
  expect(await variables()).toHaveLength(2);
});

it("refuses a connection that exists, and adopts it with the declared settings", async () => {
  const path = `/v1/storage/stores/${images}/connections`;
  await w.curl("POST", path, { projectId: web, envVarPrefix: "ASSETS" });
  const connection = w.stack(blobStoreConnection, "connection");
  await expect(connection.preview(declared())).rejects.toThrow(/already exists.*Adopt it/);
  await connection.up(declared({ adopt: true, environments: ["preview"] }));
  // The undeclared prefix stays.
  expect(await variables()).toEqual(["ASSETS_READ_WRITE_TOKEN preview"]);
});

it("owns its variable: no EnvVar or EnvVars adopts or imports it", async () => {
  await w.stack(blobStoreConnection, "connection").up(declared());
  const [variable] = (await w.curl("GET", "/v9/projects/web/env")).envs as unknown as Plain[];
  const target = ["production", "preview"];
  const one = { project: "web", key: tokenKey, value: "v", target, type: "encrypted", adopt: true };
  const reason = /belongs to an integration or a store, which sets its value/;
  // A later run, which has not read the variables before.
  const stackOf = (resource: Resource, name?: string): Stack => {
    const stack = w.stack(resource, name);
    stack.use(w.another());
    return stack;
  };
  await expect(stackOf(envVar, "one").preview(one)).rejects.toThrow(reason);
  await expect(stackOf(envVar).up(one)).rejects.toThrow(reason);
  const many = { project: "web", variables: { [tokenKey]: "v" }, target, type: "encrypted", adopt: true };
  await expect(stackOf(envVars, "many").preview(many)).rejects.toThrow(reason);
  await expect(envVar.read(w.run, `${web}/${variable?.id}`)).rejects.toThrow(reason);
  expect(await variables()).toEqual([`${tokenKey} production,preview`]);
});

it("makes its variable again when somebody has deleted the connection", async () => {
  const connection = w.stack(blobStoreConnection, "connection");
  await connection.up(declared());
  const { connectionId } = connection.state;
  await w.curl("DELETE", `/v1/storage/stores/${images}/connections/${connectionId}`);
  expect(await connection.refresh(w.another())).toBe(false);
  expect(await connection.up(declared())).toBe("create");
  expect(await variables()).toEqual([`${tokenKey} production,preview`]);
});

it("is imported by the names or ids of project and store", async () => {
  await w.curl("POST", `/v1/storage/stores/${images}/connections`, { projectId: web });
  for (const id of ["web/images", `${web}/${images}`])
    expect(await blobStoreConnection.read(w.runOf(w.another()), id)).toMatchObject({
      id: `${web}/${images}`,
      inputs: {
        ...{ project: web, blobStoreId: images, envVarPrefix: "BLOB" },
        environments: ["production", "preview"],
      },
    });
  await expect(blobStoreConnection.read(w.run, "web")).rejects.toThrow(/"project\/store"/);
  await expect(blobStoreConnection.read(w.run, "web/others")).rejects.toThrow(/is not connected to web/);
});

it("is gone with its project or its store, which is no failure", async () => {
  const connection = w.stack(blobStoreConnection, "connection");
  await connection.up(declared());
  await w.curl("DELETE", `/v1/storage/stores/blob/${images}`);
  expect(await connection.refresh(w.another())).toBe(false);
  await connection.destroy();
});

it("is recorded if its id cannot be read after the create", async () => {
  const connection = w.stack(blobStoreConnection, "connection");
  const path = `/v1/storage/stores/${images}/connections`;
  await w.server.control.addFaults({ kind: "status", method: "GET", path, status: 403, skip: 2, times: 1 });
  await expect(connection.up(declared())).rejects.toThrow("403");
  expect(connection.id).toBe(`${web}/${images}`);
  connection.use(w.another());
  expect(await connection.up(declared())).toBe("update");
  expect(connection.state.connectionId).toMatch(/^spc_/);
  expect(await connection.up(declared())).toBe("same");
});
