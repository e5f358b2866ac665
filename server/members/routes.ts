import * as z from "zod";
import { nextJoin, putMember, removeMember } from "../access/member-store";
import { findProject } from "../access/project-store";
import { beingTransferred, isTransferring } from "../access/rules";
import { noSuchTeam } from "../accounts/rules";
import type { TeamRow } from "../accounts/store";
import { findVisibleTeam, loadTeam, type TeamPath, teamPath } from "../accounts/team";
import { type Call, type Route, route } from "../http/route";
import { disableOrphaned } from "../integrations/lifecycle";
import { type Mail, nameInMail, queueMail } from "../mail/outbox";
import { notFound } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { findRow, hasRow } from "../store/rows";
import type { MembershipRow, Role } from "./object";
import { putProjectRoles } from "./project-store";
import {
  demotesLastOwner,
  isMemberAlready,
  type Membership,
  ownersOnly,
  ownersOrOneself,
  removesLastOwner,
  unknownProjects,
} from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { viewInvited, viewMember } from "./view";

/**
 * The members of a team.
 * @source the newest official client, and the official Terraform provider
 */

const list = route({
  method: "GET",
  path: "/v3/teams/:teamIdOrSlug/members",
  operationId: "getTeamMembers",
  summary: "Lists the members of a team, and the users who were invited to it.",
  scope: ["read:team"],
  params: teamPath,
  query: wire.memberFilters,
  success: [200, wire.memberList],
  async handle(call) {
    const team = await findVisibleTeam(call);
    if (!team) throw noSuchTeam();
    const { rows, pagination } = await store.listMembers(call.tx, team.id, call.query);
    return {
      members: rows.map(viewMember),
      pagination: { ...pagination, hasNext: pagination.next !== null },
    };
  },
});

type Invite = z.infer<typeof wire.invite>;
const invitationOf = (body: Invite): wire.Invitation => [body].flat()[0] as wire.Invitation;

/** @choice If no user has the email address, an account is created. A seed can give the account a token. */
const invite = route({
  method: "POST",
  path: "/v2/teams/:teamIdOrSlug/members",
  operationId: "inviteUserToTeam",
  summary: "Invites a user to a team by email address. The user is a member after accepting.",
  scope: ["read-write:team"],
  params: teamPath,
  body: wire.invite,
  example: { email: "ada@example.com", role: "MEMBER" },
  success: [200, wire.invited],
  async load(call: Call<TeamPath, unknown, Invite>) {
    const { email } = invitationOf(call.body);
    const { team, role } = await loadTeam(call);
    const user = await store.userByEmail(call.tx, email);
    const member = user && (await findRow(call.tx, "members", { team_id: team.id, user_id: user.id }));
    return { team, role, email, user, member, ...(await grantsOf(call, team, invitationOf(call.body))) };
  },
  refuse: [ownersOnly, isMemberAlready, unknownProjects, beingTransferred],
  async handle({ tx, now, body, email, team, caller, user: known, grants }) {
    const { role = "VIEWER" } = invitationOf(body);
    const user = known ?? (await store.addInvitedUser({ tx, now }, email));
    const created_at = await nextJoin({ tx, now }, team.id, user.id);
    await putMember(tx, { team_id: team.id, user_id: user.id, role, confirmed: 0, created_at });
    await putProjectRoles({ tx, now }, { team: team.id, user: user.id }, grants);
    await queueMail({ tx, now }, mailAbout(team, email, caller.username, role));
    return viewInvited(user, email, role);
  },
});

type Grants = { grants: (wire.ProjectGrants[number] & { isKnown: boolean })[] };

/** The roles in projects that a body gives. `project`: one of these projects that is being transferred. */
async function grantsOf(
  { tx }: Pick<Call, "tx">,
  team: TeamRow,
  { projects = [] }: { projects?: wire.ProjectGrants | undefined },
): Promise<Grants & { project: ProjectRow | undefined }> {
  const found = await Promise.all(projects.map(({ projectId }) => findProject(tx, team.id, projectId)));
  const ids = new Set(found.map((project) => project?.id));
  return {
    grants: projects.map((grant) => ({ ...grant, isKnown: ids.has(grant.projectId) })),
    project: found.find((project) => project !== undefined && isTransferring(project)),
  };
}

function mailAbout({ name, slug }: TeamRow, to: string, by: string, role: Role): Mail {
  const team = nameInMail(name ?? slug);
  return {
    to,
    subject: `Join the team ${team}`,
    body:
      `${nameInMail(by)} has invited you to the team ${team} with the role ${role}. ` +
      `Accept with POST /v1/teams/${slug}/members/teams/join and an access token of yours.`,
  };
}

const memberPath = teamPath.extend({ uid: z.string() });
type MemberPath = z.infer<typeof memberPath>;
const unknownMember = [404, "not_found", "no such member of the team"] as const;

const update = route({
  method: "PATCH",
  path: "/v1/teams/:teamIdOrSlug/members/:uid",
  operationId: "updateTeamMember",
  summary: "Changes the role of a member of a team, and the member's roles in projects.",
  scope: ["read-write:team"],
  params: memberPath,
  body: wire.updateMember,
  example: { role: "VIEWER" },
  success: [200, wire.changedTeam],
  throws: [unknownMember],
  async load(call: Call<MemberPath, unknown, z.infer<typeof wire.updateMember>>) {
    const loaded = await loadMember(call);
    return { ...loaded, ...(await grantsOf(call, loaded.team, call.body)) };
  },
  refuse: [ownersOnly, demotesLastOwner, unknownProjects, beingTransferred],
  async handle({ tx, now, team, member, body, grants }) {
    const isAccepted = body.confirmed === true && member.access_requested_at !== null;
    await store.changeMember(tx, team.id, member.user_id, {
      ...(body.role !== undefined && { role: body.role }),
      ...(isAccepted && { confirmed: 1 }),
    });
    if (body.projects) await putProjectRoles({ tx, now }, { team: team.id, user: member.user_id }, grants);
    return { id: team.id };
  },
});

/** @choice Installations of a member who leaves are disabled, as when the control plane removes a member. */
const remove = route({
  method: "DELETE",
  path: "/v1/teams/:teamIdOrSlug/members/:uid",
  operationId: "removeTeamMember",
  summary: "Removes a member from a team, withdraws an invitation, or leaves the team.",
  scope: ["read-write:team"],
  params: memberPath,
  query: wire.leaving,
  success: [200, wire.changedTeam],
  throws: [unknownMember],
  load: loadMember,
  refuse: [ownersOrOneself, removesLastOwner],
  async handle({ tx, now, team, member }) {
    await removeMember(tx, team.id, member.user_id);
    await disableOrphaned({ tx, now }, team.id, member.user_id);
    return { id: team.id };
  },
});

/** @throws Refusal 403, 404 */
async function loadMember(
  call: Call<MemberPath>,
): Promise<Membership & { team: TeamRow; role: Role | undefined; member: MembershipRow }> {
  const { team, role } = await loadTeam(call);
  const owners = await store.lockOwners(call.tx, team.id);
  const member = await findRow(call.tx, "members", { team_id: team.id, user_id: call.params.uid });
  if (!member) throw notFound(`Member ${JSON.stringify(call.params.uid)} of the team`);
  return { team, role, owners, member };
}

/** @source the newest official client: joinTeam */
const join = route({
  method: "POST",
  path: "/v1/teams/:teamIdOrSlug/members/teams/join",
  operationId: "joinTeam",
  summary: "Accepts an invitation to a team.",
  scope: ["read-write:user"],
  params: teamPath,
  body: wire.join,
  example: {},
  success: [200, wire.joined],
  throws: [[404, "not_found", "the caller was not invited to the team"]],
  async handle({ tx, caller, params }) {
    const team = caller.installation
      ? undefined
      : await store.findInvitation(tx, caller.userId, params.teamIdOrSlug);
    // A token of one team acts on that team only, so it joins no other team.
    if (!team || (caller.boundTo !== null && caller.boundTo !== team.id))
      throw notFound(`An invitation to the team "${params.teamIdOrSlug}"`);
    await store.changeMember(tx, team.id, caller.userId, { confirmed: 1 });
    return { teamId: team.id, slug: team.slug, name: team.name ?? team.slug, from: "mail" as const };
  },
});

const invitePath = teamPath.extend({ inviteId: z.string().describe("The id of the invited user.") });

/**
 * @choice An invited address gets an account at once. So an invitation has the id of its user, and a user who has
 *   accepted, or who asked to join, has none.
 * @source the newest official client: deleteTeamInviteCode
 */
const withdraw = route({
  method: "DELETE",
  path: "/v1/teams/:teamIdOrSlug/invites/:inviteId",
  operationId: "deleteTeamInviteCode",
  summary: "Withdraws an invitation to a team.",
  scope: ["read-write:team"],
  params: invitePath,
  success: [200, wire.changedTeam],
  throws: [[404, "not_found", "no such invitation to the team"]],
  load: (call: Call<z.infer<typeof invitePath>>) => loadTeam(call),
  refuse: [ownersOnly],
  async handle({ tx, team, params: { inviteId } }) {
    const own = { team_id: team.id, user_id: inviteId, confirmed: 0, access_requested_at: null } as const;
    if (!(await hasRow(tx, "members", own)))
      throw notFound(`Invitation ${JSON.stringify(inviteId)} to the team`);
    await removeMember(tx, team.id, inviteId);
    return { id: team.id };
  },
});

export const memberRoutes: readonly Route[] = [list, invite, update, remove, join, withdraw];
