import type { Account } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";
import type { UpdateProject } from "./schema";

type Subject = { account: Account; body: UpdateProject };

/** @source PATCH /v9/projects/{idOrName}, 400 */
export const trustedIpsNeedEnterprise: RefusalRow<Subject> = [
  400,
  "bad_request",
  "Trusted IPs are accessible only for enterprise customers.",
  ({ account, body }) => body.trustedIps != null && account.plan !== "enterprise",
];

/** The add-on that a team on the pro plan buys for password protection. */
export const protectionAddon = "advanced-deployment-protection";

/**
 * Password protection, and SSO on all deployments, are advanced protection.
 * @choice Which settings count as advanced: the specification names none.
 */
const wantsAdvanced = ({ body }: Subject): boolean =>
  body.passwordProtection != null ||
  body.ssoProtection?.deploymentType === "all" ||
  body.ssoProtection?.deploymentType === "all_except_custom_domains" ||
  body.optionsAllowlist != null;

/** @choice A pro account needs the add-on; an enterprise plan includes it. @source PATCH /v9/projects/{idOrName}, 428 */
export const protectionAddonMissing: RefusalRow<Subject> = [
  428,
  "upgrade_required",
  "The account lacks the add-on for advanced deployment protection.",
  (call) =>
    wantsAdvanced(call) && call.account.plan === "pro" && !call.account.addons.includes(protectionAddon),
];

/** @source PATCH /v9/projects/{idOrName}, 428 */
export const advancedProtectionUnavailable: RefusalRow<Subject> = [
  428,
  "plan_not_supported",
  "Advanced deployment protection is unavailable for the account's plan.",
  (call) => wantsAdvanced(call) && call.account.plan === "hobby",
];
