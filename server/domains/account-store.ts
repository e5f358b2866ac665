import type { Account } from "../access/caller";
import { coveredProjects } from "../access/coverage-store";
import type { Call } from "../http/route";
import type { DomainRow } from "../store/schema";
import type { Tx } from "../store/store";
import { isGiven } from "./names";

/** The project domains of an account that a caller may see, the oldest first. @param apex undefined: of all apexes */
export async function visibleDomains(
  { tx, account, caller }: Pick<Call, "tx" | "account" | "caller">,
  apex?: string,
): Promise<DomainRow[]> {
  let rows = tx.selectFrom("domains").selectAll().where("account_id", "=", account.id);
  if (apex !== undefined) rows = rows.where("apex_name", "=", apex);
  if (caller.installation?.selected)
    rows = rows.where("project_id", "in", await coveredProjects(tx, caller.installation.id));
  return (await rows.orderBy("created_at").orderBy("id").execute()).filter(({ name }) => !isGiven(name));
}

/** The user whose account it is, or the first owner of the team. */
export function ownerOf(tx: Tx, account: Account) {
  return tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", "m.user_id", "u.id")
    .select(["u.id", "u.slug", "u.email"])
    .where((eb) =>
      account.kind === "user"
        ? eb("u.id", "=", account.id)
        : eb.and([eb("m.team_id", "=", account.id), eb("m.role", "=", "OWNER")]),
    )
    .orderBy("m.created_at")
    .executeTakeFirst();
}
