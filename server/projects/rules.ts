import type { Account } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../store/schema";
import { linkOf } from "./link";
import type { UpdateProject } from "./schema";

/** @source POST /v10/projects and PATCH /v9/projects/{idOrName}, 409 */
export const nameTaken = (name: string): string => `Project ${JSON.stringify(name)} already exists.`;

export const nameTakenThere = (name: string): string =>
  `Project ${JSON.stringify(name)} already exists in the other account. Rename one of them first.`;

type Subject = { account: Account; body: UpdateProject };

/** @source PATCH /v9/projects/{idOrName}, 400 */
export const trustedIpsNeedEnterprise: RefusalRow<Subject> = [
  400,
  "bad_request",
  "Trusted IPs are only available on the enterprise plan.",
  ({ account, body }) => body.trustedIps != null && account.plan !== "enterprise",
];

/** The add-on for password protection on the pro plan. */
export const protectionAddon = "advanced-deployment-protection";

/**
 * @choice The specification does not say which settings are advanced. Password protection is; log-in protection and
 *   the allowlist for OPTIONS requests are on all plans.
 */
const wantsAddon = ({ body }: Subject): boolean => body.passwordProtection != null;

/** @choice Log-in protection of all deployments, including production domains, is not on the free plan. */
const wantsPaidPlan = (call: Subject): boolean =>
  wantsAddon(call) || call.body.ssoProtection?.deploymentType === "all";

/** @choice A pro account needs the add-on; an enterprise plan includes it. @source PATCH /v9/projects/{idOrName}, 428 */
export const protectionAddonMissing: RefusalRow<Subject> = [
  428,
  "upgrade_required",
  "The account lacks the add-on for advanced deployment protection. Buy it, or leave the setting out.",
  (call) => wantsAddon(call) && call.account.plan === "pro" && !call.account.addons.includes(protectionAddon),
];

/** @source PATCH /v9/projects/{idOrName}, 428 */
export const advancedProtectionUnavailable: RefusalRow<Subject> = [
  428,
  "plan_not_supported",
  "Advanced deployment protection is unavailable on the account's plan. Upgrade the plan, or leave the setting out.",
  (call) => wantsPaidPlan(call) && call.account.plan === "hobby",
];

export const notLinked: RefusalRow<{ project: ProjectRow }> = [
  400,
  "bad_request",
  "The project is not linked to a repository. Link one first.",
  ({ project }) => project.link === null,
];

/** The largest number of deploy hooks of a project. @choice */
const mostDeployHooks = 10;

export const tooManyDeployHooks: RefusalRow<{ project: ProjectRow }> = [
  400,
  "bad_request",
  `A project has at most ${mostDeployHooks} deploy hooks. Delete one that is not needed.`,
  ({ project }) => (linkOf(project)?.deployHooks.length ?? 0) >= mostDeployHooks,
];
