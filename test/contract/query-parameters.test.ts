import { routes } from "../../server/routes";
import { developmentToken } from "../../server/seed/development-account";
import type { SeedDocument } from "../../server/seed/document";
import { beginning, useTestServer } from "../support/world";
import { generations, loadSdk, nameless } from "./generations";

/**
 * Every query parameter that an official client knows, on every route that has it: it selects, it is refused by its
 * name, or it is harmless for a reason. A parameter that selects what is deleted must never be ignored.
 */

const world = useTestServer();

/** Parameters that the command line sends and the SDK does not have. */
const ofCommandLine: Record<string, readonly string[]> = {
  "GET /v9/projects": ["limit", "since", "until"],
  "GET /v9/projects/:idOrName": ["rollbackInfo"],
  "GET /v9/projects/:idOrName/env": ["target"],
  "GET /v6/deployments": ["meta-team", "policy-errored"],
  "GET /v3/env/pull/:idOrName/:target": ["source"],
  "DELETE /projects/:idOrName/alias": ["domain"],
  "POST /v13/deployments": ["prebuilt", "withCache"],
  "DELETE /v13/deployments/:id": ["hard"],
  "GET /v3/deployments/:id/events": ["format"],
};
/** Parameters that the Terraform provider sends and the SDK does not have. */
const ofTerraform: Record<string, readonly string[]> = {
  "GET /v3/teams/:teamIdOrSlug/members": ["filterByUserIds"],
};

/** A parameter with a value, and the items that are left of the list. */
type Selects = readonly [value: string | readonly string[], left: readonly string[]];
interface Handled {
  /** The list, and the names of its items. */
  path?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each list has another shape
  items?: (body: any) => string[];
  /** The items without a parameter, sorted. */
  all?: readonly string[];
  /** Sent with each request. */
  always?: Record<string, string>;
  selects?: Record<string, Selects>;
  refuses?: readonly string[];
  /** With the reason. */
  harmless?: Record<string, string>;
  /** With the test that proves it. */
  elsewhere?: Record<string, string>;
}

const later = String(beginning + 10_000_000);
/** @param first the first item of the list */
const paging = (first: string): Record<string, Selects> => ({
  limit: ["1", [first]],
  since: [later, []],
  until: ["1", []],
});
const names =
  (member: string, name = "name") =>
  (body: Record<string, Record<string, string>[]>) =>
    (body[member] ?? []).map((item) => item[name] ?? "");

const ofFlags: Record<string, Selects> = {
  limit: ["1", ["checkout"]],
  cursor: ["2_flag_2", ["banner"]],
  state: ["archived", ["old"]],
  search: ["BAN", ["banner"]],
  tags: ["shop", ["checkout"]],
  createdBy: ["user_ada", ["banner"]],
  maintainerIds: ["user_ada", ["checkout"]],
};

const handled: Record<string, Handled> = {
  "GET /v9/projects": {
    path: "/v9/projects",
    items: names("projects"),
    all: ["docs", "web"],
    selects: {
      ...paging("web"),
      from: [later, []],
      deprecated: ["true", ["web"]],
      edgeConfigId: ["ecfg_1", []],
      edgeConfigTokenId: ["token_1", []],
      excludeRepos: ["acme/web", ["docs"]],
      gitForkProtection: ["0", ["web"]],
      repo: ["acme/web", ["web"]],
      repoId: ["1", []],
      repoUrl: ["https://github.com/acme/web", ["web"]],
      search: ["we", ["web"]],
      buildMachineTypes: ["turbo,enhanced", ["web"]],
      buildQueueConfiguration: ["WAIT_FOR_NAMESPACE_QUEUE", ["web"]],
      elasticConcurrencyEnabled: ["1", ["web"]],
      staticIpsEnabled: ["1", ["web"]],
    },
  },
  "GET /v9/projects/:idOrName": {
    path: "/v9/projects/web",
    elsewhere: { rollbackInfo: "test/server/deployments/promotions.test.ts" },
  },
  "GET /v1/projects/:idOrName/rolling-release": {
    path: "/v1/projects/web/rolling-release",
    elsewhere: { state: "test/server/rolling-releases/rolling-releases.test.ts" },
  },
  "GET /v1/projects/:projectId/promote/aliases": {
    path: "/v1/projects/web/promote/aliases",
    items: names("aliases", "alias"),
    all: ["www.example.com", "old.example.com", "web.vercel.app"].sort(),
    selects: {
      limit: ["1", ["old.example.com"]],
      since: [later, []],
      until: ["1", []],
      failedOnly: ["true", ["www.example.com"]],
    },
  },
  "POST /v9/projects/:projectId/rollback/:deploymentId": {
    harmless: { description: "a note about the rollback, which changes nothing else" },
  },
  "GET /v9/projects/:idOrName/domains": {
    path: "/v9/projects/web/domains",
    items: names("domains"),
    all: ["new.example.com", "old.example.com", "staging.example.com", "web.vercel.app", "www.example.com"],
    selects: {
      ...paging("staging.example.com"),
      customEnvironmentId: ["env_staging", ["staging.example.com"]],
      gitBranch: ["next", ["new.example.com"]],
      production: ["true", ["old.example.com", "web.vercel.app", "www.example.com"]],
      redirect: ["www.example.com", ["old.example.com"]],
      redirects: ["false", ["new.example.com", "staging.example.com", "web.vercel.app", "www.example.com"]],
      target: ["preview", ["new.example.com"]],
      verified: ["false", ["new.example.com"]],
    },
    elsewhere: { order: "test/server/domains/list.test.ts" },
  },
  "GET /v6/domains/:domain/config": {
    path: "/v6/domains/www.example.com/config",
    harmless: {
      strict: "domains of this server have no nameservers, their own or those of a parent",
      projectIdOrName: "the account has a domain on one project at most",
    },
  },
  "GET /v5/domains": {
    path: "/v5/domains",
    items: names("domains"),
    all: ["example.com", "example.org"],
    selects: paging("example.org"),
  },
  "GET /v1/domains/:domain/project-domains": {
    path: "/v1/domains/example.com/project-domains",
    items: names("projectDomains"),
    all: ["new.example.com", "old.example.com", "staging.example.com", "www.example.com"],
    selects: paging("staging.example.com"),
  },
  "GET /v5/domains/:domain/records": {
    path: "/v5/domains/example.com/records",
    items: ({ records }) =>
      records
        .filter(({ creator }: { creator: string }) => creator !== "system")
        .map(({ name }: { name: string }) => name),
    all: ["first", "second"],
    selects: paging("second"),
  },
  "GET /v1/integrations/git-namespaces": {
    elsewhere: {
      provider: "test/server/projects/git.test.ts",
      host: "test/server/projects/git.test.ts",
    },
    harmless: { viewerMetadata: "the server knows no roles at Git providers" },
  },
  "GET /v1/integrations/search-repo": {
    elsewhere: Object.fromEntries(
      ["query", "namespaceId", "provider", "installationId", "host"].map((name) => [
        name,
        "test/server/projects/git.test.ts",
      ]),
    ),
  },
  "DELETE /v1/teams/:teamIdOrSlug": {
    elsewhere: { newDefaultTeamId: "test/server/members/team-removal.test.ts" },
  },
  "GET /v8/deployments/:id/files/:fileId": {
    elsewhere: { path: "test/server/deployments/contents.test.ts" },
  },
  "GET /v2/projects/:idOrName/checks": { elsewhere: { blocks: "test/server/checks/checks.test.ts" } },
  "POST /v1/deployments/:id/checks/:checkId/rerequest": {
    elsewhere: { autoUpdate: "test/server/checks/checks.test.ts" },
  },
  "GET /v1/edge-config/:id/backups": {
    elsewhere: Object.fromEntries(
      ["limit", "next", "metadata"].map((name) => [name, "test/server/edge-configs/backups.test.ts"]),
    ),
  },
  "GET /v3/events": {
    elsewhere: Object.fromEntries(
      [
        ...["limit", "since", "until", "types", "userId", "principalId", "projectIds", "withPayload"],
        "entityId",
      ].map((name) => [name, "test/server/accounts/activity.test.ts"]),
    ),
  },
  ...Object.fromEntries(
    [
      ["GET /v1/security/firewall/attack-status", ["projectId", "since"]],
      ["GET /v1/security/firewall/events", ["projectId", "startTimestamp", "endTimestamp", "hosts"]],
    ].map(([route, all]) => [
      route,
      {
        elsewhere: Object.fromEntries(
          (all as string[]).map((name) => [name, "test/server/firewall/attacks.test.ts"]),
        ),
      },
    ]),
  ),
  ...Object.fromEntries(
    ["POST /web/insights/toggle", "POST /speed-insights/toggle"].map((route) => [
      route,
      { elsewhere: { projectId: "test/server/projects/insights.test.ts" } },
    ]),
  ),
  "GET /v1/security/firewall/bypass": {
    path: "/v1/security/firewall/bypass",
    always: { projectId: "prj_web" },
    items: ({ result }) => result.map(({ Ip }: { Ip: string }) => Ip),
    all: ["192.0.2.1", "192.0.2.2"],
    selects: {
      limit: ["1", ["192.0.2.2"]],
      offset: ["prj_web#192.0.2.2", ["192.0.2.1"]],
      sourceIp: ["192.0.2.1", ["192.0.2.1"]],
      domain: ["www.example.com", ["192.0.2.1"]],
      projectScope: ["true", ["192.0.2.2"]],
    },
    elsewhere: { projectId: "test/server/firewall/bypass.test.ts" },
  },
  "POST /v1/security/firewall/bypass": { elsewhere: { projectId: "test/server/firewall/bypass.test.ts" } },
  "PUT /v1/security/firewall/config": { elsewhere: { projectId: "test/server/firewall/config.test.ts" } },
  "PATCH /v1/security/firewall/config": { elsewhere: { projectId: "test/server/firewall/config.test.ts" } },
  "GET /v1/security/firewall/config/:configVersion": {
    elsewhere: { projectId: "test/server/firewall/config.test.ts" },
  },
  "DELETE /v1/security/firewall/bypass": { elsewhere: { projectId: "test/server/firewall/bypass.test.ts" } },
  "GET /v1/bulk-redirects": {
    elsewhere: {
      projectId: "test/server/routing/redirects.test.ts",
      versionId: "test/server/routing/redirects.test.ts",
      q: "test/server/routing/redirects.test.ts",
      diff: "test/server/routing/redirects.test.ts",
      page: "test/server/routing/redirects.test.ts",
      per_page: "test/server/routing/redirects.test.ts",
      sort_by: "test/server/routing/redirects.test.ts",
      sort_order: "test/server/routing/redirects.test.ts",
    },
  },
  "PATCH /v1/bulk-redirects": { elsewhere: { projectId: "test/server/routing/redirects.test.ts" } },
  "DELETE /v1/bulk-redirects": { elsewhere: { projectId: "test/server/routing/redirects.test.ts" } },
  "POST /v1/bulk-redirects/restore": { elsewhere: { projectId: "test/server/routing/redirects.test.ts" } },
  "GET /v1/bulk-redirects/versions": { elsewhere: { projectId: "test/server/routing/redirects.test.ts" } },
  "POST /v1/bulk-redirects/versions": { elsewhere: { projectId: "test/server/routing/redirects.test.ts" } },
  "GET /v1/projects/:projectId/routes": {
    elsewhere: {
      versionId: "test/server/routing/routes.test.ts",
      q: "test/server/routing/routes.test.ts",
      filter: "test/server/routing/routes.test.ts",
      diff: "test/server/routing/routes.test.ts",
    },
  },
  "GET /v1/storage/stores/:id": {
    elsewhere: { "skip-metadata": "test/server/blob-stores/blob-stores.test.ts" },
    harmless: { "include-guides": "the server has no guides" },
  },
  "POST /v1/edge-config/:id/schema": {
    elsewhere: { dryRun: "test/server/edge-configs/edge-configs.test.ts" },
  },
  "GET /v1/registrar/domains/:domain/price": { harmless: { years: "the route refuses every request" } },
  "POST /v10/projects/:idOrName/env": { elsewhere: { upsert: "test/server/env/env.test.ts" } },
  "GET /v9/projects/:idOrName/env": {
    path: "/v9/projects/web/env",
    items: names("envs", "key"),
    all: ["BRANCH", "EVERYWHERE", "STAGING"],
    selects: {
      customEnvironmentId: ["env_staging", ["EVERYWHERE", "STAGING"]],
      customEnvironmentSlug: ["staging", ["EVERYWHERE", "STAGING"]],
      gitBranch: ["next", ["BRANCH", "EVERYWHERE"]],
      target: ["production", ["EVERYWHERE"]],
    },
    elsewhere: { decrypt: "test/server/env/read-edit.test.ts" },
    harmless: { source: "it names the client" },
  },
  "GET /v1/env": {
    path: "/v1/env",
    items: names("data", "key"),
    all: ["OF_NONE", "OF_WEB"],
    selects: {
      exclude_ids: ["env_of_web", ["OF_NONE"]],
      exclude_projectId: ["prj_web", ["OF_NONE"]],
      "exclude-ids": ["env_of_web", ["OF_NONE"]],
      "exclude-projectId": ["prj_web", ["OF_NONE"]],
      ids: ["env_of_web", ["OF_WEB"]],
      projectId: ["prj_web", ["OF_WEB"]],
      search: ["none", ["OF_NONE"]],
    },
  },
  "DELETE /v9/projects/:idOrName/env/:id": {
    elsewhere: { customEnvironmentId: "test/server/env/removal.test.ts" },
  },
  "GET /v3/env/pull/:idOrName/:target": { harmless: { source: "it names the client" } },
  "GET /v9/projects/:idOrName/custom-environments": {
    path: "/v9/projects/web/custom-environments",
    items: names("environments", "slug"),
    all: ["staging", "trial"],
    selects: { gitBranch: ["staging/7", ["staging"]] },
  },
  "GET /v6/deployments": {
    path: "/v6/deployments",
    items: names("deployments", "uid"),
    all: ["dpl_docs", "dpl_first", "dpl_second"],
    selects: {
      ...paging("dpl_docs"),
      app: ["docs", ["dpl_docs"]],
      branch: ["next", ["dpl_docs"]],
      from: [String(beginning + 1), ["dpl_docs", "dpl_second"]],
      projectId: ["prj_web", ["dpl_first", "dpl_second"]],
      projectIds: [
        ["prj_web", "prj_none"],
        ["dpl_first", "dpl_second"],
      ],
      rollbackCandidate: ["true", ["dpl_second"]],
      sha: ["abc", ["dpl_docs"]],
      state: ["error", ["dpl_docs"]],
      target: ["preview", ["dpl_docs"]],
      to: [String(beginning + 1), []],
      users: ["user_ada", ["dpl_docs"]],
      "meta-team": ["docs", ["dpl_docs"]],
    },
    refuses: ["policy-errored"],
  },
  "GET /v4/aliases": {
    path: "/v4/aliases",
    items: names("aliases", "alias"),
    all: ["notes.vercel.app", "old.example.com", "web.vercel.app", "www.example.com"],
    selects: {
      limit: ["1", ["notes.vercel.app"]],
      since: [later, []],
      from: [later, []],
      until: ["1", []],
      projectId: ["prj_docs", ["notes.vercel.app"]],
      domain: [
        ["example.com", "none.example.org"],
        ["old.example.com", "www.example.com"],
      ],
    },
    refuses: ["rollbackDeploymentId"],
  },
  "GET /v4/aliases/:idOrAlias": {
    elsewhere: {
      from: "test/server/aliases/aliases.test.ts",
      since: "test/server/aliases/aliases.test.ts",
      until: "test/server/aliases/aliases.test.ts",
      projectId: "test/server/aliases/aliases.test.ts",
    },
  },
  "GET /v13/deployments/:id": {
    path: "/v13/deployments/dpl_first",
    harmless: { withGitRepoInfo: "this server has no git provider to ask" },
  },
  "POST /v13/deployments": {
    harmless: {
      forceNew: "every request makes a deployment",
      withCache: "this server builds nothing, so it has no cache",
    },
    elsewhere: {
      prebuilt: "test/server/deployments/events.test.ts",
      skipAutoDetectionConfirmation: "test/server/deployments/create.test.ts",
    },
  },
  "DELETE /v13/deployments/:id": {
    harmless: { hard: "nothing of a deleted deployment is kept" },
    elsewhere: { url: "test/server/deployments/builds.test.ts" },
  },
  "GET /v3/deployments/:id/events": {
    harmless: {
      builds: "the log is always that of the build",
      delimiter: "a build has no delimiters in its log",
      name: "a deployment has one build",
      statusCode: "builds answer no requests",
    },
    elsewhere: Object.fromEntries(
      ["direction", "follow", "format", "limit", "since", "until"].map((name) => [
        name,
        "test/server/deployments/events.test.ts",
      ]),
    ),
  },
  "GET /v2/teams": {
    path: "/v2/teams",
    items: names("teams", "slug"),
    all: ["acme", "zeta"],
    selects: paging("zeta"),
  },
  "GET /v3/teams/:teamIdOrSlug/members": {
    path: "/v3/teams/acme/members",
    items: names("members", "username"),
    all: ["ada", "dev"],
    selects: {
      ...paging("ada"),
      role: ["VIEWER", ["ada"]],
      search: ["AD", ["ada"]],
      filterByUserIds: ["user_ada", ["ada"]],
      excludeProject: ["docs", ["dev"]],
      eligibleMembersForProjectId: ["prj_docs", ["dev"]],
    },
  },
  "GET /v1/projects/:idOrName/members": {
    path: "/v1/projects/web/members",
    items: names("members", "username"),
    all: ["ada", "dev"],
    selects: { ...paging("ada"), search: ["AD", ["ada"]] },
  },
  "GET /v1/access-groups": {
    path: "/v1/access-groups",
    items: names("accessGroups"),
    all: ["designers", "writers"],
    selects: {
      limit: ["1", ["writers"]],
      next: ["2", ["designers"]],
      projectId: ["prj_docs", ["designers"]],
      search: ["WRI", ["writers"]],
    },
    elsewhere: {
      membersLimit: "test/server/access-groups/access-groups.test.ts",
      projectsLimit: "test/server/access-groups/access-groups.test.ts",
    },
  },
  "GET /v1/access-groups/:idOrName/members": {
    path: "/v1/access-groups/designers/members",
    items: names("members", "username"),
    all: ["ada", "dev"],
    selects: { limit: ["1", ["ada"]], next: ["2", ["dev"]], search: ["AD", ["ada"]] },
  },
  "GET /v1/access-groups/:idOrName/projects": {
    path: "/v1/access-groups/designers/projects",
    items: names("projects", "projectId"),
    all: ["prj_docs", "prj_web"],
    selects: { limit: ["1", ["prj_docs"]], next: ["2", ["prj_web"]] },
  },
  "GET /v2/projects/:idOrName/feature-flags/flags": {
    path: "/v1/projects/web/feature-flags/flags",
    items: names("data", "slug"),
    all: ["banner", "checkout"],
    selects: ofFlags,
    harmless: { includeMarketplaceFlags: "this server has none" },
  },
  "GET /v2/teams/:teamIdOrSlug/feature-flags/flags": {
    path: "/v1/teams/acme/feature-flags/flags",
    items: names("data", "slug"),
    all: ["banner", "checkout"],
    selects: { ...ofFlags, kind: ["string", ["checkout"]] },
    harmless: { includeMarketplaceFlags: "this server has none" },
  },
  "GET /v1/projects/:idOrName/feature-flags/flags/:flag": {
    path: "/v1/projects/web/feature-flags/flags/banner",
    elsewhere: { ifMatch: "test/server/feature-flags/flags.test.ts" },
    harmless: { withMetadata: "answers have no metadata" },
  },
  ...Object.fromEntries(
    ["PATCH", "DELETE"].map((method) => [
      `${method} /v1/projects/:idOrName/feature-flags/flags/:flag`,
      {
        elsewhere: { ifMatch: "test/server/feature-flags/flags.test.ts" },
        harmless: { withMetadata: "answers have no metadata" },
      },
    ]),
  ),
  "GET /v1/projects/:idOrName/feature-flags/flags/:flag/versions": {
    elsewhere: Object.fromEntries(
      ["limit", "cursor", "environment"].map((name) => [name, "test/server/feature-flags/flags.test.ts"]),
    ),
    harmless: { withMetadata: "answers have no metadata" },
  },
  "GET /v1/projects/:idOrName/feature-flags/segments": {
    path: "/v1/projects/web/feature-flags/segments",
    items: names("data", "slug"),
    harmless: { withMetadata: "answers have no metadata" },
  },
  "GET /v1/projects/:idOrName/feature-flags/segments/:segment": {
    harmless: { withMetadata: "answers have no metadata" },
  },
  ...Object.fromEntries(
    ["PATCH", "DELETE"].map((method) => [
      `${method} /v1/projects/:idOrName/feature-flags/segments/:segment`,
      { harmless: { withMetadata: "answers have no metadata" } },
    ]),
  ),
  "GET /v1/teams/:teamIdOrSlug/feature-flags/settings": {
    path: "/v1/teams/acme/feature-flags/settings",
    items: names("data", "projectId"),
    all: ["prj_docs", "prj_web"],
    selects: { limit: ["1", ["prj_web"]], cursor: ["1_prj", []] },
  },
  "GET /v1/integrations/configurations": {
    path: "/v1/integrations/configurations",
    items: (body: { id: string }[]) => body.map(({ id }) => id),
    all: ["icfg_cron", "icfg_logs"],
    always: { view: "account" },
    selects: {
      view: ["project", ["icfg_cron"]],
      installationType: ["marketplace", ["icfg_logs"]],
      integrationIdOrSlug: ["cron", ["icfg_cron"]],
    },
  },
  "GET /v1/webhooks": {
    path: "/v1/webhooks",
    items: (body: { url: string }[]) => body.map(({ url }) => url),
    all: ["https://hooks.example.org/all", "https://hooks.example.org/web"],
    selects: { projectId: ["prj_docs", ["https://hooks.example.org/all"]] },
  },
  "GET /v1/log-drains": {
    path: "/v1/log-drains",
    items: (body: { name: string }[]) => body.map(({ name }) => name),
    all: ["all", "web"],
    selects: { projectId: ["prj_docs", ["all"]], projectIdOrName: ["docs", ["all"]] },
    harmless: { includeMetadata: "it adds members to the answer" },
  },
  "GET /v1/drains": {
    path: "/v1/drains",
    items: names("drains"),
    all: ["all", "web"],
    selects: { projectId: ["prj_docs", ["all"]] },
    harmless: { includeMetadata: "it adds members to the answer" },
  },
  "DELETE /v1/teams/:teamIdOrSlug/members/:uid": {
    harmless: { newDefaultTeamId: "this server has no default team" },
  },
  "DELETE /projects/:idOrName/alias": { elsewhere: { domain: "test/server/domains/aliases.test.ts" } },
};

/** The parameters that each route has in some official client. */
function known(): Record<string, readonly string[]> {
  const sdks = generations.map(loadSdk);
  const found = routes.map(({ method, path }) => {
    const ofSdks = sdks.flatMap(({ operations }) => operations.get(nameless(method, path))?.query ?? []);
    const key = `${method} ${path}`;
    return [
      key,
      [...new Set([...ofSdks, ...(ofCommandLine[key] ?? []), ...(ofTerraform[key] ?? [])])],
    ] as const;
  });
  return Object.fromEntries(found.filter(([, parameters]) => parameters.length > 0));
}

const sorted = (list: readonly string[]): string[] => [...list].sort();

it("handles every parameter that an official client knows", () => {
  const table = Object.entries(handled).map(([key, { selects, refuses, harmless, elsewhere }]) => [
    key,
    sorted([...Object.keys({ ...selects, ...harmless, ...elsewhere }), ...(refuses ?? [])]),
  ]);
  const wanted = Object.entries(known()).map(([key, parameters]) => [key, sorted(parameters)]);
  expect(sorted(table.map(String))).toEqual(sorted(wanted.map(String)));
});

const integration = (slug: string) => ({
  slug,
  owner: "ada",
  clientSecret: "secret",
  redirectUrl: "https://example.org/callback",
  scopes: ["project" as const],
});

const seed: SeedDocument = {
  integrations: [integration("cron"), integration("logs")],
  users: [{ id: "user_ada", username: "ada" }],
  teams: [
    { slug: "acme", members: [{ user: "ada", role: "VIEWER" }] },
    { slug: "zeta", members: [{ user: "dev", role: "OWNER" }] },
  ],
  projects: [
    { id: "prj_docs", team: "acme", name: "docs" },
    {
      id: "prj_web",
      team: "acme",
      name: "web",
      nodeVersion: "16.x",
      gitForkProtection: false,
      gitRepository: { type: "github", repo: "acme/web" },
      staticIps: { enabled: true },
      resourceConfig: {
        buildMachineType: "turbo",
        elasticConcurrencyEnabled: true,
        buildQueue: { configuration: "WAIT_FOR_NAMESPACE_QUEUE" },
      },
    },
  ],
};

/** Two or more of everything that is listed, which differ in what the parameters select by. */
async function prepare(): Promise<void> {
  await world.seed(seed);
  await world.services.store.write((tx) =>
    tx
      .insertInto("custom_environments")
      .values(
        ["staging", "trial"].map((slug) => ({
          id: `env_${slug}`,
          project_id: "prj_web",
          slug,
          description: null,
          branch_matcher: JSON.stringify({ type: "startsWith", pattern: `${slug}/` }),
          created_at: beginning,
          updated_at: beginning,
        })),
      )
      .execute(),
  );
  const web = { team: "acme", project: "web" };
  await world.seed({
    installations: [
      { id: "icfg_cron", integration: "cron", team: "acme" },
      { id: "icfg_logs", integration: "logs", team: "acme", source: "marketplace", projects: [] },
    ],
    deployments: [
      { id: "dpl_first", ...web, target: "production", createdAt: beginning + 1 },
      { id: "dpl_second", ...web, target: "production", createdAt: beginning + 2 },
      {
        id: "dpl_docs",
        team: "acme",
        project: "docs",
        createdAt: beginning + 3,
        readyState: "ERROR",
        gitBranch: "next",
        gitSha: "abc",
        meta: { team: "docs" },
        creator: "ada",
      },
    ],
    domains: [
      { ...web, name: "www.example.com", verified: true },
      { ...web, name: "old.example.com", redirect: "www.example.com", verified: true },
      { ...web, name: "new.example.com", gitBranch: "next" },
      { ...web, name: "staging.example.com", customEnvironmentId: "env_staging", verified: true },
      { team: "acme", project: "docs", name: "example.org" },
    ],
    dnsRecords: ["first", "second"].map((name) => ({
      team: "acme",
      domain: "example.com",
      name,
      type: "TXT" as const,
      value: "v",
    })),
    projectMembers: [
      { team: "acme", project: "web", user: "dev", role: "ADMIN", createdAt: 1 },
      { team: "acme", project: "web", user: "ada", role: "PROJECT_VIEWER", createdAt: 2 },
      { team: "acme", project: "docs", user: "ada", role: "PROJECT_VIEWER" },
    ],
    accessGroups: [
      {
        ...{ team: "acme", name: "designers", members: ["dev", "ada"], createdAt: 1 },
        projects: ["web", "docs"].map((project) => ({ project, role: "PROJECT_VIEWER" as const })),
      },
      { team: "acme", name: "writers", createdAt: 2 },
    ],
    featureFlags: [
      { id: "flag_1", slug: "banner", createdAt: 1, createdBy: "user_ada" },
      { id: "flag_2", slug: "checkout", createdAt: 2, maintainerIds: ["user_ada"], tags: ["shop"] },
      { id: "flag_3", slug: "old", createdAt: 3, state: "archived" as const },
    ].map((flag) => {
      const kind = flag.slug === "checkout" ? ("string" as const) : ("json" as const);
      return { ...web, ...flag, kind, variants: [{ id: "off", value: "off" }] };
    }),
    firewallBypasses: [
      { ...web, domain: "www.example.com", sourceIp: "192.0.2.1" },
      { ...web, domain: "*", sourceIp: "192.0.2.2" },
    ],
    sharedEnv: [
      { id: "env_of_web", team: "acme", key: "OF_WEB", value: "v", target: ["preview"], projects: ["web"] },
      { id: "env_of_none", team: "acme", key: "OF_NONE", value: "v", target: ["preview"] },
    ],
    env: [
      {
        ...web,
        key: "EVERYWHERE",
        value: "v",
        type: "plain",
        target: ["production", "preview"],
        customEnvironmentIds: ["env_staging"],
      },
      { ...web, key: "STAGING", value: "v", type: "plain", customEnvironmentIds: ["env_staging"] },
      { ...web, key: "BRANCH", value: "v", type: "plain", target: ["preview"], gitBranch: "next" },
    ],
  });
  const { id: team } = (await world.call("GET", "/v2/teams/acme")).body;
  await world.services.store.write((tx) =>
    tx
      .insertInto("aliases")
      .values({
        id: "alias_notes",
        account_id: team,
        deployment_id: "dpl_docs",
        alias: "notes.vercel.app",
        redirect: null,
        creator_id: "user_ada",
        created_at: beginning + 10,
        updated_at: beginning + 10,
      })
      .execute(),
  );
  await world.askControl("POST", "/promotions", { failAliases: ["www.example.com"] });
  await world.call("POST", "/v10/projects/web/promote/dpl_first");
  for (const [url, projectIds] of [["all"], ["web", ["prj_web"]]] as const)
    await world.call("POST", "/v1/webhooks", {
      body: { url: `https://hooks.example.org/${url}`, events: ["project.created"], projectIds },
    });
  for (const [name, projectIds] of [["all"], ["web", ["prj_web"]]] as const)
    await world.call("POST", "/v1/log-drains", {
      body: {
        name,
        url: "https://logs.example.org/",
        deliveryFormat: "json",
        sources: ["lambda"],
        projectIds,
      },
    });
}

const lists = Object.entries(handled);

describe.each(lists.filter(([, { path }]) => path !== undefined))(
  "%s",
  (_route, { path = "", items = () => [], all = [], always = {}, ...rest }) => {
    const { selects = {}, refuses = [], harmless = {} } = rest;
    const ask = async (name?: string, value: string | readonly string[] = "x") => {
      const query = [value].flat().map((one): [string, string] => [name ?? "", one]);
      const sent = new URLSearchParams([
        ...Object.entries(always).filter(([key]) => key !== name),
        ...(name === undefined ? [] : query),
      ]);
      if (path !== "/v2/teams") sent.set("slug", "acme");
      const response = await world.app.inject({
        method: "GET",
        url: `${path}?${sent}`,
        headers: { authorization: `Bearer ${developmentToken}` },
      });
      return { status: response.statusCode, body: response.json() };
    };

    beforeEach(prepare);

    it("answers all without a parameter, and what each parameter selects", async () => {
      expect(await ask()).toMatchObject({ status: 200 });
      expect(sorted(items((await ask()).body))).toEqual(sorted(all));
      for (const [name, [value, left]] of Object.entries(selects)) {
        const { status, body } = await ask(name, value);
        expect({ name, status, items: sorted(items(body)) }).toEqual({
          name,
          status: 200,
          items: sorted(left),
        });
      }
    });

    if (Object.keys(harmless).length + refuses.length === 0) return;

    it("refuses by its name what it lacks, and answers the same with what is harmless", async () => {
      for (const name of refuses) {
        const { status, body } = await ask(name);
        expect({ name, status, code: body.error.code }).toEqual({ name, status: 400, code: "bad_request" });
        expect(body.error.message).toContain(name);
      }
      const { body: plain } = await ask();
      for (const name of Object.keys(harmless)) {
        const { status, body } = await ask(name, "true");
        expect({ name, status, body }).toEqual({ name, status: 200, body: plain });
      }
    });
  },
);
