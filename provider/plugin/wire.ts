import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isPlain, type Plain, safe, same, swap, unknown } from "../core/values";
import { providerKey, unknownText } from "../hosting";

/** Values as the engine sends them: JSON, in which a secret is an object with a signature around its value. */

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export const isSecret = (value: unknown): value is Plain =>
  isPlain(value) && value[signatureKey] === secretSignature;

export const secret = (value: unknown): unknown =>
  value === undefined || isSecret(value) ? value : { [signatureKey]: secretSignature, value };

/** Values with their marks of secrecy. */
export const received = (struct: Struct | undefined): Plain =>
  struct ? (struct.toJavaScript() as Plain) : {};

/** Values as the resources take them: without marks, and `unknown` for what is not known. */
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
 * Values for the engine: marked where the same place of `like` is, and where `secrets` names a whole value.
 * @param like values with marks; of several, each counts
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
  if (Array.isArray(value) && Array.isArray(like)) {
    if (!holdsSecret(like)) return value;
    // What is found in another order may be a secret anywhere.
    const isInOrder =
      value.length === like.length && value.every((item, i) => same(revealed(item), revealed(like[i])));
    return isInOrder ? value.map((item, i) => markedLike(item, like[i])) : secret(value);
  }
  if (!isPlain(value) || !isPlain(like)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markedLike(item, like[key])]));
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isPlain(value) && Object.values(value).some(holdsSecret);
}
