import type { DeploymentRow } from "../deployments/object";
import { servedDeployment } from "../deployments/promotion";
import { findDeployment } from "../deployments/store";
import { defaultDomain, projectNameIn } from "../domains/names";
import type { DomainRow } from "../domains/object";
import type { ProjectRow } from "../projects/object";
import { findRow } from "../store/rows";
import type { Tx, Unit } from "../store/store";

/** A name that the server serves. */
export interface ServedName {
  name: string;
  /** Undefined for a deployment that precedes its project. */
  project: ProjectRow | undefined;
  /** Undefined if the name points to no deployment. */
  deployment: DeploymentRow | undefined;
  redirect: { to: string; status: number } | undefined;
  /** True for the names of a project that promotions move. */
  isOfProduction: boolean;
}

/** The status of a redirect that names none. @source the public documentation of the service */
const usualRedirect = 307;

/** @param names in the order in which they are looked for */
export async function findName(tx: Tx, names: readonly string[]): Promise<ServedName | undefined> {
  for (const name of names) {
    const found = (await findAlias(tx, name)) ?? (await findUrl(tx, name)) ?? (await findDomain(tx, name));
    if (found) return found;
  }
  return undefined;
}

/** True if everybody passes the deployment protection at a name, or whoever has this link. */
export async function passesAt({ tx, now }: Unit, name: string, link: string | undefined): Promise<boolean> {
  const { project_id, expires_at } =
    (await exceptionAt(tx, name, "*")) ?? (await exceptionAt(tx, name, link)) ?? {};
  return project_id !== undefined && (expires_at == null || expires_at > now);
}

async function exceptionAt(tx: Tx, alias: string, key = "") {
  const found = await findRow(tx, "protection_exceptions", { alias, key });
  return found && !["user", "email_invite"].includes(found.scope) ? found : undefined;
}

async function findAlias(tx: Tx, name: string): Promise<ServedName | undefined> {
  const alias = await findRow(tx, "aliases", { alias: name });
  if (!alias) return undefined;
  const { redirect: to } = alias;
  const found = await withProject(tx, name, await findDeployment(tx, alias.deployment_id));
  return { ...found, redirect: to === null ? undefined : { to, status: usualRedirect } };
}

/** @choice Seeds can give several deployments the same URL. The newest is served. */
async function findUrl(tx: Tx, name: string): Promise<ServedName | undefined> {
  const newest = tx
    .selectFrom("deployments")
    .selectAll()
    .where("url", "=", name)
    .orderBy("created_at", "desc");
  const deployment = await newest.limit(1).executeTakeFirst();
  return deployment && withProject(tx, name, deployment);
}

async function withProject(tx: Tx, name: string, deployment: DeploymentRow | undefined): Promise<ServedName> {
  const project =
    deployment &&
    (await findRow(tx, "projects", { account_id: deployment.account_id, name: deployment.name }));
  return { name, project, deployment, redirect: undefined, isOfProduction: false };
}

async function findDomain(tx: Tx, name: string): Promise<ServedName | undefined> {
  const row = await verifiedDomain(tx, name);
  const project = row ? await findRow(tx, "projects", { id: row.project_id }) : await projectOf(tx, name);
  if (!project) return undefined;
  const domain = row ?? defaultDomain(project);
  const { redirect: to, redirect_status_code: status } = domain;
  return {
    name,
    project,
    deployment: await deploymentOf(tx, project, domain),
    redirect: to === null ? undefined : { to, status: status ?? usualRedirect },
    isOfProduction: !isOfPreview(domain),
  };
}

/** The verified domain with a name, or else the wildcard that covers the name. */
async function verifiedDomain(tx: Tx, name: string): Promise<DomainRow | undefined> {
  const wildcard = name.replace(/^[^.]+/, "*");
  return (
    (await findRow(tx, "domains", { name, verified: 1 })) ??
    (await findRow(tx, "domains", { name: wildcard, verified: 1 }))
  );
}

/** @choice Projects of several accounts can have the same default domain. It serves the one that was created first. */
async function projectOf(tx: Tx, name: string): Promise<ProjectRow | undefined> {
  const project = projectNameIn(name);
  if (project === undefined) return undefined;
  const named = tx
    .selectFrom("projects")
    .selectAll()
    // The index of names begins with the account.
    .where("account_id", "in", tx.selectFrom("accounts").select("id"))
    .where("name", "=", project);
  return named.orderBy("created_at").limit(1).executeTakeFirst();
}

const isOfPreview = ({ git_branch, custom_environment_id }: DomainRow): boolean =>
  git_branch !== null || custom_environment_id !== null;

/** The deployment that a domain of a project points to. */
async function deploymentOf(
  tx: Tx,
  project: ProjectRow,
  domain: DomainRow,
): Promise<DeploymentRow | undefined> {
  if (isOfPreview(domain)) return latestPreview(tx, project, domain);
  if (project.paused === 1) return undefined;
  const id = await servedDeployment(tx, project, domain);
  return id === null ? undefined : findDeployment(tx, id);
}

/** @choice The domain of a branch or a custom environment points to its newest READY deployment. */
function latestPreview(
  tx: Tx,
  { account_id, name }: ProjectRow,
  { git_branch, custom_environment_id }: DomainRow,
): Promise<DeploymentRow | undefined> {
  const ready = tx
    .selectFrom("deployments")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("name", "=", name)
    .where("ready_state", "=", "READY")
    .where("target", "=", "preview");
  const of =
    git_branch === null
      ? ready.where("custom_environment_id", "=", custom_environment_id)
      : ready.where("git_branch", "=", git_branch);
  return of.orderBy("created_at", "desc").limit(1).executeTakeFirst();
}
