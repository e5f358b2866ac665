import type { Account, Caller } from "../access/caller";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/refusals";
import type { RefusalRow } from "../platform/refusal";
import type { DeploymentRow, DomainRow, ProjectRow } from "../store/schema";
import { challengeOf, type DomainName, isDenied, isOwnZone, ownZone, redirectLoops } from "./names";
import type { AddDomain } from "./schema";

/** How many domains a project may have on the free plan. @source wire-shapes 5 */
const freePlanLimit = 50;

/** Where a domain is to lead, once the change is made. */
interface Course {
  project: ProjectRow;
  /** The name, or what was given in its place. */
  name: string;
  gitBranch: string | null;
  /** Undefined: what was given is no domain that one can redirect to. */
  redirect: string | null | undefined;
  /** False: the redirect was there before and is not judged again. */
  redirects: boolean;
  /** The project's domains; those that matter to the redirect at least. */
  siblings: readonly DomainRow[];
}

const branchAndRedirect: RefusalRow<Course> = [
  400,
  "bad_request",
  "A domain has either a gitBranch or a redirect. Set the other to null.",
  ({ gitBranch, redirect }) => gitBranch !== null && redirect !== null,
];

const branchAndEnvironment = "A domain has either a gitBranch or a custom environment.";

/** @choice A redirect leads to a name, not to a wildcard. */
const invalidRedirect: RefusalRow<Course> = [
  400,
  "bad_request",
  "The redirect is not a valid domain name.",
  ({ redirect }) => redirect === undefined,
];

const redirectToItself: RefusalRow<Course> = [
  400,
  "bad_request",
  "A domain cannot redirect to itself.",
  ({ name, redirect, redirects }) => redirects && redirect === name,
];

/**
 * @choice A redirect leads to a domain of the same project, verified or not, or to the project's own name: so
 *   the target is added first. When the target is removed later, the redirect stays as it is.
 */
const redirectToMissing: RefusalRow<Course> = [
  400,
  "bad_request",
  ({ redirect }) => `The project has no domain ${redirect} to redirect to. Add that one first.`,
  ({ project, redirect, redirects, siblings }) =>
    redirects &&
    redirect != null &&
    redirect !== `${project.name}.${ownZone}` &&
    !siblings.some(({ name }) => name === redirect),
];

/** @choice The specification forbids the shortest loop only; a longer one serves nobody either. */
const redirectLoop: RefusalRow<Course> = [
  400,
  "bad_request",
  ({ name, redirect }) => `The redirect to ${redirect} comes back to ${name}.`,
  ({ name, redirect, redirects, siblings }) =>
    redirects && redirect != null && redirectLoops(name, redirect, siblings),
];

/** A project without a repository has no production branch. */
const productionBranch: RefusalRow<Course> = [
  400,
  "bad_request",
  ({ gitBranch }) =>
    `The branch ${gitBranch} is the production branch, which the domain serves without gitBranch.`,
  ({ project, gitBranch }) =>
    gitBranch !== null && project.link !== null && JSON.parse(project.link).productionBranch === gitBranch,
];

/** What is known when a domain is to be added. */
export interface Addition extends Course {
  account: Account;
  caller: Caller;
  body: AddDomain;
  /** Undefined: no valid domain. */
  domain: DomainName | undefined;
  environmentExists: boolean;
  /** State of the newest production deployment. */
  latestProduction: DeploymentRow["ready_state"] | undefined;
  /** Another account holds the name, verified. */
  heldElsewhere: boolean;
  /** The account's own claim of the name, on any project. */
  claim: DomainRow | undefined;
  /** The name of the project that the claim is on; undefined where the caller may not learn it. */
  claimedBy: string | undefined;
  /** Whose own name it is: that of the project, or of another one of any account. */
  ownNameOf: "this" | "other" | undefined;
  /** How many domains the project has. */
  count: number;
}

const onAnotherProject = ({ name, claimedBy }: Addition): string =>
  `${name} is on ${claimedBy === undefined ? "another project" : `the project "${claimedBy}"`} of this account`;

/** @source Domains, POST /v10/projects/{idOrName}/domains, in the order of its list */
export const addRefusals: readonly RefusalRow<Addition>[] = [
  [
    400,
    "invalid_domain",
    ({ body }) => `${JSON.stringify(body.name)} is not a valid domain name.`,
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
    "The project has no such custom environment.",
    ({ environmentExists }) => !environmentExists,
  ],
  [
    400,
    "bad_request",
    "The project's latest production deployment was not successful. Deploy anew, then add the domain.",
    ({ latestProduction }) => latestProduction === "ERROR" || latestProduction === "CANCELED",
  ],
  invalidRedirect,
  redirectToItself,
  redirectToMissing,
  redirectLoop,
  productionBranch,
  [
    400,
    "existing_project_domain",
    ({ name }) => `${name} is on this project already.`,
    ({ claim, project, ownNameOf }) => claim?.project_id === project.id || ownNameOf === "this",
  ],
  // @choice The specification has no limit: 400, as for a project that grows too large.
  [
    400,
    "bad_request",
    `A project has at most ${freePlanLimit} domains on the free plan. Remove one, or upgrade the plan.`,
    ({ account, count }) => account.plan === "hobby" && count >= freePlanLimit,
  ],
  softBlocked,
  paymentMethodNeeded,
  [
    403,
    "forbidden",
    ({ name }) => `The account has no access to the domain ${name}, which is the service's own.`,
    ({ domain }) => domain !== undefined && isOwnZone(domain.name),
  ],
  [
    409,
    "domain_already_in_use",
    ({ name }) => `${name} is in use by a project of another account.`,
    ({ heldElsewhere }) => heldElsewhere,
  ],
  [
    409,
    "domain_already_in_use",
    ({ name }) => `${name} is the own name of another project.`,
    ({ ownNameOf }) => ownNameOf === "other",
  ],
  [
    409,
    "domain_already_in_use",
    (call) => `${onAnotherProject(call)}, where it is not verified yet. Remove it there first.`,
    ({ claim }) => claim?.verified === 0,
  ],
  [
    409,
    "domain_already_in_use",
    (call) => `${onAnotherProject(call)}, where it is verified. Remove it there first.`,
    ({ claim }) => claim?.verified === 1,
  ],
  [
    409,
    "domain_not_allowed",
    ({ name }) => `The domain ${name} is not allowed for this account.`,
    ({ account, domain }) => domain !== undefined && isDenied(domain.name, account.deniedDomains),
  ],
  beingTransferred,
];

/** @source Domains, PATCH /v9/projects/{idOrName}/domains/{domain} */
export const updateRefusals: readonly RefusalRow<Course & { domain: DomainRow }>[] = [
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

/** What is known when a claim is to be verified. */
export interface Verification {
  /** Undefined: the project has no such domain. */
  claim: DomainRow | undefined;
  name: string;
  /** Another account verified the name. */
  heldElsewhere: boolean;
  /** What the TXT records say; undefined when they could not be looked up. Of a verified claim: that it is met. */
  records: "met" | "foreign" | "missing" | "mismatch" | undefined;
}

const wanted = ({ claim }: Verification): string => {
  if (claim === undefined) return "";
  const { domain, value } = challengeOf(claim);
  return `${domain} needs the TXT record ${JSON.stringify(value)}`;
};

/** @source Domains, POST /v9/projects/{idOrName}/domains/{domain}/verify */
export const verifyRefusals: readonly RefusalRow<Verification>[] = [
  [
    400,
    "bad_request",
    ({ name }) => `The domain ${JSON.stringify(name)} is not assigned to this project.`,
    ({ claim }) => claim === undefined,
  ],
  [
    400,
    "existing_project_domain",
    ({ name }) => `${name} is verified for another project.`,
    ({ heldElsewhere }) => heldElsewhere,
  ],
  [
    400,
    "existing_project_domain",
    (call) => `A TXT record verifies ${call.name} for another project; ${wanted(call)}.`,
    ({ records }) => records === "foreign",
  ],
  // @choice A look-up that failed found no record: the client may try again.
  [
    400,
    "missing_txt_record",
    (call) => `The TXT records could not be looked up; ${wanted(call)}.`,
    ({ records }) => records === undefined,
  ],
  [
    400,
    "missing_txt_record",
    (call) => `No TXT record attempts to verify ${call.name}: ${wanted(call)}.`,
    ({ records }) => records === "missing",
  ],
  // @choice A code of its own: the record is there, waiting longer does not mend it.
  [
    400,
    "mismatched_txt_record",
    (call) => `The TXT record does not match the challenge: ${wanted(call)}.`,
    ({ records }) => records === "mismatch",
  ],
];
