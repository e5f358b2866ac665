import { findProject } from "../access/projects";
import type { ScopeName } from "../access/scopes";
import { noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { Vault } from "../platform/vault";
import type { Tx } from "../store/store";
import { type LogLine, type LogProject, lineEnvironment, lineSource } from "./record";
import type { DrainSettings } from "./schema";

/** The topic of routes that change drains, on which the forwarder reads them again. */
export const logDrains = "log-drains";

/** The stored settings of a drain. Headers are sealed, since they often hold a token of the receiver. */
type KeptSettings = Omit<DrainSettings, "headers"> & {
  /** Not sealed in stores of older versions. */
  headers?: string | Record<string, string>;
};

export function sealSettings(vault: Vault, drain: string, { headers, ...rest }: DrainSettings): string {
  const kept: KeptSettings = { ...rest };
  if (headers) kept.headers = vault.seal(drain, JSON.stringify(headers));
  return JSON.stringify(kept);
}

export function openSettings(
  vault: Vault,
  { id, settings }: { id: string; settings: string },
): DrainSettings {
  const { headers, ...rest } = JSON.parse(settings) as KeptSettings;
  if (headers === undefined) return rest;
  return { ...rest, headers: typeof headers === "string" ? JSON.parse(vault.open(id, headers)) : headers };
}

/** What is shown of a drain: of one that is damaged, what can be read. */
export function viewSettings(
  { vault, log }: Pick<Services, "vault" | "log">,
  row: { id: string; settings: string },
): DrainSettings {
  try {
    return openSettings(vault, row);
  } catch {
    noteDamage(log, "what is set of a log drain", row.id);
    const { headers: _, ...rest } = keptSettings(row.settings) ?? unreadable;
    return rest;
  }
}

const unreadable: KeptSettings = {
  name: "",
  url: "",
  deliveryFormat: "json",
  environments: ["production", "preview"],
};

function keptSettings(text: string): KeptSettings | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A drain that may receive lines now. */
export interface OpenDrain {
  id: string;
  /** Sealed. */
  secret: string | null;
  /** JSON, with sealed headers. */
  settings: string;
  filters: Pick<DrainSettings, "projectIds" | "sources" | "environments" | "samplingRate">;
  /** The ids of the projects that its installation covers; undefined: all projects. */
  covered: ReadonlySet<string> | undefined;
}

/** The ids of the accounts that have drains. */
export async function drainAccounts(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.selectFrom("log_drains").select("account_id").distinct().execute();
  return new Set(rows.map(({ account_id }) => account_id));
}

/**
 * The drains that may receive lines: those of the account, and those of its installations that are enabled and have
 * the scope.
 * @source Events, log drains
 */
export async function openDrains(tx: Tx, account: string | undefined, drain?: string): Promise<OpenDrain[]> {
  let query = tx
    .selectFrom("log_drains as d")
    .leftJoin("configurations as c", "c.id", "d.configuration_id")
    .select(["d.id", "d.settings", "d.secret", "d.configuration_id"])
    .select(["c.id as installed", "c.scopes", "c.disabled_at", "c.selected"])
    .orderBy("d.created_at")
    .orderBy("d.id");
  if (account !== undefined) query = query.where("d.account_id", "=", account);
  if (drain !== undefined) query = query.where("d.id", "=", drain);
  const open: OpenDrain[] = [];
  for (const row of await query.execute()) {
    const filters = keptSettings(row.settings);
    if (!filters) continue;
    if (row.configuration_id !== null) {
      if (row.installed === null || row.disabled_at !== null) continue;
      const scopes = JSON.parse(row.scopes ?? "[]") as ScopeName[];
      if (!scopes.some((scope) => scope.endsWith(":log-drain"))) continue;
    }
    open.push({
      id: row.id,
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
export async function projectOf(tx: Tx, { accountId, projectKey }: LogLine): Promise<LogProject | undefined> {
  const row = projectKey === undefined ? undefined : await findProject(tx, accountId, projectKey);
  return row && { id: row.id, name: row.name, deploymentId: row.production_deployment_id };
}

/** True when the filters of a drain let a line pass. */
export function wants({ filters, covered }: OpenDrain, project: LogProject | undefined): boolean {
  const { projectIds, sources, environments, samplingRate = 1 } = filters;
  if (projectIds && !projectIds.includes(project?.id ?? "")) return false;
  if (covered && !covered.has(project?.id ?? "")) return false;
  if (sources && !sources.includes(lineSource)) return false;
  if (!environments.includes(lineEnvironment)) return false;
  return samplingRate >= 1 || Math.random() < samplingRate;
}
