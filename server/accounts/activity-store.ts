import { reachOf } from "../access/project-store";
import type { EventType } from "../events/event";
import type { EventRow } from "../events/object";
import type { Call } from "../http/route";

interface Filters {
  types: readonly EventType[];
  user?: string | undefined;
  projects?: readonly string[] | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

/** The events of an account that a caller may see, the newest first. */
export function findEvents(
  { tx, account, caller }: Pick<Call, "tx" | "account" | "caller">,
  { types, user, projects, since, until }: Filters,
  limit: number,
): Promise<EventRow[]> {
  let query = tx.selectFrom("events").selectAll().where("account_id", "=", account.id);
  query = query.where("type", "in", types.length > 0 ? types : [""]);
  const reach = reachOf(tx, caller);
  if (reach !== undefined) query = query.where("project_id", "in", reach);
  if (user !== undefined) query = query.where("user_id", "=", user);
  if (projects !== undefined) query = query.where("project_id", "in", projects);
  if (since !== undefined) query = query.where("created_at", ">", since);
  if (until !== undefined) query = query.where("created_at", "<", until);
  return query.orderBy("sequence", "desc").limit(limit).execute();
}

/** The users with these ids. */
export const findUsers = ({ tx }: Pick<Call, "tx">, ids: readonly string[]) =>
  ids.length === 0 ? [] : tx.selectFrom("accounts").selectAll().where("id", "in", ids).execute();
