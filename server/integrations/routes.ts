import * as z from "zod";
import { allowProject, coveredProjects, describeConfiguration } from "../access/coverage-store";
import { loadProject } from "../access/projects";
import { type Call, type Route, route } from "../http/route";
import { notFound, Refusal } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { findRow } from "../store/rows";
import { changesOwnAccess, isOver } from "./rules";
import { type Configuration, configuration } from "./schema";
import { findConfiguration, type Installed, listConfigurations, removeConfiguration } from "./store";
import { viewConfiguration } from "./view";

/**
 * Installations of integrations on an account.
 * @choice An installation sees only itself.
 * @source wire-shapes 9
 */

/**
 * @choice `view=project` leaves out installations that cover no project.
 */
const listInstallations = route({
  method: "GET",
  path: "/v1/integrations/configurations",
  operationId: "getConfigurations",
  summary: "Lists the installations of integrations on the account, the newest first.",
  scope: ["read:integration-configuration"],
  // @source wire-shapes 11
  limit: { name: "configuration-list", perMinute: 200, per: "user" },
  query: z.object({
    view: z.enum(["account", "project"]),
    installationType: z.enum(["marketplace", "external"]).optional(),
    integrationIdOrSlug: z.string().optional(),
  }),
  success: [200, z.array(configuration)],
  async handle({ tx, account, caller, query, now }) {
    const wanted = { ...query, account: account.id, id: caller.installation?.id };
    const shown: Configuration[] = [];
    for (const row of await listConfigurations(tx, wanted)) {
      if (isOver(row.delete_at, now)) continue;
      const view = await viewConfiguration(tx, row);
      if (query.view === "account" || view.projects?.length !== 0) shown.push(view);
    }
    return shown;
  },
});

const configurationId = z.object({ id: z.string().describe("Id of the installation.") });
const unknownConfiguration = [404, "not_found", "no such installation on the account"] as const;

const unknown = (id: string): Refusal => notFound(`Configuration ${JSON.stringify(id)}`);

/** @throws Refusal 404 */
async function loadConfiguration({
  tx,
  account,
  caller,
  params,
  now,
}: Call<{ id: string }>): Promise<{ row: Installed }> {
  const row = await findConfiguration({ tx, now }, params.id);
  const reaches = caller.installation === undefined || caller.installation.id === row?.id;
  if (row && reaches && row.account_id === account.id) return { row };
  throw unknown(params.id);
}

const getConfiguration = route({
  method: "GET",
  path: "/v1/integrations/configuration/:id",
  operationId: "getConfiguration",
  summary: "Returns an installation of an integration.",
  scope: ["read:integration-configuration"],
  // @source wire-shapes 11
  limit: { name: "configuration-get", perMinute: 120, per: "user" },
  params: configurationId,
  success: [200, configuration],
  throws: [unknownConfiguration],
  load: loadConfiguration,
  handle: ({ tx, row }) => viewConfiguration(tx, row),
});

/**
 * @choice The integrations of this server sell nothing, so the list is empty.
 * @source the newest official client: getConfigurationProducts
 */
const listProducts = route({
  method: "GET",
  path: "/v1/integrations/configuration/:id/products",
  operationId: "getConfigurationProducts",
  summary: "Lists the products of an installed integration, of which there are none.",
  scope: ["read:integration-configuration"],
  params: configurationId,
  success: [
    200,
    z.strictObject({
      integration: z.strictObject({ id: z.string(), slug: z.string(), name: z.string() }),
      configuration: z.strictObject({ id: z.string() }),
      products: z.array(z.never()),
    }),
  ],
  throws: [unknownConfiguration],
  load: loadConfiguration,
  async handle({ tx, row: { id, integration_id, slug } }) {
    const { name = slug } = (await findRow(tx, "integrations", { id: integration_id })) ?? {};
    return { integration: { id: integration_id, slug, name }, configuration: { id }, products: [] };
  },
});

const deleteConfiguration = route({
  method: "DELETE",
  path: "/v1/integrations/configuration/:id",
  operationId: "deleteConfiguration",
  summary: "Removes an installation: its tokens no longer work, and its id is never used again.",
  scope: ["read-write:integration-configuration"],
  params: configurationId,
  success: [204, null],
  throws: [unknownConfiguration],
  load: loadConfiguration,
  async handle({ tx, row, caller, now }) {
    if (!(await removeConfiguration({ tx, now }, row.id, caller.userId))) throw unknown(row.id);
  },
});

const access = z.strictObject({ allowed: z.boolean() });
const accessPath = z.object({ id: z.string().describe("Id of the installation."), projectId: z.string() });
const unknownEither = [404, "not_found", "no such installation or project on the account"] as const;

async function loadIfThere(call: Call<z.infer<typeof accessPath>>): Promise<ProjectRow | undefined> {
  try {
    return (await loadProject(call)).project;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

const loadBoth = async (call: Call<z.infer<typeof accessPath>>) => ({
  ...(await loadConfiguration(call)),
  ...(await loadProject(call)),
});

/** @choice An unknown project is not covered. This is not an error, since clients ask for removed projects too. */
const getProjectAccess = route({
  method: "GET",
  path: "/v1/integrations/configuration/:id/project/:projectId",
  operationId: "getConfigurationProject",
  summary: "Tells whether an installation covers a project.",
  scope: ["read:integration-configuration"],
  params: accessPath,
  success: [200, access],
  throws: [unknownConfiguration],
  load: async (call) => ({ ...(await loadConfiguration(call)), project: await loadIfThere(call) }),
  handle: async ({ tx, row, project }) => ({
    allowed:
      project !== undefined &&
      (row.selected === 0 || (await coveredProjects(tx, row.id)).includes(project.id)),
  }),
});

const setProjectAccess = route({
  method: "POST",
  path: "/v1/integrations/configuration/:id/project/:projectId",
  operationId: "addConfigurationProject",
  summary: "Grants an installation access to a project, or takes it away.",
  scope: ["read-write:integration-configuration"],
  params: accessPath,
  body: access,
  example: { allowed: true },
  success: [200, access],
  throws: [unknownEither, [403, "forbidden", "the caller is an installation"]],
  async load(call) {
    if (call.caller.installation) throw changesOwnAccess();
    return loadBoth(call);
  },
  async handle({ tx, row, project, body, now, emit }) {
    const projects = await allowProject({ tx, now }, row, project.id, body.allowed);
    if (projects.added.length + projects.removed.length > 0) {
      await emit({
        type: "integration-configuration.permission-upgraded",
        payload: {
          configuration: await describeConfiguration(tx, { id: row.id, selected: 1 }),
          projects,
        },
      });
    }
    return { allowed: body.allowed };
  },
});

export const integrationRoutes: readonly Route[] = [
  listInstallations,
  getConfiguration,
  listProducts,
  deleteConfiguration,
  getProjectAccess,
  setProjectAccess,
];
