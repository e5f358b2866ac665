import type { Account } from "../access/caller";
import type { Bypass } from "./bypass-schema";
import type { FirewallBypassRow } from "./object";

export function viewBypass(account: Pick<Account, "id">, row: FirewallBypassRow): Bypass {
  const updatedAt = new Date(row.updated_at).toISOString();
  return {
    OwnerId: account.id,
    Id: row.id,
    ProjectId: row.project_id,
    Domain: row.domain,
    Ip: row.ip,
    Action: "bypass",
    IsProjectRule: row.domain === "*",
    ...(row.note !== null && { Note: row.note }),
    ActorId: row.actor_id,
    CreatedAt: new Date(row.created_at).toISOString(),
    UpdatedAt: updatedAt,
    UpdatedAtHour: `${updatedAt.slice(0, 13)}:00:00.000Z`,
    ExpiresAt: row.expires_at,
  };
}
