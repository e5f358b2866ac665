import type { EventRow, ProjectRow } from "../store/schema";
import type { Tx } from "../store/store";

/** Queries over all accounts, which only the control plane makes. */

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

/** @param recipient undefined: all mail */
export function mailTo(tx: Tx, recipient: string | undefined) {
  const mail = tx.selectFrom("mail").selectAll();
  return recipient === undefined ? mail : mail.where("recipient", "=", recipient);
}

/** Finds a project by its id alone, since projects of several accounts may have the same name. */
export const projectById = (tx: Tx, id: string): Promise<ProjectRow | undefined> =>
  tx.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();
