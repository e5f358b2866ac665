import { domainToASCII } from "node:url";
import { getDomain } from "tldts";
import type { DomainRow, ProjectRow } from "../store/schema";
import type { Challenge } from "./schema";

/** What a domain name says. */
export interface DomainName {
  /** In lower case and ASCII. */
  name: string;
  /** The registrable domain: its owner is who may verify `name`. */
  apexName: string;
  wildcard: boolean;
}

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const hostname = new RegExp(`^(?:${label}\\.)+(?!\\d)${label}$`);

/**
 * Reads a domain name. Upper case is lowered and other scripts become punycode, so that one name is one claim.
 * @returns undefined when it is none: an address, a public suffix, one label alone, a trailing dot, `_`
 * @choice One leading `*.` is taken and verified like any other name. A suffix that nobody listed (`.test`)
 *   counts as a public one; the list's private section counts too, so that tenants of one zone stay apart,
 *   except for the owner of such a zone.
 * @source wire-shapes 5, apexName
 */
export function parseDomain(text: string): DomainName | undefined {
  const wildcard = text.startsWith("*.");
  const host = wildcard ? text.slice(2) : text;
  // The conversion follows the rules of URLs: what those escape or cut off is no name.
  if (host.length > 253 || /[\s%/\\?#@:[\]<>^|*]/.test(host)) return undefined;
  const ascii = domainToASCII(host);
  if (!hostname.test(ascii) || ascii.length > (wildcard ? 251 : 253)) return undefined;
  const apexName = getDomain(ascii, { allowPrivateDomains: true }) ?? getDomain(ascii);
  return apexName === null ? undefined : { name: wildcard ? `*.${ascii}` : ascii, apexName, wildcard };
}

/** How a name in a path or a filter is looked up: what is no domain finds none. */
export const canonicalDomain = (text: string): string => parseDomain(text)?.name ?? text;

/** Whether a name is a domain or stands below it. */
const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/**
 * Whether nobody has access to a name because it is the service's own: one of its zones, or deep below it.
 * @choice The specification's "no access to the domain". A name below an apex that another account proved can be
 *   added: its challenge decides.
 */
export const isOwnZone = (name: string): boolean =>
  ownZones.some((zone) => isWithin(name, zone)) && !isGiven(name);

/**
 * Whether a name stands right below one of the service's own zones, where it gives free names away.
 * @choice The service itself answers for its zone, so there is nothing to prove.
 */
export const isGiven = (name: string): boolean =>
  ownZones.some((zone) => name.endsWith(`.${zone}`) && /^[^.*]+$/.test(name.slice(0, -zone.length - 1)));

/** @choice The specification's "domain not allowed": the account's list, each entry with all below it. */
export const isDenied = (name: string, deniedDomains: readonly string[]): boolean =>
  deniedDomains.some((denied) => isWithin(name, canonicalDomain(denied)));

/** Where the TXT record of a challenge stands. */
export const challengeDomain = (apexName: string): string => `_vercel.${apexName}`;

const challengePrefix = (name: string): string => `vc-domain-verify=${name},`;

/**
 * The challenge of a claim, the same as long as the claim lasts.
 * @choice One challenge, at the apex, whoever else claims the name: who can write there owns all below it.
 *   What it proves is `name`.
 * @source wire-shapes 5, verification item
 */
export function challengeOf(row: Pick<DomainRow, "name" | "apex_name" | "challenge">): Challenge {
  return {
    type: "TXT",
    domain: challengeDomain(row.apex_name),
    value: `${challengePrefix(row.name)}${row.challenge}`,
    reason: "pending_domain_verification",
  };
}

/**
 * What the TXT records at a challenge's domain say of a claim.
 * Its own value decides, whatever stands beside it; then another claim's to the same name.
 */
export function judgeRecords(
  claim: DomainRow,
  rivals: readonly DomainRow[],
  records: readonly string[],
): "met" | "foreign" | "missing" | "mismatch" {
  const shows = (row: DomainRow): boolean => records.includes(challengeOf(row).value);
  if (shows(claim)) return "met";
  if (rivals.some(shows)) return "foreign";
  return records.some((record) => record.startsWith(challengePrefix(claim.name))) ? "mismatch" : "missing";
}

/**
 * Whether a redirect would come back to where it starts.
 * @param domains those of the project
 */
export function redirectLoops(
  name: string,
  target: string,
  domains: readonly Pick<DomainRow, "name" | "redirect">[],
): boolean {
  const next = new Map(domains.map(({ name, redirect }) => [name, redirect]));
  const seen = new Set<string>();
  for (let at: string | null | undefined = target; at != null && !seen.has(at); at = next.get(at)) {
    if (at === name) return true;
    seen.add(at);
  }
  return false;
}

/** The zone of the names that every project and deployment has by itself. @choice */
export const ownZone = "slipway.app";

/**
 * The service's own zones: a project may take a free name that stands right below one, and has it at once.
 * @choice Clients name the hosted service's zone in the same way, so it is one here too.
 */
export const ownZones = [ownZone, "vercel.app"];

/** The names under which production is reached: its own, and the verified domains that are bound to no branch. */
export function productionNames(project: Pick<ProjectRow, "name">, domains: readonly DomainRow[]): string[] {
  return [`${project.name}.${ownZone}`, ...domains.filter(servesProduction).map(({ name }) => name)];
}

const servesProduction = (domain: DomainRow): boolean =>
  domain.verified === 1 && domain.git_branch === null && domain.custom_environment_id === null;
