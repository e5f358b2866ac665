import * as z from "zod";
import { hasUnknownProjects } from "../access/projects";
import { checkReceiverUrl, privateReceiver } from "../events/receiver-url";
import { present } from "../http/reply";
import { type Call, type Route, route } from "../http/route";
import { deleteRows } from "../store/rows";
import * as wire from "./drain-schema";
import type { LogDrainRow } from "./object";
import { addDrain, byId, editDrain, loadAccountDrain, loadFacts, unknownDrain } from "./routes";
import { peopleOnly, tooManyDrains, unknownProjects } from "./rules";
import { drainTopic, listAccountDrains } from "./store";
import { isForProject, viewAccountDrain } from "./view";

/** The newest routes for the log drains of an account. `/v1/log-drains` serves the same drains. */

const createDrain = route({
  method: "POST",
  path: "/v1/drains",
  operationId: "createDrain",
  summary: "Creates a drain of logs.",
  scope: ["read-write:log-drain"],
  body: wire.createDrainOfLogs,
  example: {
    name: "audit",
    projects: "all",
    schemas: { log: { version: "v1" } },
    delivery: { type: "http", endpoint: "https://logs.example.com", encoding: "ndjson" },
  },
  changes: drainTopic,
  success: [200, wire.drainOfLogs],
  before: checkReceiverUrl,
  load: loadFacts,
  refuse: [peopleOnly, privateReceiver, unknownProjects, tooManyDrains],
  handle: async (call) => viewDrainOfLogs(call, await addDrain(call, call.body)),
});

const listDrains = route({
  method: "GET",
  path: "/v1/drains",
  operationId: "getDrains",
  summary: "Lists the drains of the account.",
  scope: ["read:log-drain"],
  query: z.object({ projectId: z.string().optional() }),
  success: [200, wire.drainsOfLogs],
  refuse: [peopleOnly],
  async handle(call) {
    const { projectId } = call.query;
    const drains = (await listAccountDrains(call))
      .map((row) => viewDrainOfLogs(call, row))
      .filter(isForProject(projectId));
    return { drains };
  },
});

const getDrain = route({
  method: "GET",
  path: "/v1/drains/:id",
  operationId: "getDrain",
  summary: "Returns a drain of the account.",
  scope: ["read:log-drain"],
  params: byId,
  success: [200, wire.drainOfLogs],
  throws: [unknownDrain],
  load: loadAccountDrain,
  refuse: [peopleOnly],
  handle: async (call) => viewDrainOfLogs(call, call.drain),
});

/** @source the newest official client: PATCH /v1/drains/{id} */
const updateDrain = route({
  method: "PATCH",
  path: "/v1/drains/:id",
  operationId: "updateDrain",
  summary: "Changes a drain of the account.",
  scope: ["read-write:log-drain"],
  params: byId,
  body: wire.updateDrainOfLogs,
  example: {
    name: "audit-2",
    delivery: { type: "http", endpoint: "https://logs.example.org", encoding: "json", headers: {} },
  },
  changes: drainTopic,
  success: [200, wire.drainOfLogs],
  throws: [unknownDrain],
  before: checkReceiverUrl,
  load: loadChange,
  refuse: [peopleOnly, privateReceiver, unknownProjects],
  handle: async (call) => viewDrainOfLogs(call, await editDrain(call, call.drain, call.body)),
});

async function loadChange(
  call: Call<{ id: string }, unknown, { projectIds?: string[] | undefined }>,
): Promise<{ drain: LogDrainRow; hasUnknownProjects: boolean }> {
  const { drain } = await loadAccountDrain(call);
  return { drain, hasUnknownProjects: await hasUnknownProjects(call, call.body.projectIds) };
}

const removeDrain = route({
  method: "DELETE",
  path: "/v1/drains/:id",
  operationId: "deleteDrain",
  summary: "Deletes a drain of the account.",
  scope: ["read-write:log-drain"],
  params: byId,
  changes: drainTopic,
  success: [204, null],
  throws: [unknownDrain],
  load: loadAccountDrain,
  refuse: [peopleOnly],
  handle: ({ tx, drain }) => deleteRows(tx, "log_drains", { id: drain.id }),
});

/** A log drain of an account, as the newest routes answer it. */
function viewDrainOfLogs(...drain: Parameters<typeof viewAccountDrain>): z.infer<typeof wire.drainOfLogs> {
  const view = viewAccountDrain(...drain);
  return present<z.infer<typeof wire.drainOfLogs>>({
    id: view.id,
    name: view.name,
    ownerId: view.ownerId,
    teamId: view.teamId,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    status: view.status,
    projectIds: view.projectIds,
    schemas: { log: {} },
    filterV2: {
      version: "v2",
      filter: {
        type: "basic",
        log: view.sources === undefined ? {} : { sources: view.sources },
        deployment: { environments: view.environments },
      },
    },
    delivery: {
      type: "http",
      endpoint: view.url,
      encoding: view.deliveryFormat,
      headers: view.headers ?? {},
    },
    sampling:
      view.samplingRate === undefined ? undefined : [{ type: "head_sampling", rate: view.samplingRate }],
    source: view.source,
  });
}

/**
 * @choice The code of an account does not change, and this server never asks an endpoint for the code.
 * @source the Terraform provider: `vercel_endpoint_verification`
 */
const getVerificationCode = route({
  method: "GET",
  path: "/v1/verify-endpoint",
  operationId: "getVerificationCode",
  summary: "Returns the code with which an endpoint shows that it belongs to the account.",
  scope: ["read:log-drain"],
  success: [200, z.strictObject({ verificationCode: z.string() })],
  handle: async ({ account, services }) => ({
    verificationCode: services.vault.digest(`verify-endpoint:${account.id}`).slice(0, 40),
  }),
});

export const drainRoutes: readonly Route[] = [
  createDrain,
  listDrains,
  getDrain,
  updateDrain,
  removeDrain,
  getVerificationCode,
];
