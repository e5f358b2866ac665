import type { Caller } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";

/** @source wire-shapes 10 */
const largestNumber = 20;

/** @choice Installations may not manage webhooks: their events go to the URL of the integration. */
export const peopleOnly: RefusalRow<{ caller: Pick<Caller, "installation"> }> = [
  403,
  "forbidden",
  "Only users manage the webhooks of an account. Events of an installation go to the webhook URL of its integration.",
  ({ caller }) => caller.installation !== undefined,
];

export const unknownProjects: RefusalRow<{ hasUnknownProjects: boolean }> = [
  400,
  "bad_request",
  "projectIds names a project that the account does not have.",
  ({ hasUnknownProjects }) => hasUnknownProjects,
];

export const tooManyWebhooks: RefusalRow<{ webhookCount: number }> = [
  400,
  "bad_request",
  `An account has at most ${largestNumber} webhooks. Delete one that is not needed.`,
  ({ webhookCount }) => webhookCount >= largestNumber,
];
