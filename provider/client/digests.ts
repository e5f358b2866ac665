import { createHmac, randomBytes } from "node:crypto";

/** Texts that stand for values of which only a digest is known. */

/** Begins a text that stands for a value of which only a digest is known. No value of the service begins with it. */
export const tokenStart = "\u0000digest:";

/** A text that equals (`same` in `provider/core/values.ts`) the value with a digest. @param digest see `newDigest`; empty: equals no value */
export const digestToken = (digest: string): string => `${tokenStart}${digest}`;

/** The digest in a text of `digestToken`; undefined for other texts. */
export const tokenDigest = (text: string): string | undefined =>
  text.startsWith(tokenStart) ? text.slice(tokenStart.length) : undefined;

/** A digest of a value, with a random key in front, so that equal values have different digests. */
export const newDigest = (value: string, key = randomBytes(16).toString("base64url")): string =>
  `${key}.${createHmac("sha256", key).update(value).digest("base64url")}`;

/** True if a value has the digest. */
export function hasDigest(value: string, digest: string | undefined): boolean {
  const key = digest?.split(".")[0];
  return key !== undefined && key !== "" && newDigest(value, key) === digest;
}
