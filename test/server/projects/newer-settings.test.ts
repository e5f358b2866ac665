import { useTestServer } from "../../support/world";

const world = useTestServer();
const create = (body: object = {}) => world.call("POST", "/v8/projects", { body: { name: "web", ...body } });
const get = async () => (await world.call("GET", "/v10/projects/web")).body;
const update = (body: object) => world.call("PATCH", "/v9/projects/web", { body });

const common = {
  enablePreviewFeedback: true,
  enableProductionFeedback: false,
  previewDeploymentsDisabled: true,
  previewDeploymentSuffix: "preview.example.com",
  sandbox: { region: "fra1", failoverRegions: ["iad1", "sfo1"] },
  ssoProtection: { deploymentType: "prod_deployment_urls_and_all_previews" },
};

const environments = { slugs: ["staging"], preset: "all-custom" };
const updateOnly = {
  enableExternalRewriteCaching: true,
  gitComments: { onCommit: true, onPullRequest: false },
  gitProviderOptions: {
    createDeployments: "disabled",
    requireVerifiedCommits: true,
    disableRepositoryDispatchEvents: true,
    gitCommitStatus: false,
    consolidatedGitCommitStatus: { enabled: true, propagateFailures: false },
  },
  passport: { connectorId: "con_1", deploymentType: "preview" },
  productionDeploymentsFastLane: true,
  protectedSourcemaps: true,
  skewProtectionAllowedDomains: ["*.example.com"],
  tracing: {
    domains: "example.com",
    ignorePaths: ["/health"],
    samplingRules: [{ rate: 0.5, env: "preview", requestPath: "/api", destination: "external" }],
  },
  trustedSources: {
    enableVercelCiSameRepository: false,
    projects: {
      prj_1: { label: "shop", customAllow: [{ from: environments, to: { slugs: ["production"] } }] },
    },
    oidcProviders: {
      "https://issuer.example.com": [
        { label: "runner", to: environments, claims: { sub: ["repo:acme/web"] } },
      ],
    },
  },
  deploymentPolicy: {
    gitSources: [
      {
        enabled: true,
        environments: [{ type: "system", target: "production" }],
        sources: [
          { provider: "github", org: "acme", repo: "web" },
          { provider: "gitlab", namespace: "acme" },
          { provider: "bitbucket", org: "acme" },
        ],
      },
    ],
    deploymentSources: [
      {
        enabled: false,
        environments: [{ type: "custom", environmentId: "env_1" }],
        sources: ["git", "cli", "rest-api", "deploy-hook", "integration", "v0"],
      },
    ],
  },
};

describe("settings that clients newer than the specification send", () => {
  it.each(Object.entries(common))("reads back %s of a create and of an update", async (name, value) => {
    const { status, body } = await create({ [name]: value });
    expect(status).toBe(200);
    expect(body[name]).toEqual(value);
    expect((await get())[name]).toEqual(value);
    expect((await update({ [name]: value })).body[name]).toEqual(value);
  });

  it.each(Object.entries(updateOnly))(
    "reads back %s of an update, and keeps it in the next",
    async (name, value) => {
      await create();
      expect(await get()).not.toHaveProperty(name);
      const { status, body } = await update({ [name]: value });
      expect(status).toBe(200);
      expect(body[name]).toEqual(value);
      expect((await update({ framework: "astro" })).body[name]).toEqual(value);
    },
  );

  it.each(Object.entries(updateOnly))(
    "refuses %s in a create, which no client sends there",
    async (name, value) => {
      expect((await create({ [name]: value })).status).toBe(400);
    },
  );

  it.each(["gitComments", "tracing", "previewDeploymentsDisabled"])(
    "takes null for %s, which then is absent",
    async (name) => {
      await create();
      await update({ [name]: { ...common, ...updateOnly }[name as "gitComments"] });
      const { status, body } = await update({ [name]: null });
      expect(status).toBe(200);
      expect(body).not.toHaveProperty(name);
    },
  );

  it.each(["passport", "deploymentPolicy", "previewDeploymentSuffix", "trustedSources"])(
    "takes null for %s, which then is null",
    async (name) => {
      await create();
      const { status, body } = await update({ [name]: null });
      expect(status).toBe(200);
      expect(body[name]).toBeNull();
    },
  );

  it("keeps the switch of trusted sources when the sources are cleared", async () => {
    await create();
    await update({ trustedSources: updateOnly.trustedSources });
    expect((await update({ trustedSources: null })).body.trustedSources).toEqual({
      enableVercelCiSameRepository: false,
    });
    expect((await update({ trustedSources: { projects: {} } })).body.trustedSources).toEqual({
      enableVercelCiSameRepository: false,
      projects: {},
    });
  });

  it("merges the options of the git provider, which create deployments unless told otherwise", async () => {
    await create();
    await update({ gitProviderOptions: { requireVerifiedCommits: true } });
    const { body } = await update({ gitProviderOptions: { gitCommitStatus: false } });
    expect(body.gitProviderOptions).toEqual({
      createDeployments: "enabled",
      requireVerifiedCommits: true,
      gitCommitStatus: false,
    });
  });

  it("answers static IPs with the members that clients read", async () => {
    await create();
    const { body } = await update({ staticIps: { enabled: true } });
    expect(body.staticIps).toEqual({ enabled: true, builds: false, regions: [] });
  });

  it("takes an OIDC configuration without enabled, which then is true", async () => {
    expect((await create({ oidcTokenConfig: { issuerMode: "team" } })).body.oidcTokenConfig).toEqual({
      enabled: true,
      issuerMode: "team",
    });
    await update({ oidcTokenConfig: { enabled: false } });
    expect((await get()).oidcTokenConfig).toEqual({ enabled: false, issuerMode: "team" });
    expect((await update({ oidcTokenConfig: { issuerMode: "global" } })).body.oidcTokenConfig).toEqual({
      enabled: true,
      issuerMode: "global",
    });
  });

  it("asks a plan without advanced protection for more, in a create as in an update", async () => {
    await world.control.changeTeam("acme", { plan: "hobby" });
    const ssoProtection = { deploymentType: "all" };
    const refused = { status: 428, body: { error: { code: "plan_not_supported" } } };
    expect(await create({ ssoProtection })).toMatchObject(refused);
    await create();
    expect(await update({ ssoProtection })).toMatchObject(refused);
  });

  it.each([
    ["an unknown machine", { resourceConfig: { buildMachineType: "huge" } }],
    ["an unknown member of the machines", { resourceConfig: { cores: 4 } }],
    ["no region at all", { resourceConfig: { functionDefaultRegions: [] } }],
    ["half of the comments", { gitComments: { onCommit: true } }],
    [
      "trusted sources without an environment",
      { trustedSources: { oidcProviders: { a: [{ to: {}, claims: {} }] } } },
    ],
    ["an unknown member of the options", { gitProviderOptions: { colour: "red" } }],
  ])("refuses %s with 400", async (_, body) => {
    await create();
    expect((await update(body)).status).toBe(400);
  });
});

describe("the machines of a project", () => {
  const machines = {
    buildMachineType: "turbo",
    buildMachineSelection: "fixed",
    buildQueue: { configuration: "SKIP_NAMESPACE_QUEUE" },
    elasticConcurrencyEnabled: true,
    fluid: true,
    functionDefaultMemoryType: "performance",
    functionDefaultTimeout: 60,
    functionZeroConfigFailover: false,
  };

  it.each(["a create", "an update"])("are read back of %s, beside the default region", async (where) => {
    const created = await create(where === "a create" ? { resourceConfig: machines } : {});
    const { status, body } = where === "a create" ? created : await update({ resourceConfig: machines });
    expect(status).toBe(200);
    expect(body.resourceConfig).toEqual({ ...machines, functionDefaultRegions: ["iad1"] });
    expect((await get()).resourceConfig).toEqual(body.resourceConfig);
    expect(body.defaultResourceConfig).toEqual({ functionDefaultRegions: ["iad1"] });
  });

  it("keep what an update does not name", async () => {
    await create({ resourceConfig: machines });
    const { body } = await update({ resourceConfig: { fluid: false } });
    expect(body.resourceConfig).toEqual({ ...machines, fluid: false, functionDefaultRegions: ["iad1"] });
  });

  it("name one region in two places", async () => {
    const created = await create({ resourceConfig: { functionDefaultRegions: ["fra1"] } });
    expect(created.body).toMatchObject({ serverlessFunctionRegion: "fra1" });
    const named = await update({ serverlessFunctionRegion: "sfo1" });
    expect(named.body).toMatchObject({ resourceConfig: { functionDefaultRegions: ["sfo1"] } });
    const several = await update({ resourceConfig: { functionDefaultRegions: ["fra1", "iad1"] } });
    expect(several.body).toMatchObject({
      serverlessFunctionRegion: null,
      resourceConfig: { functionDefaultRegions: ["fra1", "iad1"] },
    });
    expect(
      (await update({ resourceConfig: { fluid: true } })).body.resourceConfig.functionDefaultRegions,
    ).toEqual(["fra1", "iad1"]);
    const both = { serverlessFunctionRegion: "sfo1", resourceConfig: { functionDefaultRegions: ["hnd1"] } };
    expect((await update(both)).body).toMatchObject({ ...both, serverlessFunctionRegion: "hnd1" });
    expect((await update({ serverlessFunctionRegion: null })).body).toMatchObject({
      serverlessFunctionRegion: null,
      resourceConfig: { functionDefaultRegions: ["iad1"] },
    });
  });
});

describe("the networks of a project's environments", () => {
  const network = {
    envId: "production",
    connectConfigurationId: "con_1",
    passive: false,
    buildsEnabled: true,
  };

  beforeEach(async () => {
    await create();
  });

  it("are replaced by an update, and keep their times while they do not change", async () => {
    const createdAt = world.clock.now();
    expect((await update({ connectConfigurations: [network] })).body.connectConfigurations).toEqual([
      { ...network, createdAt, updatedAt: createdAt },
    ]);
    await world.advance(1000);
    const preview = { ...network, envId: "preview" };
    const { body } = await update({ connectConfigurations: [network, preview] });
    const now = world.clock.now();
    expect(body.connectConfigurations).toEqual([
      { ...network, createdAt, updatedAt: createdAt },
      { ...preview, createdAt: now, updatedAt: now },
    ]);
    await update({ connectConfigurations: [{ ...network, passive: true }] });
    expect((await get()).connectConfigurations).toEqual([
      { ...network, passive: true, createdAt, updatedAt: now },
    ]);
  });

  it("are removed by null", async () => {
    await update({ connectConfigurations: [network] });
    expect((await update({ connectConfigurations: null })).body.connectConfigurations).toBeNull();
  });
});

describe("the dismissed toasts of a project", () => {
  const toast = { key: "fluid", dismissedAt: 1, action: "cancel" };

  beforeEach(async () => {
    await create();
  });

  it("are added and replaced by their key", async () => {
    await update({ dismissedToasts: [toast, { ...toast, key: "speed", value: 5 }] });
    await update({
      dismissedToasts: [{ ...toast, action: "accept", value: { previousValue: 1, currentValue: 2 } }],
    });
    expect((await get()).dismissedToasts).toEqual([
      { ...toast, key: "speed", value: 5 },
      { ...toast, action: "accept", value: { previousValue: 1, currentValue: 2 } },
    ]);
  });

  it("are removed by the action delete", async () => {
    await update({ dismissedToasts: [toast, { ...toast, key: "speed" }] });
    const { body } = await update({ dismissedToasts: [{ ...toast, action: "delete" }] });
    expect(body.dismissedToasts).toEqual([{ ...toast, key: "speed", value: null }]);
  });

  it("are kept up to a hundred, the newest ones", async () => {
    const many = (from: number) =>
      Array.from({ length: 60 }, (_, at) => ({ ...toast, key: `toast-${from + at}` }));
    await update({ dismissedToasts: many(0) });
    await update({ dismissedToasts: many(60) });
    const keys = (await get()).dismissedToasts.map(({ key }: { key: string }) => key);
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([100, "toast-20", "toast-119"]);
  });
});
