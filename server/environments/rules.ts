import { mayManage } from "../env/access";
import type { EnvVarRow } from "../env/object";
import { notOwned } from "../env/rules";
import type { Call } from "../http/route";
import { badRequest, type Refusal, type RefusalRow } from "../platform/refusal";
import type { BranchMatcher } from "./schema";

/** The maximum number of custom environments of a project. @choice The same for every plan. */
export const largestCount = 12;

export const tooManyEnvironments: RefusalRow<{ environmentCount: number }> = [
  400,
  "bad_request",
  `A project has at most ${largestCount} custom environments. Remove one that is not needed.`,
  ({ environmentCount }) => environmentCount >= largestCount,
];

export const slugTaken: RefusalRow<{ isSlugTaken: boolean }> = [
  409,
  "conflict",
  "The project has a custom environment with this slug. Choose another slug.",
  ({ isSlugTaken }) => isSlugTaken,
];

export const copiesNotOwned: RefusalRow<Pick<Call, "caller" | "account"> & { copied: EnvVarRow[] }> = [
  notOwned.status,
  notOwned.code,
  notOwned.message,
  (call) => !call.copied.every((row) => mayManage(call, row)),
];

export const nothingToCopyFrom = (): Refusal =>
  badRequest("copyEnvVarsFrom names no environment of the project.");

export const hasDomains: RefusalRow<{ isServedByDomains: boolean }> = [
  400,
  "bad_request",
  "Domains serve this environment. Remove these domains, or assign them to another environment.",
  ({ isServedByDomains }) => isServedByDomains,
];

export const variablesNotOwned: RefusalRow<Pick<Call, "caller" | "account"> & { variables: EnvVarRow[] }> = [
  403,
  "FORBIDDEN",
  "The access token may not change all variables of the environment. Remove them with another token first.",
  (call) => !call.variables.every((row) => mayManage(call, row)),
];

/** True when an environment with this matcher gets the deployments of a branch. Without a matcher, it gets none. */
export function matchesBranch(matcher: BranchMatcher | undefined, branch: string): boolean {
  if (matcher === undefined) return false;
  const { type, pattern } = matcher;
  if (type === "equals") return branch === pattern;
  return type === "startsWith" ? branch.startsWith(pattern) : branch.endsWith(pattern);
}
