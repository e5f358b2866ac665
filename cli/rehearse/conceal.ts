import { isPlain } from "../../provider/core/values";
import type { AccountState } from "./copy";
import type { SecretTexts } from "./secrets";

/**
 * Fields of a report with fixed words, such as `"effect": "delete"`. They stay even if a variable has the value
 * `delete`.
 */
const fixed = new Set(["effect", "kind", "field"]);

/**
 * Returns a function that removes secrets from names and messages, also in their JSON and URL forms, and the lines and
 * words of longer secrets.
 * @param names texts that stay, because everyone with read access sees them. If the value of a variable is the name of
 *   a domain, the report must still show that the domain is deleted.
 */
export function concealerOf({ declared, usual }: SecretTexts, names: readonly string[]): <T>(found: T) => T {
  const known = names.join("\n");
  const always = [...new Set(declared.flatMap(formsOf))];
  const parts = [...declared, ...usual].flatMap(partsOf);
  const others = [...new Set([...usual, ...parts].flatMap(formsOf))].filter(
    (secret) => !known.includes(secret),
  );
  return <T>(found: T): T => {
    const text = textsIn(found).join("\n");
    const [whole, rest] = [always, others].map((all) => all.filter((secret) => text.includes(secret)));
    if (!whole || !rest || whole.length + rest.length === 0) return found;
    return hide(found, hiding(whole, rest), hiding(whole, [])) as T;
  };
}

/** @returns a function that removes secrets from a text, the longest first, since one may contain another */
function hiding(always: Iterable<string>, others: readonly string[]): (text: string) => string {
  const whole = new Set(always);
  const sorted = [...new Set([...whole, ...others])].sort((a, b) => b.length - a.length);
  const patterns = sorted.map(occurrencesOf);
  return (text) =>
    whole.has(text)
      ? "[secret]"
      : patterns.reduce<string>((rest, one) => rest.replaceAll(one, "[secret]"), text);
}

/** True for texts that could be ordinary words or numbers, which readers could guess from a gap in a sentence. */
const isOrdinary = (secret: string): boolean => /^(.{1,7}|\p{L}{1,11}|[\d.,:-]{1,9})$/su.test(secret);

/** An ordinary word is a secret only in quotes. */
function occurrencesOf(secret: string): RegExp | string {
  if (!isOrdinary(secret)) return secret;
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<=(["'\`]))${literal}(?=\\1)`, "gu");
}

/** A secret as it appears in JSON, in JSON within a text, and in a URL. */
function formsOf(secret: string): string[] {
  if (secret === "") return [];
  const once = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, once, JSON.stringify(once).slice(1, -1), encoded(secret)])];
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The lines of a longer secret, and its words that look like keys, such as the token in a URL or a command. */
function partsOf(secret: string): string[] {
  const lines = secret.includes("\n") ? secret.split(/\s*\n\s*/).filter((line) => line.length >= 8) : [];
  const words = secret
    .split(/[\s"'`=&?#/:@,;|<>(){}[\]\\]+/)
    .filter((word) => word.length >= 8 && word !== secret && /[-_\d]/.test(word) && !isOrdinary(word));
  return [...lines, ...words];
}

/** The names of the account's objects, and the targets of its variables. */
export function namesIn(...states: readonly AccountState[]): string[] {
  return [
    "production",
    "preview",
    "development",
    ...states.flatMap(({ document, aliases }) => [
      ...sections.flatMap((section) => ((document[section] ?? []) as Named[]).flatMap(nameTexts)),
      ...aliases.keys(),
    ]),
  ];
}

/** Sections with names that stay. Receivers are absent: their addresses can contain secrets. */
const sections = ["teams", "projects", "environments", "domains", "env", "sharedEnv", "dnsRecords"] as const;

type Named = Partial<Record<"name" | "slug" | "key" | "gitBranch" | "domain", string | null>>;

const nameTexts = ({ name, slug, key, gitBranch, domain }: Named): string[] =>
  [name, slug, key, gitBranch, domain].filter((text) => typeof text === "string");

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlain(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** @param ofId hides the secrets in an id: only those that are always hidden */
function hide(value: unknown, all: (text: string) => string, ofId: (text: string) => string): unknown {
  if (typeof value === "string") return all(value);
  if (Array.isArray(value)) return value.map((item) => hide(item, all, ofId));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      fixed.has(name) ? item : hide(item, name === "id" ? ofId : all, ofId),
    ]),
  );
}
