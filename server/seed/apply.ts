import { putDnsRecord } from "../platform/dns";
import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import type { Tx, Unit } from "../store/store";
import { ownerOf, putTeam, putToken, putUser } from "./accounts";
import { putDeployment } from "./deployments";
import type { Seed } from "./document";
import { addDomain } from "./domains";
import { addEnvVar } from "./env";
import { putInstallation, putIntegration } from "./integrations";
import { addProject } from "./projects";

/**
 * Applies a seed document in one transaction. Applying it again changes nothing.
 * @choice Accounts, members, tokens and git providers are set to what the document says, since no request can change
 *   them. Everything else is added if it is missing, and otherwise left as it is.
 * @throws SeedError with the place in the document
 */
export async function applySeed(
  tx: Tx,
  services: Pick<Services, "clock" | "vault">,
  seed: Seed,
): Promise<void> {
  const unit = { tx, now: services.clock.now() };
  for (const [at, user] of (seed.users ?? []).entries()) await putUser(unit, user, at);
  for (const [at, team] of (seed.teams ?? []).entries()) await putTeam(unit, team, at);
  for (const [at, token] of (seed.tokens ?? []).entries()) await putToken(unit, token, at);
  for (const [at, provider] of (seed.gitProviders ?? []).entries()) await putGitProvider(tx, provider, at);
  for (const [at, integration] of (seed.integrations ?? []).entries())
    await putIntegration(unit, services, integration, at);
  for (const { name, value } of seed.dns ?? []) await putDnsRecord(tx, name, value);
  await applyDeployments(unit, seed.deployments ?? []);
  for (const [at, project] of (seed.projects ?? []).entries()) await addProject(unit, services, project, at);
  for (const [at, installation] of (seed.installations ?? []).entries())
    await putInstallation(unit, installation, at);
  for (const [at, domain] of (seed.domains ?? []).entries()) await addDomain(unit, domain, at);
  for (const [at, env] of (seed.env ?? []).entries()) await addEnvVar(unit, services, env, at);
}

async function putGitProvider(
  tx: Tx,
  { type, repos, webhooks = "ok", ...owner }: NonNullable<Seed["gitProviders"]>[number],
  at: number,
): Promise<void> {
  const account = await ownerOf(tx, owner, ["gitProviders", at]);
  const columns = { repos: repos ? JSON.stringify(repos) : null, webhooks };
  await tx
    .insertInto("git_providers")
    .values({ account_id: account.id, type, ...columns })
    .onConflict((conflict) => conflict.columns(["account_id", "type"]).doUpdateSet(columns))
    .execute();
}

/** Deployments without an id are identified by their position among those of their project. */
async function applyDeployments(
  { tx, now }: Unit,
  deployments: NonNullable<Seed["deployments"]>,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const [at, deployment] of deployments.entries()) {
    const place = ["deployments", at];
    const account = await ownerOf(tx, deployment, place);
    const group = JSON.stringify([account.id, deployment.project]);
    const count = counts.get(group) ?? 0;
    counts.set(group, count + 1);
    const id = deployment.id ?? derivedId("deployment", account.id, deployment.project, String(count));
    const known = await tx.selectFrom("deployments").select("id").where("id", "=", id).executeTakeFirst();
    if (!known) await putDeployment({ tx, now }, { ...deployment, id }, place);
  }
}
