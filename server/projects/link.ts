import { createHash } from "node:crypto";
import type { ProjectRow } from "./object";
import type { ProjectLink } from "./schema";

/** The link of a project, if it has one. */
export const linkOf = ({ link }: Pick<ProjectRow, "link">): ProjectLink | undefined =>
  link === null ? undefined : JSON.parse(link);

export interface Repository {
  type: ProjectLink["type"];
  repo: string;
}

/**
 * The link of a project to its repository, with ids derived from the repository's name.
 * @choice The server does not know the git provider's own ids. The production branch is `main`.
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

/** The id of the owner of a repository at its Git provider. */
export function namespaceId({ type, repo }: Repository): number | string {
  const owner = `${type}:${repo.split("/")[0]}`;
  return type === "bitbucket" ? uuidFor(owner) : numberFor(owner);
}

function numberFor(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

function uuidFor(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `{${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}}`;
}
