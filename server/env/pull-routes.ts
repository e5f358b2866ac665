import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { envScope } from "../access/scopes";
import { type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { notFound } from "../platform/refusal";
import { ownVariablesOf } from "./access";
import { findSlotTarget, variablesFor } from "./environment-store";
import { branchWithoutPreview } from "./rules";
import { envPull } from "./schema";
import { sharedVariablesFor } from "./shared-store";
import { readValue } from "./view";

/**
 * @choice A variable of the branch overrides the one without a branch, and both override a shared variable, which only
 *   those get that see all variables. Sensitive variables and those of type system
 *   are empty: the former cannot be read, and the latter have values in deployments alone.
 * @source wire-shapes 11
 */
function pull(path: `/${string}`): Route {
  return route({
    method: "GET",
    path,
    summary: "Returns the variables of an environment with their values, for local development.",
    scope: [envScope],
    // The project has the parameter's name of the other routes.
    params: projectPath.extend({ target: z.string(), gitBranch: z.string().optional() }),
    query: z.object({ source: z.string().optional() }),
    success: [200, envPull],
    throws: [unknownProject, [404, "not_found", "no such environment of the project"], damagedData],
    load: loadProject,
    refuse: [branchWithoutPreview],
    async handle(call) {
      const { tx, services, project, params } = call;
      const target = await findSlotTarget(tx, project.id, params.target);
      if (target === undefined) throw notFound(`Environment ${JSON.stringify(params.target)}`);
      const own = ownVariablesOf(call);
      const rows = (await variablesFor(tx, project.id, target, params.gitBranch)).filter(
        (row) => own === undefined || row.configuration_id === own,
      );
      const shared = own === undefined ? await sharedVariablesFor(tx, project.id, target) : [];
      const env = [...shared, ...rows].map((row) => [
        row.key,
        row.type === "sensitive" ? "" : readValue(services, row),
      ]);
      return { env: Object.fromEntries(env) };
    },
  });
}

export const envPullRoutes: readonly Route[] = [
  pull("/v3/env/pull/:idOrName/:target"),
  pull("/v3/env/pull/:idOrName/:target/:gitBranch"),
];
