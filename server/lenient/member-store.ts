import { sql } from "kysely";
import type { Tx } from "../store/store";

/** The unknown members of objects, sealed. */

export const membersOf = (tx: Tx, owners: readonly string[]): Promise<{ owner: string; members: string }[]> =>
  tx.selectFrom("unknown_members").select(["owner", "members"]).where("owner", "in", owners).execute();

export async function insertMembers(tx: Tx, owner: string, members: string): Promise<void> {
  await tx.insertInto("unknown_members").values({ owner, members }).execute();
}

export async function removeMembers(tx: Tx, owner: string): Promise<void> {
  await tx.deleteFrom("unknown_members").where("owner", "=", owner).execute();
}

/** Removes the stored members of objects that no longer exist. */
export async function removeForgotten(tx: Tx): Promise<void> {
  let gone = tx.deleteFrom("unknown_members");
  for (const table of owning) gone = gone.where("owner", "not in", (eb) => eb.selectFrom(table).select("id"));
  await gone
    .where("owner", "not in", (eb) =>
      eb
        .selectFrom("domains")
        .select(sql<string>`project_id || '/' || name || '/' || created_at`.as("owner")),
    )
    .execute();
}

/** The tables whose ids are in answers. */
const owning = [
  "accounts",
  "projects",
  "env_vars",
  "custom_environments",
  "deployments",
  "integrations",
  "configurations",
  "webhooks",
  "log_drains",
  "domain_records",
  "shared_env_vars",
  "edge_configs",
  "edge_config_tokens",
] as const;
