import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const idOf = async (slug: string): Promise<string> => {
  const { accounts } = await world.control.snapshot();
  return accounts.find((one) => one.slug === slug)?.id ?? "";
};

describe("the snapshot", () => {
  it("has every row", async () => {
    await world.seed({
      users: [{ username: "ada", id: "user_ada" }],
      teams: [
        {
          slug: "crew",
          id: "team_crew",
          name: "The crew",
          email: "crew@example.com",
          plan: "hobby",
          addons: ["x"],
          softBlocked: true,
          deniedDomains: ["bad.example"],
          members: [
            { user: "ada", role: "OWNER" },
            { user: "dev", role: "VIEWER" },
          ],
        },
      ],
      gitProviders: [{ team: "crew", type: "github" }],
      projects: [
        {
          team: "crew",
          name: "web",
          id: "prj_web",
          framework: "astro",
          paused: true,
          createdAt: beginning - 5,
          gitRepository: { type: "github", repo: "crew/web" },
        },
      ],
      deployments: [
        { team: "crew", project: "web", id: "dpl_1", target: "production", gitBranch: "main", createdAt: 1 },
      ],
      aliases: [{ team: "crew", id: "als_1", alias: "next.vercel.app", deployment: "dpl_1", createdAt: 2 }],
      projectChecks: [{ id: "chk_1", team: "crew", project: "web", name: "Types", createdAt: 4 }],
      checkRuns: [
        ...[
          { team: "crew", project: "web", check: "chk_1", deployment: "dpl_1", id: "chkrun_1", createdAt: 5 },
        ],
      ],
      deploymentChecks: [
        ...[
          {
            team: "crew",
            deployment: "dpl_1",
            id: "check_1",
            name: "Speed",
            integrationId: "oac_1",
            createdAt: 6,
          },
        ],
      ],
      protectionExceptions: [{ team: "crew", project: "web", alias: "next.vercel.app", createdAt: 3 }],
      domains: [
        {
          team: "crew",
          project: "web",
          name: "www.example.com",
          verified: true,
          redirect: "example.com",
          redirectStatusCode: 307,
        },
      ],
      env: [
        {
          team: "crew",
          project: "web",
          key: "K",
          value: "secret",
          type: "plain",
          target: ["preview"],
          gitBranch: "next",
          comment: "why",
        },
      ],
      sharedEnv: [
        { id: "env_1", team: "crew", key: "S", value: "secret", target: ["preview"], projects: ["web"] },
      ],
      dns: [{ name: "a.example.com", type: "TXT", value: "v" }],
      projectMembers: [{ team: "crew", project: "web", user: "dev", role: "ADMIN", createdAt: 7 }],
      accessGroups: [
        {
          ...{ id: "ag_1", team: "crew", name: "designers", createdAt: 8, members: ["dev"] },
          projects: [{ project: "web", role: "PROJECT_VIEWER", createdAt: 9, updatedAt: 10 }],
        },
      ],
      microfrontendGroups: [
        {
          ...{ id: "mfe_1", team: "crew", name: "The Shop", createdAt: 8, updatedAt: 9 },
          projects: [{ project: "web", isDefaultApp: true, defaultRoute: "/docs", updatedAt: 10 }],
        },
      ],
      edgeConfigs: [
        {
          id: "ecfg_flags",
          team: "crew",
          slug: "flags",
          schema: { type: "object" },
          items: [{ key: "banner", value: "secret", description: "why" }],
          tokens: [{ id: "token_1", label: "production", token: "secret" }],
        },
      ],
      blobStores: [
        {
          ...{ team: "crew", id: "store_images", name: "images", count: 2, size: 9, token: "secret" },
          connections: [{ id: "spc_1", project: "web", envVarEnvironments: ["preview"] }],
        },
      ],
      firewallBypasses: [{ team: "crew", project: "web", domain: "*", sourceIp: "192.0.2.1", note: "n" }],
      firewallConfigs: [{ id: "waf_1", team: "crew", project: "web", version: 3, firewallEnabled: false }],
      bulkRedirects: [
        { id: "rver_1", team: "crew", project: "web", redirects: [{ source: "/a", destination: "/b" }] },
      ],
      accountDomains: [{ team: "crew", name: "example.net", verified: true, zone: true }],
      dnsRecords: [
        { id: "rec_1", team: "crew", domain: "example.com", type: "TXT", value: "t", comment: "c" },
      ],
      integrations: [
        {
          clientId: "oac_cron",
          clientSecret: "s",
          slug: "cron",
          owner: "ada",
          redirectUrl: "https://cron.example.com/callback",
          webhookUrl: "https://cron.example.com/hook",
          scopes: ["read:project"],
        },
      ],
      installations: [
        { id: "icfg_all", integration: "cron", team: "crew", installedBy: "dev", source: "marketplace" },
        { id: "icfg_one", integration: "oac_cron", team: "crew", projects: ["web"] },
      ],
    });
    const snapshot = await world.control.snapshot();
    const createdAt = expect.any(Number);
    const times = { createdAt, updatedAt: createdAt };
    const joined = { confirmed: true, accessRequestedAt: null, joinedFrom: null, createdAt };
    const editors = { createdBy: null, updatedBy: null };
    const installation = {
      id: "icfg_all",
      integrationId: "oac_cron",
      accountId: "team_crew",
      userId: await idOf("dev"),
      scopes: ["read:project"],
      pendingScopes: [],
      selected: false,
      completedAt: null,
      source: "marketplace",
      disabledAt: null,
      disabledReason: null,
      deleteAt: null,
      ...times,
    };
    expect(snapshot).toEqual({
      now: beginning,
      accounts: expect.arrayContaining([
        {
          id: "team_crew",
          kind: "team",
          slug: "crew",
          name: "The crew",
          email: "crew@example.com",
          plan: "hobby",
          addons: ["x"],
          softBlocked: true,
          paymentMethodNeedsUpdate: false,
          deniedDomains: ["bad.example"],
          sensitivePolicy: null,
          settings: null,
          createdAt,
        },
        {
          id: "user_ada",
          kind: "user",
          slug: "ada",
          name: null,
          email: "ada@example.com",
          plan: "hobby",
          addons: [],
          softBlocked: false,
          paymentMethodNeedsUpdate: false,
          deniedDomains: [],
          sensitivePolicy: null,
          settings: null,
          createdAt,
        },
      ]),
      members: expect.arrayContaining([
        { teamId: "team_crew", userId: "user_ada", role: "OWNER", ...joined },
        { teamId: "team_crew", userId: await idOf("dev"), role: "VIEWER", ...joined },
      ]),
      customEnvironments: [],
      projects: [
        expect.objectContaining({
          id: "prj_web",
          accountId: "team_crew",
          name: "web",
          settings: expect.objectContaining({ framework: "astro" }),
          nodeVersion: expect.stringMatching(/^\d+\.x$/),
          gitForkProtection: true,
          repo: "crew/web",
          repoUrl: expect.stringContaining("crew/web"),
          paused: true,
          dataCacheDisabled: false,
          productionDeploymentId: "dpl_1",
          transferStartedAt: null,
          transferToAccountId: null,
          transferCompletedAt: null,
          transferredFromAccountId: null,
          createdAt: beginning - 5,
          updatedAt: expect.any(Number),
        }),
      ],
      domains: [
        {
          projectId: "prj_web",
          accountId: "team_crew",
          name: "www.example.com",
          verified: true,
          gitBranch: null,
          customEnvironmentId: null,
          redirect: "example.com",
          redirectStatusCode: 307,
          apexName: "example.com",
          ...times,
        },
      ],
      env: [
        {
          id: expect.any(String),
          projectId: "prj_web",
          key: "K",
          type: "plain",
          target: ["preview"],
          customEnvironmentIds: [],
          gitBranch: "next",
          comment: "why",
          configurationId: null,
          storeId: null,
          ...editors,
          ...times,
        },
        expect.objectContaining({ key: "BLOB_READ_WRITE_TOKEN", storeId: "store_images" }),
      ],
      aliases: [
        {
          id: "als_1",
          accountId: "team_crew",
          deploymentId: "dpl_1",
          alias: "next.vercel.app",
          redirect: null,
          creatorId: expect.any(String),
          createdAt: 2,
          updatedAt: 2,
        },
      ],
      edgeConfigBackups: [
        {
          ...{ id: expect.any(String), edgeConfigId: "ecfg_flags", slug: "flags", itemCount: 1 },
          ...{ createdBy: null, createdAt: expect.any(Number) },
        },
      ],
      projectChecks: [
        {
          ...{ id: "chk_1", projectId: "prj_web", name: "Types", isRerequestable: false },
          ...{ requires: "deployment-url", blocks: "none", targets: [], timeout: 300_000 },
          ...{ source: { kind: "webhook" }, createdAt: 4, updatedAt: 4 },
        },
      ],
      checkRuns: [
        {
          ...{ id: "chkrun_1", projectId: "prj_web", checkId: "chk_1", deploymentId: "dpl_1" },
          ...{ status: "queued", result: {}, createdAt: 5, updatedAt: 5 },
        },
      ],
      deploymentChecks: [
        {
          ...{
            id: "check_1",
            accountId: "team_crew",
            deploymentId: "dpl_1",
            integrationId: "oac_1",
            name: "Speed",
          },
          ...{ status: "registered", details: { blocking: false, rerequestable: false } },
          ...{ createdAt: 6, updatedAt: 6 },
        },
      ],
      protectionExceptions: [
        {
          projectId: "prj_web",
          alias: "next.vercel.app",
          scope: "alias-protection-override",
          actorId: "team_crew",
          createdAt: 3,
          updatedAt: 3,
          expiresAt: null,
        },
      ],
      deployments: [
        {
          id: "dpl_1",
          accountId: "team_crew",
          name: "web",
          target: "production",
          readyState: "READY",
          gitBranch: "main",
          gitSha: null,
          url: expect.any(String),
          meta: {},
          creatorId: expect.any(String),
          readyAt: null,
          customEnvironmentId: null,
          createdAt: 1,
        },
      ],
      sharedEnv: [
        {
          id: "env_1",
          accountId: "team_crew",
          key: "S",
          type: "encrypted",
          target: ["preview"],
          applyToAll: false,
          comment: null,
          ...editors,
          ...times,
        },
      ],
      sharedEnvLinks: [{ envId: "env_1", projectId: "prj_web" }],
      promotions: [],
      rollingReleases: [],
      integrations: [
        {
          id: "oac_cron",
          slug: "cron",
          name: "cron",
          ownerId: "user_ada",
          redirectUrl: "https://cron.example.com/callback",
          webhookUrl: "https://cron.example.com",
          scopes: ["read:project"],
          createdAt,
        },
      ],
      installations: [
        installation,
        { ...installation, id: "icfg_one", userId: "user_ada", selected: true, source: "external" },
      ],
      installationProjects: [{ configurationId: "icfg_one", projectId: "prj_web" }],
      edgeConfigs: [
        {
          id: "ecfg_flags",
          accountId: "team_crew",
          slug: "flags",
          schema: { type: "object" },
          itemCount: 1,
          createdBy: null,
          ...times,
        },
      ],
      edgeConfigItems: [{ edgeConfigId: "ecfg_flags", key: "banner", description: "why", ...times }],
      edgeConfigTokens: [{ id: "token_1", edgeConfigId: "ecfg_flags", label: "production", createdAt }],
      blobStores: [
        {
          ...{ id: "store_images", accountId: "team_crew", name: "images", access: "public" },
          ...{ region: "iad1", fileCount: 2, size: 9, ...times },
        },
      ],
      blobConnections: [
        {
          ...{ id: "spc_1", storeId: "store_images", projectId: "prj_web", prefix: "BLOB" },
          ...{ environments: ["preview"], createdAt },
        },
      ],
      firewallBypasses: [
        {
          id: "prj_web#192.0.2.1",
          projectId: "prj_web",
          domain: "*",
          ip: "192.0.2.1",
          note: "n",
          actorId: expect.any(String),
          expiresAt: null,
          ...times,
        },
      ],
      firewallConfigs: [
        {
          ...{ id: "waf_1", projectId: "prj_web", version: 3, isActive: true, changes: [] },
          settings: { firewallEnabled: false, rules: [], ips: [], crs: expect.any(Object) },
          updatedAt: createdAt,
        },
      ],
      routingVersions: [
        {
          ...{ id: "rver_1", projectId: "prj_web", kind: "redirects", number: 1, name: null },
          ...{ isLive: true, isStaging: false, createdBy: expect.any(String), updatedAt: createdAt },
          items: [{ source: "/a", destination: "/b", statusCode: 307 }],
        },
      ],
      projectMembers: [{ projectId: "prj_web", userId: expect.any(String), role: "ADMIN", createdAt: 7 }],
      accessGroups: [{ id: "ag_1", accountId: "team_crew", name: "designers", createdAt: 8, updatedAt: 8 }],
      accessGroupMembers: [{ accessGroupId: "ag_1", userId: await idOf("dev"), createdAt: 8 }],
      accessGroupProjects: [
        {
          ...{ accessGroupId: "ag_1", projectId: "prj_web", role: "PROJECT_VIEWER" },
          ...{ createdAt: 9, updatedAt: 10 },
        },
      ],
      microfrontendGroups: [
        {
          ...{ id: "mfe_1", accountId: "team_crew", name: "The Shop", slug: "the-shop" },
          ...{ fallbackEnvironment: "SAME_ENV", polyrepoBranches: false, createdAt: 8, updatedAt: 9 },
        },
      ],
      microfrontends: [
        {
          ...{ projectId: "prj_web", groupId: "mfe_1", isDefaultApp: true, defaultRoute: "/docs" },
          ...{ observabilityHere: null, noRouting: null, updatedAt: 10 },
        },
      ],
      accountDomains: [
        {
          accountId: "team_crew",
          name: "example.net",
          verified: true,
          zone: true,
          echMode: "auto",
          createdAt,
        },
      ],
      dnsRecords: [
        {
          id: "rec_1",
          accountId: "team_crew",
          domain: "example.com",
          name: "",
          type: "TXT",
          priority: null,
          value: "t",
          ttl: 60,
          comment: "c",
          creatorId: expect.any(String),
          ...times,
        },
      ],
      webhooks: [],
      certificates: [],
      featureFlags: [],
      featureFlagSegments: [],
      featureFlagSdkKeys: [],
      logDrains: [],
      otherDrains: [],
      dns: [{ name: "a.example.com", type: "TXT", value: "v" }],
    });
    expect(snapshot.accounts).toHaveLength(4);
    expect(JSON.stringify(snapshot)).not.toContain("secret");
  });
});

it("has webhooks and drains, without their secrets, headers and paths", async () => {
  const url = "https://hooks.example.com/canary?key=canary";
  await world.call("POST", "/v1/webhooks", { body: { url, events: ["project.created"] } });
  const delivery = {
    type: "http",
    endpoint: url,
    encoding: "json",
    headers: { "x-key": "canary" },
    secret: "canary",
  };
  const schemas = { log: { version: "v1" } };
  await world.call("POST", "/v1/drains", { body: { name: "audit", projects: "all", schemas, delivery } });
  await world.call("POST", "/v1/drains", {
    body: {
      ...{ name: "traces", projects: "all", schemas: { trace: { version: "v1" } } },
      delivery: { ...delivery, type: "otlphttp", endpoint: { traces: url } },
    },
  });
  const snapshot = await world.control.snapshot();
  expect(snapshot).toMatchObject({
    otherDrains: [{ id: expect.any(String), kind: "trace" }],
    webhooks: [
      {
        id: expect.any(String),
        url: "https://hooks.example.com",
        events: ["project.created"],
        projectIds: null,
      },
    ],
    logDrains: [{ id: expect.any(String), configurationId: null }],
  });
  expect(JSON.stringify(snapshot)).not.toContain("canary");
});

it("refuses a snapshot as a seed, with a hint", async () => {
  const { status, body } = await world.askControl("POST", "/seed", await world.control.snapshot());
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: "bad_request" });
  expect(body.error.message).toMatch(
    /this is a snapshot of the control plane, .* Write a seed document instead/,
  );
});
