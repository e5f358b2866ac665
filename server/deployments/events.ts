import { accountById } from "../access/account-store";
import { findProject } from "../access/project-store";
import { ownZone } from "../domains/names";
import type { EventType } from "../events/event";
import { outbox } from "../events/outbox";
import type { Unit } from "../store/store";
import type { DeploymentRow } from "./object";

/** The event of each final state of a deployment; the states before it have none. */
const finalEvents: Partial<Record<DeploymentRow["ready_state"], EventType>> = {
  READY: "deployment.succeeded",
  ERROR: "deployment.error",
  CANCELED: "deployment.canceled",
};

/**
 * Emits the event of a new deployment, and the event of a final state that the deployment has reached.
 * @param before the deployment before the change; undefined: the deployment is new
 * @choice All events of a deployment name the user who created it.
 * @source wire-shapes 10
 */
export async function emitDeploymentEvents(
  { tx, now }: Unit,
  before: DeploymentRow | undefined,
  after: DeploymentRow,
): Promise<void> {
  const types: EventType[] = before ? [] : ["deployment.created"];
  const finalEvent = finalEvents[after.ready_state];
  if (finalEvent !== undefined && before?.ready_state !== after.ready_state) types.push(finalEvent);
  if (types.length === 0) return;
  const project = await findProject(tx, after.account_id, after.name);
  const account = await accountById(tx, after.account_id);
  const emit = outbox({ tx, now }, account, after.creator_id);
  for (const type of types) {
    await emit({
      type,
      ...(project ? { projectId: project.id } : {}),
      payload: {
        deployment: { id: after.id, name: after.name, url: after.url, meta: JSON.parse(after.meta) },
        links: { deployment: `https://${after.url}`, project: `https://${after.name}.${ownZone}` },
        ...(project ? { project: { id: project.id } } : {}),
        target: after.target === "production" ? "production" : null,
        plan: account.plan,
        regions: ["iad1"],
      },
    });
  }
}
