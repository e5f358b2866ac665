import { domainToASCII, domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import type { DomainRow, ProjectRow } from "../store/schema";

/** A parsed domain name. */
export interface DomainName {
  /** In lower case and ASCII. */
  name: string;
  /** The registrable domain, whose owner may verify `name`. */
  apexName: string;
  wildcard: boolean;
}

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const hostname = new RegExp(`^(?:${label}\\.)+(?!\\d)${label}$`);

/**
 * Parses a domain name into lower case and punycode, so that each name has one spelling.
 * @returns undefined for anything else: an IP address, a public suffix, a single label, a trailing dot, `_`
 * @choice One leading `*.` is accepted and verified like any other name. An unlisted suffix (`.test`) counts as
 *   public. So does the private section of the public suffix list, to separate the tenants of a zone, except for
 *   the owner of such a zone.
 * @source wire-shapes 5, apexName
 */
export function parseDomain(text: string): DomainName | undefined {
  const wildcard = text.startsWith("*.");
  const host = wildcard ? text.slice(2) : text;
  // The conversion is that of URLs, so a character that URLs escape or cut off makes the name invalid.
  if (host.length > 253 || /[\s%/\\?#@:[\]<>^|*]/.test(host)) return undefined;
  const ascii = domainToASCII(host);
  if (!hostname.test(ascii) || ascii.length > (wildcard ? 251 : 253)) return undefined;
  // A label that is no valid punycode stays as it is.
  if (/(?:^|\.)xn--/.test(domainToUnicode(ascii))) return undefined;
  const apexName = getDomain(ascii, { allowPrivateDomains: true }) ?? getDomain(ascii);
  return apexName === null ? undefined : { name: wildcard ? `*.${ascii}` : ascii, apexName, wildcard };
}

/** The spelling to look up a name from a path or a filter. An invalid name is kept and finds nothing. */
export const canonicalDomain = (text: string): string => parseDomain(text)?.name ?? text;

/** True when a name is a domain or a name below it. */
const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/**
 * True when no account may have a name because it is the service's own: one of its zones, or deep below it.
 * @choice This is the specification's "no access to the domain". A name below an apex that another account has
 *   proved can be added, since its challenge decides.
 */
export const isOwnZone = (name: string): boolean =>
  ownZones.some((zone) => isWithin(name, zone)) && !isGiven(name);

/**
 * True when a name is directly below one of the service's own zones, where names are free.
 * @choice The service owns its zone, so there is nothing to prove.
 */
export const isGiven = (name: string): boolean =>
  ownZones.some((zone) => name.endsWith(`.${zone}`) && /^[^.*]+$/.test(name.slice(0, -zone.length - 1)));

/** @choice The specification's "domain not allowed": the list of the account, each entry with all names below it. */
export const isDenied = (name: string, deniedDomains: readonly string[]): boolean =>
  deniedDomains.some((denied) => isWithin(name, canonicalDomain(denied)));

/** The name of the TXT record of a challenge. */
export const challengeDomain = (apexName: string): string => `_vercel.${apexName}`;

const challengePrefix = (name: string): string => `vc-domain-verify=${name},`;

/**
 * The challenge of a claim. It does not change while the claim exists.
 * @choice One challenge at the apex, since whoever can write records there owns all names below it. It proves
 *   `name` alone.
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

/**
 * Judges a claim by the TXT records at its challenge's domain: met when its own value is among them, foreign when
 * the value of another claim of the name is.
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

/** The zone of the names that projects and deployments get from the service. @choice */
export const ownZone = "slipway.app";

/**
 * The service's own zones. A project can add a free name directly below one, which is verified at once.
 * @choice The zone of the hosted service is among them, since clients use its names.
 */
export const ownZones = [ownZone, "vercel.app"];

/** The name that a project has from the service. */
export const ownName = ({ name }: Pick<ProjectRow, "name">): string => `${name}.${ownZone}`;

/** The names that lead to production: the project's own, and its verified domains without a branch. */
export function productionNames(project: Pick<ProjectRow, "name">, domains: readonly DomainRow[]): string[] {
  return [ownName(project), ...domains.filter(servesProduction).map(({ name }) => name)];
}

const servesProduction = (domain: DomainRow): boolean =>
  domain.verified === 1 && domain.git_branch === null && domain.custom_environment_id === null;
