import type { Account, Caller } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";
import type { DrainChanges, DrainKind } from "./drain-schema";

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
  `An account or an installation has at most ${largestNumber} drains. Delete one that is not needed.`,
  ({ drainCount }) => drainCount >= largestNumber,
];

/** A drain of a kind, and what a body sets. */
interface Change {
  kind: DrainKind;
  body: DrainChanges;
}

/** How the data of each kind is delivered. */
const deliveries: Readonly<Record<DrainKind, readonly string[]>> = {
  log: ["http"],
  trace: ["otlphttp"],
  audit_log: ["http", "s3"],
};

const invalidMember = (
  message: string | ((change: Change) => string),
  holds: (change: Change) => boolean,
): RefusalRow<Change> => [400, "bad_request", message, holds];

/** @choice The refusals of members that do not belong to the kind of a drain, or that this server does not support. */
export const invalidMembers: readonly RefusalRow<Change>[] = [
  invalidMember("schemas must stay as they are. Create another drain.", ({ kind, body }) =>
    body.kind === undefined ? false : body.kind !== kind,
  ),
  invalidMember(
    ({ kind }) => `delivery.type must be ${deliveries[kind].join(" or ")} for this data.`,
    ({ kind, body: { delivery } }) => delivery !== undefined && !deliveries[kind].includes(delivery.type),
  ),
  invalidMember(
    "delivery.compression must be none for logs: this server does not compress them.",
    ({ kind, body: { delivery } }) =>
      kind === "log" && delivery?.type === "http" && delivery.compression === "gzip",
  ),
  invalidMember(
    "sampling must be one rate above 0 for logs, without env and requestPath: this server has no other rules.",
    ({ kind, body: { sampling = [] } }) => {
      const [rule] = sampling;
      const isPlain = rule === undefined || (rule.rate > 0 && (rule.env ?? rule.requestPath) === undefined);
      return kind === "log" && (sampling.length > 1 || !isPlain);
    },
  ),
  invalidMember(
    "filter must have no log and deployment, which are for drains of logs.",
    ({ kind, body: { filter } }) => kind !== "log" && (filter?.log ?? filter?.deployment) !== undefined,
  ),
  invalidMember(
    "projectIds and sampling are not for audit logs, which contain all events of the team.",
    ({ kind, body: { projectIds, sampling = [] } }) =>
      kind === "audit_log" && (projectIds !== undefined || sampling.length > 0),
  ),
];

/** @choice The status: a personal account has no audit log. */
export const teamsOnly: RefusalRow<{ account: Pick<Account, "kind">; kind: DrainKind }> = [
  400,
  "bad_request",
  "Audit logs belong to teams. Add the id of a team to the request as teamId.",
  ({ account, kind }) => kind === "audit_log" && account.kind !== "team",
];

/** @source the Terraform provider: vercel_audit_log_drain. @choice The status. Existing drains can be changed with every plan. */
export const enterpriseOnly: RefusalRow<{ account: Pick<Account, "plan">; kind: DrainKind }> = [
  403,
  "forbidden",
  "Drains of audit logs are only available to teams on the enterprise plan.",
  ({ account, kind }) => kind === "audit_log" && account.plan !== "enterprise",
];
