import type { Insertable } from "kysely";
import { gitProviders } from "../../provider/vocabulary";
import { reachOf } from "../access/project-store";
import type { Call } from "../http/route";
import { findRow, hasRow, listRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { Database } from "../store/tables";
import { linkOf, type Repository } from "./link";
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

/**
 * The repositories of the Git providers of an account and those that its projects are linked to, ordered by provider
 * and name. A caller that is limited to projects sees only those of these projects.
 */
export async function findRepositories({
  tx,
  account,
  caller,
}: Pick<Call, "tx" | "account" | "caller">): Promise<Repository[]> {
  const reach = reachOf(tx, caller);
  const projects = tx
    .selectFrom("projects")
    .select(["link", "repo"])
    .where("account_id", "=", account.id)
    .where("repo", "is not", null);
  const linked = await (reach ? projects.where("id", "in", reach) : projects).execute();
  const providers = reach ? [] : await listRows(tx, "git_providers", { account_id: account.id });
  const repositories = [
    ...providers.flatMap(({ type, repos }) =>
      (JSON.parse(repos ?? "[]") as string[]).map((repo): Repository => ({ type, repo })),
    ),
    ...linked.flatMap(({ link, repo }): Repository[] => {
      const type = gitProviders.find((one) => one === linkOf({ link })?.type);
      return type && repo !== null ? [{ type, repo }] : [];
    }),
  ];
  const found = new Map(repositories.map((one) => [`${one.type} ${one.repo}`, one]));
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, repository]) => repository);
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
