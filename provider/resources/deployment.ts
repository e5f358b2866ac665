import { z } from "zod";
import type { Client } from "../client/client";
import { ifAllowed, isConflict } from "../client/errors";
import { deploymentPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import type { Change } from "../core/diff";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { fingerprint, holdsUnknown, type Plain, same } from "../core/values";
import { createOnce } from "./deployment/create";
import { linkWarnings, readFolder, reasonAgainstFolder } from "./deployment/files";
import { defaults, type Inputs, inputs, type Outputs, outputs, sources } from "./deployment/inputs";
import { folderOf, reasonAgainst, sourceOf } from "./deployment/source";
import { isFailed, isReady, refuseFailed, stateOf, untilBuilt } from "./deployment/wait";
import { deploymentIdInput, environmentIdInput } from "./id-inputs";
import { branchName, projectRef, readyStateFilter, withTexts } from "./names";
import { passesName } from "./project/passed-name";
import { promotionTimeoutMs } from "./promotion/promote";
import { untilIdle, withLastRequest } from "./promotion/running";

const filters = z.strictObject({
  /** Id or name of the project. */
  project: projectRef,
  /** Branch that was deployed. */
  branch: branchName.optional(),
  /** production or preview. */
  target: z
    .string()
    .regex(/^(production|preview)$/, "must be production or preview")
    .optional(),
  /** QUEUED, INITIALIZING, BUILDING, READY, ERROR, CANCELED or BLOCKED. */
  readyState: readyStateFilter.optional(),
});

/** Inputs whose change takes effect with the next deployment, but does not create one. */
const inputsOfNextDeployment = ["environment", "projectSettings", "meta"] as const;

/**
 * A deployment of a project. Its source is a folder of files, the output of a build, a commit, or the source of
 * another deployment. Changing the source, target or triggers creates a new deployment and keeps the old one.
 * @throws Error when the build fails, is cancelled, or is skipped by `commandForIgnoringBuildStep`
 * @source wire-shapes 11
 */
export const deployment = resource({
  type: "Deployment",
  handler: "deploy",
  scopes: ["read:project", "read-write:deployment"],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["environment"],
    defaults,
    stable: ["deploymentId", "projectId", "url", "createdAt", "sourceDigest"],
    replaceOn: ["project", "ref", "redeploy", "target", "customEnvironmentId", "triggers"],
    ids: { redeploy: deploymentIdInput, customEnvironmentId: environmentIdInput },
  },
  checks: {
    normalize: ({ environment, ...inputs }) =>
      environment === undefined ? inputs : { ...inputs, environment: withTexts(environment) },
    rules: [
      [
        (known, declared) =>
          sources.filter((source) => known[source] !== undefined).length > 1 ||
          !sources.some((source) => declared.has(source)),
        `Give exactly one source: ${sources.join(", ")}.`,
      ],
      [
        (_known, declared) => declared.has("files") && !declared.has("directory"),
        "files are paths in directory. Give directory, or remove files.",
      ],
      [
        (_known, declared) => declared.has("target") && declared.has("customEnvironmentId"),
        "A deployment is for one environment. Give target or customEnvironmentId.",
      ],
    ],
    async warnings(news) {
      const [kind, path] = folderOf(news) ?? [];
      return kind && path !== undefined ? linkWarnings(kind, path) : [];
    },
    async refusals(client, previous, news, run) {
      const folder = folderOf(news);
      const against = folder && (await reasonAgainstFolder(...folder));
      if (against !== undefined)
        return [{ property: against.startsWith("files ") ? "files" : folder?.[0], reason: against }];
      const { project, redeploy } = news;
      if (typeof redeploy !== "string" || typeof project !== "string" || previous.redeploy === redeploy)
        return [];
      // The same run may create the project, or give this name to another one. The create then checks the deployment.
      const existing = await client.project(project).catch(() => undefined);
      if (!existing || (await passesName(run, project, existing.id))) return [];
      const found = await ifAllowed(client.get(deploymentPath(redeploy), responses.oneDeployment));
      const reason = found && reasonAgainst(existing, found);
      return reason === undefined ? [] : [{ property: "redeploy", reason }];
    },
  },
  diff: {
    compare(key, { target, triggers }, news) {
      if (key === "target") return (target ?? defaults.target) !== (news.target ?? defaults.target);
      const isWithout = [triggers, news.triggers].every((list) => same(list ?? [], []));
      return key === "triggers" && isWithout ? false : undefined;
    },
    drift: async (state, news) => [
      ...triggered(state, news),
      ...(await changedFiles(state, news)),
      ...unfinished(state, news),
    ],
    replacing: (run, id, news) => run.replacements.plan(id, news),
  },
  ownership: { objects: (_outputs, id) => [id] },
  production: {
    change: ({ target }) => (target === "production" ? "build" : "preview"),
    build: ({ target, readyState, createdAt }) =>
      target === "production" && !isFailed(readyState) ? Number(createdAt) : undefined,
  },
  needsUrn: true,
  list: listing(filters, async (client, { project, branch, target, readyState: state }, at) => {
    const { id: projectId } = await client.identify(project);
    return readPage(client, at, {
      path: deploymentPath(undefined, "v6"),
      query: { projectId, branch, target, state },
      shape: responses.deploymentList,
      items: ({ deployments }) => deployments.map(({ id, url }) => ({ id, name: url ?? id })),
    });
  }),

  async create(operation, declared) {
    const { client } = operation;
    const project = await client.declaredProject(declared.project);
    const source = await sourceOf(client, project, declared);
    const before = operation.run.replacements.take(declared);
    const made = await createOnce(operation, project, declared, source, before);
    const resultWith = (deployment: responses.OneDeployment): Created<Outputs> =>
      resultOf(project, deployment, source.digest);
    const keep = (now: responses.OneDeployment): void => operation.checkpoint(resultWith(now), declared);
    keep(made);
    if (declared.waitUntilReady === false) return resultWith(made);
    return resultWith(await untilBuilt(operation, made, declared, keep));
  },

  async read(client, id, state) {
    const found = await client.get(deploymentPath(id), responses.oneDeployment);
    const projectId = found.projectId ?? state?.projectId;
    if (projectId == null) {
      throw new Error(
        `The deployment ${id} belongs to the project ${found.name ?? ""}, which does not exist, so it cannot be read. ` +
          "Create the project first.",
      );
    }
    const project = await client.identify(projectId);
    const declared = state ? inputsIn(inputs, state) : inputsFrom(project.id, found);
    const result = resultOf(project, found, state?.sourceDigest ?? null);
    // Every promotion moves domains, so changed aliases are not drift of the deployment.
    const { aliases = result.outputs.aliases } = state ?? {};
    return { ...result, outputs: { ...result.outputs, aliases }, inputs: declared };
  },

  async update(operation, id, state, declared) {
    const { client, warn } = operation;
    const project = await client.identify(state.projectId);
    const changed = inputsOfNextDeployment.filter((key) => !same(state[key], declared[key]));
    if (changed.length > 0) {
      warn(
        `${id}: changes of ${changed.join(", ")} take effect with the next deployment. To create one now, change triggers too.`,
      );
    }
    const found = await client.get(deploymentPath(id), responses.oneDeployment);
    const resultWith = (deployment: responses.OneDeployment): Created<Outputs> =>
      resultOf(project, deployment, state.sourceDigest);
    const keep = (now: responses.OneDeployment): void => operation.checkpoint(resultWith(now), declared);
    keep(found);
    if (declared.waitUntilReady !== false)
      return resultWith(await untilBuilt(operation, found, declared, keep));
    refuseFailed(client, found, Object.values(declared.environment ?? {}));
    return resultWith(found);
  },

  async remove({ client, run, warn }, id, { projectId, onDestroy }) {
    // Needed even if nothing is deleted: a run against the wrong account must keep the deployment in the state.
    await client.identify(projectId);
    if (onDestroy !== "delete") return;
    const isReplaced = run.replacements.has(id);
    if (isReplaced === "perhaps") warn(keptPerhaps(id));
    if (isReplaced || (await run.ownership.isReplaced(id))) return;
    await deleteDeployment(client, id, projectId);
  },
});

/** Deletes a deployment, after a promotion of it that is in progress, such as one that this run has started. */
async function deleteDeployment(client: Client, id: string, projectId: string): Promise<void> {
  const request = { method: "DELETE", path: deploymentPath(id), shape: responses.anything } as const;
  try {
    await client.send(request);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const project = await client.project(projectId, withLastRequest);
    await untilIdle(client, project, promotionTimeoutMs, (running) => running === id);
    await client.send(request);
  }
}

const keptPerhaps = (id: string): string =>
  `The deployment ${id} is kept, because this run may be replacing it. To delete it, run ` +
  `\`vercel remove ${id}\`.`;

/** Finds triggers that differ only in their order. The order of other lists does not matter. */
function triggered({ triggers: before }: Plain, { triggers: now }: Plain): Change[] {
  const isOther = same(before, now) && fingerprint({ now: before }) !== fingerprint({ now });
  return isOther ? [{ path: "triggers", kind: "update", replace: true }] : [];
}

/** Files are compared by path and content. The name of their folder is ignored. */
async function changedFiles({ sourceDigest }: Plain, news: Plain): Promise<Change[]> {
  // Other `files` show as a change of `directory`, whose contents they select.
  const unknown = ["directory", "files", "prebuilt"].find((path) => holdsUnknown(news[path]));
  if (unknown) return [{ path: unknown === "files" ? "directory" : unknown, kind: "update", replace: true }];
  const folder = folderOf(news);
  // A folder may be missing, as in a refresh on another machine. `refusals` reports it.
  const found = folder && (await readFolder(...folder).catch(() => undefined));
  if (!found || found.digest === sourceDigest) return [];
  return [{ path: folder[0], kind: "update", replace: true }];
}

/** A failed build replaces the deployment. An unfinished build causes an update, which waits for the build. */
function unfinished({ readyState }: Plain, { waitUntilReady }: Plain): Change[] {
  if (isReady(readyState)) return [];
  const replace = isFailed(readyState);
  if (!replace && waitUntilReady === false) return [];
  return [{ path: "readyState", kind: "update", replace }];
}

/**
 * The inputs of a deployment that is imported.
 * @choice Without a Git ref, the source is the deployment itself (`redeploy`), because a program can name no other.
 */
const inputsFrom = (
  projectId: string,
  { id, gitSource, target, customEnvironment }: responses.OneDeployment,
): Partial<Inputs> => ({
  project: projectId,
  ...(gitSource?.ref ? { ref: gitSource.ref } : { redeploy: id }),
  ...(target === "production" && { target }),
  ...(customEnvironment && { customEnvironmentId: customEnvironment.id }),
});

const resultOf = (
  project: { id: string; accountId: string },
  deployment: responses.OneDeployment,
  sourceDigest: string | null,
): Created<Outputs> => ({
  id: deployment.id,
  accountId: project.accountId,
  outputs: {
    deploymentId: deployment.id,
    projectId: project.id,
    url: deployment.url ?? "",
    aliases: deployment.alias ?? [],
    readyState: stateOf(deployment),
    createdAt: deployment.createdAt ?? 0,
    sourceDigest,
  },
});
