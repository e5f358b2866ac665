import type { Account, Caller } from "../access/caller";
import { Refusal, type RefusalRow } from "../platform/refusal";
import { challengeDomain, type DomainName, isDenied, isGiven, isOwnZone } from "./names";
import type { DomainRow } from "./object";
import type { AddAccountDomain, PatchAccountDomain } from "./schema";

/** The facts that decide whether a domain of an account can be removed. */
export interface Removal {
  apexName: string;
  /** The project domains under it. */
  domains: readonly DomainRow[];
  /** The number of domains and aliases to remove that the caller may not see. */
  hidden: number;
  /** The name of a project with one of these domains, if it is being transferred. */
  transferring: string | undefined;
}

/** The facts that decide whether a domain can be added to an account. */
export interface Addition {
  body: AddAccountDomain;
  account: Account;
  /** undefined if the name is not a domain name. */
  domain: DomainName | undefined;
  apexName: string;
  caller: Caller;
  /** True if the account has the domain. */
  isOwn: boolean;
  /** True if another account has verified the domain. */
  ownedElsewhere: boolean;
  /** True if no other account has a domain under the apex. */
  isFree: boolean;
}

/** @choice Domains are not moved between accounts. */
export const transfersDomain: RefusalRow<{ body: AddAccountDomain }> = [
  501,
  "not_implemented",
  "This server does not move domains between accounts. Remove the domain there, and add it here with the method add.",
  ({ body }) => body.method === "move-in",
];

/** @choice Domains are not moved between accounts. */
export const movesDomain: RefusalRow<{ body: PatchAccountDomain }> = [
  501,
  "not_implemented",
  "This server does not move domains between accounts. Remove the domain here, and add it to the other account.",
  ({ body }) => body.op === "move-out",
];

/** @choice This server sells no domains. */
export const notBought: RefusalRow<{ body: PatchAccountDomain }> = [
  400,
  "bad_request",
  "The domain was not bought here, so it is not renewed and has no nameservers to set. Leave out renew and customNameservers.",
  ({ body }) => body.renew === true || (body.customNameservers ?? []).length > 0,
];

/** An installation on selected projects sees only the domains of these, and not those of the account. */
export const limitedInstallation: RefusalRow<{ caller: Caller }> = [
  403,
  "forbidden",
  "The integration has no access to the domains of the account: its installation covers selected projects.",
  ({ caller }) => caller.installation?.selected === true,
];

type Named = Pick<Addition, "domain" | "apexName" | "account" | "caller"> & { body: { name: string } };

/** The refusals of a name that the account cannot own. */
export const nameRefusals: readonly RefusalRow<Named>[] = [
  [
    400,
    "invalid_name",
    ({ body }) => `${JSON.stringify(body.name)} is not a valid domain name. Give one such as example.com.`,
    ({ domain }) => domain === undefined,
  ],
  [
    403,
    "forbidden",
    ({ body }) =>
      `The account has no access to the domain ${body.name}, which belongs to the service. Choose another name.`,
    ({ domain }) => domain !== undefined && (isOwnZone(domain.name) || isGiven(domain.name)),
  ],
  [
    400,
    "invalid_name",
    ({ body, apexName }) =>
      `${body.name} is a name below ${apexName}. Add ${apexName} to the account, or ${body.name} to a project.`,
    ({ domain, apexName }) => domain?.name !== apexName,
  ],
  limitedInstallation,
  [
    409,
    "domain_not_allowed",
    ({ apexName }) => `The domain ${apexName} is not allowed for this account. Choose another name.`,
    ({ account, apexName }) => isDenied(apexName, account.deniedDomains),
  ],
];

/** @source the official command line, which knows the codes `invalid_name` and `domain_already_exists` */
export const addRefusals: readonly RefusalRow<Addition>[] = [
  ...nameRefusals,
  [
    409,
    "domain_already_exists",
    ({ apexName, isOwn }) =>
      isOwn
        ? `The account has the domain ${apexName} already.`
        : `Another account owns ${apexName}. Remove it there first.`,
    ({ isOwn, ownedElsewhere }) => isOwn || ownedElsewhere,
  ],
];

export const sellsNoDomains = (): Refusal =>
  new Refusal(400, "tld_not_supported", "This server sells no domains.");

export const notCovered: RefusalRow<Removal> = [
  403,
  "forbidden",
  ({ apexName }) =>
    `The integration has no access to everything that the account has under ${apexName}: its installation covers selected projects.`,
  ({ hidden }) => hidden > 0,
];

export const removedWhileTransferred: RefusalRow<Removal> = [
  409,
  "conflict",
  ({ transferring }) =>
    `The project "${transferring}" is being transferred. Try again when the transfer is complete.`,
  ({ transferring }) => transferring !== undefined,
];

/** The facts that decide whether an account may take over a domain. */
export interface Claim extends Named {
  /** The value that a TXT record at the domain needs. */
  wanted: string;
  /** The values of these TXT records; undefined if the look-up failed. */
  found: readonly string[] | undefined;
}

/** @choice The codes are those of the verification of a project domain. */
export const claimRefusals: readonly RefusalRow<Claim>[] = [
  ...nameRefusals,
  [
    400,
    "missing_txt_record",
    ({ apexName, wanted }) =>
      `There is no TXT record that claims ${apexName}: ${challengeDomain(apexName)} needs ${JSON.stringify(wanted)}.`,
    ({ wanted, found }) => found?.includes(wanted) !== true,
  ],
];
