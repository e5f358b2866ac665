import * as z from "zod";
import { findProject } from "../access/projects";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { notFound, type RefusalRow } from "../platform/refusal";
import type { LogDrainRow } from "../store/schema";
import { checkReceiverUrl, leadsInside } from "./receiver";
import * as wire from "./schema";
import { logDrains, sealSettings, viewSettings } from "./store";

type NamesProjects = Call<unknown, unknown, { projectIds?: string[] | undefined }>;

const namesForeignProject: RefusalRow<NamesProjects> = [
  400,
  "bad_request",
  "projectIds names a project that the account does not have, or that the installation does not cover.",
  async ({ tx, account, caller: { installation }, body: { projectIds } }) => {
    if (!projectIds) return false;
    let known = tx
      .selectFrom("projects")
      .select("id")
      .where("account_id", "=", account.id)
      .where("id", "in", projectIds);
    if (installation?.selected) {
      known = known.where("id", "in", (eb) =>
        eb
          .selectFrom("configuration_projects")
          .select("project_id")
          .where("configuration_id", "=", installation.id),
      );
    }
    return (await known.execute()).length < new Set(projectIds).size;
  },
];

/** @source wire-shapes 10 */
const createDrain = route({
  method: "POST",
  path: "/v2/integrations/log-drains",
  summary: "Creates a log drain of the calling installation.",
  scope: ["read-write:log-drain"],
  body: wire.createDrain,
  changes: logDrains,
  success: [200, wire.drain],
  before: checkReceiverUrl,
  refuse: [
    [
      400,
      "bad_request",
      "Only installations make log drains here. Use the token of an installation, or /v1/log-drains for a drain of the account.",
      ({ caller }) => caller.installation === undefined,
    ],
    leadsInside,
    namesForeignProject,
  ],
  async handle(call) {
    const row = await insertDrain(call, call.caller.installation?.id ?? null, call.body);
    return viewDrain(call, { ...row, integration_id: call.caller.installation?.integrationId ?? "" });
  },
});

type NewDrain = z.infer<typeof wire.createDrain | typeof wire.createAccountDrain>;

/** @choice Default environments are both; the default format is JSON; the default name of a drain is its id. */
async function insertDrain(
  { tx, account, now, services }: Call,
  configuration: string | null,
  { secret, ...body }: NewDrain,
): Promise<LogDrainRow> {
  const id = newId("logDrain");
  const settings = {
    ...body,
    name: body.name ?? id,
    deliveryFormat: body.deliveryFormat ?? "json",
    environments: body.environments ?? ["production", "preview"],
  };
  return tx
    .insertInto("log_drains")
    .values({
      id,
      account_id: account.id,
      configuration_id: configuration,
      settings: sealSettings(services.vault, id, settings),
      secret: secret === undefined ? null : services.vault.seal(id, secret),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The drains of installations. An installation sees its own, a user all of the account. */
function installedDrains({ tx, account, caller }: Call) {
  const drains = tx
    .selectFrom("log_drains as d")
    .innerJoin("configurations as c", "c.id", "d.configuration_id")
    .selectAll("d")
    .select("c.integration_id")
    .where("d.account_id", "=", account.id)
    .orderBy("d.created_at", "desc")
    .orderBy("d.id");
  return caller.installation ? drains.where("c.id", "=", caller.installation.id) : drains;
}

/** @source wire-shapes 10 */
const listDrains = route({
  method: "GET",
  path: "/v2/integrations/log-drains",
  summary: "Lists the log drains of installations: to an installation its own, to users all of the account.",
  scope: ["read:log-drain"],
  success: [200, z.array(wire.drain)],
  handle: async (call) => (await installedDrains(call).execute()).map((row) => viewDrain(call, row)),
});

const byId = z.object({ id: z.string() });
const unknownDrain = [404, "not_found", "no such log drain that the caller may see"] as const;

/** @source wire-shapes 10 */
const deleteDrain = route({
  method: "DELETE",
  path: "/v1/integrations/log-drains/:id",
  summary: "Deletes a log drain that an installation made.",
  scope: ["read-write:log-drain"],
  params: byId,
  changes: logDrains,
  success: [204, null],
  throws: [unknownDrain],
  async load(call) {
    const drain = await installedDrains(call).where("d.id", "=", call.params.id).executeTakeFirst();
    if (!drain) throw notFound(`Log drain ${JSON.stringify(call.params.id)}`);
    return { drain };
  },
  async handle({ tx, drain }) {
    await tx.deleteFrom("log_drains").where("id", "=", drain.id).execute();
  },
});

const peopleOnly: RefusalRow<Pick<Call, "caller">> = [
  403,
  "forbidden",
  "Only users manage the log drains of an account. An installation makes its own at /v2/integrations/log-drains.",
  ({ caller }) => caller.installation !== undefined,
];

/** The drains that the account made for itself. */
const ownDrains = ({ tx, account }: Call) =>
  tx
    .selectFrom("log_drains")
    .selectAll()
    .where("account_id", "=", account.id)
    .where("configuration_id", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id");

async function loadOwnDrain(call: Call<{ id: string }>): Promise<{ drain: LogDrainRow }> {
  const drain = await ownDrains(call).where("id", "=", call.params.id).executeTakeFirst();
  if (drain) return { drain };
  throw notFound(`Log drain ${JSON.stringify(call.params.id)}`);
}

/** @source wire-shapes 10, account drains */
const createAccountDrain = route({
  method: "POST",
  path: "/v1/log-drains",
  summary: "Creates a log drain of the account.",
  scope: ["read-write:log-drain"],
  body: wire.createAccountDrain,
  changes: logDrains,
  success: [200, wire.accountDrain],
  before: checkReceiverUrl,
  refuse: [peopleOnly, leadsInside, namesForeignProject],
  handle: async (call) => viewAccountDrain(call, await insertDrain(call, null, call.body)),
});

/** @source wire-shapes 10, account drains */
const listAccountDrains = route({
  method: "GET",
  path: "/v1/log-drains",
  summary: "Lists the log drains of the account.",
  scope: ["read:log-drain"],
  query: z.object({ projectId: z.string().optional(), projectIdOrName: z.string().optional() }),
  success: [200, z.array(wire.accountDrain)],
  refuse: [peopleOnly],
  async handle(call) {
    const { tx, account, query } = call;
    const key = query.projectIdOrName ?? query.projectId;
    const projectId = key === undefined ? undefined : ((await findProject(tx, account.id, key))?.id ?? key);
    return (await ownDrains(call).execute())
      .map((row) => viewAccountDrain(call, row))
      .filter(({ projectIds }) => projectId === undefined || (projectIds?.includes(projectId) ?? true));
  },
});

/** @source wire-shapes 10, account drains */
const getAccountDrain = route({
  method: "GET",
  path: "/v1/log-drains/:id",
  summary: "Returns a log drain of the account.",
  scope: ["read:log-drain"],
  params: byId,
  success: [200, wire.accountDrain],
  throws: [unknownDrain],
  load: loadOwnDrain,
  refuse: [peopleOnly],
  handle: async (call) => viewAccountDrain(call, call.drain),
});

/** @source wire-shapes 10, account drains */
const deleteAccountDrain = route({
  method: "DELETE",
  path: "/v1/log-drains/:id",
  summary: "Deletes a log drain of the account.",
  scope: ["read-write:log-drain"],
  params: byId,
  changes: logDrains,
  success: [204, null],
  throws: [unknownDrain],
  load: loadOwnDrain,
  refuse: [peopleOnly],
  async handle({ tx, drain }) {
    await tx.deleteFrom("log_drains").where("id", "=", drain.id).execute();
  },
});

function viewDrain(
  { services }: Call,
  row: LogDrainRow & { integration_id: string },
): z.infer<typeof wire.drain> {
  const configurationId = row.configuration_id ?? "";
  return {
    ...viewSettings(services, row),
    id: row.id,
    ownerId: row.account_id,
    createdAt: row.created_at,
    clientId: row.integration_id,
    configurationId,
    createdFrom: "integration",
    source: {
      kind: "integration",
      integrationId: row.integration_id,
      integrationConfigurationId: configurationId,
    },
  };
}

function viewAccountDrain({ account, services }: Call, row: LogDrainRow): z.infer<typeof wire.accountDrain> {
  return {
    ...viewSettings(services, row),
    id: row.id,
    ownerId: row.account_id,
    teamId: account.kind === "team" ? account.id : null,
    createdAt: row.created_at,
    updatedAt: row.created_at,
    deletedAt: null,
    secret: "",
    status: "enabled",
    createdFrom: "self-served",
    source: { kind: "self-served" },
  };
}

export const logDrainRoutes: readonly Route[] = [
  createDrain,
  listDrains,
  deleteDrain,
  createAccountDrain,
  listAccountDrains,
  getAccountDrain,
  deleteAccountDrain,
];
