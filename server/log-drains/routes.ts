import * as z from "zod";
import { findProject } from "../access/project-store";
import { hasUnknownProjects } from "../access/projects";
import { checkReceiverUrl, privateReceiver } from "../events/receiver-url";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { notFound, type Refusal } from "../platform/refusal";
import { deleteRows, findRow, insertRow } from "../store/rows";
import { type LogDrainRow, logDrains } from "./object";
import { installationsOnly, peopleOnly, tooManyDrains, unknownProjects } from "./rules";
import type { DrainSettings } from "./schema";
import * as wire from "./schema";
import { sealSettings } from "./settings";
import {
  changeDrain,
  countDrains,
  drainTopic,
  findInstalledDrain,
  listAccountDrains,
  listInstalledDrains,
} from "./store";
import { isForProject, settingsOf, viewAccountDrain, viewDrain } from "./view";

export type NewDrain = z.infer<typeof wire.createDrain | typeof wire.createAccountDrain>;

/** @source wire-shapes 10 */
const createInstalledDrain = route({
  method: "POST",
  path: "/v2/integrations/log-drains",
  operationId: "createLogDrain",
  summary: "Creates a log drain of the calling installation.",
  scope: ["read-write:log-drain"],
  body: wire.createDrain,
  example: { name: "audit", url: "https://logs.example.com", deliveryFormat: "json" },
  changes: drainTopic,
  success: [200, wire.drain],
  before: checkReceiverUrl,
  load: loadFacts,
  refuse: [installationsOnly, privateReceiver, unknownProjects, tooManyDrains],
  async handle(call) {
    const row = await addDrain(call, call.body);
    return viewDrain(call, { ...row, integration_id: call.caller.installation?.integrationId ?? "" });
  },
});

/** The facts that decide whether a drain can be added. */
export async function loadFacts(
  call: Call<unknown, unknown, { projectIds?: string[] | undefined }>,
): Promise<{ hasUnknownProjects: boolean; drainCount: number }> {
  return {
    hasUnknownProjects: await hasUnknownProjects(call, call.body.projectIds),
    drainCount: await countDrains(call),
  };
}

const defaultEnvironments: DrainSettings["environments"] = ["production", "preview"];

/** @choice By default, a drain gets the lines of both environments in JSON, and its name is its id. */
export async function addDrain(
  { tx, account, caller, now, services }: Call,
  { secret, ...body }: NewDrain,
): Promise<LogDrainRow> {
  const id = newId(logDrains);
  const settings = {
    ...body,
    name: body.name ?? id,
    deliveryFormat: body.deliveryFormat ?? "json",
    environments: body.environments ?? [...defaultEnvironments],
  };
  const row = {
    id,
    account_id: account.id,
    configuration_id: caller.installation?.id ?? null,
    settings: sealSettings(services.vault, id, settings),
    secret: secret === undefined ? null : services.vault.seal(id, secret),
    created_at: now,
    updated_at: null,
  };
  await insertRow(tx, "log_drains", row);
  return row;
}

export type LogDrainChanges = { [K in keyof NewDrain]?: NewDrain[K] | undefined };

/** @param changes a member that is undefined removes the setting, except the secret, which is kept */
export function editDrain(
  { tx, now, services }: Pick<Call, "tx" | "now" | "services">,
  row: LogDrainRow,
  { secret, ...changes }: LogDrainChanges,
): Promise<LogDrainRow> {
  const { vault } = services;
  const { environments = defaultEnvironments, ...settings } = { ...settingsOf(services, row), ...changes };
  return changeDrain(tx, row.id, {
    settings: sealSettings(vault, row.id, { ...settings, environments } as DrainSettings),
    ...(secret !== undefined && { secret: vault.seal(row.id, secret) }),
    updated_at: now,
  });
}

/** @source wire-shapes 10 */
const listInstalled = route({
  method: "GET",
  path: "/v2/integrations/log-drains",
  operationId: "getIntegrationLogDrains",
  summary:
    "Lists the log drains of installations. An installation gets its own drains, a user all drains of the account.",
  scope: ["read:log-drain"],
  success: [200, z.array(wire.drain)],
  handle: async (call) => (await listInstalledDrains(call)).map((row) => viewDrain(call, row)),
});

export const byId = z.object({ id: z.string().describe("Id of the log drain.") });
export const unknownDrain = [404, "not_found", "no such log drain that the caller may see"] as const;

export type OneDrain = Call<{ id: string }>;

export const drainNotFound = ({ params }: OneDrain): Refusal =>
  notFound(`Log drain ${JSON.stringify(params.id)}`);

/** @throws Refusal 404 */
async function loadInstalledDrain(call: OneDrain): Promise<{ drain: LogDrainRow }> {
  const drain = await findInstalledDrain(call, call.params.id);
  if (drain) return { drain };
  throw drainNotFound(call);
}

/** @throws Refusal 404 */
async function loadAccountDrain(call: OneDrain): Promise<{ drain: LogDrainRow }> {
  const own = { id: call.params.id, account_id: call.account.id, configuration_id: null };
  const drain = await findRow(call.tx, "log_drains", own);
  if (drain) return { drain };
  throw drainNotFound(call);
}

/** @source wire-shapes 10 */
const deleteInstalledDrain = route({
  method: "DELETE",
  path: "/v1/integrations/log-drains/:id",
  operationId: "deleteIntegrationLogDrain",
  summary: "Deletes a log drain that an installation made.",
  scope: ["read-write:log-drain"],
  params: byId,
  changes: drainTopic,
  success: [204, null],
  throws: [unknownDrain],
  load: loadInstalledDrain,
  handle: ({ tx, drain }) => deleteRows(tx, "log_drains", { id: drain.id }),
});

/** @source wire-shapes 10, account drains */
const createAccountDrain = route({
  method: "POST",
  path: "/v1/log-drains",
  operationId: "createConfigurableLogDrain",
  summary: "Creates a log drain of the account.",
  scope: ["read-write:log-drain"],
  body: wire.createAccountDrain,
  example: {
    url: "https://logs.example.com",
    deliveryFormat: "ndjson",
    sources: ["build", "edge"],
  },
  changes: drainTopic,
  success: [200, wire.accountDrain],
  before: checkReceiverUrl,
  load: loadFacts,
  refuse: [peopleOnly, privateReceiver, unknownProjects, tooManyDrains],
  handle: async (call) => viewAccountDrain(call, await addDrain(call, call.body)),
});

/** @source wire-shapes 10, account drains */
const listOwn = route({
  method: "GET",
  path: "/v1/log-drains",
  operationId: "getAllLogDrains",
  summary: "Lists the log drains of the account.",
  scope: ["read:log-drain"],
  query: z.object({ projectId: z.string().optional(), projectIdOrName: z.string().optional() }),
  success: [200, z.array(wire.accountDrain)],
  refuse: [peopleOnly],
  async handle(call) {
    const { tx, account, query } = call;
    const project = query.projectIdOrName ?? query.projectId;
    const projectId =
      project === undefined ? undefined : ((await findProject(tx, account.id, project))?.id ?? project);
    return (await listAccountDrains(call))
      .map((row) => viewAccountDrain(call, row))
      .filter(isForProject(projectId));
  },
});

/** @source wire-shapes 10, account drains */
const getAccountDrain = route({
  method: "GET",
  path: "/v1/log-drains/:id",
  operationId: "getConfigurableLogDrain",
  summary: "Returns a log drain of the account.",
  scope: ["read:log-drain"],
  params: byId,
  success: [200, wire.accountDrain],
  throws: [unknownDrain],
  load: loadAccountDrain,
  refuse: [peopleOnly],
  handle: async (call) => viewAccountDrain(call, call.drain),
});

/** @source wire-shapes 10, account drains */
const deleteAccountDrain = route({
  method: "DELETE",
  path: "/v1/log-drains/:id",
  operationId: "deleteConfigurableLogDrain",
  summary: "Deletes a log drain of the account.",
  scope: ["read-write:log-drain"],
  params: byId,
  changes: drainTopic,
  success: [204, null],
  throws: [unknownDrain],
  load: loadAccountDrain,
  refuse: [peopleOnly],
  handle: ({ tx, drain }) => deleteRows(tx, "log_drains", { id: drain.id }),
});

export const logDrainRoutes: readonly Route[] = [
  createInstalledDrain,
  listInstalled,
  deleteInstalledDrain,
  createAccountDrain,
  listOwn,
  getAccountDrain,
  deleteAccountDrain,
];
