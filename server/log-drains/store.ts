import type { Account, Caller } from "../access/caller";
import { findProject } from "../access/project-store";
import type { ScopeName } from "../access/scopes";
import { countRows, listRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { LogDrainRow } from "./object";
import { type LogLine, type LogProject, lineEnvironment, lineSource } from "./record";
import type { DrainSettings } from "./schema";
import { readSettings } from "./settings";

/** The value of `changes` in routes that change drains. After their requests, the forwarder reads the drains again. */
export const drainTopic = "drains";

/** @throws Error if the drain does not exist */
export const changeDrain = (
  tx: Tx,
  id: string,
  change: Partial<Omit<LogDrainRow, "id">>,
): Promise<LogDrainRow> =>
  tx.updateTable("log_drains").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();

interface Viewer {
  tx: Tx;
  account: Pick<Account, "id">;
  caller: Pick<Caller, "installation">;
}

/** The drains of installations, the newest first: for an installation its own, for a user all of the account. */
function installedDrains({ tx, account, caller }: Viewer) {
  const drains = tx
    .selectFrom("log_drains as d")
    .innerJoin("configurations as c", "c.id", "d.configuration_id")
    .selectAll("d")
    .select("c.integration_id")
    .where("d.account_id", "=", account.id)
    .orderBy("d.created_at", "desc")
    .orderBy("d.id");
  return caller.installation ? drains.where("c.id", "=", caller.installation.id) : drains;
}

export const listInstalledDrains = (viewer: Viewer) => installedDrains(viewer).execute();

export const findInstalledDrain = (viewer: Viewer, id: string) =>
  installedDrains(viewer).where("d.id", "=", id).executeTakeFirst();

/** The drains that the account made for itself, the newest first. */
export const listAccountDrains = ({ tx, account }: Pick<Viewer, "tx" | "account">): Promise<LogDrainRow[]> =>
  listRows(tx, "log_drains", { account_id: account.id, configuration_id: null }, "-created_at", "id");

/** Counts the drains of the calling installation. For a user, counts the drains that no installation created. */
export async function countDrains({ tx, account, caller: { installation } }: Viewer): Promise<number> {
  const own = { account_id: account.id };
  const logs = await countRows(tx, "log_drains", { ...own, configuration_id: installation?.id ?? null });
  return logs + (installation ? 0 : await countRows(tx, "other_drains", own));
}

/** The ids of the accounts that have drains. */
export async function findDrainAccounts(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.selectFrom("log_drains").select("account_id").distinct().execute();
  return new Set(rows.map(({ account_id }) => account_id));
}

/** A drain that may receive lines now. */
export interface OpenDrain {
  id: string;
  accountId: string;
  /** Sealed. */
  secret: string | null;
  /** JSON, with sealed headers. */
  settings: string;
  filters: Pick<DrainSettings, "projectIds" | "sources" | "environments" | "samplingRate">;
  /** The ids of the projects that the drain's installation covers; undefined: all projects. */
  covered: ReadonlySet<string> | undefined;
}

/**
 * The drains of an account that may receive lines: its own drains, and the drains of installations that are enabled and
 * have the scope `log-drain`.
 * @source Events, log drains
 */
export const findOpenDrains = (tx: Tx, account: string): Promise<OpenDrain[]> =>
  openDrains(tx, (drains) => drains.where("d.account_id", "=", account));

/** The drain with this id, if it may receive lines. */
export async function findOpenDrain(tx: Tx, id: string): Promise<OpenDrain | undefined> {
  return (await openDrains(tx, (drains) => drains.where("d.id", "=", id)))[0];
}

const allDrains = (tx: Tx) =>
  tx
    .selectFrom("log_drains as d")
    .leftJoin("configurations as c", "c.id", "d.configuration_id")
    .select(["d.id", "d.account_id", "d.settings", "d.secret", "d.configuration_id"])
    .select(["c.id as installed", "c.scopes", "c.disabled_at", "c.selected"])
    .orderBy("d.created_at")
    .orderBy("d.id");
type Drains = ReturnType<typeof allDrains>;

async function openDrains(tx: Tx, choose: (drains: Drains) => Drains): Promise<OpenDrain[]> {
  const open: OpenDrain[] = [];
  for (const row of await choose(allDrains(tx)).execute()) {
    const filters = readSettings(row.settings);
    if (!filters) continue;
    if (row.configuration_id !== null) {
      if (row.installed === null || row.disabled_at !== null) continue;
      const scopes = JSON.parse(row.scopes ?? "[]") as ScopeName[];
      if (!scopes.some((scope) => scope.endsWith(":log-drain"))) continue;
    }
    open.push({
      id: row.id,
      accountId: row.account_id,
      secret: row.secret,
      settings: row.settings,
      filters,
      covered: row.selected === 1 ? await coveredBy(tx, row.configuration_id ?? "") : undefined,
    });
  }
  return open;
}

async function coveredBy(tx: Tx, configuration: string): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom("configuration_projects")
    .select("project_id")
    .where("configuration_id", "=", configuration)
    .execute();
  return new Set(rows.map(({ project_id }) => project_id));
}

/** The project of a line; undefined when it was removed. */
export async function findLineProject(
  tx: Tx,
  { accountId, projectKey }: LogLine,
): Promise<LogProject | undefined> {
  const row = projectKey === undefined ? undefined : await findProject(tx, accountId, projectKey);
  return row && { id: row.id, name: row.name, deploymentId: row.production_deployment_id };
}

/** True when the filters of a drain let a line pass. */
export function isWanted({ filters, covered }: OpenDrain, project: LogProject | undefined): boolean {
  const { projectIds, sources, environments, samplingRate = 1 } = filters;
  if (projectIds && !projectIds.includes(project?.id ?? "")) return false;
  if (covered && !covered.has(project?.id ?? "")) return false;
  if (sources && !sources.includes(lineSource)) return false;
  if (!environments.includes(lineEnvironment)) return false;
  return samplingRate >= 1 || Math.random() < samplingRate;
}
