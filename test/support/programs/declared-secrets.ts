import { isPlain, type Plain } from "../../../provider/core/values";
import type { Program } from "./program";

/** Texts that a program declares as secret, in inputs whose values are not secret by themselves. */
interface Secret {
  $secret: string;
}

/** Free texts of any resource. */
const texts = /^(comment|note|\w+Command|commandForIgnoringBuildStep|environment|meta)$/;

/** The same program, which declares some of its texts and URLs as secret. */
export const withSecrets = (program: Program): Program =>
  program.map((one) => ({ ...one, args: hide(one.args, one.name, false) as Plain }));

/** @param path decides whether a value is a secret @param isText the value is a free text */
function hide(value: unknown, path: string, isText: boolean): unknown {
  if (typeof value === "string" && isSecret(path)) {
    if (isText && value !== "") return { $secret: `canary${value}` } satisfies Secret;
    if (/^http:/.test(value)) return { $secret: value.replace(/(\w+)$/, "canary$1") } satisfies Secret;
  }
  if (!isPlain(value) || "$ref" in value) return value;
  return Object.fromEntries(
    // The name of a source is no secret.
    Object.entries(value).map(([key, item]) => [
      key,
      key === "valueFrom" ? item : hide(item, path + key, isText || isFree(key, item)),
    ]),
  );
}

/** The environment of an SDK key is one of three. */
const isFree = (key: string, value: unknown): boolean =>
  texts.test(key) && !(key === "environment" && typeof value === "string");

/** Half of the paths, always the same ones. */
const isSecret = (path: string): boolean =>
  [...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 0;

/** Replaces the secrets in a value. */
export function mapSecrets(value: unknown, of: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSecrets(item, of));
  if (!isPlain(value)) return value;
  if (typeof value.$secret === "string") return of(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapSecrets(item, of)]));
}
