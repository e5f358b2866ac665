import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  isPlain,
  isSecret,
  type Plain,
  safe,
  same,
  secretSignature,
  signatureKey,
  swap,
  unknown,
} from "../core/values";
import { providerKey, unknownText } from "../hosting";

/** Converts values of Pulumi's protocol: JSON in which a secret is an object with a signature. */

export const secret = (value: unknown): unknown =>
  value === undefined || isSecret(value) ? value : { [signatureKey]: secretSignature, value };

/** Converts values from the engine. Secrets stay wrapped. */
export const received = (struct: Struct | undefined): Plain =>
  struct ? (struct.toJavaScript() as Plain) : {};

/** Converts values for resources: secrets unwrapped, and `unknown` for unknown values. */
export function plain(values: Plain): Plain {
  const { [providerKey]: _, ...bare } = swap(revealed(values), unknownText, unknown) as Plain;
  return bare;
}

function revealed(value: unknown): unknown {
  if (isSecret(value)) return revealed(value.value);
  if (Array.isArray(value)) return value.map(revealed);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revealed(item)]));
}

/**
 * Converts values for the engine. A value becomes a secret if it is a secret in one of `like`.
 * @param like values with wrapped secrets
 * @param secrets the top-level keys whose values become secrets
 */
export function sent(values: Plain, like: readonly Plain[] = [], secrets: readonly string[] = []): Struct {
  const known = safe(swap(values, unknown, unknownText)) as Plain;
  const marked = like.reduce((all, one) => markedLike(all, one) as Plain, known);
  const named = Object.entries(marked).map(([key, value]) => [
    key,
    secrets.includes(key) ? secret(value) : value,
  ]);
  return Struct.fromJavaScript(Object.fromEntries(named));
}

function markedLike(value: unknown, like: unknown): unknown {
  if (isSecret(like)) return secret(value);
  if (isSecret(value)) return value;
  if (Array.isArray(value) && Array.isArray(like)) return markedListLike(value, like);
  if (!isPlain(value) || !isPlain(like)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markedLike(item, like[key])]));
}

function markedListLike(value: unknown[], like: unknown[]): unknown {
  if (!holdsSecret(like)) return value;
  // If the items have changed, any of them may be the secret one, so the whole list becomes a secret.
  const isInOrder =
    value.length === like.length && value.every((item, i) => same(revealed(item), revealed(like[i])));
  return isInOrder ? value.map((item, i) => markedLike(item, like[i])) : secret(value);
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isPlain(value) && Object.values(value).some(holdsSecret);
}
