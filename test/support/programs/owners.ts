import { own, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import type { Snapshot } from "../../../server/control/routes/snapshot";
import { sharedTypes } from "./companions";
import type { RecordedResource } from "./run";

/** The objects at the service, by their names here; variables with their environments. */
export type Objects = ReadonlyMap<string, readonly string[]>;

/** The path of the user's tokens, which no snapshot has. */
export const tokensPath = "/v5/user/tokens";

export interface Tokens {
  tokens: { id: string; name: string }[];
}

/** All objects that random programs make; deployments only of projects that are there. */
export function objectsOf(
  {
    projects,
    domains,
    env,
    customEnvironments,
    deployments,
    members,
    sharedEnv,
    sharedEnvLinks,
    dnsRecords,
    firewallBypasses,
    projectMembers,
    edgeConfigs,
    edgeConfigItems,
    edgeConfigTokens,
    webhooks,
    logDrains,
    otherDrains,
    aliases,
    accessGroups,
    featureFlags,
    featureFlagSegments,
    blobStores,
    routingVersions,
    accessGroupMembers,
    accessGroupProjects,
    blobConnections,
    protectionExceptions,
    featureFlagSdkKeys,
    accountDomains,
    firewallConfigs,
    installationProjects,
    microfrontendGroups,
    microfrontends,
    certificates,
  }: Snapshot,
  { tokens }: Tokens,
): Map<string, readonly string[]> {
  const idOf = new Map(projects.map(({ accountId, name, id }) => [`${accountId} ${name}`, id]));
  return new Map<string, readonly string[]>([
    ...projects.map(({ id }) => [projectKey(id), []] as const),
    ...customEnvironments.map(({ id, projectId }) => [environmentKey(projectId, id), []] as const),
    ...domains.map(({ projectId, name }) => [domainKey(projectId, name), []] as const),
    ...env
      // That of a connection goes with it.
      .filter(({ storeId }) => storeId === null)
      .map(({ id, projectId, target }) => [variableKey(projectId, id), target as string[]] as const),
    ...members.map(({ teamId, userId }) => [`member ${teamId}/${userId}`, []] as const),
    ...sharedEnv.map(({ id, target }) => [`shared ${id}`, target as string[]] as const),
    ...sharedEnvLinks.map(({ projectId, envId }) => [`link ${projectId}/${envId}`, []] as const),
    ...dnsRecords.map(({ domain, id }) => [`record ${domain}/${id}`, []] as const),
    ...firewallBypasses.map(
      ({ projectId, domain, ip }) => [`bypass ${projectId}/${domain}/${ip}`, []] as const,
    ),
    ...edgeConfigs.map(({ id }) => [`config ${id}`, []] as const),
    ...edgeConfigItems.map(({ edgeConfigId, key }) => [`item ${edgeConfigId}/${key}`, []] as const),
    ...edgeConfigTokens.map(({ edgeConfigId, id }) => [`token ${edgeConfigId}/${id}`, []] as const),
    ...webhooks.map(({ id }) => [`webhook ${id}`, []] as const),
    ...[...logDrains, ...otherDrains].map(({ id }) => [`drain ${id}`, []] as const),
    ...aliases.map(({ alias }) => [`alias ${alias}`, []] as const),
    ...[...accessGroups, ...blobStores, ...microfrontendGroups].map(
      ({ id }) => [`grouped ${id}`, []] as const,
    ),
    ...[...featureFlags, ...featureFlagSegments].map(
      ({ projectId, id }) => [`feature ${projectId}/${id}`, []] as const,
    ),
    ...accessGroupMembers.map(
      ({ accessGroupId, userId }) => [`groupmember ${accessGroupId}/${userId}`, []] as const,
    ),
    ...accessGroupProjects.map(
      ({ accessGroupId, projectId }) => [`groupproject ${projectId}/${accessGroupId}`, []] as const,
    ),
    ...blobConnections.map(({ projectId, storeId }) => [`connection ${projectId}/${storeId}`, []] as const),
    ...protectionExceptions.map(({ projectId, alias }) => [`exception ${projectId}/${alias}`, []] as const),
    ...featureFlagSdkKeys.map(({ projectId, hashKey }) => [`sdkkey ${projectId}/${hashKey}`, []] as const),
    ...accountDomains.map(({ name }) => [`apex ${name}`, []] as const),
    ...certificates.map(({ id }) => [`certificate ${id}`, []] as const),
    ...tokens.filter(({ name }) => isOfProgram(name)).map(({ id }) => [`usertoken ${id}`, []] as const),
    ...installationProjects.map(
      ({ projectId, configurationId }) => [`access ${projectId}/${configurationId}`, []] as const,
    ),
    ...microfrontends
      .filter(({ isDefaultApp }) => !isDefaultApp)
      .map(({ projectId, groupId }) => [`frontend ${projectId}/${groupId}`, []] as const),
    ...firewallConfigs
      .filter(({ isActive, settings }) => isActive && (settings as { ips: unknown[] }).ips.length > 0)
      .map(({ projectId }) => [`firewall ${projectId}/firewall`, []] as const),
    ...routingVersions
      .filter(({ kind, isLive, items }) => kind === "redirects" && isLive && (items as Plain[]).length > 0)
      .map(({ projectId }) => [`redirects ${projectId}/redirects`, []] as const),
    ...routingVersions
      .filter(({ kind, isLive }) => kind === "routes" && isLive)
      .flatMap(({ projectId, items }) =>
        (items as Plain[]).map(({ id }) => [`route ${projectId}/${id}`, []] as const),
      ),
    ...projectMembers.map(({ projectId, userId }) => [`colleague ${projectId}/${userId}`, []] as const),
    ...deployments.flatMap(({ id, accountId, name }) => {
      const projectId = idOf.get(`${accountId} ${name}`);
      return projectId === undefined ? [] : [[deploymentKey(projectId, id), []] as const];
    }),
  ]);
}

/** Not that of the run itself. */
const isOfProgram = (token: string): boolean => /^(token \d+|one|two)$/.test(token);

export const projectKey = (id: string): string => `project ${id}`;
export const environmentKey = (project: string, id: string): string => `environment ${project}/${id}`;
export const domainKey = (project: string, name: string): string => `domain ${project}/${name}`;
export const variableKey = (project: string, id: string): string => `variable ${project}/${id}`;

export const deploymentKey = (project: string, id: string): string => `deployment ${project}/${id}`;

/** The ids of the objects that an object is in, and its own. */
export const partsOf = (key: string): string[] => key.replace(/^\w+ /, "").split("/");

/** The project that an object is in. */
const projectOf = (key: string): string => partsOf(key)[0] as string;

const companionNouns: Partial<Record<ResourceType, string>> = {
  TeamMember: "member",
  SharedEnvVar: "shared",
  SharedEnvVarLink: "link",
  FirewallBypass: "bypass",
  ProjectMember: "colleague",
  EdgeConfig: "config",
  EdgeConfigItem: "item",
  EdgeConfigToken: "token",
  Webhook: "webhook",
  LogDrain: "drain",
  TraceDrain: "drain",
  AuditLogDrain: "drain",
  AccessGroup: "grouped",
  BlobStore: "grouped",
  FeatureFlag: "feature",
  FeatureFlagSegment: "feature",
  ProjectRoute: "route",
  Alias: "alias",
  AccessGroupMember: "groupmember",
  AccessGroupProject: "groupproject",
  BlobStoreConnection: "connection",
  DeploymentProtectionException: "exception",
  FeatureFlagSdkKey: "sdkkey",
  Domain: "apex",
  CustomCertificate: "certificate",
  UserToken: "usertoken",
  FirewallConfig: "firewall",
  BulkRedirects: "redirects",
  IntegrationProjectAccess: "access",
  MicrofrontendGroup: "grouped",
  MicrofrontendGroupMembership: "frontend",
};

/** Those with nothing of their own. */
const settingTypes = new Set<string>(["Promotion", "AttackChallengeMode", "RollingRelease", "TeamConfig"]);

/** The objects that a resource of the state has, with the environments that it declares. */
export function objectsOfRecorded({
  type,
  id,
  outputs,
}: RecordedResource): [key: string, environments: readonly string[]][] {
  if (type === "Project") return [[projectKey(id), []]];
  if (type === "CustomEnvironment") return [[`environment ${id}`, []]];
  if (type === "ProjectDomain") return [[`domain ${id}`, []]];
  if (type === "Deployment") return [[deploymentKey(String(outputs.projectId), id), []]];
  // A change gives a record another id; the resource keeps its own.
  if (type === "DnsRecord") return [[`record ${outputs.domain}/${outputs.recordId}`, []]];
  const noun = own(companionNouns, type);
  if (noun !== undefined) return [[`${noun} ${id}`, (outputs.target ?? []) as string[]]];
  if (settingTypes.has(type)) return [];
  if (type === "EnvVar") return [[`variable ${id}`, outputs.target as string[]]];
  const { projectId, records, variables, target } = outputs as {
    projectId: string;
    records: Plain;
    variables: Record<string, { target?: string[] } | string>;
    target?: string[];
  };
  return Object.entries(records).map(([key, record]) => {
    const one = variables[key];
    const own = typeof one === "object" ? one.target : undefined;
    return [variableKey(projectId, (record as { id: string }).id), own ?? target ?? []];
  });
}

/**
 * The resource with which each deployment is deleted; undefined: it stays. One that is replaced always stays, also if the
 * run was killed between the two steps, and the program then drops the resource.
 */
export function deletedWith(state: readonly RecordedResource[]): Map<string, string | undefined> {
  const deployments = state.filter(({ type }) => type === "Deployment");
  return new Map(
    deployments.flatMap((recorded) => {
      const { isReplaced, isPending, outputs } = recorded;
      const isKept = isReplaced || isPending || outputs.onDestroy !== "delete";
      return objectsOfRecorded(recorded).map(([key]) => [key, isKept ? undefined : recorded.name] as const);
    }),
  );
}

/** Whether another resource has the domain of a resource, in another project. */
const isMoved = ({ type, outputs }: RecordedResource, state: readonly RecordedResource[]): boolean =>
  type === "ProjectDomain" &&
  state.some(
    (other) =>
      other.type === type &&
      other.outputs.name === outputs.name &&
      other.outputs.projectId !== outputs.projectId,
  );

/** Watches a stack and a service over runs: nothing that a resource has is lost, and nothing is left behind. */
export class Owners {
  #before: Objects = new Map();
  #owned: ReadonlySet<string> = new Set();
  /** The resource with which each deployment goes; undefined: it stays. */
  #deployments: ReadonlyMap<string, string | undefined> = new Map();
  /** The resources of the state, by name. */
  #recorded: ReadonlyMap<string, Pick<RecordedResource, "id" | "dependencies">> = new Map();
  /** Objects that somebody else has created, and no resource has had. */
  readonly #foreign = new Set<string>();
  /** Objects that two resources have. */
  #shared: ReadonlySet<string> = new Set();
  /** How often a resource took over what somebody else had made. */
  adoptions = 0;

  /** Somebody else has made these. */
  add(objects: Objects): void {
    for (const key of objects.keys()) if (!this.#before.has(key)) this.#foreign.add(key);
    this.#before = objects;
  }

  /** Starts again after a run that was killed: what no resource has is nobody's. */
  begin(state: readonly RecordedResource[], there: Objects): void {
    this.#before = there;
    // The object of a pending replacement was deleted: one of that name is another.
    this.#owned = new Set(
      state
        .filter(({ isPending }) => !isPending)
        .flatMap(objectsOfRecorded)
        .map(([key]) => key),
    );
    this.#record(state);
    for (const key of there.keys()) if (!this.#owned.has(key)) this.#foreign.add(key);
  }

  /**
   * @param run `isWhole`: all of the program was carried out; `hasEnded`: the run did all that it was to do, perhaps only
   *   for its targets; `aliases`: names that resources of the program had before
   * @throws Error that tells what is wrong after a run
   */
  check(
    state: readonly RecordedResource[],
    there: Objects,
    {
      isWhole = true,
      hasEnded = true,
      aliases = [],
    }: { isWhole?: boolean; hasEnded?: boolean; aliases?: readonly string[] } = {},
  ): void {
    const owners = new Map<string, string>();
    const shared = new Set<string>();
    for (const recorded of state.filter(({ isPending }) => !isPending)) {
      for (const [key, environments] of objectsOfRecorded(recorded)) {
        const other = owners.get(key);
        // Two resources may have one object until a run has ended, but not by a run that ends without one of them.
        const mayBeShared = !isWhole && sharedTypes.has(recorded.type);
        const isShared = mayBeShared && !(hasEnded && !this.#shared.has(key));
        if (other !== undefined && !isShared)
          throw new Error(`${key} is owned by ${other} and ${recorded.name}`);
        if (other !== undefined) shared.add(key);
        owners.set(key, recorded.name);
        const found = there.get(key);
        // A run that has not ended may have moved the domain of a resource that releases it.
        const wasThere = this.#before.has(key);
        if (!found && !(hasEnded && wasThere) && !isWhole && isMoved(recorded, state)) continue;
        if (!found) throw new Error(`${key} is gone, which ${recorded.name} has`);
        const missing = environments.filter((name) => !found.includes(name));
        if (missing.length > 0) throw new Error(`${key} of ${recorded.name} is taken away from ${missing}`);
      }
    }
    const names = new Set([...state.map(({ name }) => name), ...aliases]);
    for (const [key, environments] of this.#before) {
      const isOwned = owners.has(key);
      const found = there.get(key);
      const isOfProject = this.#deployments.has(key) && there.has(projectKey(projectOf(key)));
      const goesWith = this.#deployments.get(key);
      const isDeleted = goesWith !== undefined && !names.has(goesWith);
      const isLeft = isDeleted && !this.#goesFirst(goesWith, state);
      if (isOfProject && !isOwned && found && isLeft) throw new Error(`${key} is not deleted`);
      if (isOfProject && !found && !isDeleted) throw new Error(`${key} is deleted, which is history`);
      if (isOfProject && !isOwned && found) {
        this.#foreign.add(key);
        continue;
      }
      if (!found) {
        const parts = new Set([key, ...partsOf(key)]);
        const isDropped = [...this.#owned].some(
          (one) => parts.has(one) || parts.has(one.replace(/^\w+ /, "")),
        );
        if (!isDropped) throw new Error(`${key} is gone, which nobody of the program had`);
        this.#foreign.delete(key);
        continue;
      }
      if (this.#owned.has(key)) continue;
      const lost = environments.filter((name) => !found.includes(name));
      if (lost.length > 0) throw new Error(`${key} is adopted and taken away from ${lost}`);
      if (isOwned && this.#foreign.delete(key)) this.adoptions += 1;
    }
    for (const key of there.keys()) {
      if (!owners.has(key) && !this.#foreign.has(key)) throw new Error(`${key} is left behind`);
    }
    this.#before = there;
    this.#owned = new Set(owners.keys());
    this.#shared = shared;
    this.#record(state);
  }

  #record(state: readonly RecordedResource[]): void {
    this.#deployments = deletedWith(state);
    this.#recorded = new Map(state.map(({ name, id, dependencies }) => [name, { id, dependencies }]));
  }

  /**
   * Whether the run may have deleted a resource first because it replaced another one, on which the resource depends.
   * The engine then tells the provider nothing that it does not tell of a replacement, which keeps a deployment.
   */
  #goesFirst(name: string, state: readonly RecordedResource[]): boolean {
    const isReplaced = (other: string): boolean => {
      const now = state.find((one) => one.name === other);
      return now !== undefined && now.id !== this.#recorded.get(other)?.id;
    };
    const dependencies = [...(this.#recorded.get(name)?.dependencies ?? [])];
    return dependencies.some((other) => isReplaced(other) || this.#goesFirst(other, state));
  }
}
