import * as z from "zod";
import type { Caller } from "../access/caller";
import { pageOf, pagination, paging } from "../http/query";
import { type Route, route } from "../http/route";
import { Refusal } from "../platform/refusal";
import type { AccountRow, Role } from "../store/schema";
import type { Tx } from "../store/store";

/** The caller's user and teams, which official clients ask for first. @source wire-shapes 11 */

const user = z.strictObject({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatar: z.null(),
  /** The team that the access token is bound to; null for a token of the user's own account. */
  defaultTeamId: z.string().nullable(),
  limited: z.literal(true),
  version: z.literal("northstar"),
});

/** @choice The limited form, which every version of the official clients accepts. */
const getUser = route({
  method: "GET",
  path: "/v2/user",
  summary: "Returns the user of the access token.",
  scope: ["read:user"],
  success: [200, z.strictObject({ user })],
  async handle({ tx, caller }) {
    const row = await tx
      .selectFrom("accounts")
      .selectAll()
      .where("id", "=", caller.userId)
      .executeTakeFirstOrThrow();
    return {
      user: {
        id: row.id,
        email: row.email ?? "",
        username: row.slug,
        name: row.name,
        avatar: null,
        defaultTeamId: boundTeam(caller),
        limited: true,
        version: "northstar",
      },
    };
  },
});

/** The only team that a caller's access token acts on, if it is bound to one. */
function boundTeam(caller: Caller): string | null {
  const only = caller.installation?.accountId ?? caller.boundTo;
  return only === caller.userId ? null : only;
}

const team = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  avatar: z.null(),
  description: z.null(),
  creatorId: z.string(),
  stagingPrefix: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  membership: z.strictObject({
    role: z.enum(["OWNER", "MEMBER", "DEVELOPER", "VIEWER", "BILLING"]),
    confirmed: z.literal(true),
    uid: z.string(),
    teamId: z.string(),
    createdAt: z.number(),
    created: z.number(),
  }),
});

/** @choice Never limited: this server has no log-in of a team. */
const listedTeam = team.extend({ limited: z.boolean(), limitedBy: z.array(z.string()) });

type TeamRow = AccountRow & { role: Role; joined_at: number; creator_id: string | null };

function viewTeam(row: TeamRow, userId: string): z.infer<typeof team> {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name ?? row.slug,
    avatar: null,
    description: null,
    creatorId: row.creator_id ?? userId,
    stagingPrefix: "",
    createdAt: row.created_at,
    // @choice Only the control plane changes teams, and it does not record when.
    updatedAt: row.created_at,
    membership: {
      role: row.role,
      confirmed: true,
      uid: userId,
      teamId: row.id,
      createdAt: row.joined_at,
      created: row.joined_at,
    },
  };
}

function teamsOf(tx: Tx, userId: string) {
  return tx
    .selectFrom("accounts as a")
    .innerJoin("members as m", "m.team_id", "a.id")
    .selectAll("a")
    .select(["m.role", "m.created_at as joined_at"])
    .select((eb) =>
      eb
        .selectFrom("members as o")
        .select("o.user_id")
        .whereRef("o.team_id", "=", "a.id")
        .where("o.role", "=", "OWNER")
        .orderBy("o.created_at")
        .limit(1)
        .as("creator_id"),
    )
    .where("m.user_id", "=", userId);
}

const listTeams = route({
  method: "GET",
  path: "/v2/teams",
  summary: "Lists the teams of the user of the access token.",
  scope: ["read:team"],
  query: z.object(paging),
  success: [200, z.strictObject({ teams: z.array(listedTeam), pagination })],
  async handle({ tx, caller, query }) {
    const only = caller.installation?.accountId ?? caller.boundTo;
    const all = teamsOf(tx, caller.userId);
    const list = only === null ? all : all.where("a.id", "=", only);
    const { rows, pagination } = await pageOf(list, "m.created_at", query, { as: "joined_at" });
    const teams = rows.map((row) => ({ ...viewTeam(row, caller.userId), limited: false, limitedBy: [] }));
    return { teams, pagination };
  },
});

/**
 * A user's own account, in the form of a team with one member.
 * @choice Official clients ask for any account that they work on as a team, by its id.
 */
async function viewPersonal(tx: Tx, userId: string): Promise<z.infer<typeof team>> {
  const row = await tx.selectFrom("accounts").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
  return viewTeam({ ...row, role: "OWNER", joined_at: row.created_at, creator_id: userId }, userId);
}

const getTeam = route({
  method: "GET",
  path: "/v2/teams/:teamIdOrSlug",
  summary: "Returns a team, by id or slug.",
  scope: ["read:team"],
  params: z.object({ teamIdOrSlug: z.string() }),
  success: [200, team],
  async handle({ tx, caller, params: { teamIdOrSlug } }) {
    const only = caller.installation?.accountId ?? caller.boundTo;
    const row = await teamsOf(tx, caller.userId)
      .where((eb) => eb.or([eb("a.id", "=", teamIdOrSlug), eb("a.slug", "=", teamIdOrSlug)]))
      .executeTakeFirst();
    if (row && (only === null || only === row.id)) return viewTeam(row, caller.userId);
    if (teamIdOrSlug === caller.userId && only === null) return viewPersonal(tx, caller.userId);
    throw new Refusal(
      403,
      "team_unauthorized",
      "The access token has no access to this team, or there is no such team.",
    );
  },
});

const member = z.strictObject({
  uid: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.string().optional(),
  role: team.shape.membership.shape.role,
  confirmed: z.literal(true),
  createdAt: z.number(),
});

const memberList = z.strictObject({
  members: z.array(member),
  /** This list alone has `hasNext` too. @source the API's official clients */
  pagination: pagination.extend({ hasNext: z.boolean() }),
});

const listMembers = route({
  method: "GET",
  path: "/v3/teams/:teamIdOrSlug/members",
  summary: "Lists the members of a team.",
  scope: ["read:team"],
  params: z.object({ teamIdOrSlug: z.string() }),
  query: z.object(paging),
  success: [200, memberList],
  async handle({ tx, caller, params: { teamIdOrSlug }, query }) {
    const only = caller.installation?.accountId ?? caller.boundTo;
    const team = await teamsOf(tx, caller.userId)
      .where((eb) => eb.or([eb("a.id", "=", teamIdOrSlug), eb("a.slug", "=", teamIdOrSlug)]))
      .executeTakeFirst();
    if (!team || (only !== null && only !== team.id)) {
      throw new Refusal(
        403,
        "team_unauthorized",
        "The access token has no access to this team, or there is no such team.",
      );
    }
    const list = tx
      .selectFrom("members as m")
      .innerJoin("accounts as u", "u.id", "m.user_id")
      .select(["u.id", "u.slug", "u.email", "u.name", "m.role", "m.created_at as joined_at"])
      .where("m.team_id", "=", team.id);
    const { rows, pagination } = await pageOf(list, "m.created_at", query, { as: "joined_at" });
    return {
      members: rows.map((row) => ({
        uid: row.id,
        username: row.slug,
        email: row.email ?? "",
        ...(row.name === null ? {} : { name: row.name }),
        role: row.role,
        confirmed: true as const,
        createdAt: row.joined_at,
      })),
      pagination: { ...pagination, hasNext: pagination.next !== null },
    };
  },
});

export const accountRoutes: readonly Route[] = [getUser, listTeams, getTeam, listMembers];
