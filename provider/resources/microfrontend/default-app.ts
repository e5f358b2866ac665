import type { Client } from "../../client/client";
import type { Operation } from "../../core/definition";
import type { Plain } from "../../core/values";
import {
  defaultAppOf,
  type Group,
  inOtherGroup,
  labelOf,
  memberOf,
  putMember,
  readGroup,
  removeMember,
} from "./records";

/** The default application of a microfrontend group, and its changes. */

/** Why a group is not adopted as declared. */
export function otherDefaultApp(
  found: Group | undefined,
  { defaultAppProjectId: declared }: Plain,
): string | undefined {
  const app = found && defaultAppOf(found);
  if (!found || typeof declared !== "string" || app?.projectId === declared) return undefined;
  return (
    `The microfrontend group ${found.name} (${found.id}) has ` +
    `${app ? `the default application ${labelOf(app)}` : "no default application"}, and not ${declared}. ` +
    "Set defaultAppProjectId to it, or choose another name."
  );
}

/**
 * Makes the declared project the default application, and changes its settings. The default application before leaves
 * the group, unless another resource of the stack declares it as a project of the group.
 * @param recorded the project of the state, which an interrupted run may have left in the group
 */
export async function moveDefaultApp(
  { client, isOfStack }: Pick<Operation<unknown, unknown>, "client" | "isOfStack">,
  group: Group,
  {
    defaultAppProjectId: projectId,
    defaultRoute,
  }: { defaultAppProjectId: string; defaultRoute?: string | undefined },
  recorded: string | undefined,
  changes: object,
): Promise<Group> {
  const now = defaultAppOf(group)?.projectId;
  const isMoved = now === projectId;
  // A project that becomes the default application may have another route, of its own.
  if (!isMoved) await addDefaultApp(client, projectId, group.id, { defaultRoute, ...changes });
  else if (Object.keys(changes).length > 0) await putMember(client, projectId, group.id, changes);
  const former = isMoved ? recorded : now;
  const before = group.members.find((member) => member.projectId === former && former !== projectId);
  if (before && !(await isOfStack(`The project ${labelOf(before)}`, `${before.projectId}/${group.id}`)))
    await removeMember(client, before.projectId);
  return isMoved && !before ? group : readGroup(client, group.id);
}

/** @throws Error if the project is in another group */
async function addDefaultApp(
  client: Client,
  projectId: string,
  group: string,
  changes: object,
): Promise<void> {
  const other = memberOf(await client.project(projectId));
  if (other && other.group !== group) throw new Error(inOtherGroup(other));
  await putMember(client, projectId, group, { isDefaultApp: true, ...changes });
}
