import { type AccountFields, changeAccount, columnsOf, findAccount } from "../access/account-store";
import { derivedId } from "../platform/ids";
import { tokenHash } from "../platform/vault";
import { nextTime } from "../store/monotonic";
import type { AccountRow } from "../store/schema";
import type { Tx, Unit } from "../store/store";
import { type Seed, type SeedOwner, timeOf } from "./document";
import { SeedError } from "./error";

type SeedUser = NonNullable<Seed["users"]>[number];
type SeedTeam = NonNullable<Seed["teams"]>[number];
type SeedToken = NonNullable<Seed["tokens"]>[number];
export const putUser = (unit: Unit, { username, ...user }: SeedUser, at: number): Promise<string> =>
  putAccount(unit, "user", username, user, ["users", at]);

export async function putTeam(
  { tx, now }: Unit,
  { slug, members, ...team }: SeedTeam,
  at: number,
): Promise<void> {
  const id = await putAccount({ tx, now }, "team", slug, team, ["teams", at]);
  for (const [index, { user, role, createdAt }] of (members ?? []).entries()) {
    const member = await findAccount(tx, "user", user);
    if (!member)
      throw new SeedError(
        ["teams", at, "members", index, "user"],
        `there is no user ${JSON.stringify(user)}`,
      );
    await tx
      .insertInto("members")
      .values({
        team_id: id,
        user_id: member.id,
        role,
        created_at: createdAt ?? (await nextJoin({ tx, now }, id, member.id)),
      })
      .onConflict((conflict) => conflict.columns(["team_id", "user_id"]).doUpdateSet({ role }))
      .execute();
  }
}

/** A time that is unique for the team and for the user, so that both lists can be paged by it. */
function nextJoin({ tx, now }: Unit, team: string, user: string): Promise<number> {
  const joined = tx
    .selectFrom("members")
    .where((eb) => eb.or([eb("team_id", "=", team), eb("user_id", "=", user)]));
  return nextTime(joined, "created_at", now);
}

export async function putToken(
  { tx, now }: Unit,
  { token, user, team, revoked }: SeedToken,
  at: number,
): Promise<void> {
  const hash = tokenHash(token);
  const row = {
    user_id: (await ownerOf(tx, { user }, ["tokens", at])).id,
    account_id: team === undefined ? null : (await ownerOf(tx, { team }, ["tokens", at])).id,
  };
  if (revoked) {
    await tx.deleteFrom("tokens").where("hash", "=", hash).execute();
    return;
  }
  await tx
    .insertInto("tokens")
    .values({ hash, ...row, configuration_id: null, created_at: now })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(row))
    .execute();
}

/** Creates the account, or changes the one of that name to what the document says. */
async function putAccount(
  { tx, now }: Unit,
  kind: AccountRow["kind"],
  slug: string,
  { id, createdAt, ...fields }: AccountFields & { id?: string | undefined; createdAt?: number | undefined },
  place: (string | number)[],
): Promise<string> {
  const known = await findAccount(tx, kind, slug);
  if (known) {
    if (id !== undefined && id !== known.id) {
      throw new SeedError(
        [...place, "id"],
        `the ${kind} ${JSON.stringify(slug)} already exists with the id ${known.id}`,
      );
    }
    await changeAccount(tx, known.id, fields);
    return known.id;
  }
  const made = id ?? derivedId(kind, slug);
  const owner = await tx.selectFrom("accounts").select("slug").where("id", "=", made).executeTakeFirst();
  if (owner) throw new SeedError([...place, "id"], `the id ${made} belongs to ${JSON.stringify(owner.slug)}`);
  await tx
    .insertInto("accounts")
    .values({
      id: made,
      kind,
      slug,
      name: null,
      email: kind === "user" ? `${slug}@example.com` : null,
      plan: kind === "team" ? "pro" : "hobby",
      addons: "[]",
      soft_blocked: 0,
      payment_method_needs_update: 0,
      denied_domains: "[]",
      event_sequence: 0,
      created_at: timeOf(createdAt, now),
      ...columnsOf(fields),
    })
    .execute();
  return made;
}

/** Finds the account that a row of the document names. */
export async function ownerOf(
  tx: Tx,
  { team, user }: SeedOwner,
  place: (string | number)[],
): Promise<AccountRow> {
  const kind = team === undefined ? "user" : "team";
  const key = team ?? user ?? "";
  const account = await findAccount(tx, kind, key);
  if (!account) throw new SeedError([...place, kind], `there is no ${kind} ${JSON.stringify(key)}`);
  return account;
}
