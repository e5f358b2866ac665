import type { RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";

/** Refusals that several modules share. */

/** @source Errors, 402 */
export const softBlocked: RefusalRow<{ account: { softBlocked: boolean } }> = [
  402,
  "payment_required",
  "The account is blocked. Its owner must contact the support of the service.",
  ({ account }) => account.softBlocked,
];

/** @source Errors, 402 */
export const paymentMethodNeeded: RefusalRow<{ account: { paymentMethodNeedsUpdate: boolean } }> = [
  402,
  "payment_required",
  "The account's payment method is not valid any more. Update it, then try again.",
  ({ account }) => account.paymentMethodNeedsUpdate,
];

/** The add-on for password protection, and for exceptions from protection, on the pro plan. */
export const protectionAddon = "advanced-deployment-protection";

/** True if a transfer was started and is not yet complete. @source States and transitions */
export const isTransferring = (project: ProjectRow): boolean => project.transfer_to_account_id !== null;

export const beingTransferred: RefusalRow<{ project: ProjectRow | undefined }> = [
  409,
  "conflict",
  ({ project }) => `The project "${project?.name}" is being transferred. Try again when that is done.`,
  ({ project }) => project !== undefined && isTransferring(project),
];

/** The refusals of most requests that change a project. */
export const changeRefusals = [softBlocked, paymentMethodNeeded, beingTransferred] as const;
