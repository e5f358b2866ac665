import type { Insertable } from "kysely";
import { findRow, hasRow } from "../store/rows";
import type { Tx } from "../store/store";
import type { Database } from "../store/tables";
import type { Repository } from "./link";
import type { GitProvider } from "./rules";

/** @choice An account without a git provider may link any repository. */
export async function findGitProvider(
  tx: Tx,
  account: string,
  type: Repository["type"],
): Promise<GitProvider> {
  const row = await findRow(tx, "git_providers", { account_id: account, type });
  return { repos: row?.repos ? JSON.parse(row.repos) : null, webhooks: row?.webhooks ?? "ok" };
}

/** Adds a connection of an account to a Git provider. If it exists, replaces its repositories and webhooks. */
export async function putGitProvider(tx: Tx, row: Insertable<Database["git_providers"]>): Promise<void> {
  const { repos, webhooks } = row;
  await tx
    .insertInto("git_providers")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "type"]).doUpdateSet({ repos, webhooks }))
    .execute();
}

/** True when a project has a domain or a variable for a branch. */
export async function isBranchInUse(tx: Tx, project: string, branch: string): Promise<boolean> {
  const used = { project_id: project, git_branch: branch };
  return (await hasRow(tx, "domains", used)) || hasRow(tx, "env_vars", used);
}
