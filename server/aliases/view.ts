import { seesAllVariables } from "../env/access";
import type { Call } from "../http/route";
import type { Exceptions } from "./exception-schema";
import { exceptionsOf } from "./exception-store";
import type { ExceptionRow } from "./object";
import type { Alias } from "./schema";
import type { FoundAlias } from "./store";

export const viewAlias = (row: FoundAlias): Alias => ({
  uid: row.id ?? row.alias,
  alias: row.alias,
  created: isoTime(row.created_at),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  creator: { uid: row.creator_id, email: row.email ?? "", username: row.username ?? "" },
  deployment: { id: row.deployment_id, url: row.url },
  deploymentId: row.deployment_id,
  projectId: row.project_id,
  redirect: row.redirect,
  redirectStatusCode: row.redirect_status_code,
});

/** The names with their exceptions from deployment protection. */
export async function viewAliases(
  call: Pick<Call, "tx" | "now" | "account">,
  rows: readonly FoundAlias[],
): Promise<Alias[]> {
  const all = await exceptionsOf(call, rows);
  return rows.map((row) => {
    const own = all.filter(
      ({ alias, project_id: project }) => alias === row.alias && project === row.project_id,
    );
    const protectionBypass = viewExceptions(call, own);
    return { ...viewAlias(row), ...(Object.keys(protectionBypass).length > 0 && { protectionBypass }) };
  });
}

/** @choice The links are secrets, so that only callers who may see variables get them. */
export const viewExceptions = (call: Pick<Call, "account">, rows: readonly ExceptionRow[]): Exceptions =>
  Object.fromEntries(
    rows
      .filter(({ scope }) => scope !== "shareable-link" || seesAllVariables(call))
      .map((row) => [row.key, viewException(row)]),
  );

function viewException(row: ExceptionRow): Exceptions[string] {
  const { scope, actor_id: by, created_at: createdAt, expires_at: expires } = row;
  if (scope === "alias-protection-override") return { createdAt, createdBy: by, scope };
  if (scope === "shareable-link")
    return { createdAt, createdBy: by, scope, ...(expires !== null && { expires }) };
  const changed = { createdAt, lastUpdatedAt: row.updated_at, lastUpdatedBy: by };
  return scope === "user" ? { ...changed, scope, access: "granted" } : { ...changed, scope };
}

export const isoTime = (time: number): string => new Date(time).toISOString();
