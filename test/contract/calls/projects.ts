import type { Contract } from "../contract";

const commands = {
  framework: "nextjs",
  buildCommand: "make build",
  commandForIgnoringBuildStep: "false",
  devCommand: "make dev",
  installCommand: "make deps",
  outputDirectory: "out",
  rootDirectory: "apps/web",
  serverlessFunctionRegion: "fra1",
};

export function projectCalls(contract: Contract): void {
  contract.it("POST /v10/projects", "creates one of a name alone", async () => {
    expect(await contract.project()).toMatchObject({
      id: expect.stringMatching(/^prj_/),
      accountId: expect.stringMatching(/^team_/),
      directoryListing: false,
      nodeVersion: "22.x",
    });
  });

  contract.it("POST /v10/projects", "creates one with settings and variables", async () => {
    const environmentVariables = [
      { key: "ONE", value: "1", type: "plain", target: "production" },
      { key: "TWO", value: "2", type: "encrypted", target: ["preview", "development"], gitBranch: undefined },
    ];
    const project = await contract.project({ ...commands, environmentVariables });
    expect(contract.client.body).toMatchObject(commands);
    expect(project.env).toMatchObject([{ key: "ONE" }, { key: "TWO", target: ["preview", "development"] }]);
  });

  const links = {
    github: { type: "github", org: "acme", repo: "web" },
    gitlab: { type: "gitlab", projectNamespace: "acme", projectName: "web" },
    bitbucket: { type: "bitbucket", owner: "acme", slug: "web" },
  };
  for (const [type, link] of Object.entries(links)) {
    contract.it("POST /v10/projects", `links a repository of ${type}`, async () => {
      const project = await contract.project({ gitRepository: { type, repo: "acme/web" } });
      expect(project.link).toMatchObject({ ...link, productionBranch: "main", deployHooks: [] });
      expect((await contract.read(project)).link).toMatchObject(link);
    });
  }

  contract.it("GET /v9/projects", "lists by name, and pages on", async (client) => {
    const first = await contract.project({ name: "listed-one" });
    const second = await contract.project({ name: "listed-two" });
    const page = await client.call("GET /v9/projects", { search: "listed-" });
    expect(page.projects.map(({ name }: { name: string }) => name)).toEqual([second.name, first.name]);
    expect(page.pagination).toMatchObject({ count: 2 });
    const short = await client.call("GET /v9/projects", { search: "listed-", limit: "1" });
    expect(short.pagination).toMatchObject({ count: 1, next: expect.any(Number) });
  });

  contract.it("GET /v9/projects/:idOrName", "reads by name and by id", async (client) => {
    const { id, name } = await contract.project();
    for (const idOrName of [id, name]) {
      expect(await client.call("GET /v9/projects/:idOrName", { idOrName })).toMatchObject({ id, name });
    }
  });

  contract.it("PATCH /v9/projects/:idOrName", "changes every setting", async (client) => {
    const { id } = await contract.project();
    const settings = {
      ...commands,
      name: `renamed-${id.slice(4, 12).toLowerCase()}`,
      nodeVersion: "20.x",
      autoAssignCustomDomains: false,
      autoExposeSystemEnvs: false,
      customerSupportCodeVisibility: true,
      directoryListing: true,
      enableAffectedProjectsDeployments: true,
      enablePreviewFeedback: true,
      enableProductionFeedback: false,
      gitForkProtection: false,
      gitLFS: true,
      publicSource: true,
      serverlessFunctionZeroConfigFailover: true,
      skewProtectionBoundaryAt: 1_700_000_000_000,
      skewProtectionMaxAge: 3600,
      sourceFilesOutsideRootDirectory: false,
      oidcTokenConfig: { enabled: true, issuerMode: "team" },
    };
    const request = { idOrName: id, requestBody: settings };
    await client.call("PATCH /v9/projects/:idOrName", request);
    expect(client.body).toMatchObject(settings);
  });

  contract.it("PATCH /v9/projects/:idOrName", "protects, and no longer", async (client) => {
    const project = await contract.project();
    const protections = {
      passwordProtection: { deploymentType: "all", password: "correct horse" },
      ssoProtection: { deploymentType: "preview" },
      optionsAllowlist: { paths: [{ value: "/api" }] },
      trustedIps: {
        deploymentType: "production",
        addresses: [{ value: "192.0.2.0/24", note: "office" }],
        protectionMode: "exclusive",
      },
    };
    const update = async (requestBody: object) => {
      await client.call("PATCH /v9/projects/:idOrName", { idOrName: project.id, requestBody });
      return client.body;
    };
    const shown = { ...protections, passwordProtection: {} };
    expect(await update(protections)).toMatchObject(shown);
    expect(await contract.read(project)).toMatchObject({ ssoProtection: { deploymentType: "preview" } });
    const nothing = Object.fromEntries(Object.keys(protections).map((name) => [name, null]));
    expect(await update(nothing)).toMatchObject(nothing);
  });

  contract.it("PATCH /v9/projects/:idOrName", "clears what can be cleared", async (client) => {
    const { id } = await contract.project(commands);
    const nothing = Object.fromEntries(Object.keys(commands).map((name) => [name, null]));
    const request = { idOrName: id, requestBody: nothing };
    await client.call("PATCH /v9/projects/:idOrName", request);
    expect(client.body).toMatchObject(nothing);
  });

  contract.it("DELETE /v9/projects/:idOrName", "deletes", async (client) => {
    const project = await contract.project();
    await client.call("DELETE /v9/projects/:idOrName", { idOrName: project.id });
    const { projects } = await client.call("GET /v9/projects", { search: project.name });
    expect(projects).toEqual([]);
  });

  contract.it("GET /v9/projects", "shows one that is being transferred, and one that was", async (client) => {
    const project = await contract.project();
    await contract.server.control.startTransfer(project.id, { toUser: "dev" });
    expect(await contract.read(project)).toMatchObject({
      transferStartedAt: expect.any(Number),
      transferToAccountId: expect.any(String),
    });
    await contract.server.control.completeTransfer(project.id);
    const { user } = await client.call("GET /v2/user");
    const { projects } = await client.call("GET /v9/projects", { teamId: undefined, search: project.name });
    expect(projects).toMatchObject([
      {
        id: project.id,
        accountId: user.id,
        transferCompletedAt: expect.any(Number),
        transferredFromAccountId: project.accountId,
      },
    ]);
  });
}
