import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound, isNotFound, unlessRefused } from "../client/errors";
import { invitePath, membersPath } from "../client/paths";
import * as responses from "../client/responses";
import { type Failure, inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import type { RunContext } from "../core/run-context";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import type { Plain } from "../core/values";
import { teamRoles } from "../vocabulary";
import { emailAddress } from "./names";
import { isOwner, reasonToStay, reasonToStayOwner } from "./team-member/owners";
import {
  compareEmail,
  findNow,
  hasKey,
  idOf,
  keyOf,
  type Member,
  type MemberKey,
  membersIn,
  membersNow,
  membersOf,
  needsTeam,
  notFound,
  partsOf,
  readMember,
  teamOf,
} from "./team-member/records";

const inputs = z.strictObject({
  /**
   * Email address to invite, not case-sensitive. Changing it replaces the member, unless the new address belongs to the
   * same user.
   */
  email: emailAddress,
  /** Role of the member in the team. */
  role: z.enum(teamRoles),
  /** If the team already has or has invited the member, takes the member over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the user; null while the invited address has no account. */
  userId: z.string().nullable(),
  /** Username of the user; null while the invited address has no account. */
  username: z.string().nullable(),
  /** Whether the invitation was accepted. */
  confirmed: z.boolean(),
  /** Current email address of the user's account. */
  currentEmail: z.string(),
});

const filters = z.strictObject({});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type MemberOperation = Operation<Inputs, Outputs>;

/**
 * The unique key of a member is the email address: a user is a member of a team once.
 * @choice A member gets no temporary name: the resource that declares the address takes the member over. Nobody is
 *   removed and invited again if a program names its resources by list index, and an item is removed from the list.
 */
const memberKeys: UniqueKeys = {
  noun: "the team member",
  choices: "another email address",
  scope: "account",
  mayBeShared: true,
  of: ({ email }, account) => (typeof email === "string" ? [`${account}/${email.toLowerCase()}`] : undefined),

  async owners({ client }, keys, _declared, fresh) {
    const team = await teamOf(client);
    const emails = keys.map((key) => key.slice(key.indexOf("/") + 1));
    return (await (fresh ? membersNow(client, team) : membersOf(client, team, true)))
      .filter(({ email }) => emails.includes(email.toLowerCase()))
      .map((member) => idOf(team, member));
  },

  freeKeys: async () => async () => {},
};

/**
 * A member of the team. A user who is not a member is invited, and becomes a member by accepting the invitation.
 * @throws ApiError 400 if the team has the member; 403 if the token does not belong to an owner
 * @source the newest official client: /v2/teams/{teamId}/members
 */
export const teamMember = resource({
  type: "TeamMember",
  handler: "member",
  scopes: [],
  importId: "`<email address>`, or `<id of the user>`",
  inputs,
  outputs,
  traits: { defaults: { adopt: false }, stable: ["userId"], replaceOn: ["email"] },
  checks: { refusals },
  diff: { compare: compareEmail },
  ownership: { uniqueKeys: memberKeys },
  list: listing(filters, async (client, _filters, at) => {
    const team = await teamOf(client);
    return readPage(client, at, {
      path: membersPath(team),
      shape: responses.memberList,
      items: (page) => membersIn(page).map((member) => ({ id: idOf(team, member), name: member.email })),
    });
  }),

  async create(operation, declared) {
    const { client } = operation;
    const team = await teamOf(client);
    const { email } = declared;
    const isListed = (await membersOf(client, team, true)).some(hasKey({ email }));
    const member = await createOrTake<Member>(operation, declared.adopt, {
      isNew: !isListed,
      find: () => findNow(client, team, { email }),
      idOf: (existing) => idOf(team, existing),
      refusesWith400: true,
      create: (look) => invite(client, team, declared, look),
      take: (existing) => takeMember(operation, team, existing, declared),
      refusal: (error, existing) =>
        existing ? error.withHint(existsAlready(team, existing, declared)) : error,
    });
    return resultOf(team, member);
  },

  async read(client, id, state) {
    const { team, member: remote } = await memberAt(client, id, state);
    const now: Partial<Inputs> = state
      ? { ...inputsIn(inputs, state), role: remote.role as Inputs["role"] }
      : { email: remote.email, role: remote.role as Inputs["role"] };
    return { ...resultOf(team, remote), inputs: now };
  },

  async update(operation, id, state, declared) {
    const { team, member } = await memberAt(operation.client, id, state);
    if (state.role === declared.role && !operation.unsure) return resultOf(team, member);
    return resultOf(team, await changeRole(operation.run, team, keyOf(member), declared.role));
  },

  async remove({ client, run }, id, state) {
    await run.keys.exclusive(ownersOf(client), async () => {
      const { team, member } = await memberAt(client, id, state);
      const all = isOwner(member) ? await membersNow(client, team) : [];
      const reason = reasonToStay(all, member, await client.userId());
      if (reason !== undefined) throw new Error(reason);
      await client.send({ method: "DELETE", path: pathOf(team, member), shape: responses.anything });
    });
  },
});

/**
 * Refuses changes at preview that would leave the team without an owner, or the program without access.
 * @choice A member who becomes an owner in the same run does not count as an owner: the order of the steps is unknown.
 */
async function refusals(client: Client, previous: Plain, news: Plain, run: RunContext): Promise<Failure[]> {
  if (client.settings.team === undefined) return [{ property: undefined, reason: needsTeam }];
  const { email, role, adopt } = news;
  const isNew = Object.keys(previous).length === 0;
  if (typeof email !== "string" || typeof role !== "string" || (isNew && adopt !== true)) return [];
  // Without the members, nothing is refused here. The step checks again.
  const reason = await unlessRefused(reasonAgainstRole(run, email, role));
  return reason === undefined ? [] : [{ property: "role", reason }];
}

/** Why a member cannot get a role; undefined if the member can. Records who is no longer an owner after the run. */
async function reasonAgainstRole(run: RunContext, email: string, role: string): Promise<string | undefined> {
  const { client, formerOwners } = run;
  const all = await membersOf(client, await teamOf(client));
  const member = all.find(hasKey({ email }));
  if (member?.uid === undefined || !isOwner(member)) return undefined;
  const own = await client.userId();
  // The rest is synchronous, so that concurrent checks see the former owners of each other.
  formerOwners.delete(member.uid);
  if (role === "OWNER") return undefined;
  const reason = reasonToStayOwner(all, member, own, formerOwners);
  if (reason === undefined) formerOwners.add(member.uid);
  return reason;
}

/** Invites an address exactly once, even if the answer is lost. */
async function invite(
  client: Client,
  team: string,
  { email, role }: Inputs,
  look: () => Promise<Member | undefined>,
): Promise<Member> {
  const shape = responses.invitedMember.transform(
    ({ uid, username, email: known }): Member => ({
      ...{ uid: uid ?? undefined, code: undefined, email: known ?? email, role, confirmed: false },
      ...{ username: username ?? null, name: null },
    }),
  );
  const body = [{ email, role }];
  const request = { method: "POST", path: membersPath(team, undefined, "v2"), body, shape } as const;
  return client.create({ request, look, existed: false });
}

/** Adopts a member, or takes the member from another resource of the stack, and sets the declared role. */
function takeMember(
  operation: MemberOperation,
  team: string,
  found: Member,
  declared: Inputs,
): Promise<Member> {
  const { run } = operation;
  return takeOver(operation, declared, {
    unique: memberKeys,
    keys: memberKeys.of(declared, run.client.settings.team ?? "") ?? [],
    id: idOf(team, found),
    what: `The team member ${found.email}`,
    changed: found.role === declared.role ? [] : ["role"],
    refusal: existsAlready(team, found, declared),
    change: async ([role]) =>
      role === undefined ? found : changeRole(run, team, keyOf(found), declared.role),
  });
}

const existsAlready = (team: string, found: Member, { email }: Inputs): string =>
  unmanagedExists(memberKeys, idOf(team, found), [`${team}/${email.toLowerCase()}`], true);

/** @throws Error when the change would demote the last owner or the user of the token */
function changeRole(run: RunContext, team: string, who: MemberKey, role: Inputs["role"]): Promise<Member> {
  const { client } = run;
  return run.keys.exclusive(ownersOf(client), async () => {
    const member = await readMember(client, team, who);
    const isLeaving = isOwner(member) && role !== "OWNER";
    const reason = isLeaving
      ? reasonToStayOwner(await membersNow(client, team), member, await client.userId())
      : undefined;
    if (reason !== undefined) throw new Error(reason);
    if (member.uid === undefined) {
      // No request changes an invitation of an address without an account, so the address is invited again.
      await ifFound(client.send({ method: "DELETE", path: pathOf(team, member), shape: responses.anything }));
      const look = () => findNow(client, team, { email: member.email });
      return invite(client, team, { email: member.email, role }, look);
    }
    const body = { role };
    await client.send({ method: "PATCH", path: pathOf(team, member), body, shape: responses.anything });
    return { ...member, role };
  });
}

/** The path for changing or removing a member, or for withdrawing an invitation. */
const pathOf = (team: string, { uid, code = "" }: Member): string =>
  uid === undefined ? invitePath(team, code) : membersPath(team, uid, "v1");

/** The name for `exclusive`: steps that may remove an owner from the team run one after the other. */
const ownersOf = ({ settings }: Client): string => `owners of ${settings.team}`;

/**
 * Finds a member by id. The id can change when an invitation is accepted, so a member that is not found by id is looked
 * up by the email address in the state.
 * @throws ApiError 404
 */
async function memberAt(
  client: Client,
  id: string,
  state: Partial<Inputs & Outputs> | undefined,
): Promise<{ team: string; member: Member }> {
  const { team: named, who } = partsOf(id);
  const team = await ownTeam(client, named, id);
  try {
    return { team, member: await readMember(client, team, who) };
  } catch (error) {
    const email = state?.currentEmail ?? state?.email;
    const member = email && isNotFound(error) ? await findNow(client, team, { email }) : undefined;
    if (member) return { team, member };
    throw error;
  }
}

/** The team of the run. @throws ApiError 404 if an id names another team, so that a wrong team is noticed */
async function ownTeam(client: Client, named: string | undefined, id: string): Promise<string> {
  if (named !== undefined && client.settings.team === undefined) throw notFound(named, id);
  const team = await teamOf(client);
  if (named !== undefined && named !== team) throw notFound(team, id);
  return team;
}

const resultOf = (team: string, remote: Member): Created<Outputs> => {
  const { uid, username, confirmed, email } = remote;
  return {
    id: idOf(team, remote),
    accountId: team,
    outputs: { userId: uid ?? null, username, confirmed, currentEmail: email },
  };
};
