import type { Client } from "../../client/client";
import { type ApiError, absentFrom } from "../../client/errors";
import { membersPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Plain } from "../../core/values";

/** Reads the members of a team, and finds one by user id or email address. */

/** A member of a team, or somebody who was invited to it. */
export interface Member {
  /** Undefined for an address without an account. */
  uid: string | undefined;
  /** The id of the invitation of an address without an account. */
  code: string | undefined;
  email: string;
  role: string;
  /** False until the invitation is accepted. */
  confirmed: boolean;
  username: string | null;
  name: string | null;
}

/** Returns the id of the team; the configured id or slug if the token cannot read it. @throws Error without a team */
export async function teamOf(client: Client): Promise<string> {
  const { team } = client.settings;
  if (team === undefined) throw new Error(needsTeam);
  return (await client.account()) ?? team;
}

export const needsTeam =
  "Only teams have members. Select the team: SLIPWAY_TEAM, or the configuration slipway:team.";

/** The members of a page, and the invitations of addresses without an account. */
export const membersIn = ({ members, emailInviteCodes }: Page): Member[] => [
  ...members.map(
    ({ uid, email, role, confirmed, username, name }): Member => ({
      ...{ uid, code: undefined, email: email ?? "", role, confirmed },
      ...{ username: username ?? null, name: name ?? null },
    }),
  ),
  ...(emailInviteCodes ?? []).map(
    ({ id, email, role }): Member => ({
      ...{ uid: undefined, code: id, email: email ?? "", role: role ?? "", confirmed: false },
      ...{ username: null, name: null },
    }),
  ),
];
type Page = ReturnType<typeof responses.memberList.parse>;

/** All members of a team. @param stale see `Client.list` */
export const membersOf = (client: Client, team: string, stale = false): Promise<Member[]> =>
  client.list(membersPath(team), responses.memberList, membersIn, { limit: "100" }, stale);

/** A user id, or an email address, which is not case-sensitive. */
export type MemberKey = { uid: string } | { email: string };

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const hasKey =
  (who: MemberKey) =>
  ({ uid, email }: Member): boolean =>
    "uid" in who ? uid === who.uid : isSameEmail(email, who.email);

/** Reads the members without the cache. @param filter a filter, which the service may ignore */
export const membersNow = (
  client: Client,
  team: string,
  filter: Record<string, string> = {},
): Promise<Member[]> =>
  client.listNow(membersPath(team), responses.memberList, membersIn, { ...filter, limit: "100" });

/** Finds a member without the cache. */
export async function findNow(client: Client, team: string, who: MemberKey): Promise<Member | undefined> {
  const filter = "uid" in who ? { filterByUserIds: who.uid } : { search: who.email };
  return (await membersNow(client, team, filter)).find(hasKey(who));
}

/** @throws ApiError 404 */
export async function readMember(client: Client, team: string, who: MemberKey): Promise<Member> {
  const found = (await membersOf(client, team)).find(hasKey(who)) ?? (await findNow(client, team, who));
  if (found) return found;
  throw notFound(team, "uid" in who ? who.uid : who.email);
}

/** The 404 for a missing member. The service has no request for a single member. */
export const notFound = (team: string, who: string): ApiError =>
  absentFrom(membersPath(team), `The team has no member ${who}`);

/** Another address or spelling of the same user is no change (`compare` of a definition). */
export function compareEmail(key: string, state: Plain, { email }: Plain): false | undefined {
  if (key !== "email" || typeof email !== "string") return undefined;
  const known = [state.email, state.currentEmail];
  return known.some((one) => isSameEmail(`${one}`, email)) ? false : undefined;
}

export const keyOf = ({ uid, email }: Member): MemberKey => (uid === undefined ? { email } : { uid });

export const idOf = (team: string, { uid, email }: Member): string => `${team}/${uid ?? email.toLowerCase()}`;

/** Parses `team/user`, or the user alone. The user is an id or an email address. */
export function partsOf(id: string): { team: string | undefined; who: MemberKey } {
  const [, team, user] = /^(?:(team_[^/\s]+)\/)?([^/\s]+)$/.exec(id) ?? [];
  if (user !== undefined) return { team, who: user.includes("@") ? { email: user } : { uid: user } };
  throw new Error(
    'The id of a team member is "team/user", such as "team_…/ada@example.com": the id of the team, and the id or the email address of the user.',
  );
}
