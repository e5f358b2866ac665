import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Client } from "../client/client";
import { ApiError, ifFound, isRefused } from "../client/errors";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { takeKeys } from "../core/key-step";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake } from "../core/take-over";
import type { UniqueKeys } from "../core/unique-keys";
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

/** The unique keys of access groups: their names. */
const groupKeys: UniqueKeys = {
  noun: "the access group",
  choices: "another name",
  scope: "account",
  isContainer: true,
  of: ({ name }, account) => (typeof name === "string" ? [`${account}/${name}`] : undefined),

  async owners({ client }, keys) {
    const names = keys.map((key) => key.slice(key.indexOf("/") + 1));
    const found = await Promise.all(names.map((name) => findGroup(client, name)));
    return found.flatMap((group) => (group ? [group.accessGroupId] : []));
  },

  async freeKeys({ client }, id, keys) {
    const owner = await ifFound(readGroup(client, id));
    if (!owner || !keys.some((key) => key.endsWith(`/${owner.name}`))) return async () => {};
    const name = temporaryName(owner.name);
    await rename(client, id, name);
    return async () => {
      if ((await findGroup(client, id))?.name === name) await rename(client, id, owner.name);
    };
  },
};

/**
 * The temporary name of a group while another group takes the original name.
 * @choice It contains the original name, such as Developers-moving-4f9a12c0, so that users recognize the group.
 */
const temporaryName = (name: string): string =>
  `${name.slice(0, 200)}-moving-${randomBytes(4).toString("hex")}`;
const isTemporaryName = (name: string): boolean => /-moving-[0-9a-f]{8}$/.test(name);

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
    const attempt = () => naming(client, declared.name, undefined, () => createOrAdopt(operation, declared));
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
      if (!adopts || (await isOfStack(what, id))) throw nameTaken(groupPath(), name);
      return adopt(what, [id], async () => existing);
    },
    refusal: (error) => error,
  });
}

const rename = (client: Client, id: string, name: string): Promise<RemoteGroup> =>
  naming(client, name, id, () =>
    send(client, { method: "POST", path: groupPath(id), body: { name }, shape: remoteGroup }),
  );

/**
 * Sends a request that gives a group a name. The service does not say why it refuses one: if another group has the name,
 * the refusal becomes a conflict. If none has it any more, the request is sent once again.
 */
async function naming(
  client: Client,
  name: string,
  self: string | undefined,
  request: () => Promise<RemoteGroup>,
): Promise<RemoteGroup> {
  const refuseTaken = async (error: unknown): Promise<void> => {
    const found = isRefused(error) ? await findGroup(client, name) : undefined;
    if (found && found.accessGroupId !== self) throw nameTaken(groupPath(self), name);
    if (!isRefused(error)) throw error;
  };
  try {
    return await request();
  } catch (error) {
    await refuseTaken(error);
  }
  try {
    return await request();
  } catch (error) {
    await refuseTaken(error);
    throw error;
  }
}

/** The refusal of a name that another group has. */
const nameTaken = (path: string, name: string): ApiError =>
  new ApiError({
    ...{ asked: { method: "POST", path }, status: 409, code: "conflict" },
    said: `The team already has the access group ${name}.`,
  });

const resultOf = ({ accessGroupId, teamId }: RemoteGroup): Created<Outputs> => ({
  id: accessGroupId,
  accountId: teamId,
  outputs: { accessGroupId },
});
