import { z } from "zod";
import type { Client } from "../../client/client";
import { isNotFound } from "../../client/errors";
import { anything } from "../../client/responses";

/**
 * The versions of the redirects or the routes of a project. A change is staged, and serves production when its version
 * is promoted. A project has at most one staged version, so a change of this provider would publish those of others
 * with it.
 */

const version = z.looseObject({
  id: z.string(),
  isLive: z.boolean().nullish(),
  isStaging: z.boolean().nullish(),
});
export const stagedVersion = z.looseObject({ version });
export const versionList = z.looseObject({ versions: z.array(version) });

/** Where the versions are. */
export interface Versions {
  path: string;
  query?: Record<string, string>;
}

/** The ids of the version that serves production and of the staged one, uncached. */
export async function readVersions(
  client: Client,
  versions: Versions,
): Promise<{ live: string | undefined; staged: string | undefined }> {
  const found = await client.send({ method: "GET", ...versions, shape: versionList });
  return {
    live: found.versions.find(({ isLive }) => isLive)?.id,
    staged: found.versions.find(({ isStaging }) => isStaging)?.id,
  };
}

/** The outcome that a staged version is for. */
interface Goal {
  /** Whether production has the change. Another request may have published it. */
  isLive(): Promise<boolean>;
  /** The id of the staged version if it has the change, uncached. */
  findStaged(): Promise<string | undefined>;
}

/**
 * Publishes a staged version exactly once, and waits until reads show it: the next change, and the next run, begin with
 * what serves production. If publishing fails, the staged version is discarded.
 */
export async function promote(client: Client, versions: Versions, id: string, goal: Goal): Promise<void> {
  const act = (action: string) => ({
    method: "POST" as const,
    ...versions,
    body: { id, action },
    shape: anything,
  });
  const look = async (): Promise<unknown> =>
    (await readVersions(client, versions)).live === id ? {} : undefined;
  try {
    await client.create({ request: act("promote"), look, existed: false });
    await untilRead(client, versions, id);
  } catch (error) {
    if (await goal.isLive().catch(() => false)) return;
    // An earlier request that took effect late has staged the change once more, as another version.
    const later = isNotFound(error) ? await goal.findStaged() : undefined;
    if (later !== undefined && later !== id) return promote(client, versions, later, goal);
    await client.send({ ...act("discard"), repeatable: false }).catch(() => {});
    throw error;
  }
}

/** Waits until reads show a published version. If they fail, the version is published all the same. */
const untilRead = (client: Client, versions: Versions, id: string): Promise<unknown> =>
  client
    .readUntil(
      versions.path,
      () => readVersions(client, versions),
      ({ live }) => live === id,
    )
    .catch(() => undefined);

/** The error for changes that somebody else has staged. @param what such as "redirects", which is the command too */
export const unpublished = (what: "redirects" | "routes", projectId: string, id: string): Error =>
  new Error(
    `The project ${projectId} has staged ${what} that are not published (version ${id}), and this change would publish ` +
      `them too. Publish them with \`vercel ${what} promote\`, or discard them in the dashboard. Then run again.`,
  );
