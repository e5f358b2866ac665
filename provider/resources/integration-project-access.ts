import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, unlessRefused } from "../client/errors";
import * as responses from "../client/responses";
import { alwaysThere } from "../core/always-there";
import type { Created } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import type { UniqueKeys } from "../core/unique-keys";
import { filters, installationId, projectRef, twoParts } from "./names";

export const installationsPath = "/v1/integrations/configurations";
const installationPath = (id: string): string => `/v1/integrations/configuration/${encodeURIComponent(id)}`;
const accessPath = ({ installation, projectId }: Ref): string =>
  `${installationPath(installation)}/project/${encodeURIComponent(projectId)}`;

/** An installation of an integration. @source the newest official client: GET /v1/integrations/configuration/{id} */
export const remoteInstallation = z.looseObject({
  ...{ id: z.string(), slug: z.string(), integrationId: z.string() },
  /** The ids of the projects that the installation may access; absent if it may access all. */
  projects: z.array(z.string()).nullish(),
});
export type RemoteInstallation = z.infer<typeof remoteInstallation>;
export const installationList = z.array(remoteInstallation);

const allowance = z.looseObject({ allowed: z.boolean() });

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the access. */
  project: projectRef,
  /**
   * Id of the installation of the integration on the account, such as `icfg_1`. The installation must be limited to
   * selected projects. Changing it replaces the access.
   */
  installationId: installationId,
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
});

type Outputs = z.output<typeof outputs>;

/**
 * The unique key: an installation has access to a project once.
 * @choice Existing access is not a conflict, because granting it again changes nothing.
 */
const accessKeys: UniqueKeys = {
  noun: "the access of the installation",
  choices: "another project or installation",
  scope: "project",
  within: { installationId: "the installation" },
  isNeverAdopted: true,
  of: ({ installationId: id }, projectId) => (typeof id === "string" ? [`${projectId}/${id}`] : undefined),
  ...alwaysThere,
};

/**
 * Gives an installation of an integration access to a project, if the installation is limited to selected projects. The
 * access to other projects is not changed.
 * @throws ApiError 403 if the token belongs to an integration
 * @source the Terraform provider: vercel_integration_project_access
 */
export const integrationProjectAccess = resource({
  type: "IntegrationProjectAccess",
  handler: "integrationaccess",
  scopes: [],
  importId: "`<project>/<id of the installation>`",
  inputs,
  outputs,
  traits: {
    stable: ["projectId"],
    replaceOn: ["project", "installationId"],
    ids: {
      installationId: {
        noun: "installation",
        hint: "Give the id of an installation of the account. `slipway import` finds them.",
        read: readInstallation,
      },
    },
  },
  checks: {
    async refusals(client, previous, { installationId: id }) {
      if (typeof id !== "string" || id === previous.installationId) return [];
      // The ids of inputs are looked up before.
      const found = await unlessRefused(readInstallation(client, id));
      const reason = found && coversAll(found);
      return reason === undefined ? [] : [{ property: "installationId", reason }];
    },
  },
  ownership: { objects: (_outputs, id) => [id], uniqueKeys: accessKeys },
  // The service returns all installations in one page.
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const all = await installationsOf(client);
    const found = all.filter(({ projects }) => projects?.includes(projectId));
    return { items: found.map(({ id, slug }) => ({ id: `${projectId}/${id}`, name: slug })) };
  }),

  async create({ client }, { project, installationId: installation }) {
    const { id: projectId, accountId } = await client.identify(project);
    const reason = coversAll(await readInstallation(client, installation));
    if (reason !== undefined) throw new Error(reason);
    await allow(client, { installation, projectId }, true);
    return resultOf({ installation, projectId }, accountId);
  },

  async read(client, id, state) {
    const { project, installation } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const ref = { installation, projectId };
    const { allowed } = await client.send({ method: "GET", path: accessPath(ref), shape: allowance });
    if (!allowed)
      throw absentFrom(accessPath(ref), `The installation ${installation} has no access to ${project}.`);
    return {
      ...resultOf(ref, accountId),
      inputs: { project: state?.project ?? projectId, installationId: installation },
    };
  },

  async update({ client }, id, { projectId }) {
    const { installation } = partsOf(id);
    const { accountId } = await client.identify(projectId);
    await allow(client, { installation, projectId }, true);
    return resultOf({ installation, projectId }, accountId);
  },

  async remove({ client, warn }, id, { projectId }) {
    const { installation } = partsOf(id);
    const found = await readInstallation(client, installation);
    // Without this access, the installation would also lose the access to all later projects.
    if (coversAll(found) === undefined) return allow(client, { installation, projectId }, false);
    warn(`The installation ${installation} keeps its access to ${projectId}: it now covers all projects.`);
  },
});

interface Ref {
  installation: string;
  projectId: string;
}

/** Reads an installation, uncached, because others can change it. @throws ApiError 404 */
function readInstallation(client: Client, id: string): Promise<RemoteInstallation> {
  return client.send({ method: "GET", path: installationPath(id), shape: remoteInstallation });
}

/** The installations of the account, the newest first. */
export const installationsOf = (client: Client): Promise<RemoteInstallation[]> =>
  client.send({
    method: "GET",
    path: installationsPath,
    query: { view: "account" },
    shape: installationList,
  });

/** Why the access of an installation to single projects cannot be managed; undefined if it can. */
const coversAll = ({ id, slug, projects }: RemoteInstallation): string | undefined =>
  projects == null
    ? `The installation ${id} of ${slug} covers all projects of the account. Limit it to selected projects in the ` +
      "dashboard first, or remove the resource."
    : undefined;

/** Grants or withdraws access. Repeating the request changes nothing. */
async function allow(client: Client, ref: Ref, allowed: boolean): Promise<void> {
  const path = accessPath(ref);
  await client.send({ method: "POST", path, body: { allowed }, shape: responses.anything });
}

/** Parses `project/installation`: the project by id or name, the installation by id. */
function partsOf(id: string): { project: string; installation: string } {
  const form =
    'The id of an access is "project/id of the installation", such as "prj_…/icfg_…" or "web/icfg_…".';
  const [project, installation] = twoParts(id, form);
  return { project, installation };
}

const resultOf = ({ installation, projectId }: Ref, accountId: string): Created<Outputs> => ({
  id: `${projectId}/${installation}`,
  accountId,
  outputs: { projectId },
});
