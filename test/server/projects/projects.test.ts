import { frameworks, nodeVersions } from "../../../provider/vocabulary";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const create = (body: object = {}) => world.call("POST", "/v10/projects", { body: { name: "web", ...body } });
const get = (key = "web") => world.call("GET", `/v9/projects/${key}`);
const update = (body: unknown, key = "web") => world.call("PATCH", `/v9/projects/${key}`, { body });
const remove = (key = "web") => world.call("DELETE", `/v9/projects/${key}`);

const settings = {
  buildCommand: "npm run build",
  commandForIgnoringBuildStep: "exit 1",
  devCommand: "npm run dev",
  installCommand: "npm ci",
  outputDirectory: "out",
  rootDirectory: "apps/web",
  serverlessFunctionRegion: "fra1",
};

describe("creating a project", () => {
  // PR-04, P-02, P-03
  it("answers the project, which get and list then show alike", async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: expect.stringMatching(/^prj_[A-Za-z0-9]{28}$/), name: "web" });
    expect(body.accountId).toMatch(/^team_[A-Za-z0-9]{24}$/);
    expect((await get()).body).toEqual(body);
    expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([body]);
    expect((await update({})).body).toEqual({ ...body, updatedAt: expect.any(Number) });
  });

  // X-34, P-04, P-05, P-08, P-13
  it("has the documented defaults, and no member that is not set", async () => {
    const { body } = await create();
    expect(body).toMatchObject({
      directoryListing: false,
      nodeVersion: "22.x",
      live: false,
      paused: false,
      autoAssignCustomDomains: true,
      autoExposeSystemEnvs: true,
      gitForkProtection: true,
      gitLFS: false,
      sourceFilesOutsideRootDirectory: true,
      dataCache: { userDisabled: false },
      oidcTokenConfig: { enabled: true, issuerMode: "global" },
      createdAt: beginning,
      framework: null,
      buildCommand: null,
    });
  });

  // X-19, P-07, P-12, P-18
  it("leaves out what is not set and not nullable", async () => {
    const { body } = await create();
    const absent = [
      "tier",
      "link",
      "crons",
      "analytics",
      "speedInsights",
      "webAnalytics",
      "gitComments",
      "security",
    ];
    for (const name of [
      ...absent,
      "permissions",
      "customEnvironments",
      "transferToAccountId",
      "skewProtectionMaxAge",
    ]) {
      expect(body).not.toHaveProperty(name);
    }
  });

  // P-09, P-15, P-16, P-17
  it("has the nested objects that clients need", async () => {
    const { body } = await create();
    expect(body).toMatchObject({
      resourceConfig: { functionDefaultRegions: [expect.any(String)] },
      defaultResourceConfig: { functionDefaultRegions: [expect.any(String)] },
      deploymentExpiration: {},
      alias: [{ domain: "web.vercel.app" }],
      latestDeployments: [],
      targets: {},
      env: [],
      protectionBypass: {},
      lastAliasRequest: null,
      lastRollbackTarget: null,
      optionsAllowlist: null,
      passwordProtection: null,
      ssoProtection: null,
      trustedIps: null,
      connectConfigurationId: null,
      passiveConnectConfigurationId: null,
    });
  });

  // PR-06, PR-07, PR-11
  it("reads back what was given", async () => {
    const given = {
      ...settings,
      enableAffectedProjectsDeployments: true,
      publicSource: false,
      skipGitConnectDuringLink: true,
      oidcTokenConfig: { enabled: false, issuerMode: "team" },
    };
    expect((await create(given)).body).toMatchObject(given);
    expect((await get()).body).toMatchObject(given);
  });

  // PR-09, P-06
  it.each(frameworks)("takes the framework %s", async (framework) => {
    expect((await create({ framework })).body.framework).toBe(framework);
  });

  // PR-08, PR-52, X-35
  it.each([true, false, "yes", 0, {}, null])("takes any type for failover: %p", async (value) => {
    const { status, body } = await create({ serverlessFunctionZeroConfigFailover: value });
    expect(status).toBe(200);
    expect(body.serverlessFunctionZeroConfigFailover).toBe(Boolean(value));
    const updated = await update({ serverlessFunctionZeroConfigFailover: value });
    expect(updated.body.serverlessFunctionZeroConfigFailover).toBe(Boolean(value));
  });

  // PR-12, X-26
  it("makes the variables that come along, and shows no decrypted secret of them", async () => {
    const environmentVariables = [
      { key: "SECRET", value: "do-not-show", type: "encrypted", target: ["production"] },
      { key: "PLAIN", value: "seen", type: "plain", target: "preview", gitBranch: "next" },
    ];
    const { status, body } = await create({ environmentVariables });
    expect(status).toBe(200);
    expect(body.env).toMatchObject([
      { key: "SECRET", type: "encrypted", target: ["production"] },
      { key: "PLAIN", type: "plain", target: ["preview"], gitBranch: "next", value: "seen" },
    ]);
    expect(JSON.stringify(body)).not.toContain("do-not-show");
  });

  it("takes variables with the members that clients read of them", async () => {
    const variable = { key: "KEY", value: "v", type: "plain", target: ["preview"] };
    const environmentVariables = [
      { ...variable, comment: "why", customEnvironmentIds: null, decrypted: null },
    ];
    const { status, body } = await create({ environmentVariables });
    expect(status).toBe(200);
    expect(body.env).toMatchObject([{ ...variable, comment: "why" }]);
  });

  it("makes nothing when one of its variables cannot be made", async () => {
    const variable = { key: "TWICE", value: "v", target: ["production"] };
    expect((await create({ environmentVariables: [variable, variable] })).status).toBe(400);
    expect((await get()).status).toBe(404);
  });

  it.each([
    ["no name", { name: undefined }], // PR-05
    ["a name that is no string", { name: 7 }], // PR-13
    ["an empty name", { name: "" }],
    ["capitals", { name: "Web" }],
    ["three dashes in a row", { name: "a---b" }],
    ["a name that is too long", { name: "a".repeat(101) }],
    ["an unknown framework", { framework: "rails" }], // PR-09
    ["an unknown member", { colour: "red" }],
    ["a command that is too long", { buildCommand: "a".repeat(257) }],
    ["a region that is too long", { serverlessFunctionRegion: "fra12" }],
    ["a flag that is no boolean", { publicSource: "no" }], // PR-13
    ["a repository without a type", { gitRepository: { repo: "acme/web" } }],
    ["a repository without a name", { gitRepository: { type: "github" } }],
    ["a repository of an unknown provider", { gitRepository: { type: "cvs", repo: "acme/web" } }],
    ["an OIDC configuration that is not boolean", { oidcTokenConfig: { enabled: "yes" } }], // P-20
    ["a variable without a value", { environmentVariables: [{ key: "A", target: ["preview"] }] }],
    ["a variable without a target", { environmentVariables: [{ key: "A", value: "b" }] }],
  ])("refuses %s with 400", async (_, body) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
    expect((await get()).status).toBe(404);
  });

  //
  it("takes a name of 100 characters with every character that is allowed", async () => {
    const name = `a-b_c.9--${"z".repeat(91)}`;
    expect((await create({ name })).body.name).toBe(name);
  });

  // PR-02
  it("refuses a body that is not JSON", async () => {
    expect((await world.call("POST", "/v10/projects", { body: "{name" })).status).toBe(400);
  });

  // PR-02
  it("refuses an empty body that is said to be JSON", async () => {
    await create();
    const headers = { "content-type": "application/json" };
    const { status, body } = await world.call("PATCH", "/v9/projects/web", { body: "", headers });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect((await world.call("PATCH", "/v9/projects/web")).status).toBe(200);
  });

  // PR-21, X-03
  it("refuses a name that is taken, in this account only", async () => {
    await create();
    const { status, body } = await create();
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: "conflict", message: 'Project "web" already exists.' });
    expect((await world.call("POST", "/v10/projects", { body: { name: "web" }, team: null })).status).toBe(
      200,
    );
  });

  // PR-18, PR-19, X-03
  it("refuses for an account that is blocked or has to pay", async () => {
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await create()).body.error.code).toBe("payment_required");
    expect((await create()).status).toBe(402);
    await world.control.changeTeam("acme", { softBlocked: false, paymentMethodNeedsUpdate: true });
    expect((await create()).status).toBe(402);
    await world.control.changeTeam("acme", { paymentMethodNeedsUpdate: false });
    expect((await create()).status).toBe(200);
  });

  // PR-20
  it("refuses who may only read", async () => {
    const token = await world.member("VIEWER");
    const { status, body } = await world.call("POST", "/v10/projects", { token, body: { name: "web" } });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: "forbidden", action: "read-write", resource: "project" });
  });
});

describe("a link to a repository", () => {
  const link = (type: string, repo = "acme/web") => create({ gitRepository: { type, repo } });

  // PR-10, X-25, P-18
  it("has the members of its provider, and deploy hooks", async () => {
    expect((await link("github")).body.link).toMatchObject({
      type: "github",
      org: "acme",
      repo: "web",
      repoId: expect.any(Number),
      deployHooks: [],
      productionBranch: "main",
    });
    await remove();
    expect((await link("gitlab", "acme/tools/web")).body.link).toMatchObject({
      type: "gitlab",
      projectNamespace: "acme",
      projectName: "tools/web",
      projectId: expect.any(String),
      deployHooks: [],
    });
    await remove();
    expect((await link("bitbucket")).body.link).toMatchObject({
      type: "bitbucket",
      owner: "acme",
      slug: "web",
      uuid: expect.any(String),
      deployHooks: [],
    });
  });

  // PR-15, X-36
  it("is refused where the provider grants no rights, and leaves no project", async () => {
    await world.seed({
      gitProviders: [{ team: "acme", type: "github", repos: ["acme/other"], webhooks: "ok" }],
    });
    const { status, body } = await link("github");
    expect(status).toBe(400);
    expect(body.error.message).toContain("no rights");
    expect((await get()).status).toBe(404);
    expect((await link("gitlab")).status).toBe(200);
  });

  it("is made where the provider names the repository, and whatever that of another account says", async () => {
    await world.team("other");
    await world.seed({
      gitProviders: [
        { team: "acme", type: "github", repos: ["acme/other", "acme/web"] },
        { team: "other", type: "gitlab", webhooks: "forbidden" },
      ],
    });
    for (const type of ["github", "gitlab"]) {
      expect((await link(type)).body.link?.type).toBe(type);
      await remove();
    }
  });

  // PR-16, X-36
  it("is refused where the provider takes no more webhooks, and leaves no project", async () => {
    await world.seed({
      gitProviders: [{ team: "acme", type: "bitbucket", repos: ["acme/web"], webhooks: "unavailable" }],
    });
    const { status, body } = await link("bitbucket");
    expect(status).toBe(400);
    expect(body.error.message).toContain("no more");
    expect((await get()).status).toBe(404);
  });
});

describe("reading a project", () => {
  // PR-40, PR-03
  it("finds it by id and by name", async () => {
    const { body } = await create();
    expect(await get(body.id)).toMatchObject({ status: 200, body });
    expect(await get("web")).toMatchObject({ status: 200, body });
  });

  // X-05, ER-03
  it("answers 404 for an unknown one, and for another account's", async () => {
    const { body } = await create();
    expect(await get("nothing")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    expect((await world.call("GET", `/v9/projects/${body.id}`, { team: null })).status).toBe(404);
  });
});

describe("updating a project", () => {
  beforeEach(() => create());

  const plain = {
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
    skipGitConnectDuringLink: true,
    sourceFilesOutsideRootDirectory: false,
    autoAssignCustomDomainsUpdatedBy: "ada",
    ...settings,
    framework: "astro",
    nodeVersion: "18.x",
    skewProtectionBoundaryAt: 1000,
    skewProtectionMaxAge: 60,
    oidcTokenConfig: { enabled: false, issuerMode: "team" },
    optionsAllowlist: { paths: [{ value: "/api" }] },
    ssoProtection: { deploymentType: "preview" },
    trustedIps: {
      deploymentType: "production",
      addresses: [{ value: "10.0.0.0/8", note: "office" }, { value: "1.2.3.4" }],
      protectionMode: "exclusive",
    },
  };

  // PR-44, PR-46, PR-48, PR-53, PR-54, PR-55, PR-57, PR-58, P-10, P-11, P-14, P-19, P-21, P-23, P-24, X-24
  it.each(Object.entries(plain))("reads back %s", async (name, value) => {
    const { status, body } = await update({ [name]: value });
    expect(status).toBe(200);
    expect(body[name]).toEqual(value);
    expect((await get()).body[name]).toEqual(value);
  });

  // PR-51
  it.each(nodeVersions)("takes Node %s", async (nodeVersion) => {
    expect((await update({ nodeVersion })).body.nodeVersion).toBe(nodeVersion);
  });

  // PR-50
  it.each(frameworks)("takes the framework %s", async (framework) => {
    expect((await update({ framework })).body.framework).toBe(framework);
  });

  // PR-47
  it("reads back previewDeploymentsDisabled, which null takes away", async () => {
    expect((await update({ previewDeploymentsDisabled: true })).body.previewDeploymentsDisabled).toBe(true);
    expect((await get()).body.previewDeploymentsDisabled).toBe(true);
    const { status, body } = await update({ previewDeploymentsDisabled: null });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("previewDeploymentsDisabled");
  });

  // PR-45, X-33
  it("keeps what is absent and clears what is null", async () => {
    await update({ buildCommand: "make", framework: "astro", devCommand: "make dev" });
    const { body } = await update({ buildCommand: null, framework: null });
    expect(body).toMatchObject({ buildCommand: null, framework: null, devCommand: "make dev" });
  });

  // PR-56, X-21, P-22
  it("sets a password and never shows it", async () => {
    const { status, body } = await update({
      passwordProtection: { deploymentType: "all", password: "do-not-show" },
    });
    expect(status).toBe(200);
    expect(body.passwordProtection).toEqual({ deploymentType: "all" });
    expect(JSON.stringify((await get()).body)).not.toContain("do-not-show");
  });

  //
  it("removes the protections with null", async () => {
    await update({
      passwordProtection: { deploymentType: "all", password: "secret" },
      ssoProtection: { deploymentType: "all" },
    });
    await update({ trustedIps: plain.trustedIps, optionsAllowlist: plain.optionsAllowlist });
    const cleared = {
      passwordProtection: null,
      ssoProtection: null,
      trustedIps: null,
      optionsAllowlist: null,
    };
    expect((await update(cleared)).body).toMatchObject(cleared);
  });

  it("keeps the password when only the kind of deployment changes, and asks for one where none is set", async () => {
    expect((await update({ passwordProtection: { deploymentType: "all" } })).status).toBe(400);
    await update({ passwordProtection: { deploymentType: "all", password: "secret" } });
    const { body } = await update({ passwordProtection: { deploymentType: "preview" } });
    expect(body.passwordProtection).toEqual({ deploymentType: "preview" });
  });

  // PR-49
  it("renames: the id stays, the new name reaches the project and the old one no longer", async () => {
    const { id } = (await get()).body;
    expect((await update({ name: "shop" })).body).toMatchObject({ id, name: "shop" });
    expect((await get("shop")).body.id).toBe(id);
    expect((await get("web")).status).toBe(404);
  });

  it("keeps serving its production deployment after a rename", async () => {
    const [id] = await world.control.deploy({
      team: "acme",
      project: "web",
      target: "production",
      readyState: "READY",
    });
    const { body } = await update({ name: "shop" });
    expect(body.targets.production).toMatchObject({ id, name: "shop" });
    expect(body.latestDeployments).toMatchObject([{ id }]);
  });

  // PR-66, X-10
  it("refuses a name that is taken, but not its own", async () => {
    await create({ name: "shop" });
    const { status, body } = await update({ name: "shop" });
    expect(status).toBe(409);
    expect(body.error.message).toBe('Project "shop" already exists.');
    expect((await update({ name: "web" })).status).toBe(200);
  });

  it.each([".", "./apps/web", "../x", "/apps", "apps/web/", "apps//web", "apps\\web"])(
    "refuses the rootDirectory %s with 400 invalid_root_directory",
    async (rootDirectory) => {
      const created = await create({ name: "rooted", rootDirectory });
      for (const { status, body } of [created, await update({ rootDirectory })])
        expect([status, body.error.code]).toEqual([400, "invalid_root_directory"]);
      expect((await update({ rootDirectory: "apps/web" })).status).toBe(200);
    },
  );

  it.each([
    ["a flag that is no boolean", { gitLFS: "yes" }], // PR-59
    ["an unknown framework", { framework: "rails" }], // PR-50
    ["an unknown Node version", { nodeVersion: "23.x" }], // PR-51
    ["an unknown member", { colour: "red" }],
    ["a fraction", { skewProtectionMaxAge: 1.5 }], // PR-53
    ["a string for a number", { skewProtectionBoundaryAt: "1" }], // PR-53
    ["a negative number", { skewProtectionMaxAge: -1 }],
    //
    [
      "a password that is too long",
      { passwordProtection: { deploymentType: "all", password: "p".repeat(73) } },
    ],
    ["a password that is no string", { passwordProtection: { deploymentType: "all", password: 5 } }], // P-22
    // P-22, X-22
    ["a password on an unknown kind", { passwordProtection: { deploymentType: "some", password: "p" } }],
    ["SSO on an unknown kind", { ssoProtection: { deploymentType: "production" } }], // P-23, X-22
    ["paths that are no array", { optionsAllowlist: { paths: "/api" } }], // P-21
    // P-24, X-23
    [
      "trusted IPs without a mode",
      { trustedIps: { deploymentType: "all", addresses: [{ value: "1.2.3.4" }] } },
    ],
    ["trusted IPs without an address", { trustedIps: { ...plain.trustedIps, addresses: [] } }],
    //
    ...["1.2.3.256", "1.2.3", "1", "1.2.3.4.5", "1.2.3.4.", "1.2.3.4/33", "1.2.3.4/", "1/24"].map(
      (value): [string, object] => [
        `the address ${value}`,
        { trustedIps: { ...plain.trustedIps, addresses: [{ value }] } },
      ],
    ),
    //
    [
      "a note that is too long",
      { trustedIps: { ...plain.trustedIps, addresses: [{ value: "1.2.3.4", note: "n".repeat(21) }] } },
    ],
    ["an unknown mode", { trustedIps: { ...plain.trustedIps, protectionMode: "some" } }],
  ])("refuses %s with 400 and changes nothing", async (_, body) => {
    const before = (await get()).body;
    expect((await update(body)).status).toBe(400);
    expect((await get()).body).toEqual(before);
  });

  //
  it.each(["0.0.0.0", "255.249.199.10", "10.0.0.0/8", "10.1.2.3/32", "0.0.0.0/0"])(
    "takes the address %s",
    async (value) => {
      const trustedIps = { ...plain.trustedIps, addresses: [{ value }] };
      expect((await update({ trustedIps })).body.trustedIps).toEqual(trustedIps);
    },
  );

  //
  it.each(["all", "preview", "prod_deployment_urls_and_all_previews", "all_except_custom_domains"])(
    "takes the kind of deployment %s",
    async (deploymentType) => {
      expect((await update({ ssoProtection: { deploymentType } })).body.ssoProtection).toEqual({
        deploymentType,
      });
    },
  );

  // PR-61
  it("refuses trusted IPs outside the enterprise plan", async () => {
    await world.control.changeTeam("acme", { plan: "pro" });
    const { status, body } = await update({ trustedIps: plain.trustedIps });
    expect(status).toBe(400);
    expect(body.error.message).toContain("enterprise");
  });

  // PR-68, PR-69, ER-02
  it("refuses advanced protection without the add-on, and on a plan that has none", async () => {
    const password = { passwordProtection: { deploymentType: "all", password: "secret" } };
    await world.control.changeTeam("acme", { plan: "pro", addons: [] });
    expect(await update(password)).toMatchObject({
      status: 428,
      body: { error: { code: "upgrade_required" } },
    });
    await world.control.changeTeam("acme", { plan: "hobby" });
    expect(await update(password)).toMatchObject({
      status: 428,
      body: { error: { code: "plan_not_supported" } },
    });
    await world.control.changeTeam("acme", { plan: "pro", addons: ["advanced-deployment-protection"] });
    expect((await update(password)).status).toBe(200);
  });

  // PR-68, PR-69
  it.each([
    ["log-in protection of all deployments", { ssoProtection: { deploymentType: "all" } }, 428, 200],
    ["log-in protection of previews", { ssoProtection: { deploymentType: "preview" } }, 200, 200],
    [
      "standard log-in protection",
      { ssoProtection: { deploymentType: "prod_deployment_urls_and_all_previews" } },
      200,
      200,
    ],
    [
      "log-in protection but for custom domains",
      { ssoProtection: { deploymentType: "all_except_custom_domains" } },
      200,
      200,
    ],
    ["an allowlist", { optionsAllowlist: { paths: [{ value: "/open" }] } }, 200, 200],
    ["a password", { passwordProtection: { deploymentType: "preview", password: "p" } }, 428, 428],
  ])("without the add-on, %s is on the plans that sell it", async (_, body, hobby, pro) => {
    for (const [plan, status] of [
      ["hobby", hobby],
      ["pro", pro],
    ] as const) {
      await world.control.changeTeam("acme", { plan, addons: [] });
      expect([plan, (await update(body)).status]).toEqual([plan, status]);
    }
  });

  //
  it.each([
    ["skewProtectionMaxAge", 60],
    ["skewProtectionBoundaryAt", 60],
    ["autoAssignCustomDomainsUpdatedBy", "user_1"],
  ])("null clears %s, which is then absent", async (field, value) => {
    expect((await update({ [field]: value })).body[field]).toBe(value);
    expect((await update({ [field]: null })).body).not.toHaveProperty(field);
    expect((await get()).body).not.toHaveProperty(field);
  });

  // PR-45, X-87
  it("leaves the time and the events alone when it changes nothing", async () => {
    const password = { deploymentType: "all", password: "secret" };
    const body = { gitLFS: true, name: "web", nodeVersion: "20.x", passwordProtection: password };
    const { updatedAt } = (await update(body)).body;
    const events = (await world.control.events()).length;
    await world.advance(1000);
    for (const same of [{}, body, { framework: null }, { skewProtectionMaxAge: null }]) {
      expect((await update(same)).body.updatedAt).toBe(updatedAt);
    }
    const { id } = (await get()).body;
    await world.call("PATCH", `/v1/data-cache/projects/${id}`, { body: { disabled: false } });
    expect((await get()).body.updatedAt).toBe(updatedAt);
    expect(await world.control.events()).toHaveLength(events);
    expect(
      (await update({ passwordProtection: { ...password, password: "other" } })).body.updatedAt,
    ).toBeGreaterThan(updatedAt);
  });

  // PR-68
  it("the enterprise plan includes advanced protection", async () => {
    await world.control.changeTeam("acme", { plan: "enterprise", addons: [] });
    expect((await update({ ssoProtection: { deploymentType: "all" } })).status).toBe(200);
  });

  // PR-63, PR-64
  it("refuses for an account that is blocked or has to pay", async () => {
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await update({ gitLFS: true })).status).toBe(402);
    await world.control.changeTeam("acme", { softBlocked: false, paymentMethodNeedsUpdate: true });
    expect((await update({ gitLFS: true })).status).toBe(402);
  });
});

describe("deleting a project", () => {
  // PR-70, PR-71, ER-06
  it("answers 204 without a body; get no longer finds it and the list lacks it", async () => {
    const { body } = await create({ environmentVariables: [{ key: "A", value: "b", target: ["preview"] }] });
    expect(await remove()).toMatchObject({ status: 204, body: "" });
    expect((await get(body.id)).status).toBe(404);
    expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([]);
    expect((await remove()).status).toBe(404);
  });

  it("takes its domains and variables along, so that all can be made again", async () => {
    const again = { environmentVariables: [{ key: "A", value: "b", target: ["preview"] }] };
    await create(again);
    await world.call("POST", "/v10/projects/web/domains", { body: { name: "www.example.com" } });
    await remove();
    expect((await create(again)).body.env).toHaveLength(1);
    expect(
      (await world.call("POST", "/v10/projects/web/domains", { body: { name: "www.example.com" } })).status,
    ).toBe(200);
  });

  // P-01
  it("takes its deployments along: a new project of the name has nothing of them, and another account keeps its own", async () => {
    await create();
    const [id] = await world.control.deploy({
      team: "acme",
      project: "web",
      target: "production",
      readyState: "READY",
    });
    await world.team("other");
    const [foreign] = await world.control.deploy({ team: "other", project: "web", readyState: "READY" });
    await remove();
    expect((await world.call("GET", `/v13/deployments/${id}`)).status).toBe(404);
    const { body } = await create();
    expect(body).toMatchObject({ latestDeployments: [], targets: {}, live: false });
    const { deployments } = await world.control.snapshot();
    expect(deployments.map((deployment) => deployment.id)).toEqual([foreign]);
  });
});

test("a token configuration that names no issuer mode gets the usual one", async () => {
  const body = { name: "tokens", oidcTokenConfig: { enabled: false } };
  const { status, body: made } = await world.call("POST", "/v10/projects", { body });
  expect(status).toBe(200);
  expect(made.oidcTokenConfig).toEqual({ enabled: false, issuerMode: "global" });
});
