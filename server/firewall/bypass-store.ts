import type { Insertable } from "kysely";
import { pageSize } from "../http/query";
import { deleteRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import type { Database } from "../store/tables";
import type { FirewallBypassRow } from "./object";

/** The rules of projects that let addresses past the firewall. */

interface Target {
  domain: string;
  ip: string;
}

/** @source the Terraform provider, which splits the id at import */
export const bypassIdOf = (projectId: string, { domain, ip }: Target): string =>
  [projectId, ...(domain === "*" ? [] : [domain]), ip].join("#");

/** The rules of a project that have not expired. */
const activeOf = ({ tx, now }: Unit, projectId: string) =>
  tx
    .selectFrom("firewall_bypasses")
    .selectAll()
    .where("project_id", "=", projectId)
    .where((rule) => rule.or([rule("expires_at", "is", null), rule("expires_at", ">", now)]));

export const findBypass = (
  unit: Unit,
  projectId: string,
  target: Target,
): Promise<FirewallBypassRow | undefined> =>
  activeOf(unit, projectId).where("id", "=", bypassIdOf(projectId, target)).executeTakeFirst();

interface Filters {
  limit?: number | undefined;
  sourceIp?: string | undefined;
  domain?: string | undefined;
  projectScope?: boolean | undefined;
  /** The id of the last rule of the page before. */
  offset?: string | undefined;
}

export async function listBypasses(
  unit: Unit,
  projectId: string,
  { limit, sourceIp, domain, projectScope, offset }: Filters,
): Promise<{ rows: FirewallBypassRow[]; hasMore: boolean }> {
  const size = limit === undefined ? 100 : pageSize(limit);
  let rules = activeOf(unit, projectId);
  if (sourceIp !== undefined) rules = rules.where("ip", "=", sourceIp.toLowerCase());
  if (domain !== undefined) rules = rules.where("domain", "=", domain);
  if (projectScope !== undefined) rules = rules.where("domain", projectScope ? "=" : "!=", "*");
  if (offset !== undefined) rules = rules.where("id", ">", offset);
  const rows = await rules
    .orderBy("id")
    .limit(size + 1)
    .execute();
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}

/** Adds a rule. It replaces an expired rule with the same target. */
export async function insertBypass(
  tx: Tx,
  row: Insertable<Database["firewall_bypasses"]>,
): Promise<FirewallBypassRow> {
  await deleteRows(tx, "firewall_bypasses", { id: row.id });
  return tx.insertInto("firewall_bypasses").values(row).returningAll().executeTakeFirstOrThrow();
}
