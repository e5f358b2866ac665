import { repositoryOf } from "../../../../provider/resources/project/repository";

it.each([
  ["GitHub", { type: "github", org: "acme", repo: "web" }, { type: "github", repo: "acme/web" }],
  [
    "GitLab, by its URL",
    { type: "gitlab", projectUrl: "https://gitlab.com/acme/shop/web.git", projectName: "My Web" },
    { type: "gitlab", repo: "acme/shop/web" },
  ],
  [
    "GitLab, by its names",
    { type: "gitlab", projectNamespace: "acme", projectName: "web" },
    { type: "gitlab", repo: "acme/web" },
  ],
  ["Bitbucket", { type: "bitbucket", owner: "acme", slug: "web" }, { type: "bitbucket", repo: "acme/web" }],
  ["another kind", { type: "github-custom-host", org: "acme", repo: "web" }, undefined],
  ["an unknown name", { type: "github", org: "acme" }, undefined],
])("reads the repository of a project that is connected to %s", (_, link, repository) => {
  expect(repositoryOf({ link })).toEqual(repository);
  const productionBranch = "stable";
  expect(repositoryOf({ link: { ...link, productionBranch } })).toEqual(
    repository && { ...repository, productionBranch },
  );
  expect(repositoryOf({ link: { ...link, productionBranch: "" } })).toEqual(repository);
});
