import { addIntegration, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();
beforeEach(() =>
  world.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/Web", "acme/docs", "ada/notes"] }],
    projects: [
      { id: "prj_web", team: "acme", name: "web", gitRepository: { type: "github", repo: "acme/Web" } },
      { id: "prj_app", team: "acme", name: "app", gitRepository: { type: "gitlab", repo: "group/sub/app" } },
      { id: "prj_bit", team: "acme", name: "bit", gitRepository: { type: "bitbucket", repo: "space/bit" } },
    ],
  }),
);

const namespaces = async (query: Record<string, string> = {}) =>
  (await world.call("GET", "/v1/integrations/git-namespaces", { query })).body;
const search = async (query: Record<string, string> = {}) =>
  (await world.call("GET", "/v1/integrations/search-repo", { query })).body;
const slugs = (all: { slug: string }[]) => all.map(({ slug }) => slug);

it("lists the owners of the repositories, with the ids in the links of projects", async () => {
  const all = await namespaces({ viewerMetadata: "true" });
  expect(slugs(all)).toEqual(["space", "acme", "ada", "group"]);
  const { link } = (await world.call("GET", "/v9/projects/web")).body;
  expect(all[1]).toEqual({
    ...{ id: link.repoOwnerId, provider: "github", slug: "acme", name: "acme", ownerType: "team" },
  });
  expect(slugs(await namespaces({ provider: "gitlab" }))).toEqual(["group"]);
  expect(await namespaces({ provider: "github-custom-host" })).toEqual([]);
});

it("finds repositories by provider, namespace and name", async () => {
  const { link } = (await world.call("GET", "/v9/projects/web")).body;
  const found = await search({ provider: "github", namespaceId: String(link.repoOwnerId) });
  expect(found.gitAccount).toEqual({ provider: "github", namespaceId: String(link.repoOwnerId) });
  expect(found.repos[0]).toEqual({
    ...{ id: link.repoId, provider: "github", url: "https://github.com/acme/Web", name: "Web", slug: "Web" },
    ...{ namespace: "acme", owner: { id: link.repoOwnerId, name: "acme" }, ownerType: "team" },
    ...{ private: true, defaultBranch: "main", updatedAt: 0 },
  });
  expect(slugs(found.repos)).toEqual(["Web", "docs"]);
  expect(slugs((await search({ provider: "github", query: "WEB" })).repos)).toEqual(["Web"]);
  expect(slugs((await search({ provider: "gitlab" })).repos)).toEqual(["sub/app"]);
  expect(await search()).toMatchObject({
    gitAccount: { provider: "bitbucket", namespaceId: null },
    repos: [{ slug: "bit", id: expect.stringMatching(/^\{/) }],
  });
});

it("shows an installation on selected projects only their repositories", async () => {
  await addIntegration(world);
  const { token } = await installWithToken(world, { projects: ["app"] });
  const answer = await world.call("GET", "/v1/integrations/git-namespaces", { token });
  expect(slugs(answer.body)).toEqual(["group"]);
});

it.each([{ host: "git.example.com" }, { installationId: "1" }, { provider: "other" }])(
  "refuses %j",
  async (query) =>
    expect((await world.call("GET", "/v1/integrations/search-repo", { query })).status).toBe(400),
);
