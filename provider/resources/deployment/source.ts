import type { Client } from "../../client/client";
import { isNotFound } from "../../client/errors";
import { deploymentPath, projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { holdsUnknown, type Plain } from "../../core/values";
import { type FolderKind, readFolder, type SourceFile } from "./files";
import type { Inputs } from "./inputs";

/** The part of a request that selects what is built. */
export interface Source {
  body: Record<string, unknown>;
  /** Hash of the files; null when the service already has the source. */
  digest: string | null;
  /** The files. The service may lack some of them. */
  files: readonly SourceFile[];
}

/**
 * Finds the source of a deployment.
 * @throws Error when the project has no repository, or the deployment in `redeploy` belongs to another project
 */
export async function sourceOf(
  client: Client,
  project: responses.Project,
  declared: Inputs,
): Promise<Source> {
  const { ref, redeploy, customEnvironmentId, target = "preview" } = declared;
  const folder = folderOf(declared);
  if (folder) {
    const { files, digest } = await readFolder(...folder);
    return {
      body: { files: files.map(({ path, sha, size, mode }) => ({ file: path, sha, size, mode })) },
      digest,
      files,
    };
  }
  if (ref !== undefined) {
    // The run may just have linked the project, perhaps with another provider, and the read may be older.
    const read = () => client.project(project.id);
    const linked = project.link
      ? project
      : await client.readUntil(projectPath(project.id), read, ({ link }) => Boolean(link), Date.now());
    return { body: { gitSource: gitSourceOf(linked, ref) }, digest: null, files: [] };
  }
  const other = await redeployed(client, project, `${redeploy}`);
  // Without a target, a service may use the target of the deployment that is built again.
  const isPreview = target === "preview" && customEnvironmentId === undefined;
  const preview = isPreview && (other.target ?? other.customEnvironment) != null ? { target } : {};
  return { body: { deploymentId: other.id, ...preview }, digest: null, files: [] };
}

/** The folder that is deployed; undefined when there is none, or when it is not known yet. */
export function folderOf({
  directory,
  files,
  prebuilt,
}: Plain): [FolderKind, string, only?: readonly string[]] | undefined {
  if (typeof directory === "string")
    return isTexts(files) ? ["directory", directory, files] : ["directory", directory];
  return typeof prebuilt === "string" ? ["prebuilt", prebuilt] : undefined;
}

/** False for files that are not known yet. */
const isTexts = (files: unknown): files is string[] => Array.isArray(files) && !holdsUnknown(files);

/** @throws Error when the project does not have the deployment */
async function redeployed(
  client: Client,
  project: responses.Project,
  id: string,
): Promise<responses.OneDeployment> {
  try {
    const found = await client.get(deploymentPath(id), responses.oneDeployment);
    const reason = reasonAgainst(project, found);
    if (reason === undefined) return found;
    throw new Error(reason);
  } catch (error) {
    // Throws a plain error, because a 404 would mean that the new deployment itself does not exist.
    throw isNotFound(error)
      ? new Error(error.withHint(`The deployment in redeploy does not exist. ${hint}`).message)
      : error;
  }
}

const hint = "Give the id of a deployment of this project; `getDeployment` finds it by branch or commit.";

/** @returns why a deployment cannot be built again; undefined if it can */
export function reasonAgainst(
  project: responses.Project,
  { id, name, projectId }: responses.OneDeployment,
): string | undefined {
  const isOthers = projectId != null ? projectId !== project.id : name != null && name !== project.name;
  if (!isOthers) return undefined;
  return `The deployment ${id} belongs to ${name ?? projectId}, not to the project ${project.name}. ${hint}`;
}

/**
 * The branch or commit in the repository of the project.
 * @throws Error when the project has no repository
 */
function gitSourceOf({ name, link }: responses.Project, ref: string): Record<string, unknown> {
  if (!link) {
    throw new Error(
      `The project ${name} is not linked to a repository, so ref ${ref} cannot be built. ` +
        "Set gitRepository of the project, or deploy another source.",
    );
  }
  const { type } = link;
  const commit = isCommit(ref) ? { sha: ref } : {};
  if (type === "gitlab") return { type, projectId: Number(link.projectId), ref, ...commit };
  if (type === "bitbucket")
    return { type, repoUuid: link.uuid, workspaceUuid: link.workspaceUuid, ref, ...commit };
  // All kinds of GitHub connections.
  const { org, repo, repoId } = link;
  return { type, ...(repoId === undefined ? { org, repo } : { repoId }), ref, ...commit };
}

const isCommit = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref);
