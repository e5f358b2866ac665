import { countRows } from "../store/rows";
import type { Tx } from "../store/store";
import type { Database } from "../store/tables";
import { type Seed, sections } from "./document";

type SectionName = keyof typeof sections;

/** The tables of the rows of each section. Users and teams are in one table. */
const tables: Record<Exclude<SectionName, "users" | "teams">, keyof Database> = {
  tokens: "tokens",
  gitProviders: "git_providers",
  integrations: "integrations",
  dns: "dns_records",
  deployments: "deployments",
  projects: "projects",
  environments: "custom_environments",
  installations: "configurations",
  accountDomains: "added_domains",
  domains: "domains",
  sharedEnv: "shared_env_vars",
  env: "env_vars",
  webhooks: "webhooks",
  logDrains: "log_drains",
  aliases: "aliases",
  firewallBypasses: "firewall_bypasses",
  projectMembers: "project_members",
  edgeConfigs: "edge_configs",
  dnsRecords: "domain_records",
};

const countOf = (tx: Tx, name: SectionName): Promise<number> =>
  name === "users" || name === "teams"
    ? countRows(tx, "accounts", { kind: name === "users" ? "user" : "team" })
    : countRows(tx, tables[name], {});

/** Counts the objects that a change adds, for each section of a seed. */
export async function countAdded(
  tx: Tx,
  seed: Seed,
  change: () => Promise<void>,
): Promise<Partial<Record<SectionName, number>>> {
  const names = (Object.keys(sections) as SectionName[]).filter((name) => seed[name] !== undefined);
  const count = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (const name of names) counts.push(await countOf(tx, name));
    return counts;
  };
  const before = await count();
  await change();
  const after = await count();
  return Object.fromEntries(names.map((name, at) => [name, (after[at] ?? 0) - (before[at] ?? 0)]));
}
