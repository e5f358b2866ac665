import { randomBytes } from "node:crypto";
import { holdsUnknown, type Plain, same } from "./values";

/**
 * The output that gets a new value when certain values of a resource change, and only then. Other resources can depend
 * on this output. The value is random, because a hash of a secret would help to guess the secret.
 */
export const revisionKey = "revision";

/** The output with the digests of values from a source (`value-source.ts`), which no definition sets either. */
export const digestKey = "valueDigest";

/** Returns the values whose changes give a new revision. */
type RevisionValues = (values: Plain) => unknown;

/** True when a change from `before` to `after` keeps the revision. False for a resource without a revision. */
export function keepsRevision(
  revisionValues: RevisionValues | undefined,
  before: Plain,
  after: Plain,
): boolean {
  if (!revisionValues) return false;
  const [old, now] = [revisionValues(before), revisionValues(after)];
  return !holdsUnknown(now) && same(old, now);
}

/**
 * Returns the revision for the state after a create or update; empty for a resource without a revision. A state that an
 * earlier version wrote gets its first revision with the next change.
 * @param before undefined for a new resource
 */
export function revisionAfter(
  revisionValues: RevisionValues | undefined,
  before: Plain | undefined,
  after: Plain,
): { [revisionKey]?: unknown } {
  if (!revisionValues) return {};
  if (before && keepsRevision(revisionValues, before, after)) return { [revisionKey]: before[revisionKey] };
  return { [revisionKey]: randomBytes(9).toString("base64url") };
}
