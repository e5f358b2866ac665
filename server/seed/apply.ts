import { putDnsRecord } from "../platform/dns-store";
import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import type { Tx, Unit } from "../store/store";
import { ownerOf, putTeam, putToken, putUser } from "./accounts";
import { isCopiedDeployment, isCopiedDomain, restoreDeployments, restoreDomains } from "./bulk";
import { putDeployment } from "./deployments";
import type { Seed } from "./document";
import { addAccountDomain, addDomain } from "./domains";
import { addEdgeConfig } from "./edge-configs";
import { addEnvVar } from "./env";
import { type LeaveOut, SeedConflict } from "./error";
import { putInstallation, putIntegration } from "./integrations";
import { addProject } from "./projects";
import {
  addAlias,
  addDnsRecord,
  addEnvironment,
  addFirewallBypass,
  addLogDrain,
  addProjectMember,
  addWebhook,
  groupByProject,
  markCopy,
  restoreProject,
  restoreVariables,
} from "./restore";
import { addSharedEnv } from "./shared-env";
import { hasRow, putProviderRow } from "./store";

/**
 * Applies a seed document in one transaction. Applying it again changes nothing.
 * @choice Accounts, members, tokens and git providers are changed to match the document, because no request can change
 *   them. Everything else is added if it is missing. Existing objects are not changed.
 * @param leaveOut called with each row that conflicts with the store, such as a domain that has moved
 *   to another project. Default: the conflict is thrown.
 * @throws SeedError with the place in the document
 */
export async function applySeed(
  tx: Tx,
  services: Pick<Services, "clock" | "vault">,
  seed: Seed,
  leaveOut?: LeaveOut,
): Promise<void> {
  const unit = { tx, now: services.clock.now() };
  if (seed.copyOf !== undefined) await markCopy(tx, seed.copyOf);
  for (const [at, user] of (seed.users ?? []).entries()) await putUser(unit, user, at);
  for (const [at, team] of (seed.teams ?? []).entries()) await putTeam(unit, team, at);
  for (const [at, token] of (seed.tokens ?? []).entries()) await putToken(unit, token, at);
  for (const [at, provider] of (seed.gitProviders ?? []).entries()) await putGitProvider(tx, provider, at);
  for (const [at, integration] of (seed.integrations ?? []).entries())
    await putIntegration(unit, services, integration, at);
  for (const record of seed.dns ?? []) await putDnsRecord(tx, record);
  if (seed.copyOf !== undefined)
    await restoreDeployments(tx, (seed.deployments ?? []).filter(isCopiedDeployment));
  await applyDeployments(unit, seed.deployments ?? [], leaveOut);
  await each(seed.projects, leaveOut, async (project, at) => {
    const added = await addProject(unit, services, project, at);
    if (added && isCopied(project)) await restoreProject(unit, services, added, project);
  });
  await each(seed.environments, leaveOut, (environment, at) => addEnvironment(unit, environment, at));
  await each(seed.installations, leaveOut, (installation, at) => putInstallation(unit, installation, at));
  // Names below a domain that its account has verified are verified too.
  await each(seed.accountDomains, leaveOut, (domain, at) => addAccountDomain(unit, domain, at));
  await restoreDomains(unit, (seed.domains ?? []).filter(isCopiedDomain), leaveOut);
  await each(seed.domains, leaveOut, async (domain, at) => {
    if (!isCopiedDomain(domain)) await addDomain(unit, domain, at);
  });
  // Variables get an earlier time, since the deployments of the same document count as built with them.
  const before = { tx, now: unit.now - Math.max(seed.env?.length ?? 0, seed.sharedEnv?.length ?? 0) };
  await each(seed.sharedEnv, leaveOut, (env, at) => addSharedEnv(before, services, env, at));
  await each(seed.env, leaveOut, async (env, at) => {
    if (env.id === undefined) await addEnvVar(before, services, env, at);
  });
  await each(groupByProject(seed.env ?? []), leaveOut, (group) => restoreVariables(unit, services, group));
  await each(seed.webhooks, leaveOut, (webhook, at) => addWebhook(unit, services, webhook, at));
  await each(seed.logDrains, leaveOut, (drain, at) => addLogDrain(unit, services, drain, at));
  await each(seed.aliases, leaveOut, (alias, at) => addAlias(unit, alias, at));
  await each(seed.firewallBypasses, leaveOut, (rule, at) => addFirewallBypass(unit, rule, at));
  await each(seed.projectMembers, leaveOut, (member, at) => addProjectMember(unit, member, at));
  await each(seed.edgeConfigs, leaveOut, (config, at) => addEdgeConfig(unit, services, config, at));
  await each(seed.dnsRecords, leaveOut, (record, at) => addDnsRecord(unit, record, at));
}

/** True for a project that `slipway snapshot` has written. */
const isCopied = (project: NonNullable<Seed["projects"]>[number]): boolean =>
  project.settings !== undefined || project.updatedAt !== undefined;

async function each<T>(
  rows: readonly T[] = [],
  leaveOut: LeaveOut | undefined,
  apply: (row: T, at: number) => Promise<void>,
): Promise<void> {
  for (const [at, row] of rows.entries()) {
    try {
      await apply(row, at);
    } catch (error) {
      if (!leaveOut || !(error instanceof SeedConflict)) throw error;
      leaveOut(error);
    }
  }
}

async function putGitProvider(
  tx: Tx,
  { type, repos, webhooks = "ok", ...owner }: NonNullable<Seed["gitProviders"]>[number],
  at: number,
): Promise<void> {
  const account = await ownerOf(tx, owner, ["gitProviders", at]);
  const columns = { repos: repos ? JSON.stringify(repos) : null, webhooks };
  await putProviderRow(tx, { account_id: account.id, type, ...columns });
}

/** Deployments without an id are identified by their position in the list of their project. */
async function applyDeployments(
  { tx, now }: Unit,
  deployments: NonNullable<Seed["deployments"]>,
  leaveOut: LeaveOut | undefined,
): Promise<void> {
  const counts = new Map<string, number>();
  await each(deployments, leaveOut, async (deployment, at) => {
    const place = ["deployments", at];
    const account = await ownerOf(tx, deployment, place);
    const group = JSON.stringify([account.id, deployment.project]);
    const count = counts.get(group) ?? 0;
    counts.set(group, count + 1);
    const id = deployment.id ?? derivedId("deployment", account.id, deployment.project, String(count));
    if (!(await hasRow(tx, "deployments", id)))
      await putDeployment({ tx, now }, { ...deployment, id }, place);
  });
}
