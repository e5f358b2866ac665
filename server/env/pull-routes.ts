import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { envScope } from "../access/scopes";
import { type Route, type RouteName, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { notFound } from "../platform/refusal";
import { ownVariablesOf } from "./access";
import { findSlotTarget, variablesFor } from "./environment-store";
import { branchWithoutPreview } from "./rules";
import { envPull } from "./schema";
import { sharedVariablesFor } from "./shared-store";
import { readValue } from "./view";

/**
 * The variables of an environment, for local development.
 * @choice A variable of the branch overrides one without a branch. Both override a shared variable. Callers who do
 *   not see all variables get no shared ones. Sensitive variables have empty values, because they cannot be read.
 *   Variables of type `system` have empty values, because only deployments have these values.
 * @source wire-shapes 11
 */
function pull(
  name: Pick<RouteName, "path" | "operationId">,
  refuse: readonly (typeof branchWithoutPreview)[] = [],
): Route {
  return route({
    method: "GET",
    ...name,
    summary: "Returns the variables of an environment with their values, for local development.",
    scope: [envScope],
    // The parameter for the project has the same name as in other routes.
    params: projectPath.extend({ target: z.string(), gitBranch: z.string().optional() }),
    query: z.object({ source: z.string().optional() }),
    success: [200, envPull],
    throws: [unknownProject, [404, "not_found", "no such environment of the project"], damagedData],
    load: loadProject,
    refuse,
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
  pull({ path: "/v3/env/pull/:idOrName/:target", operationId: "pullProjectEnvs" }),
  pull({ path: "/v3/env/pull/:idOrName/:target/:gitBranch", operationId: "pullProjectEnvsOfBranch" }, [
    branchWithoutPreview,
  ]),
];
