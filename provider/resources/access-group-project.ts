import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound } from "../client/errors";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { projectRoles } from "../vocabulary";
import {
  cursor,
  type GroupProject,
  groupProject,
  groupProjectList,
  projectsOfGroupPath,
  readGroup,
  send,
} from "./access-group/records";
import { accessGroupIdInput } from "./id-inputs";
import { groupId, projectRef, twoParts } from "./names";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the project of the group. */
  project: projectRef,
  /** Id of the access group, such as the `id` of an `AccessGroup`. Changing it replaces the project of the group. */
  accessGroupId: groupId,
  /** Role of the group's members in the project. */
  role: z.enum(projectRoles),
  /** If the group already has the project, takes it over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
});

const filters = z.strictObject({
  /** Id or name of the access group. */
  accessGroup: z.string().min(1).max(256),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * The unique key: a group has a project once.
 * @choice It gets no temporary name: the resource that declares the project takes it over.
 */
const keys: UniqueKeys = {
  noun: "the project of the access group",
  choices: "another project or group",
  scope: "project",
  within: { accessGroupId: "the access group" },
  mayBeShared: true,
  of: ({ accessGroupId: group }, projectId) =>
    typeof group === "string" ? [`${projectId}/${group}`] : undefined,

  async owners({ client }, wanted) {
    const found = await Promise.all(wanted.map((key) => find(client, partsOf(key))));
    return wanted.filter((_, at) => found[at] !== undefined);
  },

  freeKeys: async () => async () => {},
};

/**
 * A project of an access group: the group's members get the role in it.
 * @throws ApiError 400 if the group has the project; 403 if the token does not belong to an owner
 * @source the newest official client: /v1/access-groups/{accessGroupIdOrName}/projects
 * @source the Terraform provider: vercel_access_group_project
 */
export const accessGroupProject = resource({
  type: "AccessGroupProject",
  handler: "groupproject",
  scopes: [],
  importId: "`<project>/<access group>`, with the id or name of the group",
  inputs,
  outputs,
  traits: {
    defaults: { adopt: false },
    stable: ["projectId"],
    replaceOn: ["project", "accessGroupId"],
    ids: { accessGroupId: accessGroupIdInput },
  },
  ownership: { uniqueKeys: keys },
  list: listing(filters, async (client, { accessGroup }, at) => {
    const { accessGroupId: group } = await readGroup(client, `${accessGroup}`);
    return readPage(client, at, {
      ...{ path: projectsOfGroupPath(group), shape: groupProjectList, cursor },
      items: ({ projects }) =>
        projects.map(({ projectId }) => ({ id: idOf({ projectId, group }), name: projectId })),
    });
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const ref = { projectId, group: declared.accessGroupId };
    await createOrTake<GroupProject>(operation, declared.adopt, {
      find: () => find(client, ref),
      idOf: () => idOf(ref),
      refusesWith400: true,
      create: (look) => client.create({ request: addition(ref, declared.role), look, existed: false }),
      take: (existing) => take(operation, ref, existing, declared),
      refusal: (error, existing) => (existing ? error.withHint(existsAlready(ref)) : error),
    });
    return resultOf(ref, accountId);
  },

  async read(client, id, state) {
    const { projectId: project, group } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const { accessGroupId } = await readGroup(client, group);
    const { role } = await client.get(projectsOfGroupPath(accessGroupId, projectId), groupProject);
    const known: Partial<Inputs> = state ? inputsIn(inputs, state) : { project: projectId, accessGroupId };
    return {
      ...resultOf({ projectId, group: accessGroupId }, accountId),
      inputs: { ...known, role: role as Inputs["role"] },
    };
  },

  async update({ client, unsure }, _id, state, { role }) {
    const ref = { projectId: state.projectId, group: `${state.accessGroupId}` };
    const { accountId } = await client.identify(ref.projectId);
    if (state.role !== role || unsure) await changeRole(client, ref, role);
    return resultOf(ref, accountId);
  },

  async remove({ client }, id) {
    const { projectId, group } = partsOf(id);
    await send(client, { method: "DELETE", path: projectsOfGroupPath(group, projectId), shape: anything });
  },
});

/** A project of a group. */
interface Ref {
  projectId: string;
  group: string;
}

const addition = ({ projectId, group }: Ref, role: string) => ({
  method: "POST" as const,
  path: projectsOfGroupPath(group),
  body: { projectId, role },
  shape: groupProject,
});

/** Adopts a project of the group, or takes it over from another resource of the stack, and gives the declared role. */
const take = (
  operation: Operation<Inputs, Outputs>,
  ref: Ref,
  found: GroupProject,
  declared: Inputs,
): Promise<GroupProject> =>
  takeOver(operation, declared, {
    unique: keys,
    keys: [idOf(ref)],
    id: idOf(ref),
    what: `The project ${ref.projectId} of the access group ${ref.group}`,
    changed: found.role === declared.role ? [] : ["role"],
    refusal: existsAlready(ref),
    change: async ([role]) => (role === undefined ? found : changeRole(operation.client, ref, declared.role)),
  });

const existsAlready = (ref: Ref): string => unmanagedExists(keys, idOf(ref), [idOf(ref)], true);

const changeRole = (client: Client, { projectId, group }: Ref, role: string): Promise<GroupProject> =>
  send(client, {
    method: "PATCH",
    path: projectsOfGroupPath(group, projectId),
    body: { role },
    shape: groupProject,
  });

/** Reads a project of a group, uncached; undefined if there is no such group, or it does not have the project. */
const find = (client: Client, { projectId, group }: Ref): Promise<GroupProject | undefined> =>
  ifFound(
    client.send({
      method: "GET",
      path: projectsOfGroupPath(group, projectId),
      shape: groupProject,
      mayBeAbsent: true,
    }),
  );

const idOf = ({ projectId, group }: Ref): string => `${projectId}/${group}`;

/** Parses `project/group`, each by its id or name. */
function partsOf(id: string): Ref {
  const form = 'The id of a project of an access group is "project/group", such as "web/Developers".';
  const [projectId, group] = twoParts(id, form);
  return { projectId, group };
}

const resultOf = (ref: Ref, accountId: string): Created<Outputs> => ({
  id: idOf(ref),
  accountId,
  outputs: { projectId: ref.projectId },
});
