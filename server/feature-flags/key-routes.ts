import { createHash } from "node:crypto";
import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { newSecret } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { deleteRows, findRow, insertRow, listRows } from "../store/rows";
import type { SdkKeyRow } from "./object";
import { noSuchKey } from "./rules";
import * as wire from "./schema";
import { viewKey } from "./view";

/** The SDK keys of a project, with which applications evaluate its feature flags. */

const path = "/v1/projects/:idOrName/feature-flags/sdk-keys";
const keyPath = projectPath.extend({ hashKey: z.string().describe("Hash of the SDK key.") });

const list = route({
  method: "GET",
  path,
  operationId: "getSdkKeys",
  summary: "Lists the SDK keys of a project, the newest first, without their values.",
  scope: ["read:project"],
  params: projectPath,
  success: [200, wire.sdkKeyList],
  throws: [unknownProject],
  load: loadProject,
  async handle({ tx, project: { id } }) {
    const rows = await listRows(tx, "feature_flag_sdk_keys", { project_id: id }, "-created_at", "-hash_key");
    return { data: rows.map(viewKey) };
  },
});

/**
 * @choice Any number of keys can have the same environment and label. The connection string has the form that the
 *   official SDK of feature flags reads.
 */
const create = route({
  method: "PUT",
  path,
  operationId: "createSdkKey",
  summary: "Creates an SDK key. Only this answer has its value.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.createKey,
  example: { sdkKeyType: "server", environment: "production", label: "backend" },
  success: [200, wire.createdKey],
  throws: [unknownProject],
  load: loadProject,
  refuse: [beingTransferred],
  async handle({ tx, now, project, caller, body: { sdkKeyType: type, environment, label } }) {
    const prefix = `vf_${type}_`;
    const keyValue = prefix + newSecret(32);
    const row: SdkKeyRow = {
      hash_key: createHash("sha256").update(keyValue).digest("hex"),
      ...{ project_id: project.id, type, environment, label: label ?? null },
      partial: `${keyValue.slice(0, prefix.length + 3)}********`,
      ...{ created_by: caller.userId, created_at: now, updated_at: now },
    };
    await insertRow(tx, "feature_flag_sdk_keys", row);
    return { ...viewKey(row), keyValue, connectionString: `flags:sdkKey=${keyValue}` };
  },
});

const remove = route({
  method: "DELETE",
  path: `${path}/:hashKey`,
  operationId: "deleteSdkKey",
  summary: "Deletes an SDK key. Applications cannot use it any more.",
  scope: ["read-write:project"],
  params: keyPath,
  success: [204, null],
  throws: [unknownProject, [404, "not_found", "no such SDK key of the project"]],
  async load(call: Call<z.infer<typeof keyPath>>): Promise<{ project: ProjectRow; key: SdkKeyRow }> {
    const { project } = await loadProject(call);
    const { hashKey } = call.params;
    const key = await findRow(call.tx, "feature_flag_sdk_keys", {
      project_id: project.id,
      hash_key: hashKey,
    });
    if (!key) throw noSuchKey(hashKey);
    return { project, key };
  },
  refuse: [beingTransferred],
  handle: ({ tx, key }) => deleteRows(tx, "feature_flag_sdk_keys", { hash_key: key.hash_key }),
});

export const keyRoutes: readonly Route[] = [list, create, remove];
