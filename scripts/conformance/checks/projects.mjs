import { check } from "../check.mjs";

const path = ({ id }) => `/v9/projects/${id}`;
const unknown = "/v9/projects/slipway-conformance-unknown";

const texts = {
  buildCommand: "npm run build",
  commandForIgnoringBuildStep: "exit 1",
  devCommand: "npm run dev",
  installCommand: "npm ci",
  outputDirectory: "out",
  rootDirectory: "app",
  serverlessFunctionRegion: "iad1",
};
const switches = {
  autoAssignCustomDomains: false,
  autoExposeSystemEnvs: false,
  directoryListing: true,
  gitForkProtection: false,
  gitLFS: true,
  sourceFilesOutsideRootDirectory: false,
};

const projectTypes = {
  ...{
    id: "string",
    name: "string",
    accountId: "string",
    directoryListing: "boolean",
    nodeVersion: "string",
  },
  ...{ createdAt: "number", updatedAt: "number", framework: "?string|null", live: "?boolean" },
};
const typed = (type, ...members) => Object.fromEntries(members.map((member) => [member, type]));
const optionalTypes = {
  ...typed("?string", "tier", "autoAssignCustomDomainsUpdatedBy", "concurrencyBucketName"),
  ...typed("?string", "transferToAccountId", "transferredFromAccountId"),
  ...typed("?string|null", ...Object.keys(texts), "framework"),
  ...typed("?boolean", ...Object.keys(switches), "connectBuildsEnabled", "customerSupportCodeVisibility"),
  ...typed(
    "?boolean",
    "enableAffectedProjectsDeployments",
    "hasActiveBranches",
    "hasFloatingAliases",
    "live",
  ),
  ...typed("?boolean", "paused", "productionDeploymentsFastLane", "skipGitConnectDuringLink"),
  ...typed("?boolean|null", "enablePreviewFeedback", "enableProductionFeedback", "publicSource"),
  ...typed("?number", "skewProtectionBoundaryAt", "skewProtectionMaxAge", "transferStartedAt"),
  ...typed("?object", "analytics", "crons", "dataCache", "gitComments", "oidcTokenConfig", "permissions"),
  ...typed("?object", "protectionBypass", "resourceConfig", "security", "speedInsights", "targets"),
  ...typed("?object", "webAnalytics", "link"),
  ...typed("?object|null", "deploymentExpiration", "lastAliasRequest", "lastRollbackTarget"),
  ...typed("?object|null", "optionsAllowlist", "passwordProtection", "ssoProtection", "trustedIps"),
  ...typed("?array", "customEnvironments", "env", "latestDeployments"),
};

const readsBack = async (t, settings) => {
  const project = await t.project();
  const changed = t.allowed(await t.request("PATCH", path(project), { body: settings }));
  const read = await t.ok("GET", path(project));
  for (const [member, value] of Object.entries(settings)) {
    t.same(changed[member], value, `${member} of the answer to PATCH`);
    t.same(read[member], value, `${member} of the project`);
  }
  return read;
};

export const projectChecks = [
  check("PR-04, PR-40, P-02, P-03, P-04, P-13, PR-03, VE-03, VE-04, ER-04, X-30", async (t) => {
    const created = await t.ok("POST", "/v10/projects", { body: { name: t.session.name() } });
    t.types(created, projectTypes, "the created project");
    t.that(created.createdAt > 1e12, "createdAt is not in milliseconds");
    for (const key of [created.id, created.name]) {
      const read = await t.ok("GET", `/v9/projects/${key}`);
      t.types(read, projectTypes, "the project");
      for (const member of ["id", "name", "accountId", "createdAt"])
        t.same(read[member], created[member], member);
    }
    const listed = (await t.session.all("/v9/projects", "projects")).find(({ id }) => id === created.id);
    t.types(listed, projectTypes, "the listed project");
  }),
  check("P-05, P-06, P-07, P-08, P-10, P-11, P-12, P-14, P-15, P-16, P-17, P-18, P-19, X-19", async (t) => {
    for (const read of [await t.ok("GET", path(t.web)), await t.project()])
      t.types(read, optionalTypes, "the project");
    t.that(/^\d+(\.10)?\.x$/.test(t.web.nodeVersion), "nodeVersion is no version");
  }),
  check("X-18", async (t) => {
    const read = await t.ok("GET", path(t.web));
    const types = {
      resourceConfig: "object",
      defaultResourceConfig: "object",
      deploymentExpiration: "?object",
    };
    t.types(read, types, "the project");
  }),
  check("PR-06", async (t) => {
    const created = await t.project(texts);
    for (const [member, value] of Object.entries(texts)) t.same(created[member], value, member);
  }),
  check("PR-11", async (t) => {
    const created = await t.project({ oidcTokenConfig: { enabled: false } });
    t.same(created.oidcTokenConfig?.enabled, false, "oidcTokenConfig.enabled");
  }),
  check("PR-12", async (t) => {
    const variable = { key: "A", value: "1", type: "plain", target: ["preview"] };
    const { id } = await t.project({ environmentVariables: [variable] });
    const { envs } = await t.ok("GET", `${path({ id })}/env`);
    t.same(
      envs.map(({ key, target }) => [key, target]),
      [["A", ["preview"]]],
      "the variables of the project",
    );
  }),
  check("PR-05, PR-13, P-20, X-29, X-03", async (t) => {
    const bodies = [
      {},
      { name: 1 },
      { name: t.session.name(), buildCommand: 1 },
      { name: t.session.name(), framework: "unknown" },
      { name: t.session.name(), oidcTokenConfig: { enabled: "yes" } },
      { name: t.session.name(), unknownMember: true },
    ];
    for (const body of bodies) await t.refused("POST", "/v10/projects", { body }, 400, "bad_request");
  }),
  check("PR-21", async (t) => {
    const body = { name: t.web.name };
    await t.refused("POST", "/v10/projects", { body }, 409, "conflict");
  }),
  check("PR-44, PR-48", (t) => readsBack(t, texts)),
  check("PR-46", (t) => readsBack(t, switches)),
  check("PR-45", async (t) => {
    const project = await t.project(texts);
    const changed = await t.ok("PATCH", path(project), { body: { buildCommand: "make" } });
    t.same(changed.devCommand, texts.devCommand, "a setting that the body leaves out");
    t.same((await t.ok("PATCH", path(project), { body: {} })).buildCommand, "make", "buildCommand");
  }),
  check("X-33", async (t) => {
    const project = await t.project({ ...texts, framework: "nextjs" });
    const body = { framework: null, buildCommand: null, ssoProtection: null };
    const changed = await t.ok("PATCH", path(project), { body });
    for (const member of Object.keys(body)) t.same(changed[member] ?? null, null, member);
    t.same(changed.devCommand, texts.devCommand, "devCommand");
  }),
  check("PR-49", async (t) => {
    const project = await t.project();
    const name = t.session.name();
    t.same((await t.ok("PATCH", path(project), { body: { name } })).id, project.id, "the id after a rename");
    t.same((await t.ok("GET", `/v9/projects/${name}`)).id, project.id, "the project with the new name");
    await t.refused("GET", `/v9/projects/${project.name}`, {}, 404, "not_found");
  }),
  check("PR-66", async (t) => {
    const { id } = await t.project();
    await t.refused("PATCH", path({ id }), { body: { name: t.web.name } }, 409, "conflict");
  }),
  check("PR-53", async (t) => {
    await readsBack(t, { skewProtectionMaxAge: 3600 });
    for (const value of [1.5, "1"])
      await t.refused("PATCH", path(t.web), { body: { skewProtectionMaxAge: value } }, 400, "bad_request");
  }),
  check("PR-54", async (t) => {
    const project = await t.project();
    const changed = await t.ok("PATCH", path(project), { body: { oidcTokenConfig: { enabled: false } } });
    t.same(changed.oidcTokenConfig?.enabled, false, "oidcTokenConfig.enabled");
  }),
  check("PR-55", (t) => readsBack(t, { optionsAllowlist: { paths: [{ value: "/api" }] } })),
  check("PR-57", (t) => readsBack(t, { ssoProtection: { deploymentType: "preview" } })),
  check("PR-56, X-21", async (t) => {
    const passwordProtection = { deploymentType: "all", password: "correct-horse" };
    const answer = await t.request("PATCH", path(await t.project()), { body: { passwordProtection } });
    const { passwordProtection: shown } = t.allowed(answer);
    t.same(shown?.deploymentType, "all", "passwordProtection.deploymentType");
    t.that(!answer.text.includes("correct-horse"), "the project shows its password");
  }),
  check("PR-59, P-21, P-22, P-23, P-24, PR-51, X-22, X-23, X-31", async (t) => {
    const bodies = [
      ...[{ buildCommand: 1 }, { gitLFS: "yes" }, { nodeVersion: "1.x" }, { buildCommand: "x".repeat(257) }],
      ...[{ optionsAllowlist: { paths: "/" } }, { passwordProtection: { deploymentType: 1 } }],
      ...[{ ssoProtection: { deploymentType: 1 } }, { ssoProtection: { deploymentType: "unknown" } }],
      { trustedIps: { deploymentType: "all", addresses: "192.0.2.1", protectionMode: "exclusive" } },
      { trustedIps: { deploymentType: "all", addresses: [], protectionMode: "exclusive" } },
    ];
    for (const body of bodies) await t.refused("PATCH", path(t.web), { body }, 400, "bad_request");
  }),
  check("PR-70, PR-71, ER-06, ER-03, X-05", async (t) => {
    const { id } = await t.project();
    const answer = t.status(await t.request("DELETE", path({ id })), 204);
    t.same(answer.text, "", "the body of the answer to DELETE");
    await t.refused("GET", path({ id }), {}, 404, "not_found");
    const listed = await t.session.all("/v9/projects", "projects");
    t.that(!listed.some((project) => project.id === id), "the list has the deleted project");
    for (const method of ["GET", "DELETE"]) await t.refused(method, unknown, {}, 404, "not_found");
    await t.refused("PATCH", unknown, { body: {} }, 404, "not_found");
  }),
  check("PR-76, S-01, S-02, S-04, PR-84, S-05, S-06, S-08, VE-01", async (t) => {
    const { id } = await t.project();
    for (const [operation, isPaused] of [
      ["pause", true],
      ["pause", true],
      ["unpause", false],
      ["unpause", false],
    ]) {
      t.status(await t.request("POST", `/v1/projects/${id}/${operation}`), 200);
      const read = await t.ok("GET", path({ id }));
      t.same(read.paused ?? false, isPaused, `paused after ${operation}`);
      t.same(read.autoAssignCustomDomains, !isPaused, `autoAssignCustomDomains after ${operation}`);
    }
  }),
  check("PR-78, PR-86, S-09", async (t) => {
    for (const operation of ["pause", "unpause"])
      await t.refused("POST", `/v1/projects/prj_unknown/${operation}`, {}, 400, "bad_request");
  }),
  check("PR-90, PR-91, X-20", async (t) => {
    for (const disabled of [true, false]) {
      const cache = `/v1/data-cache/projects/${t.web.id}`;
      const changed = await t.ok("PATCH", cache, { body: { disabled } });
      t.same(changed.dataCache?.userDisabled, disabled, "dataCache.userDisabled");
      t.same((await t.ok("GET", path(t.web))).dataCache?.userDisabled, disabled, "dataCache.userDisabled");
    }
  }),
  check("PR-92, PR-96", async (t) => {
    const body = { disabled: "yes" };
    await t.refused("PATCH", `/v1/data-cache/projects/${t.web.id}`, { body }, 400, "bad_request");
    const cache = "/v1/data-cache/projects/prj_unknown";
    await t.refused("PATCH", cache, { body: { disabled: true } }, 404, "not_found");
  }),
  check("PR-97, PR-98, PR-99, X-44, X-45, X-46, X-47", async (t) => {
    const { id } = await t.project();
    const bypass = `/v1/projects/${id}/protection-bypass`;
    const [first = ""] = Object.keys(
      (await t.ok("PATCH", bypass, { body: { generate: {} } })).protectionBypass,
    );
    t.that(/^[A-Za-z0-9]{32}$/.test(first), "a generated secret has another form");
    t.same(Object.keys((await t.ok("GET", path({ id }))).protectionBypass), [first], "protectionBypass");
    const renew = { revoke: { secret: first, regenerate: true } };
    const [next = ""] = Object.keys((await t.ok("PATCH", bypass, { body: renew })).protectionBypass);
    t.that(next !== first && next !== "", "a regenerated secret is the old one");
    const revoke = { revoke: { secret: next, regenerate: false } };
    t.same((await t.ok("PATCH", bypass, { body: revoke })).protectionBypass, {}, "protectionBypass");
    await t.refused("PATCH", bypass, { body: revoke }, 404, "not_found");
  }),
  check("PR-100, PR-104, PR-105", async (t) => {
    const secret = "a1".repeat(16);
    const bypass = `/v1/projects/${(await t.project()).id}/protection-bypass`;
    await t.refused("PATCH", bypass, { body: { generate: { secret: "short" } } }, 400, "bad_request");
    await t.ok("PATCH", bypass, { body: { generate: { secret } } });
    await t.refused("PATCH", bypass, { body: { generate: { secret } } }, 409, "conflict");
    const other = "/v1/projects/prj_unknown/protection-bypass";
    await t.refused("PATCH", other, { body: {} }, 404, "not_found");
  }),
  check("X-08, PR-119, X-41, PR-111, PR-116, PR-112, PR-113, X-16", async (t) => {
    const promote = `/v10/projects/${t.web.id}/promote/dpl_unknown`;
    await t.refused("POST", promote, {}, 404, "not_found");
    const aliases = `/v1/projects/${t.web.id}/promote/aliases`;
    t.same(await t.ok("GET", aliases), {}, "the promoted aliases of a project without a promotion");
    await t.ok("GET", aliases, { query: { failedOnly: true, limit: 1 } });
    for (const query of [
      { failedOnly: "maybe" },
      { limit: "x" },
      { since: "x" },
      { until: "x" },
      { limit: 101 },
    ])
      await t.refused("GET", aliases, { query }, 400, "bad_request");
    await t.refused("GET", "/v1/projects/prj_unknown/promote/aliases", {}, 404, "not_found");
  }),
];
