import { z } from "zod";
import type { Client } from "../../client/client";
import { ifFound, isAmbiguous, isRefused } from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { asDeclared } from "../../core/values";
import { gitProviders } from "../../vocabulary";
import { branchName } from "../names";

/** The Git repository of a project. It is connected, changed and disconnected in place. */
export const repositoryInput = z.strictObject({
  /** Git provider. */
  type: z.enum(gitProviders),
  /** Owner and name of the repository, such as acme/web. */
  repo: z
    .string()
    .max(500)
    .regex(/^[^/\s]+(\/[^/\s]+)+$/, "must be owner/name"),
  /**
   * Branch that production is built from. Default: the default branch of the repository. Removing the input keeps the
   * branch.
   */
  productionBranch: branchName.optional(),
});

type Repository = z.output<typeof repositoryInput>;

/** Returns the repository that a project is connected to. @source wire-shapes 3, link */
export function repositoryOf({ link }: Pick<responses.Project, "link">): Repository | undefined {
  const type = gitProviders.find((provider) => provider === link?.type);
  if (!link || !type) return undefined;
  const repo = pathOf(link.projectUrl) ?? named(link);
  if (repo === undefined) return undefined;
  const { productionBranch } = link;
  return {
    type,
    repo,
    ...(typeof productionBranch === "string" && productionBranch && { productionBranch }),
  };
}

function named(link: NonNullable<responses.Project["link"]>): string | undefined {
  const owner = link.org ?? link.projectNamespace ?? link.owner;
  const name = link.repo ?? link.projectName ?? link.slug;
  return typeof owner === "string" && typeof name === "string" ? `${owner}/${name}` : undefined;
}

/** Returns the path of a repository's URL. GitLab names may contain spaces, so programs declare the path. */
function pathOf(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  return new URL(url).pathname.replace(/^\/+/, "").replace(/(\.git)?\/*$/, "") || undefined;
}

/** Compares repositories. Names are not case-sensitive. */
export const isSameRepository = (a: Repository | undefined, b: Repository | undefined): boolean =>
  a?.type === b?.type && a?.repo.toLowerCase() === b?.repo.toLowerCase();

/** Returns the declared settings of the connected repository; undefined if none is connected. */
export function storedRepository(
  remote: Pick<responses.Project, "link">,
  declared: Repository,
): Repository | undefined {
  const connected = repositoryOf(remote);
  if (!connected) return undefined;
  const repo = isSameRepository(connected, declared) ? declared.repo : connected.repo;
  return asDeclared(declared, { ...connected, repo }) as Repository;
}

/** True for a project that is connected as declared; undefined: to no repository. */
export function isConnectedTo(remote: responses.Project, declared: Repository | undefined): boolean {
  const connected = repositoryOf(remote);
  if (!declared || !connected) return declared === connected;
  const { productionBranch = connected.productionBranch } = declared;
  return isSameRepository(connected, declared) && connected.productionBranch === productionBranch;
}

/**
 * Connects a project to the declared repository. A change first disconnects the current repository. If the service then
 * refuses to connect the new one, the project is connected to the old one again, so that commits are still deployed.
 * @param before the repository that the state contains
 * @param declared the declared repository; undefined disconnects the current one
 * @param checkpoint called with the connected repository; undefined while none is connected
 */
export async function applyRepository(
  client: Client,
  remote: responses.Project,
  before: Repository | undefined,
  declared: Repository | undefined,
  checkpoint: (stored: Repository | undefined) => void,
): Promise<void> {
  const connected = repositoryOf(remote);
  const isConnected =
    declared !== undefined && connected !== undefined && isSameRepository(connected, declared);
  if (!isConnected) {
    if (remote.link) await disconnect(client, remote.id);
    checkpoint(undefined);
  }
  if (!declared) return;
  const branch = isConnected
    ? connected.productionBranch
    : await connectOrUndo(client, remote.id, { before, connected }, declared, checkpoint);
  checkpoint({
    type: declared.type,
    repo: declared.repo,
    ...(branch !== undefined && { productionBranch: branch }),
  });
  if (declared.productionBranch !== branch) await setBranch(client, remote.id, declared.productionBranch);
  checkpoint(declared);
}

/** Connects a project. If this is refused, connects the old repository again. @returns the production branch */
async function connectOrUndo(
  client: Client,
  id: string,
  { before, connected }: { before: Repository | undefined; connected: Repository | undefined },
  declared: Repository,
  checkpoint: (stored: Repository | undefined) => void,
): Promise<string | undefined> {
  try {
    return await connect(client, id, declared, checkpoint);
  } catch (error) {
    if (!connected || !isRefused(error)) throw error;
    await connect(client, id, connected, () => {});
    await setBranch(client, id, connected.productionBranch);
    if (before && isSameRepository(before, connected)) checkpoint(before);
    throw error.withHint(
      `The project stays connected to ${connected.repo}. Give the account's connection to ${declared.type} ` +
        `access to ${declared.repo}, or correct gitRepository.`,
    );
  }
}

/** @returns the production branch after the connection */
async function connect(
  client: Client,
  id: string,
  repository: Repository,
  checkpoint: (stored: Repository | undefined) => void,
): Promise<string | undefined> {
  const { type, repo } = repository;
  // Saved before the request: if the answer is lost, the repository may be connected.
  checkpoint({ type, repo });
  const look = async () => {
    const now = await ifFound(client.project(id));
    return now && isSameRepository(repositoryOf(now), repository) ? now : undefined;
  };
  const path = `${projectPath(id)}/link`;
  const request = { method: "POST", path, body: { type, repo }, shape: responses.project } as const;
  try {
    return repositoryOf(await client.create({ request, look, existed: false }))?.productionBranch;
  } catch (error) {
    if (!isAmbiguous(error)) checkpoint(undefined);
    throw error;
  }
}

async function disconnect(client: Client, id: string): Promise<void> {
  try {
    await client.send({ method: "DELETE", path: `${projectPath(id)}/link`, shape: responses.anything });
  } catch (error) {
    // An earlier attempt has disconnected the repository, but its answer was lost.
    if (!isRefused(error) || (await client.project(id)).link) throw error;
  }
}

async function setBranch(client: Client, id: string, branch: string | undefined): Promise<void> {
  if (branch === undefined) return;
  const path = `${projectPath(id)}/branch`;
  try {
    await client.send({ method: "PATCH", path, body: { branch }, shape: responses.anything });
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw error.withHint(
      `Give another productionBranch, or remove gitBranch ${branch} from the domain or variable, and run again.`,
    );
  }
}
