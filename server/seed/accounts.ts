import { type AccountFields, changeAccount, columnsOf, findAccount } from "../access/account-store";
import { nextJoin, putMember } from "../access/member-store";
import type { AccountRow } from "../accounts/object";
import { derivedId } from "../platform/ids";
import { tokenHash } from "../platform/vault";
import type { Tx, Unit } from "../store/store";
import { type Seed, type SeedOwner, timeOf } from "./document";
import { SeedError } from "./error";
import { insertAccount, putTokenRow, removeToken, slugOfId } from "./store";

type SeedUser = NonNullable<Seed["users"]>[number];
type SeedTeam = NonNullable<Seed["teams"]>[number];
type SeedToken = NonNullable<Seed["tokens"]>[number];
export const putUser = (unit: Unit, { username, ...user }: SeedUser, at: number): Promise<string> =>
  putAccount(unit, "user", username, user, ["users", at]);

export async function putTeam(
  { tx, now }: Unit,
  { slug, members, settings, ...team }: SeedTeam,
  at: number,
): Promise<void> {
  const fields = { ...team, settings: settings && JSON.stringify(settings) };
  const id = await putAccount({ tx, now }, "team", slug, fields, ["teams", at]);
  for (const [index, { user, role, confirmed = true, createdAt }] of (members ?? []).entries()) {
    const member = await findAccount(tx, "user", user);
    if (!member)
      throw new SeedError(
        ["teams", at, "members", index, "user"],
        `there is no user ${JSON.stringify(user)}`,
      );
    await putMember(tx, {
      team_id: id,
      user_id: member.id,
      role,
      confirmed: confirmed ? 1 : 0,
      created_at: createdAt ?? (await nextJoin({ tx, now }, id, member.id)),
    });
  }
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
  await (revoked ? removeToken(tx, hash) : putTokenRow({ tx, now }, hash, row));
}

/** Creates the account, or changes the account with this name to match the document. */
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
  const owner = await slugOfId(tx, made);
  if (owner !== undefined)
    throw new SeedError([...place, "id"], `the id ${made} belongs to ${JSON.stringify(owner)}`);
  await insertAccount(tx, {
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
  });
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
