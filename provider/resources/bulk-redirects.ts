import { z } from "zod";
import { absentFrom, ifFound } from "../client/errors";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { same } from "../core/values";
import { type Inputs, inputs, type Redirect } from "./bulk-redirects/inputs";
import {
  type Current,
  mergedRedirects,
  publish,
  readRedirects,
  redirectsIn,
} from "./bulk-redirects/redirects";
import { filters } from "./names";

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the version that serves production. Null if the project never had redirects. */
  versionId: z.string().nullable(),
});
type Outputs = z.output<typeof outputs>;

/** The unique key: a project has one set of redirects. One without redirects belongs to nobody. */
const keys: UniqueKeys = {
  noun: "the set of",
  choices: "another project",
  scope: "project",
  mayBeShared: true,
  of: (_inputs, projectId) => [idOf(projectId)],
  async owners({ client }, wanted) {
    const found = await Promise.all(wanted.map((key) => ifFound(readRedirects(client, projectIn(key)))));
    return wanted.filter((_, at) => found[at]?.redirects.length);
  },
  freeKeys: async () => async () => {},
};

/**
 * The redirects of a project that need no deployment: thousands of paths, without wildcards. Declare one resource for
 * each project. A change is published at once. Redirects that somebody else adds stay until a refresh has shown them.
 * @throws Error if somebody else has staged redirects that are not published
 * @source the newest official client: /v1/bulk-redirects; the Terraform provider: vercel_bulk_redirects
 */
export const bulkRedirects = resource({
  type: "BulkRedirects",
  handler: "redirects",
  scopes: ["read-write:project"],
  importId: "`<project>`",
  inputs,
  outputs,
  traits: { defaults: { onDelete: "keep", adopt: false }, stable: ["projectId"], replaceOn: ["project"] },
  checks: {
    rules: [
      [
        ({ redirects = [] }) => new Set(redirects.map(({ source }) => source)).size < redirects.length,
        "redirects has two redirects with the same source. Remove one of them.",
      ],
    ],
  },
  ownership: { uniqueKeys: keys },
  list: listing(filters, async (client, { project }) => {
    const { id, name } = await client.project(project);
    const { redirects } = await readRedirects(client, id);
    return { items: redirects.length > 0 ? [{ id: idOf(id), name: `${name} redirects` }] : [] };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const current = await readRedirects(client, projectId);
    const versionId =
      current.redirects.length > 0
        ? await take(operation, projectId, current, declared)
        : await publish(client, projectId, current, declared.redirects);
    return resultOf(projectId, accountId, versionId);
  },

  async read(client, id, state) {
    const { id: projectId, accountId } = await client.identify(projectIn(id));
    const { live, redirects } = await readRedirects(client, projectId);
    if (!state && redirects.length === 0)
      throw absentFrom("/v1/bulk-redirects", `The project ${projectId} has no redirects.`);
    const now: Partial<Inputs> = state ? inputsIn(inputs, state) : { project: projectId };
    const seen = redirectsIn(redirects, state?.redirects ?? []);
    return { ...resultOf(projectId, accountId, live), inputs: { ...now, redirects: seen } };
  },

  async update({ client, unsure }, _id, { projectId, versionId, redirects = [] }, declared) {
    const { accountId } = await client.identify(projectId);
    if (!unsure && same(redirects, declared.redirects)) return resultOf(projectId, accountId, versionId);
    const current = await readRedirects(client, projectId);
    const wanted = mergedRedirects(current.redirects, declared.redirects, redirects, unsure);
    return resultOf(projectId, accountId, await publish(client, projectId, current, wanted));
  },

  async remove({ client, inform }, _id, { projectId, onDelete = "keep", redirects = [] }) {
    const current = await readRedirects(client, (await client.identify(projectId)).id);
    if (current.redirects.length === 0) return;
    if (onDelete === "keep")
      return inform(`The project ${projectId} keeps its redirects, because onDelete is keep.`);
    await publish(client, projectId, current, mergedRedirects(current.redirects, [], redirects, false));
  },
});

/**
 * Adopts the redirects of a project, or takes them over from another resource of the stack. The deletion of that resource
 * then leaves them alone, so those that it would remove are removed now.
 */
async function take(
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  current: Current,
  declared: Inputs,
): Promise<string | undefined> {
  const id = idOf(projectId);
  const { outputs: state } = (await operation.run.ownership.ownerOf([id]).catch(() => undefined)) ?? {};
  const known = state?.onDelete === "remove" ? (state.redirects as Redirect[]) : [];
  const wanted = mergedRedirects(current.redirects, declared.redirects, known, true);
  return takeOver(operation, declared, {
    unique: keys,
    keys: [id],
    id,
    what: `The set of redirects of ${projectId}`,
    changed: ["redirects"],
    refusal: unmanagedExists(keys, id, [id], true),
    change: async (changed) =>
      changed.length > 0 ? publish(operation.client, projectId, current, wanted) : current.live,
  });
}

const idOf = (projectId: string): string => `${projectId}/redirects`;
/** The project in an id, which may be a project by its id or name. */
const projectIn = (id: string): string => id.replace(/\/redirects$/, "");

const resultOf = (
  projectId: string,
  accountId: string,
  versionId: string | null | undefined,
): Created<Outputs> => ({
  id: idOf(projectId),
  accountId,
  outputs: { projectId, versionId: versionId ?? null },
});
