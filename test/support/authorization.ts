import type { ScopeName } from "../../server/access/scopes";
import { example as certificateExample } from "../../server/certificates/example";
import type { TestServer } from "./world";

/**
 * The permissions of each route: a second reading beside the scopes that the routes declare. A route
 * that is not in the table fails the test of the table.
 */

/** The objects of one account that a path or a body may name. */
export interface Things {
  team: string;
  project: string;
  deployment: string;
  domain: string;
  variable: string;
  environment: string;
  deployHook: string;
  /** The staged version of the redirects. */
  redirectVersion: string;
  route: string;
  /** The staged version of the routes. */
  routeVersion: string;
  alias: string;
  dnsRecord: string;
  sharedVariable: string;
  /** A member of the team who is not one of the project. */
  member: string;
  projectMember: string;
  /** An access group of the team that has the project. */
  accessGroup: string;
  /** A microfrontend group whose default application is the project. */
  microfrontendGroup: string;
  webhook: string;
  certificate: string;
  /** The id of a feature flag of the project. It is archived. */
  flag: string;
  segment: string;
  /** The hash of an SDK key of the project. */
  sdkKey: string;
  /** The id of a token of the owner that is bound to the team. */
  token: string;
  edgeConfig: string;
  edgeConfigToken: string;
  edgeConfigTokenId: string;
  blobStore: string;
  blobConnection: string;
  edgeConfigBackup: string;
  accountDrain: string;
  drain: string;
  configuration: string;
  projectCheck: string;
  checkRun: string;
  /** A check of an integration for the deployment. */
  deploymentCheck: string;
  /** A user who asked to join the team. */
  asker: string;
  /** The code of a request for the transfer of the project. */
  transferCode: string;
}

/** The query, body and headers of a request. */
export const optionsOf = ({ query, body, headers }: Access, at: Things) => ({
  ...(query && { query: query(at) }),
  ...(body && { body: body(at) }),
  ...(headers && { headers }),
});

/** One of these scopes opens it. */
type Alternatives = readonly ScopeName[];

interface Access {
  /** The scopes that the token needs: one of each. */
  scopes: readonly Alternatives[];
  path: (at: Things) => string;
  query?: (at: Things) => Record<string, string>;
  body?: (at: Things) => unknown;
  headers?: Record<string, string>;
  /** A request that an owner of the account sends before. */
  first?: readonly [method: string, path: (at: Things) => string];
  /** Status of success. Default 200. */
  success?: number;
  /** The code of what is refused to everybody, with the status of `success`. */
  refuses?: string;
  /** Only people may: an installation is refused whatever its scopes. */
  people?: true;
  /** Only an installation may. */
  installations?: true;
  /**
   * The status for an installation that covers another project, when the request names objects of a project that the
   * installation does not cover. Default: the status of success, for what belongs to no project.
   */
  limited?: number;
  /** It changes an object of the team that belongs to no project, which every installation with the scopes may. */
  ofTeam?: true;
  /** It names an object of the user, who has it whichever team the request is on. */
  ofUser?: true;
  /** It is the project itself that goes, with all that hangs on it. */
  removesProject?: true;
  /** It names nothing of an account, and so has nothing to refuse to another one. */
  namesNothing?: true;
  /** The successful answer for an object that does not exist or is not the caller's. */
  ofUnknown?: object;
  /** It tells of names that nobody has to own, or that another account may claim beside the first. */
  ofAnybody?: true;
}

const read = (subject: string): Alternatives => [
  `read:${subject}` as ScopeName,
  `read-write:${subject}` as ScopeName,
];
const write = (subject: string): Alternatives => [`read-write:${subject}` as ScopeName];
const variables: Alternatives = ["read-write:global-project-env-vars", "read-write:project-env-vars"];

const project = [write("project")];
const domain = [write("project"), write("domain")];
const seesProject = [read("project")];

const ofProject =
  (rest = "", prefix = "/v9/projects") =>
  (at: Things): string =>
    `${prefix}/${at.project}${rest}`;
const ofDomain =
  (rest = "") =>
  (at: Things): string =>
    `/v9/projects/${at.project}/domains/${at.domain}${rest}`;
const ofVariable = (at: Things): string => `/v9/projects/${at.project}/env/${at.variable}`;
const ofEnvironment = (at: Things): string =>
  `/v9/projects/${at.project}/custom-environments/${at.environment}`;
const move =
  (what: string) =>
  (at: Things): string =>
    `/v9/projects/${at.project}/${what}/${at.deployment}_staged`;

const stagedCanary = (at: Things): object => ({ canaryDeploymentId: `${at.deployment}_staged` });

/** @param rest of the path, with the names of ids in braces */
const ofFlags =
  (rest: string) =>
  (at: Things): string =>
    `/v1/projects/${at.project}/feature-flags/${rest.replace(/\{(\w+)\}/, (_, name: keyof Things) => at[name])}`;

const checks = [write("deployment-check")];
const seesChecks = [read("deployment-check")];
const ofProjectCheck =
  (rest = "") =>
  (at: Things): string =>
    `/v2/projects/${at.project}/checks/${at.projectCheck}${rest}`;
const ofDeployment =
  (rest: string) =>
  (at: Things): string =>
    `/deployments/${at.deployment}/${rest.replace(/\{(\w+)\}/, (_, name: keyof Things) => at[name])}`;

const edgeConfig = [write("edge-config")];
const seesEdgeConfig = [read("edge-config")];
const ofEdgeConfig =
  (rest = "") =>
  (at: Things): string =>
    `/v1/edge-config/${at.edgeConfig}${rest}`;

const ofStore =
  (rest = "") =>
  (at: Things): string =>
    `/v1/storage/stores/${at.blobStore}${rest}`;
const ofConnection = (at: Things): string => ofStore(`/connections/${at.blobConnection}`)(at);

const ofGroup =
  (rest = "") =>
  (at: Things): string =>
    `/v1/access-groups/${at.accessGroup}${rest}`;
const ofGroupProject = (at: Things): string => `/v1/access-groups/${at.accessGroup}/projects/${at.project}`;

const ofMicrofrontends = (at: Things): string =>
  `/v1/teams/${at.team}/microfrontends/${at.microfrontendGroup}`;

const ofToken = (at: Things): string => `/v5/user/tokens/${at.token}`;

const queriedProject = (at: Things): Record<string, string> => ({ projectId: at.project });
const namedProject = (at: Things) => ({ projectIdOrName: at.project });

const newRoute = { name: "fresh", route: { src: "/old", dest: "/new" } };
const newVariable = (): object => ({ key: "FRESH", value: "v", type: "plain", target: ["preview"] });
const newDrain = (at: Things): object => ({
  name: "fresh",
  url: "https://logs.example.org/",
  deliveryFormat: "json",
  sources: ["lambda"],
  projectIds: [at.project],
});

/** By method and path without version; a route that does more than one thing has a line for each. */
export const authorization: Readonly<Record<string, readonly Access[]>> = {
  "POST /projects": [
    { scopes: project, path: () => "/v10/projects", body: () => ({ name: "fresh" }), namesNothing: true },
    {
      scopes: [...project, variables],
      path: () => "/v10/projects",
      body: () => ({ name: "fresh-2", environmentVariables: [newVariable()] }),
      namesNothing: true,
    },
  ],
  "GET /projects": [{ scopes: seesProject, path: () => "/v9/projects", namesNothing: true }],
  "GET /projects/:idOrName": [{ scopes: seesProject, limited: 403, path: ofProject() }],
  "PATCH /projects/:idOrName": [
    { scopes: project, limited: 403, path: ofProject(), body: () => ({ gitLFS: true }) },
  ],
  "DELETE /projects/:idOrName": [
    { scopes: project, limited: 403, path: ofProject(), success: 204, removesProject: true },
  ],
  "POST /projects/:idOrName/token": [{ scopes: project, limited: 403, path: ofProject("/token") }],
  "POST /projects/:projectId/pause": [{ scopes: project, limited: 403, path: ofProject("/pause") }],
  "POST /projects/:projectId/unpause": [{ scopes: project, limited: 403, path: ofProject("/unpause") }],
  "POST /edge-cache/purge-all": [
    { scopes: project, limited: 403, path: () => "/v1/edge-cache/purge-all", query: namedProject },
  ],
  "DELETE /data-cache/purge-all": [
    { scopes: project, limited: 403, path: () => "/v1/data-cache/purge-all", query: namedProject },
  ],
  "PATCH /data-cache/projects/:projectId": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("", "/v1/data-cache/projects"),
      body: () => ({ disabled: true }),
    },
  ],
  "PATCH /projects/:idOrName/crons": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/crons", "/v1/projects"),
      body: () => ({ enabled: false }),
    },
  ],
  "PATCH /projects/:idOrName/deployment-expiration": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/deployment-expiration"),
      body: () => ({ expiration: "1w" }),
    },
  ],
  "GET /projects/:idOrName/members": [
    { scopes: seesProject, limited: 403, path: ofProject("/members", "/v1/projects") },
  ],
  "POST /projects/:idOrName/members": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/members", "/v1/projects"),
      body: (at) => ({ uid: at.member, role: "PROJECT_VIEWER" }),
    },
  ],
  "PATCH /projects/:idOrName/members": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/members", "/v1/projects"),
      body: (at) => ({ members: [{ uid: at.projectMember, role: "PROJECT_VIEWER" }] }),
    },
  ],
  "DELETE /projects/:idOrName/members/:uid": [
    { scopes: project, limited: 403, path: (at) => `/v1/projects/${at.project}/members/${at.projectMember}` },
  ],
  "POST /projects/:idOrName/members/batch": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/members/batch", "/v1/projects"),
      body: (at) => ({ members: [{ uid: at.member, role: "ADMIN" }] }),
    },
  ],
  "DELETE /projects/:idOrName/members/batch": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/members/batch", "/v1/projects"),
      body: (at) => ({ members: [at.projectMember] }),
    },
  ],
  "GET /security/firewall/bypass": [
    { scopes: seesProject, limited: 403, path: () => "/v1/security/firewall/bypass", query: queriedProject },
  ],
  "POST /security/firewall/bypass": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/firewall/bypass",
      query: queriedProject,
      body: () => ({ projectScope: true, sourceIp: "192.0.2.2" }),
    },
  ],
  "DELETE /security/firewall/bypass": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/firewall/bypass",
      query: queriedProject,
      body: () => ({ projectScope: true, sourceIp: "192.0.2.1" }),
    },
  ],
  "GET /security/firewall/config": [
    {
      scopes: seesProject,
      limited: 403,
      path: () => "/v1/security/firewall/config",
      query: queriedProject,
    },
  ],
  "PUT /security/firewall/config": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/firewall/config",
      query: queriedProject,
      body: () => ({ firewallEnabled: true }),
    },
  ],
  "PATCH /security/firewall/config": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/firewall/config",
      query: queriedProject,
      body: () => ({ action: "ip.insert", value: { hostname: "*", ip: "192.0.2.3", action: "deny" } }),
    },
  ],
  "GET /security/firewall/config/:configVersion": [
    {
      scopes: seesProject,
      limited: 403,
      path: () => "/v1/security/firewall/config/active",
      query: queriedProject,
    },
  ],
  "PATCH /security/firewall/config/:configVersion": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/firewall/config/draft",
      query: queriedProject,
      body: () => ({ action: "ip.insert", value: { hostname: "*", ip: "192.0.2.3", action: "deny" } }),
    },
  ],
  "DELETE /security/firewall/config/:configVersion": [
    {
      scopes: project,
      limited: 403,
      success: 204,
      path: () => "/v1/security/firewall/config/draft",
      query: queriedProject,
    },
  ],
  "POST /security/firewall/config/:configVersion/activate": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/firewall/config/draft/activate",
      query: queriedProject,
    },
  ],
  "GET /bulk-redirects": [
    {
      scopes: seesProject,
      limited: 403,
      path: () => "/v1/bulk-redirects",
      query: queriedProject,
    },
  ],
  "PUT /bulk-redirects": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/bulk-redirects",
      body: (at) => ({ projectId: at.project, redirects: [{ source: "/a", destination: "/b" }] }),
    },
  ],
  "PATCH /bulk-redirects": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/bulk-redirects",
      query: queriedProject,
      body: () => ({ redirect: { source: "/old", destination: "/newest" } }),
    },
  ],
  "DELETE /bulk-redirects": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/bulk-redirects",
      query: queriedProject,
      body: () => ({ redirects: ["/old"] }),
    },
  ],
  "POST /bulk-redirects/restore": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/bulk-redirects/restore",
      query: queriedProject,
      body: () => ({ redirects: ["/old"] }),
    },
  ],
  "GET /bulk-redirects/versions": [
    {
      scopes: seesProject,
      limited: 403,
      path: () => "/v1/bulk-redirects/versions",
      query: queriedProject,
    },
  ],
  "POST /bulk-redirects/versions": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/bulk-redirects/versions",
      query: queriedProject,
      body: (at) => ({ id: at.redirectVersion, action: "promote" }),
    },
  ],
  "GET /projects/:projectId/routes": [
    {
      scopes: seesProject,
      limited: 403,
      path: ofProject("/routes", "/v1/projects"),
    },
  ],
  "PUT /projects/:projectId/routes": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/routes", "/v1/projects"),
      body: () => ({ routes: [] }),
    },
  ],
  "POST /projects/:projectId/routes": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/routes", "/v1/projects"),
      body: () => ({ route: newRoute }),
    },
  ],
  "DELETE /projects/:projectId/routes": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/routes", "/v1/projects"),
      body: (at) => ({ routeIds: [at.route] }),
    },
  ],
  "PATCH /projects/:projectId/routes/:routeId": [
    {
      scopes: project,
      limited: 403,
      path: (at) => `/v1/projects/${at.project}/routes/${at.route}`,
      body: () => ({ route: newRoute }),
    },
  ],
  "GET /projects/:projectId/routes/versions": [
    {
      scopes: seesProject,
      limited: 403,
      path: ofProject("/routes/versions", "/v1/projects"),
    },
  ],
  "POST /projects/:projectId/routes/versions": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/routes/versions", "/v1/projects"),
      body: (at) => ({ id: at.routeVersion, action: "promote" }),
    },
  ],
  "POST /security/attack-mode": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/security/attack-mode",
      body: ({ project: projectId }) => ({ projectId, attackModeEnabled: true }),
    },
  ],
  "PATCH /projects/:idOrName/protection-bypass": [
    { scopes: project, limited: 403, path: ofProject("/protection-bypass"), body: () => ({}) },
  ],
  "POST /projects/:idOrName/link": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/link"),
      body: () => ({ type: "github", repo: "acme/web" }),
      first: ["DELETE", ofProject("/link")],
    },
  ],
  "DELETE /projects/:idOrName/link": [{ scopes: project, limited: 403, path: ofProject("/link") }],
  "PATCH /projects/:idOrName/branch": [
    { scopes: project, limited: 403, path: ofProject("/branch"), body: () => ({ branch: "fresh" }) },
  ],
  "POST /projects/:idOrName/deploy-hooks": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/deploy-hooks"),
      body: () => ({ name: "fresh", ref: "main" }),
    },
  ],
  "DELETE /projects/:idOrName/deploy-hooks/:id": [
    {
      scopes: project,
      limited: 403,
      path: (at) => `/v2/projects/${at.project}/deploy-hooks/${at.deployHook}`,
    },
  ],
  "POST /projects/:projectId/promote/:deploymentId": [
    { scopes: [write("deployment")], limited: 403, path: move("promote"), success: 201 },
  ],
  "GET /projects/:projectId/promote/aliases": [
    { scopes: seesProject, limited: 403, path: ofProject("/promote/aliases") },
  ],
  "POST /projects/:projectId/rollback/:deploymentId": [
    { scopes: [write("deployment")], limited: 403, path: move("rollback"), success: 201 },
  ],
  "GET /projects/:projectId/rollback/aliases": [
    { scopes: seesProject, limited: 403, path: ofProject("/rollback/aliases") },
  ],
  "GET /projects/:idOrName/rolling-release": [
    { scopes: seesProject, limited: 403, path: ofProject("/rolling-release") },
  ],
  "GET /projects/:idOrName/rolling-release/config": [
    { scopes: seesProject, limited: 403, path: ofProject("/rolling-release/config") },
  ],
  "GET /projects/:idOrName/rolling-release/billing": [
    { scopes: seesProject, limited: 403, path: ofProject("/rolling-release/billing") },
  ],
  "PATCH /projects/:idOrName/rolling-release/config": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/rolling-release/config"),
      body: () => ({ enabled: false }),
    },
  ],
  "DELETE /projects/:idOrName/rolling-release/config": [
    { scopes: project, limited: 403, path: ofProject("/rolling-release/config") },
  ],
  "POST /projects/:idOrName/rolling-release/start": [
    {
      scopes: [write("deployment")],
      limited: 403,
      path: ofProject("/rolling-release/start"),
      body: stagedCanary,
    },
  ],
  "POST /projects/:idOrName/rolling-release/approve-stage": [
    {
      scopes: [write("deployment")],
      limited: 403,
      path: ofProject("/rolling-release/approve-stage"),
      first: ["POST", move("promote")],
      body: (at) => ({ ...stagedCanary(at), nextStageIndex: 1 }),
    },
  ],
  "POST /projects/:idOrName/rolling-release/complete": [
    {
      scopes: [write("deployment")],
      limited: 403,
      path: ofProject("/rolling-release/complete"),
      first: ["POST", move("promote")],
      body: stagedCanary,
    },
  ],
  "POST /projects/:idOrName/domains": [],
  "GET /projects/:idOrName/domains": [{ scopes: seesProject, limited: 403, path: ofProject("/domains") }],
  "GET /projects/:idOrName/domains/:domain": [{ scopes: seesProject, limited: 403, path: ofDomain() }],
  "PATCH /projects/:idOrName/domains/:domain": [
    { scopes: domain, limited: 403, path: ofDomain(), body: () => ({ gitBranch: "fresh" }) },
  ],
  "DELETE /projects/:idOrName/domains/:domain": [{ scopes: domain, limited: 403, path: ofDomain() }],
  "POST /projects/:idOrName/domains/:domain/verify": [
    { scopes: project, limited: 403, path: ofDomain("/verify") },
  ],
  "POST /projects/:idOrName/alias": [
    {
      scopes: domain,
      limited: 403,
      path: ofProject("/alias"),
      body: () => ({ domain: "fresh.example.net" }),
    },
  ],
  "DELETE /projects/:idOrName/alias": [
    { scopes: domain, limited: 403, path: ofProject("/alias"), query: (at) => ({ domain: at.domain }) },
  ],
  "GET /project-domains/:domain": [
    { scopes: seesProject, limited: 403, path: (at) => `/project-domains/${at.domain}` },
  ],
  "GET /domains/:domain/config": [
    { scopes: seesProject, path: (at) => `/v6/domains/${at.domain}/config`, ofAnybody: true },
  ],
  "POST /projects/:idOrName/env": [
    { scopes: [variables], limited: 403, path: ofProject("/env"), body: newVariable, success: 201 },
    {
      scopes: [variables],
      limited: 403,
      path: ofProject("/env"),
      query: () => ({ upsert: "true" }),
      body: () => [
        { ...newVariable(), key: "FRESH_2" },
        { ...newVariable(), key: "FRESH_3" },
      ],
      success: 201,
    },
  ],
  "GET /env": [{ scopes: [write("global-project-env-vars")], limited: 403, path: () => "/v1/env" }],
  "GET /env/all": [{ scopes: [write("global-project-env-vars")], limited: 403, path: () => "/v1/env/all" }],
  "POST /env": [
    {
      scopes: [write("global-project-env-vars")],
      limited: 403,
      path: () => "/v1/env",
      body: (at) => ({
        evs: [{ key: "FRESH", value: "1" }],
        target: ["preview"],
        projectId: [at.project],
      }),
      success: 201,
    },
  ],
  "PATCH /env": [
    {
      scopes: [write("global-project-env-vars")],
      limited: 403,
      path: () => "/v1/env",
      body: (at) => ({ updates: { [at.sharedVariable]: { comment: "changed" } } }),
    },
  ],
  "DELETE /env": [
    {
      scopes: [write("global-project-env-vars")],
      limited: 403,
      path: () => "/v1/env",
      body: (at) => ({ ids: [at.sharedVariable] }),
    },
  ],
  "GET /env/:id": [
    {
      scopes: [write("global-project-env-vars")],
      limited: 403,
      path: (at) => `/v1/env/${at.sharedVariable}`,
    },
  ],
  "PATCH /env/:id/unlink/:projectId": [
    {
      scopes: [write("global-project-env-vars")],
      limited: 403,
      path: (at) => `/v1/env/${at.sharedVariable}/unlink/${at.project}`,
    },
  ],
  "GET /projects/:idOrName/env": [
    { scopes: [variables], limited: 403, path: ofProject("/env") },
    { scopes: [variables], limited: 403, path: ofProject("/env"), query: () => ({ decrypt: "true" }) },
  ],
  "GET /projects/:idOrName/env/:id": [{ scopes: [variables], limited: 403, path: ofVariable }],
  "PATCH /projects/:idOrName/env/:id": [
    { scopes: [variables], limited: 403, path: ofVariable, body: () => ({ comment: "fresh" }) },
  ],
  "DELETE /projects/:idOrName/env/:id": [{ scopes: [variables], limited: 403, path: ofVariable }],
  "DELETE /projects/:idOrName/env": [
    { scopes: [variables], limited: 403, path: ofProject("/env"), body: (at) => ({ ids: [at.variable] }) },
  ],
  "GET /env/pull/:idOrName/:target": [
    { scopes: [variables], limited: 403, path: (at) => `/v3/env/pull/${at.project}/preview` },
    { scopes: [variables], limited: 403, path: (at) => `/v3/env/pull/${at.project}/${at.environment}` },
  ],
  "GET /env/pull/:idOrName/:target/:gitBranch": [
    { scopes: [variables], limited: 403, path: (at) => `/v3/env/pull/${at.project}/preview/next` },
  ],
  "GET /projects/:idOrName/custom-environments": [
    { scopes: seesProject, limited: 403, path: ofProject("/custom-environments") },
  ],
  "POST /projects/:idOrName/custom-environments": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/custom-environments"),
      body: () => ({ slug: "fresh" }),
      success: 201,
    },
    {
      scopes: [...project, variables],
      limited: 403,
      path: ofProject("/custom-environments"),
      body: () => ({ slug: "fresh-2", copyEnvVarsFrom: "preview" }),
      success: 201,
    },
    {
      scopes: [...project, variables],
      limited: 403,
      path: ofProject("/custom-environments"),
      body: (at) => ({ slug: "fresh-3", copyEnvVarsFrom: at.environment }),
      success: 201,
    },
  ],
  "GET /projects/:idOrName/custom-environments/:environment": [
    { scopes: seesProject, limited: 403, path: ofEnvironment },
  ],
  "PATCH /projects/:idOrName/custom-environments/:environment": [
    { scopes: project, limited: 403, path: ofEnvironment, body: () => ({ description: "fresh" }) },
  ],
  "DELETE /projects/:idOrName/custom-environments/:environment": [
    {
      scopes: [...project, variables],
      limited: 403,
      path: ofEnvironment,
      body: () => ({ deleteUnassignedEnvironmentVariables: true }),
    },
  ],
  "GET /deployments": [{ scopes: [read("deployment")], path: () => "/v6/deployments", namesNothing: true }],
  "GET /deployments/:id": [
    { scopes: [read("deployment")], limited: 404, path: (at) => `/v13/deployments/${at.deployment}` },
  ],
  "GET /deployments/:id/files": [
    { scopes: [read("deployment")], limited: 404, path: (at) => `/v6/deployments/${at.deployment}/files` },
  ],
  "GET /deployments/:id/builds": [
    { scopes: [read("deployment")], limited: 404, path: (at) => `/v11/deployments/${at.deployment}/builds` },
  ],
  "POST /deployments": [
    {
      scopes: [write("deployment")],
      limited: 403,
      path: () => "/v13/deployments",
      body: (at) => ({ project: at.project, name: "fresh" }),
    },
    {
      scopes: [write("deployment"), write("project")],
      limited: 404,
      path: () => "/v13/deployments",
      body: () => ({ name: "fresh-deployed", projectSettings: {} }),
      namesNothing: true,
    },
  ],
  "GET /deployments/:id/events": [
    { scopes: [read("deployment")], limited: 404, path: (at) => `/v3/deployments/${at.deployment}/events` },
  ],
  "PATCH /deployments/:id/cancel": [
    {
      scopes: [write("deployment")],
      limited: 404,
      path: (at) => `/v12/deployments/${at.deployment}/cancel`,
      success: 400,
      refuses: "bad_request",
    },
  ],
  "DELETE /deployments/:id": [
    { scopes: [write("deployment")], limited: 404, path: (at) => `/v13/deployments/${at.deployment}` },
  ],
  "GET /aliases": [{ scopes: [read("deployment")], path: () => "/v4/aliases", namesNothing: true }],
  "GET /aliases/:idOrAlias": [
    { scopes: [read("deployment")], limited: 404, path: (at) => `/v4/aliases/${at.alias}` },
  ],
  "DELETE /aliases/:aliasId": [
    { scopes: [write("deployment")], limited: 404, path: (at) => `/v2/aliases/${at.alias}` },
  ],
  "PATCH /projects/:idOrName/shared-connect-links": [
    {
      scopes: project,
      limited: 403,
      path: ofProject("/shared-connect-links", "/v1/projects"),
      body: () => ({ regions: ["iad1"] }),
    },
  ],
  "POST /projects/:idOrName/transfer-request": [
    { scopes: project, limited: 403, people: true, path: ofProject("/transfer-request", "/projects") },
  ],
  "PUT /projects/transfer-request/:code": [
    {
      scopes: project,
      limited: 403,
      people: true,
      path: (at) => `/projects/transfer-request/${at.transferCode}`,
      // The account has the project already. With the code, every other account may take it.
      success: 400,
      refuses: "bad_request",
      ofAnybody: true,
    },
  ],
  "GET /integrations/git-namespaces": [
    { scopes: seesProject, path: () => "/v1/integrations/git-namespaces", namesNothing: true },
  ],
  "GET /integrations/search-repo": [
    { scopes: seesProject, path: () => "/v1/integrations/search-repo", namesNothing: true },
  ],
  "GET /integrations/configuration/:id/products": [
    {
      scopes: [read("integration-configuration")],
      path: (at) => `/v1/integrations/configuration/${at.configuration}/products`,
    },
  ],
  "DELETE /teams/:teamIdOrSlug": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v1/teams/${at.team}`,
    },
  ],
  "DELETE /teams/:teamIdOrSlug/invites/:inviteId": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v1/teams/${at.team}/invites/${at.member}`,
    },
  ],
  "POST /teams/:teamIdOrSlug/dsync-roles": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v1/teams/${at.team}/dsync-roles`,
      body: () => ({ roles: { engineering: "MEMBER" } }),
    },
  ],
  "POST /teams/:teamIdOrSlug/request": [
    {
      scopes: [write("user")],
      limited: 404,
      path: (at) => `/v1/teams/${at.team}/request`,
      body: () => ({ joinedFrom: { origin: "teams" } }),
      // The caller is a member. Everybody else may ask.
      success: 400,
      refuses: "bad_request",
      ofAnybody: true,
    },
  ],
  "GET /teams/:teamIdOrSlug/request/:userId": [
    { scopes: [read("team")], path: (at) => `/v1/teams/${at.team}/request/${at.asker}` },
  ],
  "POST /certs": [
    {
      scopes: [write("domain")],
      limited: 403,
      path: () => "/v8/certs",
      body: (at) => ({ cns: [at.domain] }),
    },
  ],
  "POST /drains/test": [
    {
      scopes: [write("log-drain")],
      limited: 403,
      people: true,
      path: () => "/v1/drains/test",
      body: () => ({
        schemas: { audit_log: { version: "v1" } },
        delivery: {
          ...{ type: "s3", endpoint: "s3://bucket", encoding: "json", compression: "none" },
          ...{ fileStructure: "hive", roleArn: "role", region: "eu-central-1" },
        },
      }),
      namesNothing: true,
    },
  ],
  "GET /deployments/:id/files/:fileId": [
    {
      scopes: [read("deployment")],
      limited: 404,
      path: (at) => `/v8/deployments/${at.deployment}/files/da39a3ee5e6b4b0d3255bfef95601890afd80709`,
      success: 404,
      refuses: "not_found",
    },
  ],
  "GET /domains/:domain/verification": [
    {
      scopes: [read("domain")],
      limited: 403,
      path: (at) => `/v9/domains/${at.domain}/verification`,
      ofAnybody: true,
    },
  ],
  "POST /domains/:domain/claim": [
    {
      scopes: [write("domain")],
      limited: 403,
      path: (at) => `/v9/domains/${at.domain}/claim`,
      // There is no TXT record.
      success: 400,
      refuses: "missing_txt_record",
      ofAnybody: true,
    },
  ],
  "GET /security/firewall/attack-status": [
    {
      scopes: seesProject,
      limited: 403,
      path: () => "/v1/security/firewall/attack-status",
      query: (at) => ({ projectId: at.project }),
    },
  ],
  "GET /security/firewall/events": [
    {
      scopes: seesProject,
      limited: 403,
      path: () => "/v1/security/firewall/events",
      query: (at) => ({ projectId: at.project }),
    },
  ],
  "POST /web/insights/toggle": [
    {
      scopes: project,
      limited: 403,
      path: () => "/web/insights/toggle",
      query: (at) => ({ projectId: at.project }),
      body: () => ({ value: true }),
    },
  ],
  "POST /speed-insights/toggle": [
    {
      scopes: project,
      limited: 403,
      path: () => "/speed-insights/toggle",
      query: (at) => ({ projectId: at.project }),
      body: () => ({ value: true }),
    },
  ],
  "POST /projects/:idOrName/domains/:domain/move": [
    {
      scopes: domain,
      limited: 403,
      path: (at) => `/v1/projects/${at.project}/domains/${at.domain}/move`,
      body: (at) => ({ projectId: `${at.project}_other` }),
    },
  ],
  "PATCH /projects/:projectId/rollback/:deploymentId/update-description": [
    {
      scopes: [write("deployment")],
      limited: 403,
      path: (at) => `/v1/projects/${at.project}/rollback/${at.deployment}/update-description`,
      body: () => ({ description: "why" }),
      // The project was not rolled back.
      success: 404,
      refuses: "not_found",
    },
  ],
  "GET /events": [{ scopes: [read("team")], path: () => "/v3/events", namesNothing: true }],
  "GET /events/types": [{ scopes: [read("team")], path: () => "/v1/events/types", namesNothing: true }],
  "POST /teams": [
    {
      scopes: [write("user")],
      limited: 403,
      people: true,
      path: () => "/v1/teams",
      body: () => ({ slug: "fresh" }),
      namesNothing: true,
    },
  ],
  "GET /edge-config/:id/backups": [{ scopes: seesEdgeConfig, path: ofEdgeConfig("/backups") }],
  "GET /edge-config/:id/backups/:backupId": [
    { scopes: seesEdgeConfig, path: (at) => ofEdgeConfig(`/backups/${at.edgeConfigBackup}`)(at) },
  ],
  "POST /edge-config/:id/backups/:backupId/restore": [
    {
      scopes: edgeConfig,
      ofTeam: true,
      path: (at) => ofEdgeConfig(`/backups/${at.edgeConfigBackup}/restore`)(at),
    },
  ],
  "GET /projects/:idOrName/checks": [
    { scopes: seesChecks, limited: 403, path: ofProject("/checks", "/v2/projects") },
  ],
  "POST /projects/:idOrName/checks": [
    {
      scopes: checks,
      limited: 403,
      path: ofProject("/checks", "/v2/projects"),
      body: () => ({ name: "new" }),
    },
  ],
  "GET /projects/:idOrName/checks/:checkId": [{ scopes: seesChecks, limited: 403, path: ofProjectCheck() }],
  "PATCH /projects/:idOrName/checks/:checkId": [
    { scopes: checks, limited: 403, path: ofProjectCheck(), body: () => ({ name: "new" }) },
  ],
  "DELETE /projects/:idOrName/checks/:checkId": [{ scopes: checks, limited: 403, path: ofProjectCheck() }],
  "GET /projects/:idOrName/checks/:checkId/runs": [
    { scopes: seesChecks, limited: 403, path: ofProjectCheck("/runs") },
  ],
  "GET /deployments/:id/check-runs": [{ scopes: seesChecks, limited: 404, path: ofDeployment("check-runs") }],
  "POST /deployments/:id/check-runs": [
    {
      scopes: checks,
      limited: 404,
      path: ofDeployment("check-runs"),
      body: ({ projectCheck: checkId }) => ({ checkId }),
    },
  ],
  "GET /deployments/:id/check-runs/:checkRunId": [
    { scopes: seesChecks, limited: 404, path: ofDeployment("check-runs/{checkRun}") },
  ],
  "PATCH /deployments/:id/check-runs/:checkRunId": [
    {
      scopes: checks,
      limited: 404,
      path: ofDeployment("check-runs/{checkRun}"),
      body: () => ({ status: "running" }),
    },
  ],
  "GET /deployments/:id/checks": [{ scopes: seesChecks, limited: 404, path: ofDeployment("checks") }],
  "POST /deployments/:id/checks": [
    {
      scopes: checks,
      limited: 404,
      installations: true,
      path: ofDeployment("checks"),
      body: () => ({ name: "new", blocking: true }),
    },
  ],
  "GET /deployments/:id/checks/:checkId": [
    { scopes: seesChecks, limited: 404, path: ofDeployment("checks/{deploymentCheck}") },
  ],
  // The check belongs to another integration.
  "PATCH /deployments/:id/checks/:checkId": [
    {
      scopes: checks,
      limited: 404,
      installations: true,
      path: ofDeployment("checks/{deploymentCheck}"),
      body: () => ({ status: "running" }),
      success: 403,
      refuses: "forbidden",
    },
  ],
  "POST /deployments/:id/checks/:checkId/rerequest": [
    { scopes: checks, limited: 404, path: ofDeployment("checks/{deploymentCheck}/rerequest") },
  ],
  "PATCH /aliases/:id/protection-bypass": [
    {
      scopes: project,
      limited: 404,
      path: (at) => `/v3/aliases/${at.alias}/protection-bypass`,
      body: () => ({ override: { scope: "alias-protection-override", action: "create" } }),
    },
  ],
  "GET /deployments/:id/aliases": [
    { scopes: [read("deployment")], limited: 404, path: (at) => `/v2/deployments/${at.deployment}/aliases` },
  ],
  "POST /deployments/:id/aliases": [
    {
      scopes: [write("deployment")],
      limited: 404,
      path: (at) => `/v2/deployments/${at.deployment}/aliases`,
      body: () => ({ alias: "fresh.vercel.app" }),
    },
    {
      scopes: [write("deployment")],
      limited: 404,
      path: (at) => `/v2/deployments/${at.deployment}/aliases`,
      body: (at) => ({ alias: at.alias }),
      success: 409,
      refuses: "conflict",
    },
    {
      scopes: [write("deployment")],
      limited: 404,
      path: (at) => `/v2/deployments/${at.deployment}/aliases`,
      body: (at) => ({ alias: `fresh.${at.domain}` }),
    },
  ],
  "POST /files": [
    {
      scopes: [write("deployment")],
      ofTeam: true,
      path: () => "/v2/files",
      headers: { "x-vercel-digest": "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
      namesNothing: true,
    },
  ],
  "GET /certs": [{ scopes: [read("domain")], path: () => "/v8/certs", namesNothing: true }],
  "PUT /certs": [
    {
      scopes: [write("domain")],
      ofTeam: true,
      path: () => "/v8/certs",
      body: () => certificateExample,
      namesNothing: true,
    },
  ],
  "GET /certs/:id": [{ scopes: [read("domain")], path: (at) => `/v8/certs/${at.certificate}` }],
  "DELETE /certs/:id": [
    { scopes: [write("domain")], ofTeam: true, path: (at) => `/v8/certs/${at.certificate}` },
  ],
  "GET /projects/:idOrName/feature-flags/flags": [
    { scopes: seesProject, limited: 403, path: ofFlags("flags") },
  ],
  "PUT /projects/:idOrName/feature-flags/flags": [
    {
      scopes: project,
      limited: 403,
      path: ofFlags("flags"),
      body: () => ({ slug: "fresh", kind: "boolean", environments: {} }),
      success: 201,
    },
  ],
  "GET /projects/:idOrName/feature-flags/flags/:flag": [
    { scopes: seesProject, limited: 403, path: ofFlags("flags/{flag}") },
  ],
  "PATCH /projects/:idOrName/feature-flags/flags/:flag": [
    { scopes: project, limited: 403, path: ofFlags("flags/{flag}"), body: () => ({ description: "fresh" }) },
  ],
  "DELETE /projects/:idOrName/feature-flags/flags/:flag": [
    { scopes: project, limited: 403, path: ofFlags("flags/{flag}"), success: 204 },
  ],
  "GET /projects/:idOrName/feature-flags/flags/:flag/versions": [
    { scopes: seesProject, limited: 403, path: ofFlags("flags/{flag}/versions") },
  ],
  "GET /projects/:idOrName/feature-flags/segments": [
    { scopes: seesProject, limited: 403, path: ofFlags("segments") },
  ],
  "PUT /projects/:idOrName/feature-flags/segments": [
    {
      scopes: project,
      limited: 403,
      path: ofFlags("segments"),
      body: () => ({ slug: "fresh", label: "Fresh", hint: "", data: {} }),
      success: 201,
    },
  ],
  "GET /projects/:idOrName/feature-flags/segments/:segment": [
    { scopes: seesProject, limited: 403, path: ofFlags("segments/{segment}") },
  ],
  "PATCH /projects/:idOrName/feature-flags/segments/:segment": [
    { scopes: project, limited: 403, path: ofFlags("segments/{segment}"), body: () => ({ hint: "fresh" }) },
  ],
  "DELETE /projects/:idOrName/feature-flags/segments/:segment": [
    { scopes: project, limited: 403, path: ofFlags("segments/{segment}"), success: 204 },
  ],
  "GET /projects/:idOrName/feature-flags/sdk-keys": [
    { scopes: seesProject, limited: 403, path: ofFlags("sdk-keys") },
  ],
  "PUT /projects/:idOrName/feature-flags/sdk-keys": [
    {
      scopes: project,
      limited: 403,
      path: ofFlags("sdk-keys"),
      body: () => ({ sdkKeyType: "server", environment: "production" }),
    },
  ],
  "DELETE /projects/:idOrName/feature-flags/sdk-keys/:hashKey": [
    { scopes: project, limited: 403, path: ofFlags("sdk-keys/{sdkKey}"), success: 204 },
  ],
  "GET /projects/:idOrName/feature-flags/settings": [
    { scopes: seesProject, limited: 403, path: ofFlags("settings") },
  ],
  "PATCH /projects/:idOrName/feature-flags/settings": [
    { scopes: project, limited: 403, path: ofFlags("settings"), body: () => ({ enabled: true }) },
  ],
  "GET /teams/:teamIdOrSlug/feature-flags/flags": [
    { scopes: seesProject, path: (at) => `/v1/teams/${at.team}/feature-flags/flags` },
  ],
  "GET /teams/:teamIdOrSlug/feature-flags/settings": [
    { scopes: seesProject, path: (at) => `/v1/teams/${at.team}/feature-flags/settings` },
  ],
  "GET /deployments/:id/feature-flags": [
    {
      scopes: [read("deployment")],
      limited: 404,
      path: (at) => `/v1/deployments/${at.deployment}/feature-flags`,
    },
  ],
  "GET /domains": [{ scopes: [read("domain")], path: () => "/v5/domains", namesNothing: true }],
  "GET /domains/:domain": [
    { scopes: [read("domain")], limited: 404, path: (at) => `/v5/domains/${at.domain}` },
  ],
  "POST /domains": [
    {
      scopes: [write("domain")],
      limited: 403,
      path: () => "/v7/domains",
      body: () => ({ name: "fresh.com", method: "add" }),
      namesNothing: true,
    },
  ],
  "PATCH /domains/:domain": [
    {
      scopes: [write("domain")],
      limited: 404,
      path: (at) => `/v3/domains/${at.domain}`,
      body: () => ({ op: "update", zone: true }),
    },
  ],
  "DELETE /domains/:domain": [{ scopes: domain, limited: 404, path: (at) => `/v6/domains/${at.domain}` }],
  "GET /domains/:domain/project-domains": [
    { scopes: [read("domain")], limited: 404, path: (at) => `/v1/domains/${at.domain}/project-domains` },
  ],
  "GET /domains/:domain/records": [
    { scopes: [read("domain")], limited: 404, path: (at) => `/v5/domains/${at.domain}/records` },
  ],
  "POST /domains/:domain/records": [
    {
      scopes: [write("domain")],
      limited: 404,
      path: (at) => `/v2/domains/${at.domain}/records`,
      body: () => ({ name: "fresh", type: "A", value: "192.0.2.1" }),
    },
  ],
  "PUT /domains/:domain/records": [
    {
      scopes: [write("domain")],
      limited: 404,
      path: (at) => `/v3/domains/${at.domain}/records`,
      body: () => "fresh A 192.0.2.1",
    },
  ],
  "GET /domains/records/:recordId": [
    { scopes: [read("domain")], limited: 404, path: (at) => `/v5/domains/records/${at.dnsRecord}` },
  ],
  "PATCH /domains/records/:recordId": [
    {
      scopes: [write("domain")],
      limited: 404,
      path: (at) => `/v1/domains/records/${at.dnsRecord}`,
      body: () => ({ ttl: 300 }),
    },
  ],
  "DELETE /domains/:domain/records/:recordId": [
    {
      scopes: [write("domain")],
      limited: 404,
      path: (at) => `/v2/domains/${at.domain}/records/${at.dnsRecord}`,
    },
  ],
  "GET /registrar/domains/:domain/price": [
    {
      scopes: [read("domain")],
      path: (at) => `/v1/registrar/domains/${at.domain}/price`,
      success: 400,
      refuses: "tld_not_supported",
      namesNothing: true,
    },
  ],
  "GET /registrar/domains/:domain/availability": [
    {
      scopes: [read("domain")],
      path: (at) => `/v1/registrar/domains/${at.domain}/availability`,
      namesNothing: true,
      ofUnknown: { available: false },
    },
  ],
  "GET /user": [{ scopes: [read("user")], path: () => "/v2/user", namesNothing: true }],
  "POST /user/tokens": [
    {
      scopes: [write("user")],
      limited: 403,
      people: true,
      path: () => "/v3/user/tokens",
      body: () => ({ name: "fresh" }),
      namesNothing: true,
    },
  ],
  "GET /user/tokens": [
    { scopes: [read("user")], limited: 403, people: true, path: () => "/v6/user/tokens", namesNothing: true },
  ],
  "GET /user/tokens/:tokenId": [
    { scopes: [read("user")], limited: 403, people: true, path: ofToken, ofUser: true },
    {
      scopes: [read("user")],
      limited: 403,
      people: true,
      path: () => "/v5/user/tokens/current",
      namesNothing: true,
    },
  ],
  "DELETE /user/tokens/:tokenId": [
    { scopes: [write("user")], limited: 403, people: true, path: ofToken, ofUser: true },
  ],
  "GET /teams": [{ scopes: [read("team")], path: () => "/v2/teams", namesNothing: true }],
  "PATCH /teams/:teamIdOrSlug": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v2/teams/${at.team}`,
      body: () => ({}),
    },
  ],
  "GET /teams/:teamIdOrSlug": [{ scopes: [read("team")], path: (at) => `/v2/teams/${at.team}` }],
  "GET /teams/:teamIdOrSlug/members": [
    { scopes: [read("team")], path: (at) => `/v3/teams/${at.team}/members` },
  ],
  "POST /teams/:teamIdOrSlug/members": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v2/teams/${at.team}/members`,
      body: () => ({ email: "fresh@example.net" }),
    },
  ],
  "PATCH /teams/:teamIdOrSlug/members/:uid": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v1/teams/${at.team}/members/${at.member}`,
      body: () => ({ role: "VIEWER" }),
    },
  ],
  "DELETE /teams/:teamIdOrSlug/members/:uid": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v1/teams/${at.team}/members/${at.member}`,
    },
  ],
  "POST /teams/:teamIdOrSlug/members/teams/join": [
    {
      scopes: [write("user")],
      path: (at) => `/v1/teams/${at.team}/members/teams/join`,
      body: () => ({}),
      success: 404,
      refuses: "not_found",
    },
  ],
  "GET /access-groups": [
    { scopes: [read("team")], path: () => "/v1/access-groups", namesNothing: true },
    { scopes: [read("team")], limited: 403, path: () => "/v1/access-groups", query: queriedProject },
  ],
  "POST /access-groups": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: () => "/v1/access-groups",
      body: (at) => ({ name: "fresh", projects: [{ projectId: at.project, role: "ADMIN" }] }),
    },
  ],
  "GET /access-groups/:idOrName": [{ scopes: [read("team")], path: ofGroup() }],
  "POST /access-groups/:idOrName": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: ofGroup(),
      body: (at) => ({ projects: [{ projectId: at.project, role: "ADMIN" }] }),
    },
  ],
  "DELETE /access-groups/:idOrName": [
    { scopes: [write("team")], limited: 403, people: true, path: ofGroup() },
  ],
  "GET /access-groups/:idOrName/members": [{ scopes: [read("team")], path: ofGroup("/members") }],
  "GET /access-groups/:idOrName/projects": [{ scopes: [read("team")], path: ofGroup("/projects") }],
  "POST /access-groups/:accessGroupIdOrName/projects": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: ofGroup("/projects"),
      body: (at) => ({ projectId: at.project, role: "ADMIN" }),
      first: ["DELETE", ofGroupProject],
    },
  ],
  "GET /access-groups/:accessGroupIdOrName/projects/:projectId": [
    { scopes: [read("team")], limited: 403, path: ofGroupProject },
  ],
  "PATCH /access-groups/:accessGroupIdOrName/projects/:projectId": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: ofGroupProject,
      body: () => ({ role: "ADMIN" }),
    },
  ],
  "DELETE /access-groups/:accessGroupIdOrName/projects/:projectId": [
    { scopes: [write("team")], limited: 403, people: true, path: ofGroupProject },
  ],
  "GET /microfrontends/groups": [
    { scopes: [read("team")], path: () => "/v1/microfrontends/groups", namesNothing: true },
  ],
  "GET /microfrontends/groups/:groupId/projects": [
    {
      scopes: [read("team"), read("project")],
      path: (at) => `/v1/microfrontends/groups/${at.microfrontendGroup}/projects`,
    },
  ],
  "POST /microfrontends/group": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: () => "/v1/microfrontends/group",
      body: (at) => ({ groupName: "fresh", defaultApp: { projectId: at.project }, otherApplications: [] }),
      first: ["DELETE", ofMicrofrontends],
    },
  ],
  "PATCH /teams/:teamIdOrSlug/microfrontends": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: (at) => `/v1/teams/${at.team}/microfrontends`,
      body: () => ({ newMicrofrontendsGroupName: "fresh" }),
    },
  ],
  "PATCH /teams/:teamIdOrSlug/microfrontends/:groupId": [
    {
      scopes: [write("team")],
      limited: 403,
      people: true,
      path: ofMicrofrontends,
      body: () => ({ name: "fresh" }),
    },
  ],
  "DELETE /teams/:teamIdOrSlug/microfrontends/:groupId": [
    { scopes: [write("team")], limited: 403, people: true, path: ofMicrofrontends },
  ],
  "PATCH /projects/:projectId/microfrontends": [
    {
      scopes: project,
      limited: 403,
      people: true,
      path: ofProject("/microfrontends"),
      body: () => ({ defaultRoute: "/docs" }),
    },
  ],
  "GET /microfrontends/:deploymentId/config": [
    {
      scopes: [read("deployment")],
      limited: 404,
      path: (at) => `/v1/microfrontends/${at.deployment}/config`,
    },
  ],
  "GET /microfrontends/projects/:projectIdOrName/production-mfe-config": [
    {
      scopes: seesProject,
      limited: 403,
      path: (at) => `/v1/microfrontends/projects/${at.project}/production-mfe-config`,
    },
  ],
  "GET /integrations/configurations": [
    {
      scopes: [read("integration-configuration")],
      path: () => "/v1/integrations/configurations",
      query: () => ({ view: "account" }),
      namesNothing: true,
    },
  ],
  "GET /integrations/configuration/:id": [
    {
      scopes: [read("integration-configuration")],
      path: (at) => `/v1/integrations/configuration/${at.configuration}`,
    },
  ],
  "DELETE /integrations/configuration/:id": [
    {
      scopes: [write("integration-configuration")],
      path: (at) => `/v1/integrations/configuration/${at.configuration}`,
      success: 204,
    },
  ],
  "GET /integrations/configuration/:id/project/:projectId": [
    {
      scopes: [read("integration-configuration")],
      limited: 403,
      path: (at) => `/v1/integrations/configuration/${at.configuration}/project/${at.project}`,
      ofUnknown: { allowed: false },
    },
  ],
  "POST /integrations/configuration/:id/project/:projectId": [
    {
      scopes: [write("integration-configuration")],
      limited: 403,
      path: (at) => `/v1/integrations/configuration/${at.configuration}/project/${at.project}`,
      body: () => ({ allowed: true }),
      people: true,
    },
  ],
  "POST /webhooks": [
    {
      scopes: project,
      limited: 403,
      path: () => "/v1/webhooks",
      body: (at) => ({
        url: "https://hooks.example.org/",
        events: ["project.removed"],
        projectIds: [at.project],
      }),
      people: true,
    },
  ],
  "GET /webhooks": [
    { scopes: seesProject, limited: 403, path: () => "/v1/webhooks", people: true, namesNothing: true },
  ],
  "GET /webhooks/:id": [
    { scopes: seesProject, limited: 403, path: (at) => `/v1/webhooks/${at.webhook}`, people: true },
  ],
  "DELETE /webhooks/:id": [
    { scopes: project, limited: 403, path: (at) => `/v1/webhooks/${at.webhook}`, success: 204, people: true },
  ],
  "POST /integrations/log-drains": [
    {
      scopes: [write("log-drain")],
      limited: 400,
      path: () => "/v2/integrations/log-drains",
      body: newDrain,
      installations: true,
    },
  ],
  "GET /integrations/log-drains": [
    { scopes: [read("log-drain")], path: () => "/v2/integrations/log-drains", namesNothing: true },
  ],
  "DELETE /integrations/log-drains/:id": [
    {
      scopes: [write("log-drain")],
      limited: 404,
      path: (at) => `/v1/integrations/log-drains/${at.drain}`,
      success: 204,
    },
  ],
  "POST /drains": [
    {
      scopes: [write("log-drain")],
      limited: 403,
      path: () => "/v1/drains",
      body: (at) => ({
        name: "fresh",
        projects: "some",
        projectIds: [at.project],
        schemas: { log: { version: "v1" } },
        delivery: { type: "http", endpoint: "https://logs.example.org/", encoding: "json" },
      }),
      people: true,
    },
  ],
  "GET /drains": [
    { scopes: [read("log-drain")], limited: 403, path: () => "/v1/drains", people: true, namesNothing: true },
  ],
  "GET /drains/:id": [
    {
      scopes: [read("log-drain")],
      limited: 403,
      path: (at) => `/v1/drains/${at.accountDrain}`,
      people: true,
    },
  ],
  "PATCH /drains/:id": [
    {
      scopes: [write("log-drain")],
      limited: 403,
      path: (at) => `/v1/drains/${at.accountDrain}`,
      body: () => ({ name: "changed" }),
      people: true,
    },
  ],
  "DELETE /drains/:id": [
    {
      scopes: [write("log-drain")],
      limited: 403,
      path: (at) => `/v1/drains/${at.accountDrain}`,
      success: 204,
      people: true,
    },
  ],
  "GET /edge-config": [{ scopes: seesEdgeConfig, path: () => "/v1/edge-config", namesNothing: true }],
  "POST /edge-config": [
    {
      scopes: edgeConfig,
      path: () => "/v1/edge-config",
      body: () => ({ slug: "fresh", items: { banner: "v" } }),
      success: 201,
      namesNothing: true,
    },
  ],
  "GET /edge-config/:id": [{ scopes: seesEdgeConfig, path: ofEdgeConfig() }],
  "PUT /edge-config/:id": [
    { scopes: edgeConfig, ofTeam: true, path: ofEdgeConfig(), body: () => ({ slug: "changed" }) },
  ],
  "DELETE /edge-config/:id": [{ scopes: edgeConfig, ofTeam: true, path: ofEdgeConfig(), success: 204 }],
  "GET /edge-config/:id/items": [{ scopes: seesEdgeConfig, path: ofEdgeConfig("/items") }],
  "GET /edge-config/:id/item/:key": [{ scopes: seesEdgeConfig, path: ofEdgeConfig("/item/banner") }],
  "PATCH /edge-config/:id/items": [
    {
      scopes: edgeConfig,
      ofTeam: true,
      path: ofEdgeConfig("/items"),
      body: () => ({ items: [{ operation: "upsert", key: "banner", value: "changed" }] }),
    },
  ],
  "GET /edge-config/:id/schema": [{ scopes: seesEdgeConfig, path: ofEdgeConfig("/schema") }],
  "POST /edge-config/:id/schema": [
    {
      scopes: edgeConfig,
      ofTeam: true,
      path: ofEdgeConfig("/schema"),
      body: () => ({ definition: { type: "object" } }),
    },
  ],
  "DELETE /edge-config/:id/schema": [
    { scopes: edgeConfig, ofTeam: true, path: ofEdgeConfig("/schema"), success: 204 },
  ],
  "GET /edge-config/:id/tokens": [{ scopes: seesEdgeConfig, path: ofEdgeConfig("/tokens") }],
  "GET /edge-config/:id/token/:token": [
    { scopes: seesEdgeConfig, path: (at) => `${ofEdgeConfig("/token")(at)}/${at.edgeConfigToken}` },
  ],
  "POST /edge-config/:id/token": [
    {
      scopes: edgeConfig,
      ofTeam: true,
      path: ofEdgeConfig("/token"),
      body: () => ({ label: "fresh" }),
      success: 201,
    },
  ],
  "DELETE /edge-config/:id/tokens": [
    {
      scopes: edgeConfig,
      ofTeam: true,
      path: ofEdgeConfig("/tokens"),
      body: (at) => ({ ids: [at.edgeConfigTokenId] }),
      success: 204,
    },
  ],
  "GET /storage/stores": [
    {
      ...{ scopes: seesProject, limited: 403, people: true, namesNothing: true },
      path: () => "/v1/storage/stores",
    },
  ],
  "POST /storage/stores/blob": [
    {
      ...{ scopes: project, limited: 403, people: true, namesNothing: true },
      path: () => "/v1/storage/stores/blob",
      body: () => ({ name: "fresh" }),
    },
  ],
  "GET /storage/stores/:id": [{ scopes: seesProject, limited: 403, people: true, path: ofStore() }],
  "PUT /storage/stores/blob/:id": [
    {
      ...{ scopes: project, limited: 403, people: true, ofTeam: true },
      path: (at) => `/v1/storage/stores/blob/${at.blobStore}`,
      body: () => ({ name: "changed" }),
    },
  ],
  "DELETE /storage/stores/blob/:id": [
    {
      ...{ scopes: project, limited: 403, people: true, ofTeam: true },
      path: (at) => `/v1/storage/stores/blob/${at.blobStore}`,
    },
  ],
  "GET /storage/stores/:id/secrets": [
    { scopes: project, limited: 403, people: true, path: ofStore("/secrets") },
  ],
  "GET /storage/stores/:id/connections": [
    { scopes: seesProject, limited: 403, people: true, path: ofStore("/connections") },
  ],
  "POST /storage/stores/:id/connections": [
    {
      ...{ scopes: project, limited: 403, people: true, ofTeam: true },
      path: ofStore("/connections"),
      first: ["DELETE", ofConnection],
      body: (at) => ({ projectId: at.project }),
    },
  ],
  "PATCH /storage/stores/:id/connections/:connectionId": [
    {
      ...{ scopes: project, limited: 403, people: true, ofTeam: true },
      path: ofConnection,
      body: () => ({ envVarPrefix: "CHANGED" }),
    },
  ],
  "DELETE /storage/stores/:id/connections/:connectionId": [
    {
      ...{ scopes: project, limited: 403, people: true, ofTeam: true, success: 204 },
      path: ofConnection,
    },
  ],
  "GET /verify-endpoint": [
    { scopes: [read("log-drain")], path: () => "/v1/verify-endpoint", namesNothing: true },
  ],
  "POST /log-drains": [
    {
      scopes: [write("log-drain")],
      limited: 403,
      path: () => "/v1/log-drains",
      body: newDrain,
      people: true,
    },
  ],
  "GET /log-drains": [
    {
      scopes: [read("log-drain")],
      limited: 403,
      path: () => "/v1/log-drains",
      people: true,
      namesNothing: true,
    },
  ],
  "GET /log-drains/:id": [
    {
      scopes: [read("log-drain")],
      limited: 403,
      path: (at) => `/v1/log-drains/${at.accountDrain}`,
      people: true,
    },
  ],
  "DELETE /log-drains/:id": [
    {
      scopes: [write("log-drain")],
      limited: 403,
      path: (at) => `/v1/log-drains/${at.accountDrain}`,
      success: 204,
      people: true,
    },
  ],
};

/**
 * Gives a team one object of every kind, which suits every request of the table. Texts mark whose they are: values of
 * variables begin with `<team>-value`, everything else with `<team>-web`, `<team>-env` or `<team>-drain`.
 * @param token of an owner of the team
 */
export async function furnishTeam(world: TestServer, team: string, token: string): Promise<Things> {
  const call = async (method: string, path: string, body?: unknown, as = token) => {
    const answer = await world.call(method, path, {
      team,
      token: as,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const project = `prj_${team}`;
  const name = `${team}-web`;
  await world.seed({
    projects: [
      { id: project, team, name, gitRepository: { type: "github", repo: `${team}/web` } },
      { id: `${project}_other`, team, name: `${name}-other` },
    ],
    deployments: [
      { id: `dpl_${team}`, team, project: name, target: "production" },
      { id: `dpl_${team}_staged`, team, project: name, target: "production", readySubstate: "STAGED" },
    ],
    domains: [{ team, project: name, name: `${team}.com`, verified: true }],
    integrations: [
      {
        slug: `of-${team}`,
        owner: "dev",
        clientSecret: "s",
        redirectUrl: "http://127.0.0.1:9/callback",
        scopes: ["log-drain"],
      },
    ],
    projectChecks: [{ id: `chk_${team}`, team, project: name, name: `${team}-web` }],
    checkRuns: [
      { id: `chkrun_${team}`, team, project: name, check: `chk_${team}`, deployment: `dpl_${team}` },
    ],
    deploymentChecks: [
      {
        ...{ id: `check_${team}`, team, deployment: `dpl_${team}`, name: `${team}-web` },
        ...{ integrationId: "oac_other", rerequestable: true },
      },
    ],
    accessGroups: [
      {
        ...{ id: `ag_${team}`, team, name: `${team}-group`, members: ["dev"] },
        projects: [{ project: name, role: "PROJECT_VIEWER" }],
      },
    ],
    microfrontendGroups: [
      { id: `mfe_${team}`, team, name: team, projects: [{ project: name, isDefaultApp: true }] },
    ],
    installations: [{ id: `icfg_${team}`, integration: `of-${team}`, team, token: `token-of-icfg-${team}` }],
    users: [{ id: `user_asker_${team}`, username: `asker-of-${team}` }],
    tokens: [{ token: `token-of-asker-${team}`, user: `asker-of-${team}` }],
  });
  await world.call("POST", `/v1/teams/${team}/request`, {
    ...{ team: null, token: `token-of-asker-${team}`, body: { joinedFrom: { origin: "teams" } } },
  });
  const { id: environment } = await call("POST", `/v9/projects/${project}/custom-environments`, {
    slug: `${team}-env`,
  });
  const { created: variable } = await call("POST", `/v10/projects/${project}/env`, {
    key: "KEY",
    value: `${team}-value`,
    type: "plain",
    target: ["preview"],
  });
  const { created: assigned } = await call("POST", `/v10/projects/${project}/env`, {
    key: "ASSIGNED",
    value: `${team}-value-of-env`,
    type: "plain",
    target: ["production"],
  });
  await call("PATCH", `/v9/projects/${project}/env/${assigned.id}`, {
    target: [],
    customEnvironmentIds: [environment],
  });
  const aliased = await call("POST", `/v2/deployments/dpl_${team}/aliases`, {
    alias: `${team}-docs.vercel.app`,
  });
  const hooked = await call("POST", `/v2/projects/${project}/deploy-hooks`, { name: team, ref: "main" });
  await call("PATCH", `/v1/projects/${project}/protection-bypass`, {
    generate: { secret: bypassOf(team) },
  });
  await call("PATCH", `/v1/projects/${project}/rolling-release/config`, {
    enabled: true,
    advancementType: "manual-approval",
    stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
  });
  await call("POST", `/v1/security/firewall/bypass?projectId=${project}`, {
    projectScope: true,
    sourceIp: "192.0.2.1",
  });
  const firewall = "/v1/security/firewall/config";
  await call("PUT", `${firewall}?projectId=${project}`, { firewallEnabled: true });
  await call("PATCH", `${firewall}/draft?projectId=${project}`, { action: "firewallEnabled", value: true });
  const { version: redirectVersion } = await call("PUT", "/v1/bulk-redirects", {
    projectId: project,
    redirects: [{ source: "/old", destination: "/new" }],
  });
  const { route, version: routeVersion } = await call("POST", `/v1/projects/${project}/routes`, {
    route: newRoute,
  });
  const invite = async (name: string): Promise<string> =>
    (await call("POST", `/v2/teams/${team}/members`, { email: `${name}@${team}.com` })).uid;
  const [member, projectMember] = [await invite("member"), await invite("guest")];
  await call("POST", `/v1/projects/${project}/members`, { uid: projectMember, role: "ADMIN" });
  const config = await call("POST", "/v1/edge-config", { slug: team, items: { banner: `${team}-banner` } });
  await call("POST", `/v1/edge-config/${config.id}/schema`, { definition: { title: team } });
  const configToken = await call("POST", `/v1/edge-config/${config.id}/token`, { label: team });
  const { store } = await call("POST", "/v1/storage/stores/blob", { name: team });
  const connection = await call("POST", `/v1/storage/stores/${store.id}/connections`, { projectId: project });
  const flags = `/v1/projects/${project}/feature-flags`;
  const flag = await call("PUT", `${flags}/flags`, { slug: team, kind: "boolean", environments: {} });
  await call("PATCH", `${flags}/flags/${team}`, { state: "archived" });
  const segment = { slug: team, label: team, hint: "", data: {} };
  const sdkKey = { sdkKeyType: "server", environment: "production", label: team };
  const hook = { url: `https://${team}.example.org/`, events: ["project.created"] };
  const drain = { ...hook, events: undefined, name: `${team}-drain`, deliveryFormat: "json" };
  return {
    team: (await call("GET", `/v2/teams/${team}`)).id,
    project,
    deployment: `dpl_${team}`,
    domain: `${team}.com`,
    variable: variable.id,
    environment,
    deployHook: hooked.link.deployHooks[0].id,
    redirectVersion: redirectVersion.id,
    route: route.id,
    routeVersion: routeVersion.id,
    alias: aliased.alias,
    dnsRecord: (
      await call("POST", `/v2/domains/${team}.com/records`, { name: team, type: "TXT", value: team })
    ).uid,
    sharedVariable: (
      await call("POST", "/v1/env", {
        evs: [{ key: "SHARED", value: `${team}-shared` }],
        target: ["preview"],
        projectId: [project],
      })
    ).created[0].id,
    member,
    projectMember,
    accessGroup: `ag_${team}`,
    microfrontendGroup: `mfe_${team}`,
    edgeConfig: config.id,
    edgeConfigToken: configToken.token,
    edgeConfigTokenId: configToken.id,
    blobStore: store.id,
    blobConnection: connection.id,
    edgeConfigBackup: (await call("GET", `/v1/edge-config/${config.id}/backups`)).backups[0].id,
    webhook: (await call("POST", "/v1/webhooks", hook)).id,
    flag: flag.id,
    segment: (await call("PUT", `${flags}/segments`, segment)).id,
    sdkKey: (await call("PUT", `${flags}/sdk-keys`, sdkKey)).hashKey,
    certificate: (await call("PUT", "/v8/certs", certificateExample)).id,
    token: (await call("POST", "/v3/user/tokens", { name: team })).token.id,
    accountDrain: (await call("POST", "/v1/log-drains", { ...drain, sources: ["lambda"] })).id,
    drain: (await call("POST", "/v2/integrations/log-drains", drain, `token-of-icfg-${team}`)).id,
    configuration: `icfg_${team}`,
    projectCheck: `chk_${team}`,
    checkRun: `chkrun_${team}`,
    deploymentCheck: `check_${team}`,
    asker: `user_asker_${team}`,
    transferCode: (await call("POST", `/projects/${project}/transfer-request`)).code,
  };
}

/** The secret by which a team's project is reached around its protection. */
export const bypassOf = (team: string): string => team.padEnd(32, "x").replace(/[^a-z0-9]/g, "x");
