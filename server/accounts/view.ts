import type { Caller } from "../access/caller";
import type { AccountRow } from "./object";
import type { Team, User } from "./schema";
import type { TeamRow } from "./store";
import type { TeamSettings } from "./team-settings";

/** The only account that a caller's access token acts on; null: the user's own account and all of its teams. */
export const onlyAccount = ({ installation, boundTo }: Caller): string | null =>
  installation?.accountId ?? boundTo;

export function viewUser(row: AccountRow, caller: Caller): User {
  const only = onlyAccount(caller);
  return {
    id: row.id,
    email: row.email ?? "",
    username: row.slug,
    name: row.name,
    avatar: null,
    defaultTeamId: only === caller.userId ? null : only,
    limited: true,
    version: "northstar",
  };
}

/** The settings of a team that were set. */
export const settingsOf = ({ settings }: Pick<AccountRow, "settings">): TeamSettings =>
  settings === null ? {} : JSON.parse(settings);

export function viewTeam(row: TeamRow, userId: string): Team {
  const settings = settingsOf(row);
  return {
    ...settings,
    id: row.id,
    slug: row.slug,
    name: row.name ?? row.slug,
    avatar: settings.avatar ?? null,
    description: settings.description ?? null,
    creatorId: row.creator_id ?? userId,
    stagingPrefix: settings.stagingPrefix ?? "",
    billing: { plan: row.plan },
    createdAt: row.created_at,
    // @choice The server does not record when a team was changed.
    updatedAt: row.created_at,
    ...(row.sensitive_policy === null ? {} : { sensitiveEnvironmentVariablePolicy: row.sensitive_policy }),
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

/**
 * A user's own account as a team with one member.
 * @choice Official clients request the account that they work on as a team by its id, even a user's own account.
 */
export const viewPersonalAccount = (row: AccountRow): Team =>
  viewTeam({ ...row, role: "OWNER", joined_at: row.created_at, creator_id: row.id }, row.id);
