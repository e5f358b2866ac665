import { prepared, type Tx } from "../store/store";

/** Tokens with their owners and the accounts that requests name. */

/** A token with its owner. */
const callers = (tx: Tx, hash: string) =>
  tx
    .selectFrom("tokens as t")
    .innerJoin("accounts as u", "u.id", "t.user_id")
    .leftJoin("configurations as c", "c.id", "t.configuration_id")
    .select([
      "t.id as token_id",
      "t.expires_at",
      "t.user_id",
      "t.account_id as bound_to",
      "t.configuration_id",
      "u.slug as username",
      "c.integration_id",
      "c.account_id as configuration_account_id",
      "c.scopes",
      "c.disabled_at",
      "c.selected",
    ])
    .where("t.hash", "=", hash);

const accountColumns = [
  "a.id",
  "a.kind",
  "a.slug",
  "a.name",
  "a.plan",
  "a.addons",
  "a.soft_blocked",
  "a.payment_method_needs_update",
  "a.denied_domains",
  "a.sensitive_policy",
  "m.role",
] as const;

/**
 * A token with its owner, and the account `id`. If `id` is null, that is the account that the token is bound to, or
 * else the owner's own account. For the token of an installation, it is always the owner's own account.
 */
export const callerAndAccount = prepared(
  (tx, p: { hash: string; id: string | null }) =>
    callers(tx, p.hash)
      .leftJoin("accounts as a", (join) =>
        join.on("a.id", "=", (eb) =>
          eb.fn.coalesce(
            eb.cast<string | null>(eb.val(p.id), "text"),
            eb.case().when("t.configuration_id", "is", null).then(eb.ref("t.account_id")).end(),
            "t.user_id",
          ),
        ),
      )
      .leftJoin("members as m", (join) =>
        join.onRef("m.team_id", "=", "a.id").onRef("m.user_id", "=", "t.user_id").on("m.confirmed", "=", 1),
      )
      .select(accountColumns),
  { isRepeated: true },
);

/** A token with its owner, and the team with this slug. */
export const callerAndTeam = prepared(
  (tx, p: { hash: string; slug: string }) =>
    callers(tx, p.hash)
      .leftJoin("accounts as a", (join) => join.on("a.kind", "=", "team").on("a.slug", "=", p.slug))
      .leftJoin("members as m", (join) =>
        join.onRef("m.team_id", "=", "a.id").onRef("m.user_id", "=", "t.user_id").on("m.confirmed", "=", 1),
      )
      .select(accountColumns),
  { isRepeated: true },
);

/** An account, with the role of a user in it. */
export const accountFor = (tx: Tx, user: string, id: string) =>
  tx
    .selectFrom("accounts as a")
    .leftJoin("members as m", (join) =>
      join.onRef("m.team_id", "=", "a.id").on("m.user_id", "=", user).on("m.confirmed", "=", 1),
    )
    .select(accountColumns)
    .where("a.id", "=", id)
    .executeTakeFirst();
