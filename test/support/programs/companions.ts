import type { Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import * as certificates from "../certificates";
import type { ByHand } from "./author";
import { isReference, type Reference } from "./program";

/** Chooses one of some texts. */
type Pick = (choices: readonly string[]) => string;

/** Kinds of objects that others are in. */
type Container =
  | "Project"
  | "SharedEnvVar"
  | "EdgeConfig"
  | "AccessGroup"
  | "BlobStore"
  | "Alias"
  | "MicrofrontendGroup";

interface Kind {
  /** The input that is the unique key, or by which people distinguish them; none: its containers have one of it. */
  key?: string;
  /** Its containers, by the inputs that have references to them. */
  of?: Readonly<Record<string, Container>>;
  /** Whether several may have the same key. */
  isNeverUnique?: true;
  hasNoAdopt?: true;
  /** A key. @param number one that no other key has */
  keyOf?(number: number): string;
  /**
   * The inputs beside the key and the containers.
   * @param project the id of one
   * @param number one that no other resource has
   */
  inputs(pick: Pick, project: Reference, number: number): Plain;
  /** An input that an edit changes. */
  edited(pick: Pick): Plain;
  /**
   * The request that makes the object of a declaration; none for one that needs an id which no program knows.
   * @param project its name
   */
  request?(args: Plain, project: string): ByHand;
}

/** Users who are in the team already: a project takes no others. */
export const colleagues = Array.from({ length: 6 }, (_, i) => `colleague${i}`);

const teamRoles = ["VIEWER", "MEMBER", "DEVELOPER"];
const projectRoles = ["PROJECT_VIEWER", "PROJECT_DEVELOPER", "ADMIN"];
/** Deployments of a project that no program declares. */
export const lastingDeployments = ["dpl_lasting1", "dpl_lasting2"];
export const booleanVariants = [
  { id: "on", value: true },
  { id: "off", value: false },
];
/** An address that accepts nothing. */
const receiver = "http://127.0.0.1:9";
/** An integration that is installed for some projects. */
export const installation = "icfg_programs";
const ipRules = (pick: Pick): Plain[] => [
  { ip: pick(["192.0.2.1", "192.0.2.2"]), hostname: "*", action: pick(["deny", "log"]) },
];
const stages = (pick: Pick): Plain => ({
  advancementType: "automatic",
  stages: [{ targetPercentage: 10, duration: Number(pick(["5", "10"])) }, { targetPercentage: 100 }],
});
/** A project, or all. */
const someProjects = (pick: Pick, project: Reference): Plain =>
  pick(["one", "all"]) === "one" ? { projectIds: [project] } : {};

const kinds = {
  SharedEnvVar: {
    key: "key",
    keyOf: (number) => `SHARED${number}`,
    inputs: (pick) => ({
      value: pick(["v", "w"]),
      type: pick(["encrypted", "sensitive"]),
      target: ["preview"],
    }),
    edited: (pick) => ({ value: pick(["v", "w", "x"]) }),
    request: ({ key, value, target }) => ({
      path: "/v1/env",
      body: { evs: [{ key, value }], type: "encrypted", target },
    }),
  },
  SharedEnvVarLink: {
    of: { project: "Project", sharedEnvVarId: "SharedEnvVar" },
    hasNoAdopt: true,
    inputs: () => ({}),
    edited: () => ({}),
  },
  AttackChallengeMode: {
    of: { project: "Project" },
    hasNoAdopt: true,
    inputs: (pick) => ({ enabled: pick(["on", "off"]) === "on" }),
    edited: (pick) => ({ enabled: pick(["on", "off"]) === "on" }),
  },
  EdgeConfig: {
    key: "slug",
    keyOf: (number) => `config${number}`,
    inputs: () => ({}),
    edited: (pick) => ({ schema: { title: pick(["one", "two"]) } }),
    request: ({ slug }) => ({ path: "/v1/edge-config", body: { slug } }),
  },
  EdgeConfigItem: {
    key: "key",
    of: { edgeConfigId: "EdgeConfig" },
    keyOf: (number) => `item${number}`,
    inputs: (pick) => ({ value: pick(["v", "w"]) }),
    edited: (pick) => ({ value: [pick(["v", "w", "x"])] }),
  },
  EdgeConfigToken: {
    key: "label",
    of: { edgeConfigId: "EdgeConfig" },
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `reader ${number}`,
    inputs: () => ({}),
    edited: (pick) => ({ label: pick(["one", "two"]) }),
  },
  DnsRecord: {
    key: "name",
    hasNoAdopt: true,
    keyOf: (number) => `name${number}`,
    inputs: (pick) => ({ domain: "example.com", type: "TXT", value: pick(["v", "w"]) }),
    edited: (pick) => ({ ttl: Number(pick(["60", "600"])) }),
    request: ({ name, value }) => ({
      path: "/v2/domains/example.com/records",
      body: { name, type: "TXT", value },
    }),
  },
  FirewallBypass: {
    key: "sourceIp",
    of: { project: "Project" },
    keyOf: (number) => `192.0.${number >> 8}.${number & 255}`,
    inputs: () => ({ domain: "*" }),
    edited: (pick) => ({ note: pick(["one", "two"]) }),
  },
  TeamMember: {
    key: "email",
    keyOf: (number) => `user${number}@example.org`,
    inputs: (pick) => ({ role: pick(teamRoles) }),
    edited: (pick) => ({ role: pick(teamRoles) }),
    request: ({ email, role }) => ({ path: "/v2/teams/acme/members", body: { email, role } }),
  },
  ProjectMember: {
    key: "email",
    of: { project: "Project" },
    keyOf: (number) => `${colleagues[number % colleagues.length]}@example.com`,
    inputs: (pick) => ({ role: pick(projectRoles) }),
    edited: (pick) => ({ role: pick(projectRoles) }),
    request: ({ email, role }, project) => ({
      path: `/v1/projects/${project}/members`,
      body: { email, role },
    }),
  },
  Webhook: {
    key: "url",
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `${receiver}/hook${number}`,
    inputs: (pick, project) => ({ events: ["project.created"], ...someProjects(pick, project) }),
    edited: (pick) => ({ events: [pick(["project.created", "project.removed"])] }),
  },
  LogDrain: {
    key: "name",
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `drain ${number}`,
    inputs: (pick, project) => ({ endpoint: `${receiver}/drain`, ...someProjects(pick, project) }),
    edited: (pick) => ({ endpoint: `${receiver}/${pick(["one", "two"])}` }),
  },
  TraceDrain: {
    key: "name",
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `traces ${number}`,
    inputs: (pick, project) => ({ endpoint: `${receiver}/v1/traces`, ...someProjects(pick, project) }),
    edited: (pick) => ({ samplingRules: [{ rate: Number(pick(["0", "0.5"])), requestPath: "/api" }] }),
  },
  AuditLogDrain: {
    key: "name",
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `audit ${number}`,
    inputs: () => ({ endpoint: `${receiver}/audit` }),
    edited: (pick) => ({ endpoint: `${receiver}/${pick(["one", "two"])}` }),
  },
  AccessGroup: {
    key: "name",
    keyOf: (number) => `group ${number}`,
    inputs: () => ({}),
    edited: (pick) => ({ name: pick(["group one", "group two"]) }),
    request: ({ name }) => ({ path: "/v1/access-groups", body: { name } }),
  },
  FeatureFlag: {
    key: "slug",
    of: { project: "Project" },
    keyOf: (number) => `flag${number}`,
    inputs: () => ({ kind: "boolean", variants: booleanVariants }),
    edited: (pick) => ({ description: pick(["one", "two"]) }),
    request: ({ slug }, project) => ({
      method: "PUT",
      path: `/v1/projects/${project}/feature-flags/flags`,
      body: { slug, kind: "boolean", environments: {} },
    }),
  },
  FeatureFlagSegment: {
    key: "slug",
    of: { project: "Project" },
    keyOf: (number) => `segment${number}`,
    inputs: () => ({ label: "Some" }),
    edited: (pick) => ({ hint: pick(["one", "two"]) }),
    request: ({ slug }, project) => ({
      method: "PUT",
      path: `/v1/projects/${project}/feature-flags/segments`,
      body: { slug, label: "Some", hint: "", data: {} },
    }),
  },
  ProjectRoute: {
    key: "name",
    of: { project: "Project" },
    keyOf: (number) => `route${number}`,
    inputs: (pick) => ({ route: { src: "/old", dest: pick(["/new", "/newer"]) } }),
    edited: (pick) => ({ route: { src: "/old", dest: pick(["/one", "/two"]) } }),
  },
  BlobStore: {
    key: "name",
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `store ${number}`,
    inputs: (pick) => ({ access: pick(["public", "private"]) }),
    edited: (pick) => ({ name: pick(["store one", "store two"]) }),
  },
  Alias: {
    key: "alias",
    keyOf: (number) => `alias${number}.vercel.app`,
    inputs: (pick) => ({ deploymentId: pick(lastingDeployments) }),
    edited: (pick) => ({ deploymentId: pick(lastingDeployments) }),
    request: ({ alias, deploymentId }) => ({
      path: `/v2/deployments/${deploymentId}/aliases`,
      body: { alias },
    }),
  },
  AccessGroupMember: {
    key: "email",
    of: { accessGroupId: "AccessGroup" },
    keyOf: (number) => `${colleagues[number % colleagues.length]}@example.com`,
    inputs: () => ({}),
    edited: () => ({}),
  },
  AccessGroupProject: {
    of: { project: "Project", accessGroupId: "AccessGroup" },
    inputs: (pick) => ({ role: pick(projectRoles) }),
    edited: (pick) => ({ role: pick(projectRoles) }),
  },
  BlobStoreConnection: {
    of: { project: "Project", blobStoreId: "BlobStore" },
    inputs: (pick, _project, number) => ({
      envVarPrefix: `FILES${number}`,
      environments: [pick(["production", "preview"])],
    }),
    edited: (pick) => ({ environments: [pick(["production", "preview", "development"])] }),
  },
  DeploymentProtectionException: {
    of: { alias: "Alias" },
    inputs: () => ({ project: "owner" }),
    edited: () => ({}),
  },
  FeatureFlagSdkKey: {
    key: "label",
    of: { project: "Project" },
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `key ${number}`,
    inputs: (pick) => ({ environment: pick(["production", "preview"]), type: pick(["server", "client"]) }),
    edited: (pick) => ({ label: pick(["one", "two"]) }),
  },
  Domain: {
    key: "name",
    keyOf: (number) => `apex${number}.org`,
    inputs: () => ({}),
    edited: (pick) => ({ echMode: pick(["enable", "disable"]) }),
    request: ({ name }) => ({ path: "/v7/domains", body: { name, method: "add" } }),
  },
  UserToken: {
    key: "name",
    isNeverUnique: true,
    hasNoAdopt: true,
    keyOf: (number) => `token ${number}`,
    inputs: () => ({}),
    edited: (pick) => ({ name: pick(["one", "two"]) }),
  },
  FirewallConfig: {
    of: { project: "Project" },
    inputs: (pick) => ({ ipRules: ipRules(pick), onDelete: "remove" }),
    edited: (pick) => ({ ipRules: ipRules(pick) }),
  },
  BulkRedirects: {
    of: { project: "Project" },
    inputs: (pick) => ({
      redirects: [{ source: "/old", destination: pick(["/a", "/b"]) }],
      onDelete: "remove",
    }),
    edited: (pick) => ({ redirects: [{ source: "/older", destination: pick(["/a", "/b"]) }] }),
  },
  CustomCertificate: {
    isNeverUnique: true,
    hasNoAdopt: true,
    inputs: (pick) => (pick(["first", "second"]) === "first" ? certificates.first : certificates.second),
    edited: (pick) => (pick(["first", "second"]) === "first" ? certificates.first : certificates.second),
  },
  TeamConfig: {
    hasNoAdopt: true,
    inputs: (pick) => ({ description: pick(["one", "two"]) }),
    edited: (pick) => ({ description: pick(["one", "two"]), enablePreviewFeedback: pick(["on", "off"]) }),
  },
  RollingRelease: {
    of: { project: "Project" },
    hasNoAdopt: true,
    inputs: (pick) => stages(pick),
    edited: (pick) => stages(pick),
  },
  IntegrationProjectAccess: {
    of: { project: "Project" },
    hasNoAdopt: true,
    inputs: () => ({ installationId: installation }),
    edited: () => ({}),
  },
  MicrofrontendGroup: {
    key: "name",
    of: { defaultAppProjectId: "Project" },
    keyOf: (number) => `shop ${number}`,
    inputs: () => ({}),
    edited: (pick) => ({ defaultRoute: pick(["/one", "/two"]) }),
  },
  MicrofrontendGroupMembership: {
    of: { project: "Project", microfrontendGroupId: "MicrofrontendGroup" },
    inputs: () => ({}),
    edited: (pick) => ({ defaultRoute: pick(["/one", "/two"]) }),
  },
} satisfies Partial<Record<ResourceType, Kind>>;

export type Companion = keyof typeof kinds;
/** Resources that complete projects, domains and variables. */
export const companions: Readonly<Record<Companion, Kind>> = kinds;
export const companionTypes = Object.keys(kinds) as Companion[];
/** The containers of companions. */
export const containers: ReadonlySet<string> = new Set(
  Object.values<Kind>(kinds).flatMap(({ of = {} }) => Object.values(of)),
);
/** Those with a key. */
export const keyedTypes = companionTypes.filter((type) => companions[type].key !== undefined);
export const isCompanion = (type: string): type is Companion => Object.hasOwn(kinds, type);

/** Those of which, until a run has ended, two resources may have one object. */
export const sharedTypes = new Set<string>([
  "ProjectDomain",
  "FirewallBypass",
  "TeamMember",
  "ProjectMember",
  "SharedEnvVarLink",
  "EdgeConfigItem",
  "Alias",
  "DnsRecord",
  "AttackChallengeMode",
  "AccessGroupMember",
  "AccessGroupProject",
  "BlobStoreConnection",
  "DeploymentProtectionException",
  "Domain",
  "FirewallConfig",
  "BulkRedirects",
  "RollingRelease",
  "TeamConfig",
  "IntegrationProjectAccess",
  "MicrofrontendGroupMembership",
  // Of a project, after a run with targets that renames it.
  "Promotion",
]);

/** The unique key of a declaration, with that in which it is unique. */
export function identityOf(type: Companion, args: Plain): string {
  const { key, of = {} } = companions[type];
  const scopes = Object.keys(of).map((input) => args[input]);
  // A record is known by all of it.
  const own = type === "DnsRecord" ? [args.domain, args.name, args.value] : [args[key ?? ""]];
  return JSON.stringify([type, ...scopes.map((one) => (isReference(one) ? one.$ref : one)), ...own]);
}
