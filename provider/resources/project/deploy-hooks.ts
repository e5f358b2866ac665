import { z } from "zod";
import type { Client } from "../../client/client";
import { isAmbiguous, isNotFound } from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { own } from "../../core/values";
import { branchName } from "../names";

/**
 * The deploy hooks of a project, by name. A hook is identified by its name and branch, which the API cannot change.
 * Other hooks of the project are not changed.
 * @source the Terraform provider: deploy_hooks of vercel_project
 */
export const deployHooksInput = z.record(
  z.string(),
  z.strictObject({
    /** Branch that the hook deploys. Changing the branch replaces the hook, so that the URL changes. */
    ref: branchName.refine((ref) => ref === ref.trim(), "must not have spaces around it"),
  }),
);

/** The largest number of deploy hooks of a project. */
export const mostHooks = 10;

type Hooks = z.output<typeof deployHooksInput>;

/** The declared or managed hooks that the project has, with their URLs. */
export interface StoredHooks {
  hooks: Hooks;
  urls: Record<string, string>;
}

export const isHookName = (name: string): boolean => /^\S(.{0,178}\S)?$/su.test(name);

const hooksOf = ({ link }: responses.Project): responses.DeployHook[] => link?.deployHooks ?? [];

/** Finds a hook by name and branch. If several match, returns the hook with the recorded URL, or the oldest hook. */
function find(
  remote: responses.Project,
  name: string,
  ref: string,
  url?: string,
): responses.DeployHook | undefined {
  const equal = hooksOf(remote).filter((hook) => hook.name === name && hook.ref === ref);
  return equal.find((hook) => hook.url === url) ?? equal[0];
}

/** Returns the managed hooks that the project still has. */
export function storedHooks(
  remote: responses.Project,
  managed: Hooks,
  urls: Record<string, string> = {},
): StoredHooks {
  const stored: StoredHooks = { hooks: {}, urls: {} };
  for (const [name, { ref }] of Object.entries(managed)) {
    const hook = find(remote, name, ref, own(urls, name));
    if (!hook) continue;
    stored.hooks[name] = { ref };
    stored.urls[name] = hook.url;
  }
  return stored;
}

/** Returns all hooks of a project that can be declared. If several hooks have the same name, only the oldest can. */
export function importableHooks(remote: responses.Project): Hooks {
  const named = hooksOf(remote).filter(({ name }) => isHookName(name));
  return Object.fromEntries(named.reverse().map(({ name, ref }) => [name, { ref }]));
}

/**
 * Applies the declared hooks. Old hooks are deleted first, because the number of hooks is limited. An existing hook
 * with the declared name and branch is taken over, so that the run after a killed run creates no second hook.
 * @param remote the project, as it is now
 * @param before the hooks that were managed, with their URLs
 * @param checkpoint called with the hooks that the project has, and with one that is about to be created
 */
export async function applyHooks(
  client: Client,
  remote: responses.Project,
  { hooks: before, urls }: StoredHooks,
  declared: Hooks,
  checkpoint: (stored: StoredHooks) => void,
): Promise<responses.Project> {
  const path = `${projectPath(remote.id, "v2")}/deploy-hooks`;
  let now = remote;
  for (const [name, { ref }] of Object.entries(before)) {
    if (own(declared, name)?.ref === ref) continue;
    const old = find(now, name, ref, own(urls, name));
    if (!old) continue;
    now = await remove(client, `${path}/${encodeURIComponent(old.id)}`, now);
    checkpoint(storedHooks(now, { ...before, ...declared }, urls));
  }
  for (const [name, { ref }] of Object.entries(declared)) {
    if (find(now, name, ref)) continue;
    const look = async (): Promise<responses.Project | undefined> => {
      const found = await client.project(remote.id);
      return find(found, name, ref) && found;
    };
    const request = { method: "POST", path, body: { name, ref }, shape: responses.project } as const;
    // Recorded before it is sent, so that the run after a lost answer finds it.
    const known = storedHooks(now, declared, urls);
    checkpoint({ hooks: { ...known.hooks, [name]: { ref } }, urls: known.urls });
    now = await client.create({ request, look, existed: false, mayBeTwice: true }).catch((error) => {
      if (!isAmbiguous(error)) checkpoint(known);
      throw error;
    });
    checkpoint(storedHooks(now, declared, urls));
  }
  return now;
}

async function remove(client: Client, path: string, before: responses.Project): Promise<responses.Project> {
  try {
    return await client.send({ method: "DELETE", path, shape: responses.project });
  } catch (error) {
    // The hook was deleted meanwhile, or by an earlier attempt whose response was lost.
    if (!isNotFound(error)) throw error;
    return client.project(before.id);
  }
}
