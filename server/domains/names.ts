import { domainToASCII, domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import type { ProjectRow } from "../projects/object";
import type { DomainRow } from "./object";

/** A parsed domain name. */
export interface DomainName {
  /** The name in lower case and ASCII. */
  name: string;
  /** The registrable domain, whose owner may verify `name`. */
  apexName: string;
  wildcard: boolean;
}

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const hostname = new RegExp(`^(?:${label}\\.)+(?!\\d)${label}$`);

/**
 * Parses a domain name into lower case and punycode, so that each name has one spelling.
 * @returns undefined for other texts: an IP address, a public suffix, a single label, a trailing dot, `_`
 * @choice One leading `*.` is accepted, and verified like other names. A suffix that is not in the public suffix list
 *   (`.test`) counts as public. The suffixes in the private section of the list (`github.io`) count as public too,
 *   because the names below them belong to different owners. The owner of a private suffix can still add the suffix.
 *   The apex of a name in one of the service's own zones is the zone.
 * @source wire-shapes 5, apexName; recorded answers of the hosted API
 */
export function parseDomain(text: string): DomainName | undefined {
  const wildcard = text.startsWith("*.");
  const host = wildcard ? text.slice(2) : text;
  // Names are converted as in URLs. Characters that a URL would escape or cut off are therefore refused.
  if (host.length > 253 || /[\s%/\\?#@:[\]<>^|*]/.test(host)) return undefined;
  const ascii = domainToASCII(host);
  if (!hostname.test(ascii) || ascii.length > (wildcard ? 251 : 253)) return undefined;
  // The conversion to Unicode does not change a label that is not valid punycode.
  if (/(?:^|\.)xn--/.test(domainToUnicode(ascii))) return undefined;
  const zone = ownZones.find((zone) => ascii.endsWith(`.${zone}`));
  const apexName = zone ?? getDomain(ascii, { allowPrivateDomains: true }) ?? getDomain(ascii);
  return apexName === null ? undefined : { name: wildcard ? `*.${ascii}` : ascii, apexName, wildcard };
}

/** The canonical form of a name in a path or a filter. An invalid name is not changed, and matches no domain. */
export const canonicalDomain = (text: string): string => parseDomain(text)?.name ?? text;

/** True when a name is a domain or a name below it. */
const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/**
 * True for names that no account may add: the service's own zones, their wildcards, and names two or more levels below.
 * @choice This is the specification's "no access to the domain". A name below an apex that another account has
 *   verified can be added, because the name has a challenge of its own.
 */
export const isOwnZone = (name: string): boolean =>
  ownZones.some((zone) => isWithin(name, zone)) && !isGiven(name);

/**
 * True when a name is directly below one of the service's own zones. Every account can add these names.
 * @choice The service owns its zones, so no challenge is needed.
 */
export const isGiven = (name: string): boolean =>
  ownZones.some((zone) => name.endsWith(`.${zone}`) && /^[^.*]+$/.test(name.slice(0, -zone.length - 1)));

/**
 * True when a list of an account denies a name. Each domain in the list also denies all names below it.
 * @choice This is the specification's "domain not allowed".
 */
export const isDenied = (name: string, deniedDomains: readonly string[]): boolean =>
  deniedDomains.some((denied) => isWithin(name, canonicalDomain(denied)));

/** The name of the TXT record of a challenge. */
export const challengeDomain = (apexName: string): string => `_vercel.${apexName}`;

const challengePrefix = (name: string): string => `vc-domain-verify=${name},`;

/**
 * The challenge of a project domain. It does not change while the domain is on the project.
 * @choice The only challenge is a record at the apex. It verifies only `name`.
 * @source wire-shapes 5, verification item
 */
export function challengeOf(row: Pick<DomainRow, "name" | "apex_name" | "challenge">) {
  return {
    type: "TXT" as const,
    domain: challengeDomain(row.apex_name),
    value: `${challengePrefix(row.name)}${row.challenge}`,
    reason: "pending_domain_verification" as const,
  };
}

/** The value of the TXT record with which an account claims a domain. @param digest of the account and the domain */
export const claimRecord = (name: string, digest: string): string =>
  `${challengePrefix(name)}${digest.slice(0, 20)}`;

/**
 * Compares the TXT records at the domain of a challenge with the value that the challenge needs.
 * @returns `met`: a record has the value. `foreign`: a record has the value of another account for the same name.
 *   `mismatch`: a record is for the name, with a wrong value. `missing`: no record is for the name.
 */
export function judgeRecords(
  claim: DomainRow,
  competing: readonly DomainRow[],
  records: readonly string[],
): "met" | "foreign" | "missing" | "mismatch" {
  const shows = (row: DomainRow): boolean => records.includes(challengeOf(row).value);
  if (shows(claim)) return "met";
  if (competing.some(shows)) return "foreign";
  return records.some((record) => record.startsWith(challengePrefix(claim.name))) ? "mismatch" : "missing";
}

/** The zone of the default domains of projects and deployments. @source recorded answers of the hosted API */
export const ownZone = "vercel.app";

/** The zone of this server's own hosts, such as the target of CNAME records. @choice */
export const hostZone = "slipway.app";

/** The service's own zones. A project can add an unused name directly below a zone. The name is verified at once. */
const ownZones = [ownZone, hostZone];

/** The default domain of a project. */
export const ownName = ({ name }: Pick<ProjectRow, "name">): string => `${name}.${ownZone}`;

/** The name of the project whose default domain a name would be; undefined for other names. */
export const projectNameIn = (name: string): string | undefined =>
  name.endsWith(`.${ownZone}`) ? name.slice(0, -ownZone.length - 1) : undefined;

/**
 * The default domain of a project. It is not stored, because it follows the project's name and cannot be removed.
 * @source recorded answers of the hosted API
 */
export const defaultDomain = (project: ProjectRow): DomainRow => ({
  id: project.id,
  project_id: project.id,
  account_id: project.account_id,
  name: ownName(project),
  apex_name: ownZone,
  verified: 1,
  challenge: "",
  git_branch: null,
  custom_environment_id: null,
  redirect: null,
  redirect_status_code: null,
  created_at: project.created_at,
  updated_at: project.created_at,
});

/** The names that point to production: the project's default domain, and its verified domains without a branch. */
export function productionNames(project: Pick<ProjectRow, "name">, domains: readonly DomainRow[]): string[] {
  return [ownName(project), ...domains.filter(servesProduction).map(({ name }) => name)];
}

const servesProduction = (domain: DomainRow): boolean =>
  domain.verified === 1 && domain.git_branch === null && domain.custom_environment_id === null;
