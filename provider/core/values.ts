import { createHash } from "node:crypto";

/** What an object of the wire or of the state is made of: plain JSON, and `unknown` before a value is known. */
export type Plain = Record<string, unknown>;

/** Stands for a value that is not known before an update runs. */
export const unknown: unique symbol = Symbol("unknown");

export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function holdsUnknown(value: unknown): boolean {
  if (value === unknown) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return isPlain(value) && Object.values(value).some(holdsUnknown);
}

/** Puts `to` in the place of every `from`, at any depth. */
export function swap(value: unknown, from: unknown, to: unknown): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item) => swap(item, from, to));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, swap(item, from, to)]));
}

/**
 * Structural equality. The order of keys does not count, and every list that a user declares is a set: neither
 * order nor repetition counts. An absent member equals an undefined one.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
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
 * What the service holds, seen through what was declared: members that were never declared are left out, and a
 * list that says the same keeps the declared order.
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
    Object.keys(declared).map((key) => [key, asDeclared(declared[key], remote[key])]),
  );
}

/** Items of a list that are about the same thing: their `value` names it. */
const alike = (a: unknown, b: unknown): boolean =>
  isPlain(a) && isPlain(b) ? a.value === b.value : same(a, b);

/**
 * Makes anything safe to hand to a host: JSON, and nothing that a host cannot carry. It never throws, because an
 * object that was made remotely must not get lost on its way into the state.
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
      if (value === null) return null;
      if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : null;
      if (value instanceof Map) return safe(Object.fromEntries(value));
      if (value instanceof Set) return safe([...value]);
      if (Array.isArray(value)) return value.filter(isCarried).map(safe);
      return safeRecord(value as Plain);
    default:
      return undefined;
  }
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

/** A short mark of a text, enough to tell it from another by accident. */
export const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 6);
