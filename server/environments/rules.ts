import type { BranchMatcher } from "./schema";

/** True when an environment's deployments come from a branch. Without a matcher, they come from none. */
export function matchesBranch(matcher: BranchMatcher | undefined, branch: string): boolean {
  if (matcher === undefined) return false;
  const { type, pattern } = matcher;
  if (type === "equals") return branch === pattern;
  return type === "startsWith" ? branch.startsWith(pattern) : branch.endsWith(pattern);
}
