import type { Updateable } from "kysely";
import { storedSettings } from "../access/project-store";
import { insertPromotion } from "../deployments/promotion-store";
import { parseDomain } from "../domains/names";
import { conflictOf, insertRecord, recordIdOf } from "../domains/record-store";
import { defaultTtl, isProblem, readRecord } from "../domains/record-values";
import type { EnvVarRow } from "../env/object";
import { countOf, writeChange } from "../env/store";
import { EnvTotals } from "../env/totals";
import { bypassIdOf, findBypass, insertBypass } from "../firewall/bypass-store";
import { isTarget, readTarget } from "../firewall/bypass-target";
import { sealSettings } from "../log-drains/settings";
import { insertDrain } from "../log-drains/store";
import { findUser, insertProjectMember } from "../members/project-store";
import { derivedId, newId, newSecret } from "../platform/ids";
import type { Services } from "../platform/services";
import { insertSecret } from "../projects/bypass-store";
import type { ProjectRow } from "../projects/object";
import { copyOfName, writeMeta } from "../store/meta";
import type { Tx, Unit } from "../store/store";
import type { Database } from "../store/tables";
import { insertWebhook } from "../webhooks/store";
import { ownerOf } from "./accounts";
import type { Seed, SeedOwner } from "./document";
import { SeedConflict, SeedError } from "./error";
import { projectOf } from "./projects";
import {
  addAliasRow,
  addEnvironmentRow,
  deploymentOf,
  freeUpdatedAt,
  hasRow,
  setProjectColumns,
  variablesOfProject,
} from "./store";

/** Writes the rows that only a seed of `slipway snapshot` has: objects as they were, with their ids and times. */

type Row<K extends keyof Seed> = Extract<NonNullable<Seed[K]>, readonly unknown[]>[number];
type SeedProject = Row<"projects">;
type SeedEnvVar = Row<"env"> & { id: string };

export const markCopy = (tx: Tx, address: string): Promise<void> => writeMeta(tx, copyOfName, address);

/** Sets those members of a new project that no request can set. */
export async function restoreProject(
  { tx, now }: Unit,
  { vault }: Pick<Services, "vault">,
  project: ProjectRow,
  given: SeedProject,
): Promise<void> {
  const columns: Updateable<Database["projects"]> = {};
  if (given.settings) columns.settings = JSON.stringify({ ...storedSettings(project), ...given.settings });
  if (given.link) Object.assign(columns, linkColumns(given.link));
  if (given.dataCacheDisabled !== undefined) columns.data_cache_disabled = given.dataCacheDisabled ? 1 : 0;
  if (given.production !== undefined) columns.production_deployment_id = given.production;
  if (given.lastRollbackTarget) columns.last_rollback_target = JSON.stringify(given.lastRollbackTarget);
  columns.transfer_started_at = given.transferStartedAt ?? null;
  columns.transfer_to_account_id = given.transferToAccountId ?? null;
  columns.transfer_completed_at = given.transferCompletedAt ?? null;
  columns.transferred_from_account_id = given.transferredFromAccountId ?? null;
  if (given.updatedAt !== undefined) columns.updated_at = await freeUpdatedAt(tx, project, given.updatedAt);
  await setProjectColumns(tx, project.id, columns);

  for (const { secret, note, isEnvVar, createdAt, createdBy } of given.bypassSecrets ?? []) {
    const id = newId("row");
    await insertSecret(tx, {
      id,
      project_id: project.id,
      digest: vault.digest(secret),
      secret: vault.seal(id, secret),
      note: note ?? null,
      is_env_var: isEnvVar ? 1 : 0,
      created_at: createdAt,
      created_by: createdBy,
    });
  }
  if (given.promotion) await restorePromotion({ tx, now }, project.id, given.promotion);
}

function linkColumns(link: NonNullable<SeedProject["link"]>): Updateable<Database["projects"]> {
  const text = (name: string): string => String(link[name] ?? "");
  const [repo, id, host] =
    link.type === "github"
      ? [`${text("org")}/${text("repo")}`, text("repoId"), "github.com"]
      : link.type === "gitlab"
        ? [`${text("projectNamespace")}/${text("projectName")}`, text("projectId"), "gitlab.com"]
        : [`${text("owner")}/${text("slug")}`, text("uuid"), "bitbucket.org"];
  return { link: JSON.stringify(link), repo, repo_id: id, repo_url: `https://${host}/${repo}` };
}

/** @choice A promotion that was in progress completes at once. */
async function restorePromotion(
  { tx, now }: Unit,
  projectId: string,
  { kind, from, to, status, requestedAt, aliases }: NonNullable<SeedProject["promotion"]>,
): Promise<void> {
  const id = newId("row");
  await insertPromotion(
    tx,
    {
      id,
      project_id: projectId,
      kind,
      from_deployment_id: from,
      to_deployment_id: to,
      status,
      requested_at: requestedAt,
      completes_at: now,
    },
    aliases.map(({ alias, failed }, at) => ({
      id: newId("row"),
      promotion_id: id,
      alias,
      outcome: failed ? ("failed" as const) : ("completed" as const),
      created_at: requestedAt + at,
    })),
  );
}

/** Adds a custom environment, unless its project has one with this slug. */
export async function addEnvironment({ tx, now }: Unit, row: Row<"environments">, at: number): Promise<void> {
  const project = await projectOf(tx, row, ["environments", at]);
  const createdAt = row.createdAt ?? now;
  await addEnvironmentRow(tx, {
    id: row.id ?? derivedId("customEnvironment", project.id, row.slug),
    project_id: project.id,
    slug: row.slug,
    description: row.description ?? null,
    branch_matcher: row.branchMatcher ? JSON.stringify(row.branchMatcher) : null,
    created_at: createdAt,
    updated_at: row.updatedAt ?? createdAt,
  });
}

/** Adds a rule that lets an IP address bypass the firewall, unless the project has this rule. */
export async function addFirewallBypass(
  { tx, now }: Unit,
  row: Row<"firewallBypasses">,
  at: number,
): Promise<void> {
  const project = await projectOf(tx, row, ["firewallBypasses", at]);
  const { domain, sourceIp } = row;
  const target = readTarget({ domain, sourceIp });
  if (!isTarget(target)) throw new SeedError(["firewallBypasses", at], target.problem);
  if (await findBypass({ tx, now }, project.id, target)) return;
  const createdAt = row.createdAt ?? now;
  await insertBypass(tx, {
    ...target,
    id: bypassIdOf(project.id, target),
    project_id: project.id,
    note: row.note || null,
    actor_id: row.actor ?? project.account_id,
    created_at: createdAt,
    updated_at: row.updatedAt ?? createdAt,
    expires_at: row.expiresAt ?? null,
  });
}

/** Adds a member of the team to a project, unless the project has the member. */
export async function addProjectMember(
  { tx, now }: Unit,
  row: Row<"projectMembers">,
  at: number,
): Promise<void> {
  const { user, role, createdAt } = row;
  const project = await projectOf(tx, row, ["projectMembers", at]);
  const found =
    (await findUser(tx, project, { uid: user })) ?? (await findUser(tx, project, { username: user }));
  if (!found)
    throw new SeedError(
      ["projectMembers", at, "user"],
      `${JSON.stringify(user)} is not a member of the team`,
    );
  if (!found.isMember)
    await insertProjectMember({ tx, now }, project.id, { user: found.id, role, createdAt });
}

/** Groups the variables that have an id by project. `at` is the place of the first one in the seed. */
export function groupByProject(
  rows: readonly Row<"env">[],
): { owner: SeedOwner & { project: string }; at: number; rows: SeedEnvVar[] }[] {
  const groups = new Map<
    string,
    { owner: SeedOwner & { project: string }; at: number; rows: SeedEnvVar[] }
  >();
  for (const [at, row] of rows.entries()) {
    if (row.id === undefined) continue;
    const { team, user, project } = row;
    const key = JSON.stringify([team, user, project]);
    const group = groups.get(key) ?? { owner: { team, user, project }, at, rows: [] };
    group.rows.push(row as SeedEnvVar);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Adds the variables of a project as they were, except variables whose ids the project already has. */
export async function restoreVariables(
  { tx, now }: Unit,
  { vault }: Pick<Services, "vault">,
  { owner, at, rows }: ReturnType<typeof groupByProject>[number],
): Promise<void> {
  const project = await projectOf(tx, owner, ["env", at]);
  const known = await variablesOfProject(tx, project.id);
  const ids = new Set(known.map(({ id }) => id));
  const taken = new Set(known.map(({ created_at }) => created_at));
  const totals = new EnvTotals(project);
  const fresh = rows
    .filter(({ id }) => !ids.has(id))
    .map((row): EnvVarRow => {
      const { id, key = "", value = "", createdAt = now } = row;
      let created = createdAt;
      while (taken.has(created)) created++;
      taken.add(created);
      return {
        id,
        project_id: project.id,
        key,
        type: row.type ?? "encrypted",
        value: vault.seal(id, value),
        size: Buffer.byteLength(key) + Buffer.byteLength(value),
        target: JSON.stringify(row.target ?? []),
        custom_environment_ids: JSON.stringify(row.customEnvironmentIds ?? []),
        git_branch: row.gitBranch ?? null,
        comment: row.comment ?? null,
        configuration_id: row.configurationId ?? null,
        created_by: row.createdBy ?? null,
        updated_by: row.updatedBy ?? null,
        created_at: created,
        updated_at: row.updatedAt ?? createdAt,
      };
    });
  for (const row of fresh) totals.exchange(undefined, countOf(row));
  await writeChange(tx, project, totals, { fresh });
}

/** Adds a webhook, unless the account has it. @choice A webhook without a secret gets a new one. */
export async function addWebhook(
  { tx, now }: Unit,
  { vault }: Pick<Services, "vault">,
  row: Row<"webhooks">,
  at: number,
): Promise<void> {
  const account = await ownerOf(tx, row, ["webhooks", at]);
  const id = row.id ?? derivedId("webhook", account.id, row.url, ...row.events);
  if (await hasRow(tx, "webhooks", id)) return;
  const createdAt = row.createdAt ?? now;
  await insertWebhook(tx, {
    id,
    account_id: account.id,
    url: row.url,
    events: JSON.stringify(row.events),
    project_ids: row.projectIds ? JSON.stringify(row.projectIds) : null,
    secret: vault.seal(id, row.secret ?? newSecret("webhookSecret")),
    created_at: createdAt,
    updated_at: row.updatedAt ?? createdAt,
  });
}

/** Adds a log drain, unless the account has it. */
export async function addLogDrain(
  { tx, now }: Unit,
  { vault }: Pick<Services, "vault">,
  { team, user, id: given, secret, createdAt = now, updatedAt, ...settings }: Row<"logDrains">,
  at: number,
): Promise<void> {
  const account = await ownerOf(tx, { team, user }, ["logDrains", at]);
  const id = given ?? derivedId("logDrain", account.id, settings.name, settings.url);
  if (await hasRow(tx, "log_drains", id)) return;
  await insertDrain(tx, {
    id,
    account_id: account.id,
    configuration_id: null,
    settings: sealSettings(vault, id, settings),
    secret: secret === undefined ? null : vault.seal(id, secret),
    created_at: createdAt,
    updated_at: updatedAt ?? null,
  });
}

/** Adds a DNS record, unless the account has it. */
export async function addDnsRecord(unit: Unit, row: Row<"dnsRecords">, at: number): Promise<void> {
  const { tx } = unit;
  const account = await ownerOf(tx, row, ["dnsRecords", at]);
  const parsed = parseDomain(row.domain);
  if (parsed === undefined || parsed.name !== parsed.apexName)
    throw new SeedError(["dnsRecords", at, "domain"], `"${row.domain}" is not a domain without a subdomain`);
  const domain = parsed.name;
  const read = readRecord(row, domain);
  if (isProblem(read)) throw new SeedError(["dnsRecords", at], read.message);
  const id = row.id ?? recordIdOf(account.id, domain, read);
  if (await hasRow(tx, "domain_records", id)) return;
  const conflict = await conflictOf({ tx, account, domain }, read, undefined);
  if (conflict !== undefined)
    throw new SeedConflict(["dnsRecords", at], `the record ${conflict} of the domain conflicts with it`);
  await insertRecord(
    unit,
    {
      ...read,
      id,
      accountId: account.id,
      domain,
      ttl: row.ttl ?? defaultTtl,
      comment: row.comment || null,
      creatorId: row.creator ?? account.id,
    },
    row,
  );
}

/** Adds an alias, unless an alias with this name exists. */
export async function addAlias({ tx, now }: Unit, row: Row<"aliases">, at: number): Promise<void> {
  const account = await ownerOf(tx, row, ["aliases", at]);
  const deployment = await deploymentOf(tx, account.id, row.deployment);
  if (!deployment)
    throw new SeedConflict(["aliases", at, "deployment"], `there is no deployment ${row.deployment}`);
  const createdAt = row.createdAt ?? now;
  await addAliasRow(tx, {
    id: row.id ?? derivedId("row", row.alias),
    account_id: account.id,
    deployment_id: deployment.id,
    alias: row.alias,
    redirect: row.redirect ?? null,
    creator_id: row.creator ?? deployment.creator_id,
    created_at: createdAt,
    updated_at: row.updatedAt ?? createdAt,
  });
}
