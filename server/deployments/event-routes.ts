import * as z from "zod";
import { findProject } from "../access/project-store";
import { type Call, type Route, route } from "../http/route";
import { buildLog, isEnded } from "./build-log";
import { loadDeployment, unknownDeployment } from "./list-store";
import type { DeploymentRow } from "./object";
import * as wire from "./schema";
import { viewLogLines } from "./view";

/**
 * The log of a build: one array, or a stream of JSON lines that ends with the build.
 * @source the newest official client: getDeploymentEvents, and the command line's `inspect --logs`
 */
const getEvents = route({
  method: "GET",
  path: "/v3/deployments/:id/events",
  operationId: "getDeploymentEvents",
  summary: "Returns the log of a build, also while it runs.",
  scope: ["read:deployment"],
  params: wire.deploymentPath,
  query: wire.eventFilters,
  success: [200, z.array(wire.logLine)],
  throws: [unknownDeployment],
  lines: {
    areWanted: ({ format, follow }) => format === "lines" || follow,
    areFollowed: ({ follow }) => follow,
  },
  async handle(call) {
    const row = await loadDeployment(call);
    const all = viewLogLines(row, buildLog(row, await repositoryOf(call, row)));
    return { items: filter(all, call.query), isComplete: isEnded(row) };
  },
});

/** The repository that the project is linked to now, without the protocol: `github.com/acme/web`. */
async function repositoryOf({ tx, account }: Call, { name }: DeploymentRow): Promise<string | undefined> {
  const project = await findProject(tx, account.id, name);
  return project?.repo_url?.replace(/^https?:\/\//, "");
}

/** Applies the query to a log. A followed log is sent from its beginning, without `limit` and `direction`. */
function filter(all: readonly wire.LogLine[], query: wire.EventFilters): readonly wire.LogLine[] {
  const { since = 0, until = Number.POSITIVE_INFINITY, limit = -1, direction, follow } = query;
  const within = all.filter(({ created }) => created >= since && created <= until);
  if (follow) return within;
  const ordered = direction === "backward" ? within.reverse() : within;
  return limit < 0 ? ordered : ordered.slice(0, limit);
}

export const eventRoutes: readonly Route[] = [getEvents];
