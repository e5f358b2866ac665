import type { EventRow } from "../events/object";
import { shown } from "../store/object";
import type { Tx } from "../store/store";
import { objects, type Sections, shownTables } from "../store/tables";

/** Queries over all accounts, for the control plane alone. */

export interface EventFilter {
  account?: string | undefined;
  type?: string | undefined;
  /** The position of the last event of the previous page, such as `1700000000000.12.team_acme`. */
  until?: string | undefined;
}

/** Lists events, newest first. */
export async function listEvents(
  tx: Tx,
  { account, type, until }: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  let events = tx
    .selectFrom("events")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .orderBy("account_id", "desc")
    .limit(limit);
  if (account !== undefined) events = events.where("account_id", "=", account);
  if (type !== undefined) events = events.where("type", "=", type);
  const [, at, sequence, lastAccount] = /^(\d+)\.(\d+)\.(.+)$/.exec(until ?? "") ?? [];
  if (lastAccount === undefined) return events.execute();
  // Sequences are per account, so only time, sequence and account together are unique.
  return events
    .where((eb) =>
      eb.or([
        eb("created_at", "<", Number(at)),
        eb.and([eb("created_at", "=", Number(at)), eb("sequence", "<", Number(sequence))]),
        eb.and([
          eb("created_at", "=", Number(at)),
          eb("sequence", "=", Number(sequence)),
          eb("account_id", "<", lastAccount),
        ]),
      ]),
    )
    .execute();
}

/** The largest number of names in a query, because both engines limit the number of parameters. */
const chunk = 500;

/** The ids of the accounts with these slugs, usernames or ids. */
export async function accountsNamed(tx: Tx, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < names.length; at += chunk) {
    const some = names.slice(at, at + chunk);
    const rows = await tx
      .selectFrom("accounts")
      .select("id")
      .where((eb) => eb.or([eb("slug", "in", some), eb("id", "in", some)]))
      .execute();
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

/** @param recipient undefined: all mail */
export function mailTo(tx: Tx, recipient: string | undefined) {
  const mail = tx.selectFrom("mail").selectAll();
  return recipient === undefined ? mail : mail.where("recipient", "=", recipient);
}

/** The rows of all accounts, by section, in a stable order. */
export async function allRows(tx: Tx): Promise<Sections> {
  const found: Record<string, unknown[]> = {};
  for (const table of shownTables) {
    const described = objects[table];
    const { section = table, key = ["id"], order = key } = described;
    let query = tx.selectFrom(table).selectAll();
    for (const column of order) query = query.orderBy(column as never);
    found[section] = (await query.execute()).map((row) => shown(described, row));
  }
  return found as Sections;
}
