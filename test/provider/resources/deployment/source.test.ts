import type { Client } from "../../../../provider/client/client";
import type * as responses from "../../../../provider/client/responses";
import { sourceOf } from "../../../../provider/resources/deployment/source";

const sha = "0123456789abcdef0123456789abcdef01234567";
const github = { type: "github", org: "acme", repo: "web" };

it.each([
  ["a repository of GitHub", github, "main", { ...github, ref: "main" }],
  [
    "a repository of GitHub, by its id",
    { ...github, repoId: 7 },
    "main",
    { type: "github", repoId: 7, ref: "main" },
  ],
  [
    "a repository of GitLab",
    { type: "gitlab", projectId: "42" },
    "main",
    { type: "gitlab", projectId: 42, ref: "main" },
  ],
  [
    "a repository of Bitbucket",
    { type: "bitbucket", uuid: "{repo}", workspaceUuid: "{workspace}" },
    "main",
    { type: "bitbucket", repoUuid: "{repo}", workspaceUuid: "{workspace}", ref: "main" },
  ],
  ["a commit", github, sha, { ...github, ref: sha, sha }],
  ["a branch with the name of a short commit", github, sha.slice(1), { ...github, ref: sha.slice(1) }],
])("builds %s", async (_, link, ref, gitSource) => {
  const project = { id: "prj_1", name: "web", accountId: "team_1", link } as unknown as responses.Project;
  const source = await sourceOf({} as Client, project, { project: "web", ref });
  expect(source).toEqual({ body: { gitSource }, digest: null, files: [] });
});
