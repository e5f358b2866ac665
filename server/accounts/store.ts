import { nextJoin, putMember } from "../access/member-store";
import { type TokenRow, tokens } from "../access/object";
import { pageOf } from "../http/query";
import type { Role } from "../members/object";
import { derivedId, newId } from "../platform/ids";
import { insertRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { AccountRow } from "./object";

/** A team of a user, with the user's membership. */
export type TeamRow = AccountRow & { role: Role; joined_at: number; creator_id: string | null };

export function userById(tx: Tx, id: string): Promise<AccountRow> {
  return tx.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** A page of a user's teams. @param only the only team that the caller may see; null: all */
export function listTeams(tx: Tx, userId: string, only: string | null, query: Parameters<typeof pageOf>[2]) {
  const all = teamsOf(tx, userId);
  const list = only === null ? all : all.where("a.id", "=", only);
  return pageOf(list, "m.created_at", query, { as: "joined_at" });
}

/** A team that the user has joined; an invitation does not count. @param key id or slug */
export function findTeam(tx: Tx, userId: string, key: string): Promise<TeamRow | undefined> {
  return teamsOf(tx, userId)
    .where((eb) => eb.or([eb("a.id", "=", key), eb("a.slug", "=", key)]))
    .executeTakeFirst();
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
        .where("o.confirmed", "=", 1)
        .orderBy("o.created_at")
        .limit(1)
        .as("creator_id"),
    )
    .where("m.user_id", "=", userId)
    .where("m.confirmed", "=", 1);
}

/** Adds a token of a user. If the token exists, changes its user, its account, its name and its expiry. */
export async function putToken(
  { tx, now }: Unit,
  hash: string,
  columns: Pick<TokenRow, "user_id" | "account_id" | "name" | "expires_at">,
): Promise<void> {
  const id = derivedId(tokens, hash);
  await tx
    .insertInto("tokens")
    .values({ hash, id, ...columns, configuration_id: null, suffix: null, created_at: now })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(columns))
    .execute();
}

/** Adds a team with one owner. @returns its id and slug */
export async function insertTeam(
  { tx, now }: Unit,
  owner: string,
  { slug, name }: { slug: string; name?: string | undefined },
): Promise<Pick<AccountRow, "id" | "slug">> {
  const id = newId("team");
  await insertRow(tx, "accounts", {
    ...{ id, kind: "team", slug, name: name ?? slug, email: null, plan: "pro", addons: "[]" },
    ...{ soft_blocked: 0, payment_method_needs_update: 0, denied_domains: "[]" },
    ...{ sensitive_policy: null, settings: null, event_sequence: 0, created_at: now },
  });
  const created_at = await nextJoin({ tx, now }, id, owner);
  await putMember(tx, { team_id: id, user_id: owner, role: "OWNER", confirmed: 1, created_at });
  return { id, slug };
}
