// Longer than other files: the refusals of all changes of project domains, which share their facts.
import type { Account, Caller } from "../access/caller";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import type { DeploymentRow } from "../deployments/object";
import { Refusal, type RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { type DomainName, isDenied, isGiven, isOwnZone, ownName } from "./names";
import type { DomainRow } from "./object";
import type { AddDomain } from "./schema";

/** The maximum number of domains of a project on the free plan. @source wire-shapes 5 */
const freePlanLimit = 50;

/** The target of a domain after the change. */
interface DomainTarget {
  project: ProjectRow;
  /** The name, or the text in the request if it is not a valid name. */
  name: string;
  gitBranch: string | null;
  /** undefined if the redirect in the request is not a valid domain name. */
  redirect: string | null | undefined;
  /** True if the request sets a new redirect, which is checked. False if there is none, or if it does not change. */
  redirects: boolean;
  /** The domains of the project, for the check of the redirect; empty if no redirect is checked. */
  siblings: readonly DomainRow[];
}

const branchAndRedirect: RefusalRow<DomainTarget> = [
  400,
  "bad_request",
  "A domain has either a gitBranch or a redirect. Set the other to null.",
  ({ gitBranch, redirect }) => gitBranch !== null && redirect !== null,
];

const branchAndEnvironment =
  "A domain has either a gitBranch or a custom environment. Leave one of them out.";

/** @choice A wildcard is not a valid target of a redirect. */
const invalidRedirect: RefusalRow<DomainTarget> = [
  400,
  "bad_request",
  "The redirect is not a valid domain name. Give one such as example.com.",
  ({ redirect }) => redirect === undefined,
];

const redirectToItself: RefusalRow<DomainTarget> = [
  400,
  "bad_request",
  "A domain cannot redirect to itself. Give another domain.",
  ({ name, redirect, redirects }) => redirects && redirect === name,
];

/**
 * @choice The target of a redirect must be the project's default domain or another domain of the project, verified or
 *   not. The target must therefore be added first, and cannot be removed before the redirect.
 */
const redirectToMissing: RefusalRow<DomainTarget> = [
  400,
  "bad_request",
  ({ redirect }) => `The project has no domain ${redirect} to redirect to. Add this domain first.`,
  ({ project, redirect, redirects, siblings }) =>
    redirects &&
    redirect != null &&
    redirect !== ownName(project) &&
    !siblings.some(({ name }) => name === redirect),
];

/** @source recorded answers of the hosted API, and the newest official client, which has `removeRedirects` */
export const isRedirectTarget: RefusalRow<{ domain: DomainRow; redirects: boolean }> = [
  409,
  "domain_is_redirect",
  ({ domain: { name } }) => `Cannot remove "${name}" until existing redirects to "${name}" are removed.`,
  ({ redirects }) => redirects,
];

/** @choice The default domain follows the name of its project. Nothing else changes or removes it. */
export const isDefault: RefusalRow<{ project: ProjectRow; domain: DomainRow }> = [
  400,
  "bad_request",
  ({ domain: { name } }) =>
    `${name} is the default domain of the project. It stays as it is. Add a domain of your own.`,
  // The default domain is not stored, so it has no id of its own.
  ({ project, domain }) => domain.id === project.id,
];

/** @choice The specification forbids only a redirect to itself, but longer loops do not work either. */
const redirectLoop: RefusalRow<DomainTarget> = [
  400,
  "bad_request",
  ({ name, redirect }) =>
    `The redirect to ${redirect} leads back to ${name}, which is a loop. Change one of the redirects.`,
  ({ name, redirect, redirects, siblings }) =>
    redirects && redirect != null && redirectLoops(name, redirect, siblings),
];

/** A project without a repository has no production branch. */
const productionBranch: RefusalRow<DomainTarget> = [
  400,
  "bad_request",
  ({ gitBranch }) =>
    `The branch ${gitBranch} is the production branch. Leave gitBranch out: the domain then serves production.`,
  ({ project, gitBranch }) =>
    gitBranch !== null && project.link !== null && JSON.parse(project.link).productionBranch === gitBranch,
];

/** The refusal of an invalid name, for routes that add nothing. */
export const invalidDomain = (name: string): Refusal =>
  new Refusal(400, "invalid_domain", `${JSON.stringify(name)} is not a valid domain name.`);

/** The facts that decide whether a domain can be added. */
export interface Addition extends DomainTarget {
  account: Account;
  caller: Caller;
  body: AddDomain;
  /** undefined if the name is invalid. */
  domain: DomainName | undefined;
  environmentExists: boolean;
  /** The state of the newest production deployment. */
  latestProduction: DeploymentRow["ready_state"] | undefined;
  /** True if another account has verified the name. */
  ownedElsewhere: boolean;
  /** Members of a refusal about the account's own domain with this name: its project and the domain, if visible. */
  existing: Record<string, unknown>;
  /** True if no other account has a domain under the apex. */
  isFree: boolean;
  /** The account's own project domain with this name, on any project. */
  claim: DomainRow | undefined;
  /** The name of the project of `claim`; undefined for integrations, which may not see it. */
  claimedBy: string | undefined;
  /** Set if the name is the default domain of this project, or of another project in any account. */
  ownNameOf: "this" | "other" | undefined;
  /** The number of domains that the project has. */
  count: number;
}

const onAnotherProject = ({ name, claimedBy }: Addition): string =>
  `${name} is on ${claimedBy === undefined ? "another project" : `the project "${claimedBy}"`} of this account`;

const onThisProject: RefusalRow<Addition> = [
  400,
  "existing_project_domain",
  ({ name }) => `${name} is on this project already.`,
  ({ claim, project, ownNameOf }) => claim?.project_id === project.id || ownNameOf === "this",
  ({ existing }) => existing,
];

/** @source recorded answers of the hosted API: a name in the service's own zone that is in use */
const givenToAnother: RefusalRow<Addition> = [
  400,
  "domain_already_in_use",
  (call) =>
    call.claim
      ? `${onAnotherProject(call)}. Remove it there first.`
      : `${call.name} is in use by another project. Choose another name.`,
  ({ name, ownNameOf, ownedElsewhere, claim }) =>
    ownNameOf === "other" || (isGiven(name) && (ownedElsewhere || claim !== undefined)),
  ({ existing }) => existing,
];

const unverifiedElsewhere: RefusalRow<Addition> = [
  409,
  "domain_already_in_use",
  (call) => `${onAnotherProject(call)}, where it is not verified yet. Remove it there first.`,
  ({ claim }) => claim?.verified === 0,
  ({ existing }) => existing,
];

const verifiedElsewhere: RefusalRow<Addition> = [
  409,
  "domain_already_in_use",
  (call) => `${onAnotherProject(call)}, where it is verified. Remove it there first.`,
  ({ claim }) => claim?.verified === 1,
  ({ existing }) => existing,
];

export const tooManyDomains: RefusalRow<Pick<Addition, "account" | "count">> = [
  400,
  "bad_request",
  `A project has at most ${freePlanLimit} domains on the free plan. Remove one, or upgrade the plan.`,
  ({ account, count }) => account.plan === "hobby" && count >= freePlanLimit,
];

/** @source Domains, POST /v10/projects/{idOrName}/domains, in the order of its list */
export const addRefusals: readonly RefusalRow<Addition>[] = [
  [
    400,
    "invalid_domain",
    ({ body }) =>
      `${JSON.stringify(body.name)} is not a valid domain name. Give one such as www.example.com.`,
    ({ domain }) => domain === undefined,
  ],
  branchAndRedirect,
  [
    400,
    "bad_request",
    branchAndEnvironment,
    ({ body }) => body.gitBranch != null && body.customEnvironmentId != null,
  ],
  [
    400,
    "bad_request",
    "The project has no such custom environment. Create it first.",
    ({ environmentExists }) => !environmentExists,
  ],
  [
    400,
    "bad_request",
    "The project's latest production deployment was not successful. Deploy again, then add the domain.",
    ({ latestProduction }) => latestProduction === "ERROR" || latestProduction === "CANCELED",
  ],
  invalidRedirect,
  redirectToItself,
  redirectToMissing,
  redirectLoop,
  productionBranch,
  onThisProject,
  givenToAnother,
  // @choice The specification's list does not have this limit. The status is 400, as for other limits of a project.
  tooManyDomains,
  softBlocked,
  paymentMethodNeeded,
  [
    403,
    "forbidden",
    ({ name }) =>
      `The account has no access to the domain ${name}, which belongs to the service. Choose another name.`,
    ({ domain }) => domain !== undefined && isOwnZone(domain.name),
  ],
  [
    409,
    "domain_already_in_use",
    ({ name }) => `${name} is in use by a project of another account. Remove it there first.`,
    ({ ownedElsewhere }) => ownedElsewhere,
  ],
  unverifiedElsewhere,
  verifiedElsewhere,
  [
    409,
    "domain_not_allowed",
    ({ name }) => `The domain ${name} is not allowed for this account. Choose another name.`,
    ({ account, domain }) => domain !== undefined && isDenied(domain.name, account.deniedDomains),
  ],
  beingTransferred,
];

/**
 * The refusals of the route with which the official command line adds a domain. If the account already uses the name,
 * the code is `ALIAS_DOMAIN_EXIST`, and the error contains the project that has the domain. With `--force`, the command
 * line then removes the domain from that project.
 * @choice The status is 409 even if the domain is on the project of the request.
 */
export const addAliasRefusals: readonly RefusalRow<Addition>[] = addRefusals.flatMap(
  (row): RefusalRow<Addition>[] => {
    const [status, code, message, holds] = row;
    const known: RefusalRow<Addition> = [409, "ALIAS_DOMAIN_EXIST", message, holds, currentProject];
    if ([onThisProject, unverifiedElsewhere, verifiedElsewhere].includes(row)) return [known];
    if (row !== givenToAnother) return [row];
    return [[status, code, message, (addition) => addition.claim === undefined && holds(addition)]];
  },
);

/** The error member `project`: the project that has the domain; absent if the caller may not see the project. */
function currentProject({ claim, claimedBy, project }: Addition): { project?: { id: string; name: string } } {
  if (claim === undefined || claim.project_id === project.id)
    return { project: { id: project.id, name: project.name } };
  return claimedBy === undefined ? {} : { project: { id: claim.project_id, name: claimedBy } };
}

/** @source Domains, PATCH /v9/projects/{idOrName}/domains/{domain} */
export const updateRefusals: readonly RefusalRow<DomainTarget & { domain: DomainRow }>[] = [
  isDefault,
  branchAndRedirect,
  [
    400,
    "bad_request",
    branchAndEnvironment,
    ({ domain, gitBranch }) => gitBranch !== null && domain.custom_environment_id !== null,
  ],
  productionBranch,
  invalidRedirect,
  redirectToItself,
  redirectToMissing,
  redirectLoop,
  beingTransferred,
];

/**
 * True when a redirect from `name` to `target` would lead back to `name`, directly or by other redirects.
 * @param domains the domains of the project
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
