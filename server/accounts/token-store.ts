import type { Caller } from "../access/caller";
import type { TokenRow } from "../access/object";
import type { Tx, Unit } from "../store/store";

/**
 * The access tokens of a user that a caller may see, the newest first: neither those of installations, nor those that
 * have expired. A caller whose token is bound to an account sees only tokens that are bound to it.
 */
const visibleTokens = ({ tx, now }: Unit, { userId, boundTo }: Caller) => {
  const own = tx
    .selectFrom("tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("configuration_id", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("created_at", "desc")
    .orderBy("id");
  return boundTo === null ? own : own.where("account_id", "=", boundTo);
};

export const listTokens = (unit: Unit, caller: Caller): Promise<TokenRow[]> =>
  visibleTokens(unit, caller).execute();

export const findToken = (unit: Unit, caller: Caller, id: string): Promise<TokenRow | undefined> =>
  visibleTokens(unit, caller).where("id", "=", id).executeTakeFirst();

/** @returns false if another unit has deleted the token before */
export async function deleteToken(tx: Tx, { id }: Pick<TokenRow, "id">): Promise<boolean> {
  const deleted = await tx.deleteFrom("tokens").where("id", "=", id).returning("id").executeTakeFirst();
  return deleted !== undefined;
}
