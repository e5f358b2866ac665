import { isPlain } from "../../provider/core/values";
import type { AccountState } from "./copy";

/**
 * Members of a report that are words of its own, such as `"effect": "delete"`, or ids that the API made. A variable with
 * the value `delete` must not change them.
 */
const own = new Set(["effect", "kind", "id", "field"]);

/**
 * Removes the secrets of a stack from parts of a report, wherever they got into a name or a message.
 * @param names what everyone sees who may read the account. A variable with the name of a domain as its value must not hide
 *   that this domain is deleted.
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

/** The names of an account: of what it has, and the targets of variables. */
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

/** Without webhooks and log drains, whose addresses can have secrets. */
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
