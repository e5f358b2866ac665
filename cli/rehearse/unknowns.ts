import { isPlaceholderUrl, leftOutParts, placeholder, unreadParts } from "../objects/kind";
import type { Copy, Document } from "./copy";
import type { Compared } from "./outcome";
import type { Report } from "./report";
import type { Resource } from "./stack";

/** Facts that a rehearsal cannot know, because the API does not return them, or not to its token. */
export function unknownsOf(
  before: Document,
  { changes }: Compared,
  {
    source,
    copy,
    refusals,
    resources,
    refused,
    otherTokens,
    userTokens,
  }: {
    /** The document from which the copy was made. */
    source: Pick<Document, "placeholders">;
    copy: Copy;
    refusals: Report["refusals"];
    resources: readonly Resource[];
    refused: readonly Record<string, unknown>[];
    /** The names of providers with another access token than the rehearsal. */
    otherTokens: readonly string[];
    /** The names of the resources whose access tokens the run creates, replaces or deletes. */
    userTokens: readonly string[];
  },
  after: Document,
): string[] {
  const unknown = unreadParts(source.placeholders).map(
    (part) => `${part}: they could not be read, so the copy has none`,
  );
  for (const { what, reason } of leftOutParts(source.placeholders))
    unknown.push(`${what}: the copy does not have it (${reason})`);
  unknown.push(...copy.leftOut.map((row) => `${row}: the copy does not have this row`));
  for (const { domain, name, value } of copy.assumedRecords)
    unknown.push(
      `whether the TXT record ${name} "${value}" of ${domain} is published: the rehearsal assumed it`,
    );
  for (const name of domainsToAdd(before, changes, copy, after))
    unknown.push(`whether another account has the domain ${name}`);
  const managed = new Set(resources.map(({ id }) => id));
  for (const row of (before.env ?? []) as {
    project: string;
    id: string;
    key: string;
    type: string;
    value?: string;
  }[]) {
    const isCompared = row.type !== "sensitive" && row.value === placeholder;
    if (isCompared && managed.has(`${row.project}/${row.id}`))
      unknown.push(
        `whether the value of ${row.key} (${row.id}) has drifted: it cannot be read, so a placeholder was compared`,
      );
  }
  for (const [section, kind] of [
    ["webhooks", "webhook"],
    ["logDrains", "log drain"],
    ["otherDrains", "drain"],
  ] as const)
    for (const { id, url } of (before[section] ?? []) as { id: string; url: string }[])
      if (managed.has(id) && isPlaceholderUrl(url))
        unknown.push(
          `whether the URL of the ${kind} ${id} has drifted: it was not read, so a placeholder was compared`,
        );
  const built = changes.filter(({ kind, effect }) => kind === "deployment" && effect === "create").length;
  if (built > 0)
    unknown.push(
      `whether ${built === 1 ? "the deployment builds" : `the ${built} deployments build`}: the copy builds nothing`,
    );
  for (const name of otherTokens)
    unknown.push(
      `whether the access token of the provider ${name} is for this account: the copy got the rehearsal's token instead`,
    );
  unknown.push(...userTokens.map(userTokenText));
  const linked = changes.some(
    ({ kind, fields }) => kind === "project" && fields.some(({ field }) => field === "link"),
  );
  if (linked) unknown.push("whether the account may use the Git repository");
  const isOfPlan = ({ status, operation }: Record<string, unknown>): boolean =>
    status === 428 || (status === 403 && operation === "createAccessGroup");
  if (refused.some(isOfPlan) && refusals.length > 0)
    unknown.push("whether the account has the add-on or the plan: the API does not return it");
  return unknown;
}

const userTokenText = (name: string): string =>
  `what becomes of the access token ${name}: the copy has no tokens of users, so a change was only tried there`;

/** The domains that the run adds, and of which the account has not proved that it owns them. */
function domainsToAdd(
  before: Document,
  changes: Compared["changes"],
  { isHosted }: Pick<Copy, "isHosted">,
  after: Document,
): Set<string> {
  const changed = (wanted: string): string[] =>
    changes.flatMap(({ kind, effect, name }) => (kind === wanted && effect !== "delete" ? [name] : []));
  const domainsIn = ({ domains }: Document) => (domains ?? []) as { name: string; verified?: boolean }[];
  const verified = domainsIn(before).filter((row) => row.verified === true);
  const isProved = (name: string): boolean =>
    verified.some((one) => name === one.name || name.endsWith(`.${one.name}`));
  const added = new Set(changed("domain"));
  const ofProjects = domainsIn(after).filter(
    (row) => added.has(row.name) && (row.verified !== true || (isHosted && !isProved(row.name))),
  );
  const had = new Set(((before.accountDomains ?? []) as { name: string }[]).map(({ name }) => name));
  const ofAccount = changed("account domain").filter((name) => !had.has(name));
  return new Set([...ofProjects.map(({ name }) => name), ...ofAccount]);
}
