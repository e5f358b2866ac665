import { z } from "zod";
import type { Client } from "../client/client";
import { type ApiError, absentFrom, ifFound } from "../client/errors";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import {
  cursor,
  type GroupMember,
  groupMemberList,
  groupPath,
  inTeam,
  membersOfGroup,
  membersOfGroupPath,
  readGroup,
  send,
} from "./access-group/records";
import { accessGroupIdInput } from "./id-inputs";
import { emailAddress, groupId, twoParts } from "./names";
import { compareEmail, findNow as findInTeam, isSameEmail } from "./team-member/records";

const inputs = z.strictObject({
  /** Id of the access group, such as the `id` of an `AccessGroup`. Changing it replaces the member. */
  accessGroupId: groupId,
  /**
   * Email address of a member of the team who has accepted the invitation, such as the input `email` of a `TeamMember`;
   * not case-sensitive. Changing it replaces the member, unless the new address belongs to the same user.
   */
  email: emailAddress,
  /** If the group already has the member, takes the member over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the user. */
  userId: z.string(),
  /** Username of the user. */
  username: z.string().nullable(),
  /** Current email address of the user's account. */
  currentEmail: z.string(),
});

const filters = z.strictObject({
  /** Id or name of the access group. */
  accessGroup: z.string().min(1).max(256),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type Member = GroupMember;

/**
 * The unique key of a member is the email address: a user is a member of a group once.
 * @choice A member gets no temporary name: the resource that declares the address takes the member over.
 */
const memberKeys: UniqueKeys = {
  noun: "the member of the access group",
  choices: "another email address or group",
  scope: "account",
  within: { accessGroupId: "the access group" },
  mayBeShared: true,
  of: ({ accessGroupId: group, email }, account) =>
    typeof group === "string" && typeof email === "string"
      ? [`${account}/${group}/${email.toLowerCase()}`]
      : undefined,

  async owners({ client }, keys, { accessGroupId: group }) {
    if (typeof group !== "string") return [];
    const emails = keys.map((key) => key.slice(key.lastIndexOf("/") + 1));
    return ((await ifFound(membersOfGroup(client, group))) ?? [])
      .filter((member) => emails.includes(emailOf(member).toLowerCase()))
      .map((member) => idOf(group, member));
  },

  freeKeys: async () => async () => {},
};

/**
 * A member of an access group, who has the group's roles in its projects.
 * @throws ApiError 400 if the user is not a member of the team, or has not accepted the invitation; 403 if the token does
 *   not belong to an owner
 * @source the newest official client: POST /v1/access-groups/{idOrName}
 * @source the Terraform provider: vercel_access_group_member
 */
export const accessGroupMember = resource({
  type: "AccessGroupMember",
  handler: "groupmember",
  scopes: [],
  importId:
    "`<access group>/<email address>`, or `<access group>/<id of the user>`, with the id or name of the group",
  inputs,
  outputs,
  traits: {
    defaults: { adopt: false },
    stable: ["userId"],
    replaceOn: ["accessGroupId", "email"],
    ids: { accessGroupId: accessGroupIdInput },
  },
  diff: { compare: compareEmail },
  ownership: { uniqueKeys: memberKeys },
  list: listing(filters, async (client, { accessGroup }, at) => {
    const { accessGroupId: group } = await readGroup(client, `${accessGroup}`);
    return readPage(client, at, {
      ...{ path: membersOfGroupPath(group), shape: groupMemberList, cursor },
      items: ({ members }) => members.map((member) => ({ id: idOf(group, member), name: emailOf(member) })),
    });
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { accessGroupId: group, email } = declared;
    const { teamId } = await readGroup(client, group);
    const member = await createOrTake<Member>(operation, declared.adopt, {
      find: async () => (await membersOfGroup(client, group)).find(isUser(email)),
      idOf: (existing) => idOf(group, existing),
      create: (look) => add(client, teamId, declared, look),
      take: (existing) => takeMember(operation, existing, declared),
      refusal: (error) => error,
    });
    return resultOf(group, teamId, member);
  },

  async read(client, id, state) {
    const { group, user } = partsOf(id);
    const { accessGroupId, teamId } = await readGroup(client, group);
    const member = (await membersOfGroup(client, accessGroupId)).find(isUser(user));
    if (!member) throw notFound(accessGroupId, user);
    const now: Partial<Inputs> = state ? inputsIn(inputs, state) : { accessGroupId, email: emailOf(member) };
    return { ...resultOf(accessGroupId, teamId, member), inputs: now };
  },

  // Only `adopt` can change, which says how the member was added.
  async update({ client }, id) {
    const { group, user } = partsOf(id);
    const { teamId } = await readGroup(client, group);
    const member = (await membersOfGroup(client, group)).find(isUser(user));
    if (!member) throw notFound(group, user);
    return resultOf(group, teamId, member);
  },

  async remove({ client }, id, { userId }) {
    await change(client, partsOf(id).group, { membersToRemove: [userId] });
  },
});

/** Adds a member exactly once. @throws Error for no member of the team */
async function add(
  client: Client,
  team: string,
  { accessGroupId: group, email }: Inputs,
  look: () => Promise<Member | undefined>,
): Promise<Member> {
  const user = await findInTeam(client, team, { email });
  if (user?.uid === undefined || !user.confirmed) throw new Error(notOfTeam(email));
  const member: Member = { ...user, uid: user.uid };
  const body = { membersToAdd: [user.uid] };
  const request = {
    method: "POST",
    path: groupPath(group),
    body,
    shape: anything.transform(() => member),
  } as const;
  return inTeam(client, client.create({ request, look, existed: false }), request.path);
}

const notOfTeam = (email: string): string =>
  `${email} is not a member of the team, or has not accepted the invitation. Only members of the team can be members of ` +
  "an access group. Declare a TeamMember, and run the program again once the invitation is accepted.";

const change = (client: Client, group: string, body: object): Promise<unknown> =>
  send(client, { method: "POST", path: groupPath(group), body, shape: anything });

/** Adopts a member, or takes the member from another resource of the stack. */
const takeMember = (
  operation: Operation<Inputs, Outputs>,
  found: Member,
  declared: Inputs,
): Promise<Member> => {
  const { accessGroupId: group } = declared;
  return takeOver(operation, declared, {
    unique: memberKeys,
    keys: memberKeys.of(declared, operation.client.settings.team ?? "") ?? [],
    id: idOf(group, found),
    what: `The member ${emailOf(found)} of the access group ${group}`,
    changed: [],
    refusal: unmanagedExists(memberKeys, idOf(group, found), [`${group}/${emailOf(found)}`], true),
    change: async () => found,
  });
};

const emailOf = ({ email }: Member): string => email ?? "";

/** @param user id, or email address */
const isUser =
  (user: string) =>
  (member: Member): boolean =>
    user.includes("@") ? isSameEmail(emailOf(member), user) : member.uid === user;

const notFound = (group: string, user: string): ApiError =>
  absentFrom(membersOfGroupPath(group), `The access group ${group} has no member ${user}.`);

const idOf = (group: string, { uid }: Member): string => `${group}/${uid}`;

/** Parses `group/user`, with the group by id or name, and the user by id or email address. */
function partsOf(id: string): { group: string; user: string } {
  const form = 'The id of a member of an access group is "group/user", such as "Developers/ada@example.com".';
  const [group, user] = twoParts(id, form);
  return { group, user };
}

const resultOf = (group: string, teamId: string, member: Member): Created<Outputs> => ({
  id: idOf(group, member),
  accountId: teamId,
  outputs: {
    userId: member.uid,
    username: member.username ?? null,
    currentEmail: emailOf(member),
  },
});
