import { z } from "zod";
import type { Client } from "../client/client";
import { ApiError, isNotFound } from "../client/errors";
import { sharedEnvPath } from "../client/paths";
import * as responses from "../client/responses";
import { alwaysThere } from "../core/always-there";
import type { Created } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import type { UniqueKeys } from "../core/unique-keys";
import { sharedVariableIdInput } from "./id-inputs";
import { filters, projectRef, twoParts } from "./names";
import { editShared, ofTeam, readShared, withTeam } from "./shared-env-var/records";

const inputs = z.strictObject({
  /** Id of the shared variable. Changing it replaces the link. */
  sharedEnvVarId: z
    .string()
    .min(1)
    .refine((text) => !text.includes("/"), "must be the id of a SharedEnvVar"),
  /** Id or name of the project that gets the variable. Changing it replaces the link. */
  project: projectRef,
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
});

type Outputs = z.output<typeof outputs>;

/**
 * The unique key of a link: a project can be linked to a variable once.
 * @choice An existing link is not a conflict, because linking again changes nothing. If the resource was renamed in the
 *   program, the new resource takes the link over.
 */
const linkKeys: UniqueKeys = {
  noun: "the link to the shared variable",
  choices: "another project or variable",
  scope: "project",
  within: { sharedEnvVarId: "the shared variable" },
  isNeverAdopted: true,
  of: ({ sharedEnvVarId }, projectId) =>
    typeof sharedEnvVarId === "string" ? [`${projectId}/${sharedEnvVarId}`] : undefined,
  ...alwaysThere,
};

/**
 * Links one project to a shared variable. Other links of the variable are not changed.
 * @throws ApiError 404 if the team has no such variable
 * @source the newest official client: PATCH /v1/env, projectIdUpdates
 */
export const sharedEnvVarLink = resource({
  type: "SharedEnvVarLink",
  handler: "sharedlink",
  scopes: ["read:project", "read-write:global-project-env-vars"],
  importId: "`<project>/<id of the shared variable>`",
  inputs,
  outputs,
  traits: {
    stable: ["projectId"],
    replaceOn: ["sharedEnvVarId", "project"],
    ids: { sharedEnvVarId: sharedVariableIdInput },
  },
  ownership: { objects: (_outputs, id) => [id], uniqueKeys: linkKeys },
  list: listing(filters, async (client, { project }, at) => {
    const { id: projectId } = await client.identify(project);
    const page = readPage(client, at, {
      path: sharedEnvPath(),
      query: { projectId },
      shape: responses.sharedVariableList,
      items: ({ data }) => data.map(({ id, key }) => ({ id: `${projectId}/${id}`, name: key })),
    });
    return withTeam(client, page);
  }),

  async create({ client, run, warn }, { project, sharedEnvVarId }) {
    const { id: projectId, accountId } = await client.identify(project);
    const others = run.keys.links.get(sharedEnvVarId);
    if (others?.includes(projectId) === false) warn(bothWays(sharedEnvVarId, projectId));
    await withTeam(client, change(client, sharedEnvVarId, { link: [projectId] }));
    return resultOf(projectId, sharedEnvVarId, accountId);
  },

  async read(client, id, state) {
    const { project, sharedEnvVarId } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const { projectId: linked, key } = await withTeam(client, readShared(client, sharedEnvVarId));
    if (!linked?.includes(projectId)) throw notLinked(sharedEnvVarId, `${project} is not linked to ${key}`);
    return {
      ...resultOf(projectId, sharedEnvVarId, accountId),
      inputs: { sharedEnvVarId, project: state?.project ?? projectId },
    };
  },

  async update({ client }, _id, { projectId }, { sharedEnvVarId }) {
    const { accountId } = await client.identify(projectId);
    await ofTeam(client, change(client, sharedEnvVarId, { link: [projectId] }));
    return resultOf(projectId, sharedEnvVarId, accountId);
  },

  async remove({ client, run }, id, { projectId }) {
    const { sharedEnvVarId } = partsOf(id);
    // The `SharedEnvVar` declares the link in `projectIds`, so the link stays.
    if (run.keys.links.get(sharedEnvVarId)?.includes(projectId)) return;
    await ofTeam(client, change(client, sharedEnvVarId, { unlink: [projectId] }));
  },
});

/** Links or unlinks a project. Repeating either request has no effect. */
async function change(
  client: Client,
  id: string,
  projectIdUpdates: { link?: string[]; unlink?: string[] },
): Promise<void> {
  try {
    await editShared(client, id, { projectIdUpdates });
  } catch (error) {
    throw isNotFound(error) ? error.withHint("Give the id of a SharedEnvVar of this team.") : error;
  }
}

const bothWays = (sharedEnvVarId: string, projectId: string): string =>
  `projectIds of the SharedEnvVar ${sharedEnvVarId} does not contain ${projectId}, so an update of the variable after a ` +
  "refresh unlinks the project. Add the project to projectIds, or remove projectIds from the program.";

const notLinked = (id: string, said: string): ApiError =>
  new ApiError({ asked: { method: "GET", path: sharedEnvPath(id) }, status: 404, code: "not_found", said });

/** Parses `project/variable`: the project by id or name, the shared variable by id. */
function partsOf(id: string): { project: string; sharedEnvVarId: string } {
  const form =
    'The id of a link is "project/id of the shared variable", such as "prj_…/env_…" or "web/env_…".';
  const [project, sharedEnvVarId] = twoParts(id, form);
  return { project, sharedEnvVarId };
}

const resultOf = (projectId: string, sharedEnvVarId: string, accountId: string): Created<Outputs> => ({
  id: `${projectId}/${sharedEnvVarId}`,
  accountId,
  outputs: { projectId },
});
