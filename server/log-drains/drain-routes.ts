import * as z from "zod";
import { hasUnknownProjects } from "../access/projects";
import { type Call, type Route, route } from "../http/route";
import * as wire from "./drain-schema";
import { viewDrainOfLogs } from "./drain-view";
import type { LogDrainRow } from "./object";
import { checkReceiverUrl } from "./receiver-url";
import { addDrain, byId, editDrain, loadAccountDrain, loadFacts, unknownDrain } from "./routes";
import { peopleOnly, privateReceiver, tooManyDrains, unknownProjects } from "./rules";
import { deleteDrain, listAccountDrains, logDrains } from "./store";
import { isForProject } from "./view";

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
  changes: logDrains,
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
  changes: logDrains,
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
  changes: logDrains,
  success: [204, null],
  throws: [unknownDrain],
  load: loadAccountDrain,
  refuse: [peopleOnly],
  handle: ({ tx, drain }) => deleteDrain(tx, drain.id),
});

export const drainRoutes: readonly Route[] = [createDrain, listDrains, getDrain, updateDrain, removeDrain];
