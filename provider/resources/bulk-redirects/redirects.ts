import { z } from "zod";
import type { Client } from "../../client/client";
import { sameJson } from "../../core/values";
import { promote, readVersions, stagedVersion, unpublished, type Versions } from "../routing/versions";
import type { Redirect } from "./inputs";

/** The redirects at the service, and how they change. A request replaces them as a whole. */

const path = "/v1/bulk-redirects";
const perPage = 250;
const versionsOf = (projectId: string): Versions => ({ path: `${path}/versions`, query: { projectId } });

const remoteRedirect = z.looseObject({
  source: z.string(),
  destination: z.string(),
  statusCode: z.number().nullish(),
  permanent: z.boolean().nullish(),
  caseSensitive: z.boolean().nullish(),
  query: z.boolean().nullish(),
  preserveQueryParams: z.boolean().nullish(),
});
export type RemoteRedirect = z.infer<typeof remoteRedirect>;

/** A project without versions has no pages. */
export const redirectPage = z.looseObject({
  redirects: z.array(remoteRedirect),
  version: z.looseObject({ id: z.string() }).nullish(),
  pagination: z.looseObject({ numPages: z.number() }).nullish(),
});

/** The redirects that serve production. */
export interface Current {
  /** The id of the version; undefined if the project never had one. */
  live: string | undefined;
  staged: string | undefined;
  redirects: RemoteRedirect[];
}

export async function readRedirects(client: Client, projectId: string): Promise<Current> {
  const { live, staged } = await readVersions(client, versionsOf(projectId));
  const redirects = live === undefined ? [] : await redirectsOf(client, projectId, live);
  return { live, staged, redirects };
}

async function redirectsOf(client: Client, projectId: string, versionId: string): Promise<RemoteRedirect[]> {
  const all: RemoteRedirect[] = [];
  for (let page = 1; ; page++) {
    const query = { projectId, versionId, page: `${page}`, per_page: `${perPage}` };
    const { redirects, pagination } = await client.send({ method: "GET", path, query, shape: redirectPage });
    all.push(...redirects);
    if (redirects.length === 0 || page >= (pagination?.numPages ?? 0)) return all;
  }
}

/** The status without a declaration. */
const defaultStatus = 307;
const flags = ["caseSensitive", "query", "preserveQueryParams"] as const;

const statusOf = ({ statusCode, permanent }: RemoteRedirect): number =>
  statusCode ?? (permanent ? 308 : defaultStatus);

/** A redirect in the form of the input. Settings with their default are left out, unless they are declared. */
export const redirectIn = (remote: RemoteRedirect, declared?: Redirect): Redirect => ({
  source: remote.source,
  destination: remote.destination,
  ...((declared?.statusCode !== undefined || statusOf(remote) !== defaultStatus) && {
    statusCode: statusOf(remote) as Redirect["statusCode"],
  }),
  ...Object.fromEntries(
    flags
      .filter((flag) => declared?.[flag] !== undefined || remote[flag])
      .map((flag) => [flag, remote[flag] ?? false]),
  ),
});

/** The redirects in the form of the input, in the declared order. */
export function redirectsIn(remote: readonly RemoteRedirect[], declared: readonly Redirect[]): Redirect[] {
  const bySource = new Map(remote.map((one) => [one.source, one]));
  const known = declared.flatMap((one) => {
    const found = bySource.get(one.source);
    bySource.delete(one.source);
    return found ? [redirectIn(found, one)] : [];
  });
  return [...known, ...[...bySource.values()].map((one) => redirectIn(one))];
}

/** A redirect as it is sent. */
const sentRedirect = (one: RemoteRedirect | Redirect): Required<Redirect> => ({
  source: one.source,
  destination: one.destination,
  statusCode: statusOf(one) as Redirect["statusCode"] & number,
  caseSensitive: one.caseSensitive ?? false,
  query: one.query ?? false,
  preserveQueryParams: one.preserveQueryParams ?? false,
});

const bySource = (a: { source: string }, b: { source: string }): number =>
  a.source < b.source ? -1 : a.source > b.source ? 1 : 0;
const isEqual = (a: readonly (RemoteRedirect | Redirect)[], b: readonly (RemoteRedirect | Redirect)[]) =>
  sameJson(a.map(sentRedirect).sort(bySource), b.map(sentRedirect).sort(bySource));

/**
 * The redirects after a change. A redirect is removed only if the state has it: the preview has shown the removal. One
 * that the program does not change stays as the service has it.
 * @param isUnsure the outcome of the last run is not known, so everything that is declared is written
 */
export function mergedRedirects(
  current: readonly RemoteRedirect[],
  declared: readonly Redirect[],
  known: readonly Redirect[],
  isUnsure: boolean,
): (RemoteRedirect | Redirect)[] {
  const before = new Map(known.map((one) => [one.source, one]));
  const wanted = new Map(declared.map((one) => [one.source, one]));
  const kept = current.flatMap((remote) => {
    const one = wanted.get(remote.source);
    wanted.delete(remote.source);
    if (one === undefined) return before.has(remote.source) ? [] : [remote];
    const isUnchanged = !isUnsure && sameJson(one, before.get(remote.source));
    return [isUnchanged ? remote : one];
  });
  return [...kept, ...wanted.values()];
}

/**
 * Stages the redirects and publishes them, unless production has them.
 * @returns the id of the version
 * @throws Error if somebody else has staged redirects
 */
export async function publish(
  client: Client,
  projectId: string,
  { live, staged, redirects }: Current,
  wanted: readonly (RemoteRedirect | Redirect)[],
): Promise<string | undefined> {
  if (isEqual(redirects, wanted)) return live;
  const drafts = staged === undefined ? undefined : await redirectsOf(client, projectId, staged);
  const isOurs = drafts !== undefined && isEqual(drafts, wanted);
  // A staged version like that of production has no changes.
  if (staged !== undefined && drafts && !isOurs && !isEqual(drafts, redirects))
    throw unpublished("redirects", projectId, staged);
  const id = isOurs && staged !== undefined ? staged : await stage(client, projectId, wanted);
  await promote(client, versionsOf(projectId), id, {
    isLive: async () => isEqual((await readRedirects(client, projectId)).redirects, wanted),
    async findStaged() {
      const { staged: found } = await readVersions(client, versionsOf(projectId));
      const isWanted = found && isEqual(await redirectsOf(client, projectId, found), wanted);
      return isWanted ? found : undefined;
    },
  });
  return id;
}

async function stage(
  client: Client,
  projectId: string,
  wanted: readonly (RemoteRedirect | Redirect)[],
): Promise<string> {
  // The newest official client requires the id of the team in the body too.
  const team =
    client.settings.team === undefined ? {} : { teamId: (await client.identify(projectId)).accountId };
  const body = { projectId, ...team, overwrite: true, redirects: wanted.map(sentRedirect) };
  const { version } = await client.send({ method: "PUT", path, body, shape: stagedVersion });
  return version.id;
}
