import { z } from "zod";
import type { Client } from "../../client/client";
import { isNotFound } from "../../client/errors";
import type { RequestOptions } from "../../client/transport";
import { type Plain, sameJson } from "../../core/values";
import { promote, readVersions, stagedVersion, unpublished, type Versions } from "../routing/versions";
import type { Position } from "./inputs";

/** The routes of a project at the service, and how one of them changes. */

export const routesPath = (projectId: string): string =>
  `/v1/projects/${encodeURIComponent(projectId)}/routes`;
const versionsOf = (projectId: string): Versions => ({ path: `${routesPath(projectId)}/versions` });

const remoteRoute = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  enabled: z.boolean().nullish(),
  srcSyntax: z.string().nullish(),
  /** The source and the destination as they were declared. */
  rawSrc: z.string().nullish(),
  rawDest: z.string().nullish(),
  routeType: z.string().nullish(),
  route: z.looseObject({ src: z.string(), dest: z.string().nullish() }),
});
export type RemoteRoute = z.infer<typeof remoteRoute>;

/** An answer for a project without routes may lack them. */
export const routeList = z.looseObject({ routes: z.array(remoteRoute).default([]) });

/** The routes that serve production, and those that are staged. */
export interface Current {
  live: RemoteRoute[];
  staged: { id: string; routes: RemoteRoute[] } | undefined;
}

export async function readRoutes(client: Client, projectId: string): Promise<Current> {
  const { live, staged } = await readVersions(client, versionsOf(projectId));
  return {
    live: live === undefined ? [] : await routesOf(client, projectId, live),
    staged:
      staged === undefined ? undefined : { id: staged, routes: await routesOf(client, projectId, staged) },
  };
}

/** The routes that serve production. */
export async function liveRoutes(client: Client, projectId: string): Promise<RemoteRoute[]> {
  const { live } = await readVersions(client, versionsOf(projectId));
  return live === undefined ? [] : routesOf(client, projectId, live);
}

const routesOf = async (client: Client, projectId: string, versionId: string): Promise<RemoteRoute[]> =>
  (await client.send({ method: "GET", path: routesPath(projectId), query: { versionId }, shape: routeList }))
    .routes;

/** A change of one route. */
interface Change {
  /** Stages it. */
  request: Pick<RequestOptions, "method" | "path" | "object" | "body">;
  /** Whether routes have the change, compared with those that serve production. */
  isDone(routes: readonly RemoteRoute[], live: readonly RemoteRoute[]): boolean;
}

/** The routes after a change. */
interface Changed {
  routes: RemoteRoute[];
  /** The id of the route in the answer; undefined if the change was made before, or its answer was lost. */
  routeId?: string | undefined;
}

/**
 * Stages a change and publishes it exactly once. Changes of a project must run one after the other.
 * @throws Error if somebody else has staged routes
 */
export async function publish(
  client: Client,
  projectId: string,
  { live, staged }: Current,
  { request, isDone }: Change,
): Promise<Changed> {
  if (isDone(live, live)) return { routes: live };
  const look = async (): Promise<Current["staged"]> => {
    const { staged: found } = await readRoutes(client, projectId);
    return found && isDone(found.routes, live) ? found : undefined;
  };
  // A staged version like that of production has no changes. An interrupted run leaves one with this change.
  const isOurs = staged !== undefined && isDone(staged.routes, live);
  if (staged && !isOurs && !isEqual(staged.routes, live)) throw unpublished("routes", projectId, staged.id);
  const { id, routeId } = isOurs ? { id: staged.id, routeId: undefined } : await stage(client, request, look);
  const routes = isOurs ? staged.routes : await routesOf(client, projectId, id);
  await promote(client, versionsOf(projectId), id, {
    isLive: async () => isDone(await liveRoutes(client, projectId), live),
    findStaged: async () => (await look())?.id,
  });
  return { routes, routeId };
}

/** The answer to a change. That to a new route has its id. */
const stagedRoute = stagedVersion
  .extend({ route: z.looseObject({ id: z.string() }).nullish() })
  .transform(({ version, route }) => ({ id: version.id, routeId: route?.id }));

/** Sends a request that stages a change, exactly once. @param look finds the version with the change */
async function stage(
  client: Client,
  request: Change["request"],
  look: () => Promise<{ id: string } | undefined>,
): Promise<{ id: string; routeId?: string | undefined }> {
  try {
    const looking = async () => {
      const found = await look();
      return found && { id: found.id, routeId: undefined };
    };
    return await client.create({
      request: { ...request, shape: stagedRoute },
      look: looking,
      existed: false,
    });
  } catch (error) {
    // An earlier attempt may have removed the route meanwhile.
    const found = isNotFound(error) ? await look() : undefined;
    if (found) return { id: found.id };
    throw error;
  }
}

/** A route without what no request sets. */
const contentOf = ({ staged: _, ...route }: RemoteRoute): Plain => route;

export const isEqual = (a: readonly RemoteRoute[], b: readonly RemoteRoute[]): boolean =>
  sameJson(a.map(contentOf), b.map(contentOf));

/** Moves a route to a position among the others. @throws Error if the other route does not exist */
export function movedTo(
  routes: readonly RemoteRoute[],
  id: string,
  { placement, referenceId = "" }: Position,
): RemoteRoute[] {
  const others = routes.filter((route) => route.id !== id);
  const moved = routes.filter((route) => route.id === id);
  const at = others.findIndex((route) => route.id === referenceId);
  if (placement === "start") return [...moved, ...others];
  if (placement === "end") return [...others, ...moved];
  if (at < 0)
    throw new Error(`The route ${referenceId} of position.referenceId does not exist. Name another one.`);
  return others.toSpliced(placement === "before" ? at : at + 1, 0, ...moved);
}
