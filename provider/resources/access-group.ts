import { z } from "zod";
import type { Client } from "../client/client";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { takeKeys } from "../core/key-step";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake } from "../core/take-over";
import {
  cursor,
  findGroup,
  groupList,
  groupPath,
  inTeam,
  type RemoteGroup,
  readGroup,
  remoteGroup,
  send,
} from "./access-group/records";
import { isTemporaryName, keysOfGroups, type NamedGroups, nameTaken, naming } from "./named-groups";

const inputs = z.strictObject({
  /** Name of the group in the team. Changing it renames the group. */
  name: z
    .string()
    .min(1)
    .max(256)
    .regex(
      /^(?!ag_|\.{1,2}$)[^/]*[^/\s][^/]*$/,
      "must have more than spaces and dots, and must not begin with ag_ or contain a slash",
    ),
  /**
   * Takes over an existing group with this name, with its members and projects. If false, the create fails when the team
   * already has the group. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the group, the same as `id`, for `accessGroupId` of its members and projects. */
  accessGroupId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

const groups: NamedGroups = {
  noun: "the access group",
  longest: 256,
  path: groupPath,
  async find(client, idOrName) {
    const found = await findGroup(client, idOrName);
    return found && { id: found.accessGroupId, name: found.name };
  },
  rename: (client, id, name) => rename(client, id, name),
};
const groupKeys = keysOfGroups(groups);

/**
 * An access group of the team: members of the team who get roles in projects together. Add them with `AccessGroupMember`
 * and `AccessGroupProject`. Deleting the group removes these roles.
 * @throws ApiError 403 if the plan has no access groups, or the token does not belong to an owner
 * @source the newest official client: /v1/access-groups; the Terraform provider: vercel_access_group
 */
export const accessGroup = resource({
  type: "AccessGroup",
  handler: "accessgroup",
  scopes: [],
  importId: "`<name>`, or `<id>`",
  inputs,
  outputs,
  traits: { defaults: { adopt: false }, stable: ["accessGroupId"] },
  ownership: { objects: (_outputs, id) => [id], uniqueKeys: groupKeys },
  list: listing(z.strictObject({}), (client, _filters, at) =>
    inTeam(
      client,
      readPage(client, at, {
        ...{ path: groupPath(), shape: groupList, cursor },
        items: ({ accessGroups }) =>
          accessGroups.map(({ accessGroupId, name }) => ({ id: accessGroupId, name })),
      }),
    ),
  ),

  async create(operation, declared) {
    const { client, run } = operation;
    const { name } = declared;
    const attempt = () => naming(client, groups, { name }, () => createOrAdopt(operation, declared));
    return resultOf(await takeKeys(run, groupKeys, { declared, attempt }));
  },

  async read(client, id, state) {
    const group = await readGroup(client, id);
    return { ...resultOf(group), inputs: { ...(state && inputsIn(inputs, state)), name: group.name } };
  },

  async update({ client, run, unsure }, id, state, declared) {
    const { name } = declared;
    if (state.name === name && !unsure) {
      const group = await readGroup(client, id);
      if (group.name === name || !isTemporaryName(group.name)) return resultOf(group);
    }
    const attempt = () => rename(client, id, name);
    return resultOf(await takeKeys(run, groupKeys, { id, declared, state, attempt }));
  },

  async remove({ client }, id) {
    await send(client, { method: "DELETE", path: groupPath(id), shape: anything });
  },
});

/**
 * Creates a group exactly once, or adopts the one that has the name.
 * @throws ApiError 409 if a group has the name and is not adopted, although the service may let two groups have a name
 */
async function createOrAdopt(
  operation: Operation<Inputs, Outputs>,
  { name, adopt: adopts }: Inputs,
): Promise<RemoteGroup> {
  const { client, isOfStack, adopt } = operation;
  const request = { method: "POST", path: groupPath(), body: { name }, shape: remoteGroup } as const;
  return createOrTake<RemoteGroup>(operation, adopts, {
    find: () => findGroup(client, name),
    idOf: ({ accessGroupId }) => accessGroupId,
    refusesWith400: true,
    create: (look) => client.create({ request, look, existed: false }),
    async take(existing) {
      const { accessGroupId: id } = existing;
      const what = `The access group ${name} (${id})`;
      if (!adopts || (await isOfStack(what, id))) throw nameTaken(groups, name);
      return adopt(what, [id], async () => existing);
    },
    refusal: (error) => error,
  });
}

const rename = (client: Client, id: string, name: string): Promise<RemoteGroup> =>
  naming(client, groups, { name, self: id }, () =>
    send(client, { method: "POST", path: groupPath(id), body: { name }, shape: remoteGroup }),
  );

const resultOf = ({ accessGroupId, teamId }: RemoteGroup): Created<Outputs> => ({
  id: accessGroupId,
  accountId: teamId,
  outputs: { accessGroupId },
});
