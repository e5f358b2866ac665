import type { Caller } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";

/** @choice The same limit as for webhooks. The public API documents none. */
const largestNumber = 20;

interface Subject {
  caller: Pick<Caller, "installation">;
}

export const installationsOnly: RefusalRow<Subject> = [
  400,
  "bad_request",
  "Only installations make log drains here. Use the token of an installation, or /v1/log-drains for a drain of the account.",
  ({ caller }) => caller.installation === undefined,
];

export const peopleOnly: RefusalRow<Subject> = [
  403,
  "forbidden",
  "Only users manage the log drains of an account. An installation makes its own at /v2/integrations/log-drains.",
  ({ caller }) => caller.installation !== undefined,
];

export const unknownProjects: RefusalRow<{ hasUnknownProjects: boolean }> = [
  400,
  "bad_request",
  "projectIds names a project that the account does not have, or that the installation does not cover.",
  ({ hasUnknownProjects }) => hasUnknownProjects,
];

export const tooManyDrains: RefusalRow<{ drainCount: number }> = [
  400,
  "bad_request",
  `An account or an installation has at most ${largestNumber} log drains. Delete one that is not needed.`,
  ({ drainCount }) => drainCount >= largestNumber,
];
