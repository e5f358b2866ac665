import * as z from "zod";
import { newId, takeRandom } from "../platform/ids";
import { type DocumentPath, SeedConflict, SeedError } from "../seed/error";
import {
  each,
  name,
  ownedRow,
  owner,
  ownerOf,
  projectOf,
  type Section,
  type Seeding,
  section,
  time,
  times,
  unusedTime,
} from "../seed/section";
import { insertRows, listRows } from "../store/rows";
import { isVerifiedElsewhere } from "./account-store";
import { addedDomainsOf, insertAddedDomain } from "./added-store";
import { isGiven, ownName, parseDomain } from "./names";
import type { DomainRow } from "./object";
import { addDomain, echModes } from "./schema";
import { apexStatusOf, claimOf, insertDomain } from "./store";

/** The writable fields of a domain. */
const row = ownedRow({
  ...addDomain.shape,
  ...owner,
  project: name,
  /** Default: true when the account has verified the apex domain, as when a request adds the domain. */
  verified: z.boolean().optional(),
  /** The value that the TXT record must contain, so that the record can be seeded too. */
  challenge: z
    .string()
    .regex(/^[0-9a-f]{20}$/, "must be twenty hex digits")
    .optional(),
  ...times,
});
type SeedDomain = z.output<typeof row>;
type RestoredDomain = SeedDomain & { createdAt: number; verified: boolean };

const isRestored = (given: SeedDomain): given is RestoredDomain =>
  given.createdAt !== undefined && given.verified !== undefined;

/** The domains of projects. */
export const domains: Section<typeof row> = {
  table: "domains",
  row,
  keys: ({ team, user, project, name }) => [[team, user, project, name.toLowerCase()]],
  async apply(seeding, rows, section) {
    await restoreDomains(seeding, rows, section);
    await each(seeding, rows, async (given, at) => {
      if (!isRestored(given)) await putDomain(seeding, given, [section, at]);
    });
  },
};

/** Adds a domain, unless its project has the domain, for example as its default domain. */
async function putDomain(
  { tx, now }: Seeding,
  { team, user, project, createdAt: _, updatedAt: __, ...domain }: SeedDomain,
  place: DocumentPath,
): Promise<void> {
  const row = await projectOf(tx, { team, user, project }, place);
  const { name, apexName } = parse(domain.name, [...place, "name"]);
  const redirect = domain.redirect == null ? null : parse(domain.redirect, [...place, "redirect"]).name;
  const known = await claimOf(tx, row.account_id, name);
  if (known?.project_id === row.id || name === ownName(row)) return;
  if (known) throw new SeedConflict([...place, "name"], `${name} is on another project of the account`);
  const verified =
    domain.verified ?? (isGiven(name) || (await apexStatusOf(tx, row.account_id, apexName)) === "proved");
  if (verified && (await isVerifiedElsewhere(tx, row.account_id, name)))
    throw new SeedConflict([...place, "name"], `${name} is verified for another account`);
  await insertDomain({ tx, now }, row, { ...domain, redirect, verified });
}

/**
 * Adds the domains of a snapshot that their projects do not have. A snapshot can have thousands of them, so one
 * statement writes several rows, and unused times are found in memory.
 */
async function restoreDomains(seeding: Seeding, rows: readonly SeedDomain[], section: string): Promise<void> {
  if (!rows.some(isRestored)) return;
  const { tx, now } = seeding;
  const all = await listRows(tx, "domains", {});
  const known = new Map(all.map((row) => [`${row.account_id} ${row.name}`, row.project_id]));
  const proven = new Set(all.flatMap(({ name, verified }) => (verified === 1 ? [name] : [])));
  const times = new Set(all.map(({ project_id, created_at }) => `${project_id} ${created_at}`));
  const fresh: DomainRow[] = [];
  await each(seeding, rows, async (row, at) => {
    if (!isRestored(row)) return;
    const place = [section, at, "name"];
    const parsed = parseDomain(row.name);
    if (!parsed) throw new SeedConflict(place, `${JSON.stringify(row.name)} is not a domain name`);
    const project = await projectOf(tx, row, [section, at]);
    const current = known.get(`${project.account_id} ${parsed.name}`);
    if (current === project.id || parsed.name === ownName(project)) return;
    if (current) throw new SeedConflict(place, `${parsed.name} is on another project of the account`);
    if (row.verified && proven.has(parsed.name))
      throw new SeedConflict(place, `${parsed.name} is verified for another account`);
    if (row.verified) proven.add(parsed.name);
    fresh.push({
      id: newId("row"),
      project_id: project.id,
      account_id: project.account_id,
      name: parsed.name,
      apex_name: parsed.apexName,
      verified: row.verified ? 1 : 0,
      challenge: row.challenge ?? takeRandom(10).toString("hex"),
      git_branch: row.gitBranch ?? null,
      custom_environment_id: row.customEnvironmentId ?? null,
      redirect: row.redirect ?? null,
      redirect_status_code: row.redirectStatusCode ?? null,
      created_at: unusedTime(times, project.id, row.createdAt),
      updated_at: row.updatedAt ?? Math.min(row.createdAt, now),
    });
  });
  await insertRows(tx, "domains", fresh);
}

const accountRow = ownedRow({
  ...owner,
  name: z.string(),
  verified: z.boolean().optional(),
  zone: z.boolean().optional(),
  echMode: z.enum(echModes).optional(),
  createdAt: time.optional(),
});

/** Adds a domain to an account, without a project, unless the account has it. */
export const accountDomains = section(
  "added_domains",
  accountRow,
  async (unit, given, place) => {
    const { tx } = unit;
    const { team, user, verified = false, zone = false, echMode = "auto", createdAt } = given;
    const account = await ownerOf(tx, { team, user }, place);
    const { name, apexName } = parse(given.name, [...place, "name"]);
    if (name !== apexName)
      throw new SeedConflict([...place, "name"], `"${given.name}" is not a domain without a subdomain`);
    if ((await addedDomainsOf(tx, account.id, name)).length > 0) return;
    if (verified && (await isVerifiedElsewhere(tx, account.id, name)))
      throw new SeedConflict([...place, "name"], `${name} is verified for another account`);
    await insertAddedDomain(unit, {
      account_id: account.id,
      name,
      verified: verified ? 1 : 0,
      zone: zone ? 1 : 0,
      ech_mode: echMode,
      created_at: createdAt,
    });
  },
  ({ team, user, name }) => [[team, user, name.toLowerCase()]],
);

function parse(text: string, place: DocumentPath) {
  const parsed = parseDomain(text);
  if (!parsed) throw new SeedError(place, `${JSON.stringify(text)} is not a domain name`);
  return parsed;
}
