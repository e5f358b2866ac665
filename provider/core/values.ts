import { createHash } from "node:crypto";
import { hasDigest, tokenDigest } from "../client/digests";

/** A JSON object from a request or a state. In a preview, values may be `unknown`. */
export type Plain = Record<string, unknown>;

/** A value that is not known before an update runs. */
export const unknown: unique symbol = Symbol("unknown");

export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value under a key that a user chose. A key such as `constructor` does not find an inherited member. */
export const own = <T>(values: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined;

export function holdsUnknown(value: unknown): boolean {
  if (value === unknown) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return isPlain(value) && Object.values(value).some(holdsUnknown);
}

/** Replaces every `from` by `to`, at any depth. */
export function swap(value: unknown, from: unknown, to: unknown): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item) => swap(item, from, to));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, swap(item, from, to)]));
}

/**
 * True when two values are structurally equal. Lists are compared as sets, so neither order nor repetition counts. An
 * absent member equals an undefined one. A text of `digestToken` equals the value that has the digest.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "string" && typeof b === "string")
    return hasDigest(a, tokenDigest(b)) || hasDigest(b, tokenDigest(a));
  if (Array.isArray(a) && Array.isArray(b)) {
    return (
      a.every((item) => b.some((other) => same(item, other))) &&
      b.every((item) => a.some((other) => same(item, other)))
    );
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]));
}

/**
 * Reduces a value of the service to what was declared: undeclared members are left out, and an equal list keeps the
 * declared order.
 */
export function asDeclared(declared: unknown, remote: unknown): unknown {
  if (Array.isArray(declared) && Array.isArray(remote)) {
    const seen = remote.map((item) =>
      asDeclared(
        declared.find((other) => same(other, item)) ?? declared.find((other) => alike(other, item)),
        item,
      ),
    );
    return same(declared, seen) ? declared : seen;
  }
  if (!isPlain(declared) || !isPlain(remote)) return remote;
  return Object.fromEntries(
    Object.keys(declared).map((key) => [key, asDeclared(declared[key], own(remote, key))]),
  );
}

/** True for items of a list with the same `value`, which identifies them. */
const alike = (a: unknown, b: unknown): boolean =>
  isPlain(a) && isPlain(b) ? a.value === b.value : same(a, b);

/**
 * Converts any value to JSON that a host accepts. It never throws, because the state of a created object must not be
 * lost.
 */
export function safe(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return Number(value);
    case "object":
      return value === null ? null : safeObject(value);
    default:
      return undefined;
  }
}

function safeObject(value: object): unknown {
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : null;
  if (value instanceof Map) return safe(Object.fromEntries(value));
  if (value instanceof Set) return safe([...value]);
  if (Array.isArray(value)) return value.filter(isCarried).map(safe);
  return safeRecord(value as Plain);
}

export function safeRecord(value: Plain): Plain {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => isCarried(item))
      .map(([key, item]) => [key, safe(item)]),
  );
}

const isCarried = (value: unknown): boolean =>
  value !== undefined && typeof value !== "function" && typeof value !== "symbol";

/** A hash of values that does not depend on the order of their keys, which the engine does not keep. */
export const fingerprint = (values: Plain): string =>
  createHash("sha256").update(JSON.stringify(values, sorted)).digest("base64url");

const sorted = (_key: string, value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Equality of JSON: the order of lists counts, the order of members does not. */
export const sameJson = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a, sorted) === JSON.stringify(b, sorted);

/** A short hash of a text, for comparisons. */
export const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 6);

/** The engine writes a secret as an object with this signature. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export const isSecret = (value: unknown): value is Plain =>
  isPlain(value) && value[signatureKey] === secretSignature;
