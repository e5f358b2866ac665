import { z } from "zod";
import type { Client } from "../client/client";
import { type ApiError, absentFrom, ifAllowed } from "../client/errors";
import { projectPath } from "../client/paths";
import { anything, pagination } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import { ownersByProject, type UniqueKeys } from "../core/unique-keys";
import { projectRoles } from "../vocabulary";
import { emailAddress, filters, projectRef } from "./names";
import { compareEmail, findNow as findInTeam, isSameEmail } from "./team-member/records";

/** @param uid undefined for the project's list of members, to add a member, or to change roles */
export const membersPath = (project: string, uid?: string): string =>
  [`${projectPath(project, "v1")}/members`, ...(uid === undefined ? [] : [encodeURIComponent(uid)])].join(
    "/",
  );

/** @source the newest official client: GET /v1/projects/{idOrName}/members */
const remoteMember = z.looseObject({
  uid: z.string(),
  username: z.string().nullish(),
  email: z.string().nullish(),
  role: z.string(),
});
type Member = z.infer<typeof remoteMember>;
export const memberList = z.looseObject({ members: z.array(remoteMember), pagination });
/** The answer to an addition does not name the member. */
const addedMember = z.unknown().transform((): Member | undefined => undefined);

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the member. */
  project: projectRef,
  /**
   * Email address of a member of the team, such as the input `email` of a `TeamMember`; not case-sensitive. Changing
   * it replaces the member, unless the new address belongs to the same user.
   */
  email: emailAddress,
  /** Role of the member in the project. */
  role: z.enum(projectRoles),
  /** If the project already has the member, takes the member over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the user. */
  userId: z.string(),
  /** Username of the user. */
  username: z.string().nullable(),
  /** Current email address of the user's account. */
  currentEmail: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type MemberOperation = Operation<Inputs, Outputs>;

/**
 * The unique key of a member is the email address: a user is a member of a project once.
 * @choice A member gets no temporary name: the resource that declares the address takes the member over.
 */
const memberKeys: UniqueKeys = {
  noun: "the project member",
  choices: "another email address",
  scope: "project",
  mayBeShared: true,
  of: ({ email }, projectId) =>
    typeof email === "string" ? [`${projectId}/${email.toLowerCase()}`] : undefined,

  owners: ({ client }, keys, _declared, fresh) =>
    ownersByProject(keys, async (projectId) =>
      (await (fresh ? membersNow(client, projectId) : membersOf(client, projectId, true))).map((member) => ({
        id: member.uid,
        keys: [`${projectId}/${emailOf(member).toLowerCase()}`],
      })),
    ),

  freeKeys: async () => async () => {},
};

/**
 * The role that a member of the team has in one project.
 * @throws ApiError 400 if the user is not a member of the team, or already is a member of the project
 * @source the newest official client: /v1/projects/{idOrName}/members; the Terraform provider: the change of a role
 */
export const projectMember = resource({
  type: "ProjectMember",
  handler: "pmember",
  scopes: ["read-write:project"],
  importId: "`<project>/<email address>`, or `<project>/<id of the user>`",
  inputs,
  outputs,
  traits: { defaults: { adopt: false }, stable: ["projectId", "userId"], replaceOn: ["project", "email"] },
  diff: { compare: compareEmail },
  ownership: { uniqueKeys: memberKeys },
  list: listing(filters, async (client, { project }, at) => {
    const { id: projectId } = await client.identify(project);
    return readPage(client, at, {
      path: membersPath(projectId),
      shape: memberList,
      items: ({ members }) =>
        members.map((member) => ({ id: idOf(projectId, member), name: emailOf(member) })),
    });
  }),

  async create(operation, declared) {
    const { client } = operation;
    const project = await client.identify(declared.project);
    const member = await createOrTake<Member>(operation, declared.adopt, {
      isNew: client.hasCreated(project.id),
      find: () => findNow(client, project.id, declared.email),
      idOf: (existing) => idOf(project.id, existing),
      refusesWith400: true,
      create: (look) => add(client, project, declared, look),
      take: (existing) => takeMember(operation, project.id, existing, declared),
      refusal: (error, existing) =>
        error.withHint(existing ? existsAlready(project.id, existing, declared) : inviteFirst),
    });
    return resultOf(project, member);
  },

  async read(client, id, state) {
    const { project, user } = partsOf(id);
    const found = await client.identify(project);
    const member = (await membersOf(client, found.id)).find(isUser(user));
    if (!member) throw notFound(found.id, user);
    const role = member.role as Inputs["role"];
    const now: Partial<Inputs> = state
      ? { ...inputsIn(inputs, state), role }
      : { project: found.id, email: emailOf(member), role };
    return { ...resultOf(found, member), inputs: now };
  },

  async update(operation, _id, state, declared) {
    const { client } = operation;
    const { projectId, userId } = state;
    const project = await client.identify(projectId);
    const member = (await membersOf(client, project.id)).find(isUser(userId));
    if (!member) throw notFound(projectId, userId);
    if (state.role === declared.role && !operation.unsure) return resultOf(project, member);
    return resultOf(project, await changeRole(client, projectId, member, declared.role));
  },

  async remove({ client }, _id, { projectId, userId }) {
    const path = membersPath(projectId, userId);
    await client.send({ method: "DELETE", path, shape: anything });
  },
});

const inviteFirst =
  "Only members of the team can be members of a project. Declare a TeamMember, and give its output `email` as email.";

/**
 * Adds a member exactly once, even if the answer is lost.
 * @throws Error if the service does not list the member afterwards
 */
async function add(
  client: Client,
  { id: projectId, accountId }: Project,
  { email, role }: Inputs,
  look: () => Promise<Member | undefined>,
): Promise<Member> {
  const shape = addedMember;
  const path = membersPath(projectId);
  // The answer has no id of the user. If it is known before, no read can fail after the request.
  const user = await ifAllowed(findInTeam(client, accountId, { email }));
  const request = { method: "POST", path, body: { email, role }, shape } as const;
  const found = await client.create({ request, look, existed: false });
  if (!found && user?.uid !== undefined) return { ...user, uid: user.uid, role };
  const find = () => findNow(client, projectId, email);
  const added = found ?? (await client.readUntil(path, find, (member) => member !== undefined));
  if (added) return added;
  throw new Error(`The service added ${email} to the project ${projectId}, but does not list the member.`);
}

/** Adopts a member, or takes the member from another resource of the stack, and gives the declared role. */
function takeMember(
  operation: MemberOperation,
  projectId: string,
  found: Member,
  declared: Inputs,
): Promise<Member> {
  return takeOver(operation, declared, {
    unique: memberKeys,
    keys: memberKeys.of(declared, projectId) ?? [],
    id: idOf(projectId, found),
    what: `The member ${emailOf(found)} of the project ${projectId}`,
    changed: found.role === declared.role ? [] : ["role"],
    refusal: existsAlready(projectId, found, declared),
    change: async ([role]) =>
      role === undefined ? found : changeRole(operation.client, projectId, found, declared.role),
  });
}

const existsAlready = (projectId: string, found: Member, { email }: Inputs): string =>
  unmanagedExists(memberKeys, idOf(projectId, found), [`${projectId}/${email.toLowerCase()}`], true);

async function changeRole(client: Client, projectId: string, member: Member, role: string): Promise<Member> {
  const body = { members: [{ uid: member.uid, role }] };
  const path = membersPath(projectId);
  await client.send({ method: "PATCH", path, body, shape: anything });
  return { ...member, role };
}

/** All members of a project. @param stale see `Client.list` */
export const membersOf = (client: Client, projectId: string, stale = false): Promise<Member[]> =>
  client.list(membersPath(projectId), memberList, ({ members }) => members, { limit: "100" }, stale);

/** Reads the members of a project without the cache. @param search a filter, which the service may ignore */
const membersNow = (client: Client, projectId: string, search?: string): Promise<Member[]> =>
  client.listNow(membersPath(projectId), memberList, ({ members }) => members, {
    limit: "100",
    search,
  });

const findNow = async (client: Client, projectId: string, email: string): Promise<Member | undefined> =>
  (await membersNow(client, projectId, email)).find(isUser(email));

const emailOf = ({ email }: Member): string => email ?? "";

/** @param user id, or email address */
const isUser =
  (user: string) =>
  (member: Member): boolean =>
    user.includes("@") ? isSameEmail(emailOf(member), user) : member.uid === user;

const notFound = (projectId: string, user: string): ApiError =>
  absentFrom(membersPath(projectId), `The project ${projectId} has no member ${user}.`);

const idOf = (projectId: string, { uid }: Member): string => `${projectId}/${uid}`;

/** Parses `project/user`, with the project by id or name, and the user by id or email address. */
function partsOf(id: string): { project: string; user: string } {
  const [, project, user] = /^([^/\s]+)\/([^/\s]+)$/.exec(id) ?? [];
  if (project !== undefined && user !== undefined) return { project, user };
  throw new Error('The id of a project member is "project/user", such as "prj_…/ada@example.com".');
}

interface Project {
  id: string;
  accountId: string;
}

const resultOf = ({ id: projectId, accountId }: Project, member: Member): Created<Outputs> => ({
  id: idOf(projectId, member),
  accountId,
  outputs: {
    projectId,
    userId: member.uid,
    username: member.username ?? null,
    currentEmail: emailOf(member),
  },
});
