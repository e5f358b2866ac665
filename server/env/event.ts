import type { DomainEvent } from "../events/event";
import type { EnvVarRow } from "../store/schema";

/** What is told of a variable: never its value. @source wire-shapes 10 */
export const envEvent = (
  what: "created" | "updated" | "deleted",
  { id, project_id: projectId }: EnvVarRow,
): DomainEvent => ({
  type: `project.env-variable.${what}`,
  payload: { projectId, envVarId: id },
  projectId,
});
