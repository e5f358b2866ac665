import * as z from "zod";
import { loadProject } from "../access/projects";
import { beingTransferred } from "../access/refusals";
import { envScope } from "../access/scopes";
import { rateLimits } from "../http/rate-limits";
import { type Call, route } from "../http/route";
import { Refusal } from "../platform/refusal";
import type { EnvVarRow, ProjectRow } from "../store/schema";
import { mayManage, mayWrite, notOwned, productionDenied } from "./access";
import { envEvent } from "./event";
import * as wire from "./schema";
import { countOf, findEnvVars, placeOf, writeChange } from "./store";
import { EnvTotals } from "./totals";

/**
 * @choice All that may be removed is, or nothing: one variable that the caller must not touch refuses the
 *   request. Ids that the project does not have are left out of the answer; where it has none of them, 404.
 */
export const deleteEnvVars = route({
  method: "DELETE",
  path: "/v1/projects/:idOrName/env",
  summary: "Removes several variables and returns the ids of those that were there.",
  scope: [envScope],
  limit: rateLimits.envDelete,
  params: z.object({ idOrName: z.string() }),
  body: wire.deleteEnvVars,
  reply: { 200: wire.envVarsDeleted },
  throws: [[404, "not_found", "no such project in the account, or none of the variables is its"]],
  load: loadNamed,
  refuse: [
    [
      notOwned.status,
      notOwned.code,
      notOwned.message,
      (call) => !call.variables.every((row) => mayManage(call, row)),
    ],
    [
      productionDenied.status,
      productionDenied.code,
      productionDenied.message,
      (call) => !call.variables.every((row) => mayWrite(call, placeOf(row))),
    ],
    beingTransferred,
  ],
  async handle({ tx, project, variables, emit }) {
    const totals = new EnvTotals(project);
    for (const row of variables) totals.exchange(countOf(row), undefined);
    await writeChange(tx, project, totals, { deleted: variables });
    for (const row of variables) await emit(envEvent("deleted", row));
    return { deleted: variables.length, ids: variables.map(({ id }) => id) };
  },
});

async function loadNamed(
  call: Call<{ idOrName: string }, unknown, { ids: string[] }>,
): Promise<{ project: ProjectRow; variables: EnvVarRow[] }> {
  const { project } = await loadProject(call);
  const variables = await findEnvVars(call.tx, project.id, call.body.ids);
  if (variables.length > 0) return { project, variables };
  throw new Refusal(404, "not_found", `The project "${project.name}" has none of these variables.`);
}
