import type { Client } from "../../provider/client/client";
import { domainConfigPath, projectPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { domainsOf } from "../objects/domain";
import type { Finding, Risk } from "./risks";
import * as shapes from "./shapes";
import {
  type Allowed,
  hasEnvironments,
  type MakeFinding,
  nameOf,
  targetsOf,
  variableFindings,
  variablesOf,
} from "./variable";

export interface Auditing {
  client: Client;
  allowed: Allowed;
  /** The time of the audit, in milliseconds since the epoch. */
  now: number;
}

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Finds the risks of one project. Sends only GET requests. */
export async function auditProject(auditing: Auditing, project: shapes.Project): Promise<Finding[]> {
  const { client, allowed } = auditing;
  const path = projectPath(project.id);
  const { id, name } = project;
  const variables = await variablesOf(client, allowed, { id, path, name });
  const domains = (await allowed(`the domains of ${name}`, domainsOf(client, id))) ?? [];
  const finding = (risk: Risk, object: string | null, detail: string): Finding => ({
    risk,
    project: project.name,
    object,
    detail,
  });
  return [
    ...protectionFindings(project, finding),
    ...variables.flatMap((variable) => variableFindings(variable, finding)),
    ...outdatedFindings(project, variables, finding),
    ...(await unusedFindings(auditing, project, variables, finding)),
    ...(await domainFindings(auditing, domains, finding)),
  ];
}

function protectionFindings(project: shapes.Project, finding: MakeFinding): Finding[] {
  const { ssoProtection, passwordProtection, trustedIps } = project;
  const kinds = [ssoProtection, passwordProtection, trustedIps].map(
    (protection) => protection?.deploymentType,
  );
  // Every deployment type except `production` includes previews.
  if (kinds.some((kind) => kind != null && kind !== "production")) return [];
  return [finding("preview-unprotected", null, "its previews have no protection")];
}

function outdatedFindings(
  { targets }: shapes.Project,
  variables: readonly shapes.Variable[],
  finding: MakeFinding,
): Finding[] {
  const built = targets?.production?.createdAt;
  if (built == null) return [];
  const newer = variables.filter(
    (variable) => targetsOf(variable).includes("production") && (variable.updatedAt ?? 0) > built,
  );
  if (newer.length === 0) return [];
  const keys = [...new Set(newer.map(({ key }) => key))].sort();
  return [finding("production-outdated", null, `changed after the build: ${keys.join(", ")}`)];
}

/**
 * @choice The API does not return when a variable was last read. A variable counts as used if it is for production
 *   and a deployment serves production, or if one of its targets was deployed within a year. Variables for development
 *   or for custom environments are not judged, because their use is unknown.
 */
async function unusedFindings(
  { client, allowed, now }: Auditing,
  project: shapes.Project,
  variables: readonly shapes.Variable[],
  finding: MakeFinding,
): Promise<Finding[]> {
  const since = now - yearMs;
  const serves = project.targets?.production != null;
  const old = variables.filter((variable) => {
    const targets = targetsOf(variable);
    const changed = Math.max(variable.createdAt ?? 0, variable.updatedAt ?? 0);
    const isKnown = changed > 0 && targets.length > 0 && !targets.includes("development");
    return (
      isKnown && !hasEnvironments(variable) && changed < since && !(targets.includes("production") && serves)
    );
  });
  if (old.length === 0) return [];
  const recent = await allowed(
    `the deployments of ${project.name}`,
    client.list("/v6/deployments", responses.deploymentList, ({ deployments }) => deployments, {
      projectId: project.id,
      limit: "100",
      since: String(since),
    }),
  );
  if (recent === undefined) return [];
  return old
    .filter(
      (variable) =>
        !recent.some((deployment) => {
          const isBranch =
            variable.gitBranch == null ||
            (deployment.meta?.githubCommitRef ?? variable.gitBranch) === variable.gitBranch;
          return targetsOf(variable).includes(deployment.target ?? "preview") && isBranch;
        }),
    )
    .map((variable) =>
      finding(
        "variable-unused",
        nameOf(variable),
        `no deployment for ${targetsOf(variable).join(", ")} within a year`,
      ),
    );
}

async function domainFindings(
  { client, allowed }: Auditing,
  domains: readonly responses.Domain[],
  finding: MakeFinding,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, verified } of domains) {
    if (!verified) {
      findings.push(finding("domain-unverified", name, "its challenge is not met"));
      continue;
    }
    // The service manages the records of its own domains.
    if (name.endsWith(".vercel.app")) continue;
    const path = domainConfigPath(name);
    const config = await allowed(`the configuration of ${name}`, client.get(path, shapes.domainConfig));
    if (config?.misconfigured)
      findings.push(finding("domain-misconfigured", name, "its DNS records point elsewhere"));
  }
  return findings;
}
