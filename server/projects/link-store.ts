import type { Tx } from "../store/store";
import type { Repository } from "./link";
import type { GitProvider } from "./rules";

/** @choice An account without a git provider may link any repository. */
export async function findGitProvider(
  tx: Tx,
  account: string,
  type: Repository["type"],
): Promise<GitProvider> {
  const row = await tx
    .selectFrom("git_providers")
    .selectAll()
    .where("account_id", "=", account)
    .where("type", "=", type)
    .executeTakeFirst();
  return { repos: row?.repos ? JSON.parse(row.repos) : null, webhooks: row?.webhooks ?? "ok" };
}

/** True when a project has a domain or a variable for a branch. */
export async function isBranchInUse(tx: Tx, project: string, branch: string): Promise<boolean> {
  for (const table of ["domains", "env_vars"] as const) {
    const row = await tx
      .selectFrom(table)
      .select("id")
      .where("project_id", "=", project)
      .where("git_branch", "=", branch)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}
