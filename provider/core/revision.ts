import { randomBytes } from "node:crypto";
import { holdsUnknown, type Plain, same } from "./values";

/**
 * An output that changes exactly when certain values of a resource change, so that others can depend on the change. It
 * is random, because a hash of a secret would help to guess it.
 */
export const revisionKey = "revision";

/** Returns the values whose changes give a new revision. */
type RevisionValues = (values: Plain) => unknown;

/** True when a change leaves the revision as it is. */
export function keepsRevision(
  revisionValues: RevisionValues | undefined,
  before: Plain,
  after: Plain,
): boolean {
  if (!revisionValues) return false;
  const [old, now] = [revisionValues(before), revisionValues(after)];
  return !holdsUnknown(now) && same(old, now);
}

/** @param before undefined for a new resource. The state of an earlier version has no revision before a change. */
export function revisionAfter(
  revisionValues: RevisionValues | undefined,
  before: Plain | undefined,
  after: Plain,
): { [revisionKey]?: unknown } {
  if (!revisionValues) return {};
  if (before && keepsRevision(revisionValues, before, after)) return { [revisionKey]: before[revisionKey] };
  return { [revisionKey]: randomBytes(9).toString("base64url") };
}
