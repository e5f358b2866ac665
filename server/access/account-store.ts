import type { AccountRow } from "../accounts/object";
import { prepared, type Tx } from "../store/store";

/** The fields of an account that can change. */
export interface AccountFields {
  slug?: string | undefined;
  /** The settings of a team, as JSON. */
  settings?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  plan?: AccountRow["plan"] | undefined;
  addons?: string[] | undefined;
  softBlocked?: boolean | undefined;
  paymentMethodNeedsUpdate?: boolean | undefined;
  deniedDomains?: string[] | undefined;
  sensitiveEnvironmentVariablePolicy?: AccountRow["sensitive_policy"] | undefined;
}

/** Changes the fields that are set. The other fields keep their values. */
export async function changeAccount(tx: Tx, id: string, fields: AccountFields): Promise<void> {
  const columns = columnsOf(fields);
  if (Object.keys(columns).length === 0) return;
  await tx.updateTable("accounts").set(columns).where("id", "=", id).execute();
}

export function columnsOf(fields: AccountFields): Partial<Omit<AccountRow, "id">> {
  const { name, email, plan, addons, softBlocked, paymentMethodNeedsUpdate, deniedDomains } = fields;
  const { slug, settings, sensitiveEnvironmentVariablePolicy: policy } = fields;
  return {
    ...(slug !== undefined && { slug }),
    ...(settings !== undefined && { settings }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(plan !== undefined && { plan }),
    ...(addons !== undefined && { addons: JSON.stringify(addons) }),
    ...(softBlocked !== undefined && { soft_blocked: softBlocked ? 1 : 0 }),
    ...(paymentMethodNeedsUpdate !== undefined && {
      payment_method_needs_update: paymentMethodNeedsUpdate ? 1 : 0,
    }),
    ...(deniedDomains !== undefined && { denied_domains: JSON.stringify(deniedDomains) }),
    ...(policy !== undefined && { sensitive_policy: policy }),
  };
}

/** Finds a team by slug or id, or a user by username or id. */
export async function findAccount(
  tx: Tx,
  kind: AccountRow["kind"],
  key: string,
): Promise<AccountRow | undefined> {
  return tx
    .selectFrom("accounts")
    .selectAll()
    .where("kind", "=", kind)
    .where((eb) => eb.or([eb("slug", "=", key), eb("id", "=", key)]))
    .executeTakeFirst();
}

/** The slugs or usernames of accounts by their ids. Accounts that no longer exist are left out. */
export async function findSlugs(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom("accounts").select(["id", "slug"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

const byId = prepared((tx, p: { id: string }) =>
  tx.selectFrom("accounts").selectAll().where("id", "=", p.id),
);

/** Returns the account with an id that another row stores. @throws Error if the account is gone */
export async function accountById(tx: Tx, id: string): Promise<AccountRow> {
  const [row] = await byId(tx, { id });
  if (!row) throw new Error(`account ${id} is gone`);
  return row;
}
