import { sql } from "kysely";
import { accountById } from "../access/accounts";
import { domainsOf } from "../domains/store";
import { present } from "../http/reply";
import type { AccountRow, DeploymentRow, ProjectRow } from "../store/schema";
import { batched, prepared, type Tx } from "../store/store";
import { servedNames } from "./promotion";
import type { DeploymentSummary } from "./schema";

/** How many deployments are in `latestDeployments` of a project. @choice */
const latestCount = 5;

export const deploymentWithCreator = batched(
  (tx, has) =>
    tx
      .selectFrom("deployments as d")
      .leftJoin("accounts as u", "u.id", "d.creator_id")
      .selectAll("d")
      .select(["u.email", "u.slug as username"])
      .where(has("d.id")),
  (row) => row.id,
);

export const latestOf = prepared((tx, p: { account: string; name: string }) =>
  tx
    .selectFrom("deployments as d")
    .leftJoin("accounts as u", "u.id", "d.creator_id")
    .selectAll("d")
    .select(["u.email", "u.slug as username"])
    .where("d.account_id", "=", p.account)
    .where("d.name", "=", p.name)
    .orderBy("d.created_at", "desc")
    .limit(sql.lit(latestCount)),
);

export type DeploymentWithCreator = DeploymentRow & { email: string | null; username: string | null };

/** A deployment as `targets` shows it. */
export async function viewDeployment(
  tx: Tx,
  id: string,
  project: ProjectRow | undefined,
): Promise<DeploymentSummary> {
  const [row] = await deploymentWithCreator(tx, id);
  if (!row) throw new Error(`deployment ${id} is gone`);
  const serves = project !== undefined && project.production_deployment_id === id && project.paused === 0;
  const names = serves ? await servedNames(tx, project, await domainsOf(tx, project.id)) : [];
  return summarize(row, await accountById(tx, row.account_id), names);
}

export function summarize(
  deployment: DeploymentWithCreator,
  account: Pick<AccountRow, "id" | "kind" | "plan"> | undefined,
  alias: string[],
): DeploymentSummary {
  return present<DeploymentSummary>({
    id: deployment.id,
    name: deployment.name,
    url: deployment.url,
    deploymentHostname: deployment.url,
    createdAt: deployment.created_at,
    createdIn: "iad1",
    creator:
      deployment.username === null
        ? null
        : { uid: deployment.creator_id, email: deployment.email ?? "", username: deployment.username },
    userId: deployment.creator_id,
    teamId: account?.kind === "team" ? account.id : undefined,
    plan: account?.plan ?? "hobby",
    private: false,
    readyState: deployment.ready_state,
    target: deployment.target === "production" ? "production" : undefined,
    type: "LAMBDAS",
    alias,
    // @choice A preview has no other name than its own, which it has once it is ready. Clients wait for this.
    aliasAssigned:
      alias.length > 0 || (deployment.target === "preview" && deployment.ready_state === "READY"),
    meta: {
      ...(JSON.parse(deployment.meta) as Record<string, string>),
      ...(deployment.git_branch === null ? {} : { githubCommitRef: deployment.git_branch }),
      ...(deployment.git_sha === null ? {} : { githubCommitSha: deployment.git_sha }),
    },
  });
}
