import { z } from "zod";
import type { Client } from "../client/client";
import { attackModePath } from "../client/paths";
import * as responses from "../client/responses";
import { settingOfProject } from "../core/always-there";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { filters, projectRef } from "./names";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the resource. */
  project: projectRef,
  /** Whether every visitor has to pass a challenge. */
  enabled: z.boolean(),
  /** Time at which the mode ends (milliseconds since the epoch). Without `activeUntil`, the mode has no end. */
  activeUntil: z
    .int()
    .min(0)
    .max(Date.UTC(9999, 11, 31))
    .optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * The attack challenge mode of a project: while it is enabled, every visitor has to pass a challenge. Declare one
 * resource for each project. Deleting the resource disables the mode.
 * @throws ApiError 404 if the account does not have the project
 * @source the newest official client: POST /v1/security/attack-mode; the Terraform provider, which reads the project
 */
export const attackChallengeMode = resource({
  type: "AttackChallengeMode",
  handler: "challenge",
  scopes: ["read-write:project"],
  importId: "`<project>`",
  inputs,
  outputs,
  traits: { defaults: { activeUntil: null }, stable: ["projectId"], replaceOn: ["project"] },
  checks: {
    rules: [
      [
        ({ enabled, activeUntil }) => enabled === false && activeUntil !== undefined,
        "activeUntil is the end of an enabled mode. Remove it, or set enabled: true.",
      ],
    ],
  },
  ownership: settingOfProject("attack challenge mode"),
  // A disabled mode equals a mode that was never set.
  list: listing(filters, async (client, { project }) => {
    const found = await client.project(project);
    const { id, name } = found;
    return { items: modeOf(found).enabled ? [{ id, name: `${name} attack challenge mode` }] : [] };
  }),

  async create({ client }, declared) {
    const { id, accountId } = await client.identify(declared.project);
    await set(client, id, declared);
    return resultOf(id, accountId);
  },

  async read(client, id, state) {
    const project = await client.project(id);
    const { enabled, activeUntil } = modeOf(project);
    const result = resultOf(project.id, project.accountId);
    if (!state) {
      const until = enabled && activeUntil !== undefined ? { activeUntil } : {};
      return { ...result, inputs: { project: project.id, enabled, ...until } };
    }
    const now = inputsIn(inputs, state) as Partial<Inputs>;
    // A mode that has ended at the declared time does not count as drift.
    const hasEnded =
      activeUntil !== undefined && activeUntil === now.activeUntil && activeUntil <= Date.now();
    if (!hasEnded) now.enabled = enabled;
    if (now.activeUntil !== undefined) Object.assign(now, { activeUntil: activeUntil ?? null });
    return { ...result, inputs: now };
  },

  async update({ client }, id, _state, declared) {
    const { accountId } = await client.identify(id);
    await set(client, id, declared);
    return resultOf(id, accountId);
  },

  remove: ({ client }, id) => set(client, id, { enabled: false }),
});

/** The mode of a project. A mode that was never set is disabled. */
export function modeOf({ security }: responses.Project): Pick<Inputs, "enabled" | "activeUntil"> {
  return {
    enabled: security?.attackModeEnabled ?? false,
    activeUntil: security?.attackModeActiveUntil ?? undefined,
  };
}

async function set(
  client: Client,
  projectId: string,
  { enabled, activeUntil }: Pick<Inputs, "enabled" | "activeUntil">,
): Promise<void> {
  const body = {
    projectId,
    attackModeEnabled: enabled,
    ...(activeUntil != null && { attackModeActiveUntil: activeUntil }),
  };
  await client.send({ method: "POST", path: attackModePath, body, shape: responses.anything });
}

const resultOf = (projectId: string, accountId: string): Created<Outputs> => ({
  id: projectId,
  accountId,
  outputs: { projectId },
});
