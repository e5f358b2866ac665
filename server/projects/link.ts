import { createHash } from "node:crypto";
import type { RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../store/schema";
import type { ProjectLink } from "./schema";

/** The link of a project, if it has one. */
export const linkOf = ({ link }: Pick<ProjectRow, "link">): ProjectLink | undefined =>
  link === null ? undefined : JSON.parse(link);

interface Repository {
  type: ProjectLink["type"];
  repo: string;
}

/** The rights of an account at its git provider. */
export interface GitProvider {
  /** The accessible repositories; null: all of them. */
  repos: string[] | null;
  webhooks: "ok" | "forbidden" | "unavailable";
}

interface Linking {
  /** The repository to link, if any. */
  repository: Repository | undefined;
  provider: GitProvider | undefined;
}

/**
 * @choice The first of the two provider-specific conditions: no rights on the repository.
 * @source Projects, POST /v10/projects, 400
 */
export const webhookForbidden: RefusalRow<Linking> = [
  400,
  "bad_request",
  "The webhook for the repository could not be created: the account has no rights on it at the git provider. Grant them there, then try again.",
  ({ repository, provider }) =>
    repository !== undefined &&
    (provider?.webhooks === "forbidden" ||
      (provider?.repos != null && !provider.repos.includes(repository.repo))),
];

/** @source Projects, POST /v10/projects, 400 */
export const webhookUnavailable: RefusalRow<Linking> = [
  400,
  "bad_request",
  "The webhook for the repository could not be created: the git provider accepts no more webhooks for it. Remove one there, then try again.",
  ({ provider }) => provider?.webhooks === "unavailable",
];

/**
 * The link of a project to its repository, with ids derived from the repository's name.
 * @choice The server does not know the ids of the git provider. The production branch is `main`.
 * @source wire-shapes 3, link
 */
export function linkTo(
  { type, repo }: Repository,
  now: number,
): { link: ProjectLink; repo: string; repoId: string; repoUrl: string } {
  const [owner = "", ...rest] = repo.split("/");
  const name = rest.join("/");
  const shared = {
    deployHooks: [],
    createdAt: now,
    updatedAt: now,
    gitCredentialId: "",
    productionBranch: "main",
    sourceless: true,
  };
  const id = numberFor(`${type}:${repo}`);
  const uuid = uuidFor(`${type}:${repo}`);
  switch (type) {
    case "github":
      return {
        link: {
          type,
          org: owner,
          repo: name,
          repoId: id,
          repoOwnerId: numberFor(`${type}:${owner}`),
          ...shared,
        },
        repo,
        repoId: String(id),
        repoUrl: `https://github.com/${repo}`,
      };
    case "gitlab":
      return {
        link: {
          type,
          projectId: String(id),
          projectName: name,
          projectNameWithNamespace: `${owner} / ${name}`,
          projectNamespace: owner,
          projectUrl: `https://gitlab.com/${repo}`,
          ...shared,
        },
        repo,
        repoId: String(id),
        repoUrl: `https://gitlab.com/${repo}`,
      };
    case "bitbucket":
      return {
        link: { type, name, slug: name, owner, uuid, workspaceUuid: uuidFor(`${type}:${owner}`), ...shared },
        repo,
        repoId: uuid,
        repoUrl: `https://bitbucket.org/${repo}`,
      };
  }
}

function numberFor(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

function uuidFor(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `{${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}}`;
}
