import { currentPath, matcherOf } from "./http/router";
import clients from "./platform/operations.json";
import { Refusal } from "./platform/refusal";
import { otherNames, routes } from "./routes";

/**
 * Parts of served operations that the server does not simulate. `npm run docs` writes these texts into
 * docs/coverage.md.
 */
export const limits: Readonly<Record<string, string>> = {
  acceptProjectTransferRequest:
    "Blob stores stay in the old account, and nothing is sent to the `callbackUrl` of the request",
  addBypassIp: "no requests are filtered",
  createSpeedInsightsToggle: "no visitors are counted",
  createWebInsightsToggle: "no visitors are counted",
  getActiveAttackStatus: "no requests are filtered, so the list is empty",
  getSecurityFirewallEvents: "no requests are filtered, so the list is empty",
  listUserEvents: "an entry for each event that the server emits, without the network of the user",
  createAuthToken: "a token is limited to a team, and `projectId` is refused",
  createCheck: "no deployment waits for a check",
  createProjectCheck: "no deployment waits for a check, and its runs begin with requests only",
  createStorageStoresBlob: "no files are stored, and `projectId` is refused",
  createProjectTransferRequest:
    "a new request replaces the earlier one of the project, and nothing is sent to `callbackUrl`",
  deleteTeam: "there is no default team, so `newDefaultTeamId` is reported as an error",
  deleteTeamInviteCode: "an invitation has the id of the invited user",
  getConfigurationProducts: "integrations have no products, so the list is empty",
  getDeploymentFileContents: "contents are stored with a data folder only, and `path` is refused",
  gitNamespaces: "the repositories are those of `gitProviders` in the seed and of linked projects",
  issueCert: "nothing is issued: the certificate has names and dates, and no content",
  postTeamDsyncRoles: "the roles are stored; no directory is synchronized",
  searchRepo: "the repositories are those of `gitProviders` in the seed and of linked projects",
  testDrain: "one line of a log is sent over HTTP; nothing is sent to drains of traces and to buckets",
  updateStaticIps: "the regions are stored; no request is sent from a static IP",
  createDeployment: "nothing is built: a build has a duration and an outcome, which the control plane sets",
  createOrTransferDomain: "domains are not moved between accounts",
  createRecord: "records are stored; no DNS queries are answered",
  getAuthToken: "`activeAt` is the time of the creation",
  getDeploymentFeatureFlags: "no deployment is asked for the flags that its code has",
  getDeploymentEvents: "the log is simulated",
  getDomainConfig: "the DNS records come from the control plane, unless `--dns system` is set",
  inviteUserToTeam: "mail is sent only with `--smtp`; `slipway mail` lists it",
  patchTeam: "the settings are stored; only `sensitiveEnvironmentVariablePolicy` has an effect",
  patchDomain: "domains are not moved between accounts, and none is renewed",
  patchUrlProtectionBypass:
    "aliases and URLs of deployments only; no visitor is logged in, and no mail is sent",
  putFirewallConfig: "no requests are filtered, and rule sets of the team are refused",
  updateFirewallConfig: "no requests are filtered; shared conditions and rule sets of the team are refused",
  createFlag: "no flags are evaluated",
  createSdkKey: "no flags are evaluated, so the key opens nothing",
  updateAttackChallengeMode: "no requests are filtered",
  createMicrofrontendsGroupWithApplications: "no requests are routed between projects",
  getMicrofrontendsConfig: "no microfrontends.json is read, so the answer is null",
  getMicrofrontendsConfigForProject: "no microfrontends.json is read, so the answer is null",
  getRollingReleaseBillingStatus: "the number of projects with rolling releases is not limited",
  stageRedirects: "no requests are redirected, and the number of redirects does not depend on the plan",
  addRoute: "no requests are routed, and the compiled pattern is simplified",
  startRollingRelease: "no visitors are directed, so `linearShift` has no effect, and no gate is evaluated",
  uploadFile: "files are stored with a data folder only, and no visitor is answered with them",
  verifyProjectDomain: "the TXT records come from the control plane, unless `--dns system` is set",
};

/** The clients whose operations are counted, as `npm run operations` read them. */
const { cli, sdk } = clients;

export interface Operation {
  /** Undefined for a path of the command line, which does not name its operations. */
  readonly id?: string;
  /** Undefined for a path of the command line, whose methods are not known. */
  readonly method?: string;
  readonly path: string;
  readonly isServed: boolean;
}

/**
 * A path as the router sees it, with `:` for each parameter, so that paths of different sources can be compared. The
 * token `current` is a value of a parameter.
 */
const shapeOf = (path: string): string =>
  currentPath(path, otherNames).replace(/\{[^}]*\}|:\w+|(?<=\/user\/tokens\/)current$/g, ":");

const servedPaths = new Set(routes.map(({ path }) => shapeOf(path)));
const servedOperations = new Set(routes.map(({ method, path }) => `${method} ${shapeOf(path)}`));

/** The operations of the official SDK. Versions of a path are not distinguished, as the server accepts each. */
export const sdkOperations: readonly Operation[] = Object.entries(sdk.operations).map(([id, operation]) => {
  const [method = "", path = ""] = operation.split(" ");
  return { id, method, path, isServed: servedOperations.has(`${method} ${shapeOf(path)}`) };
});

/** The paths of the official command line. */
export const cliPaths: readonly Operation[] = cli.paths.map((path) => ({
  path,
  isServed: servedPaths.has(shapeOf(path)),
}));

const unserved = [...sdkOperations, ...cliPaths]
  // Without its version, the path of one operation is `/`, the overview of this server.
  .filter(({ isServed, path }) => !isServed && shapeOf(path) !== "/")
  .map(({ method, path }) => ({
    method,
    hasRoutes: servedPaths.has(shapeOf(path)),
    matches: matcherOf(shapeOf(path)),
  }));

/**
 * The refusal of an operation of the official clients that the server does not serve. A path without any route is
 * refused with every method.
 * @param path the path without its version
 */
export function notImplemented(method: string, path: string): Refusal | undefined {
  const bare = path.replace(/(?<=.)\/$/, "");
  const isKnown = unserved.some((each) => (!each.hasRoutes || each.method === method) && each.matches(bare));
  if (!isKnown) return undefined;
  return new Refusal(
    501,
    "not_implemented",
    "This server does not implement this operation of the hosted API. docs/coverage.md lists the operations that it serves.",
  );
}
