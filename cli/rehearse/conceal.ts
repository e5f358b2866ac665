import { isPlain } from "../../provider/core/values";
import type { AccountState } from "./copy";

/**
 * Fields of a report with fixed words, such as `"effect": "delete"`, or with ids of the API. They stay even if a
 * variable has the value `delete`.
 */
const own = new Set(["effect", "kind", "id", "field"]);

/**
 * Removes the secrets of a stack from names and messages in a report.
 * @param names texts that stay, because everyone with read access sees them. If the value of a variable is the name of
 *   a domain, the report must still show that the domain is deleted.
 */
export function concealed<T>(found: T, secrets: readonly string[], names: readonly string[]): T {
  const text = textsIn(found).join("\n");
  const present = secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => text.includes(secret));
  if (present.length === 0) return found;
  const known = names.join("\n");
  const hidden = present.filter((secret) => !known.includes(secret)).sort((a, b) => b.length - a.length);
  return hide(found, hidden) as T;
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

/** Sections with names that stay. Webhooks and log drains are absent: their addresses can contain secrets. */
const sections = ["teams", "projects", "environments", "domains", "env", "sharedEnv", "dnsRecords"] as const;

type Named = Partial<Record<"name" | "slug" | "key" | "gitBranch" | "domain", string | null>>;

const nameTexts = ({ name, slug, key, gitBranch, domain }: Named): string[] =>
  [name, slug, key, gitBranch, domain].filter((text) => typeof text === "string");

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlain(value) ? Object.values(value).flatMap(textsIn) : [];
}

function hide(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string")
    return secrets.reduce((text, secret) => text.replaceAll(secret, "[secret]"), value);
  if (Array.isArray(value)) return value.map((item) => hide(item, secrets));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, own.has(name) ? item : hide(item, secrets)]),
  );
}
