import { accessGroup, accessGroupMember, accessGroupProject } from "./access-group";
import { accountDomain } from "./account-domain";
import { alias } from "./alias";
import { blobStore, blobStoreConnection } from "./blob-store";
import { bulkRedirects } from "./bulk-redirects";
import { certificate } from "./certificate";
import { deployment } from "./deployment";
import { deploymentProtectionException } from "./deployment-protection-exception";
import { dnsRecord } from "./dns-record";
import { domain } from "./domain";
import { edgeConfig, edgeConfigItem, edgeConfigToken } from "./edge-config";
import { environment } from "./environment";
import { featureFlag, featureFlagSdkKey, featureFlagSegment } from "./feature-flag";
import { firewallBypass } from "./firewall-bypass";
import { firewallConfig } from "./firewall-config";
import { integrationAccess } from "./integration-access";
import { type ObjectKind, pluralOf } from "./kind";
import { auditLogDrain, logDrain, traceDrain } from "./log-drain";
import { member } from "./member";
import { microfrontendGroup, microfrontendGroupMembership } from "./microfrontend-group";
import { attackMode, project, rollingRelease } from "./project";
import { projectMember } from "./project-member";
import { projectRoute } from "./project-route";
import { sharedVariable, sharedVariableLink } from "./shared-variable";
import { team } from "./team";
import { userToken } from "./user-token";
import { variable } from "./variable";
import { webhook } from "./webhook";

/** All kinds of objects of an account, with the resources of their parts, in the order in which tools go over them. */
export const importables = [
  project,
  environment,
  domain,
  variable,
  sharedVariable,
  sharedVariableLink,
  accountDomain,
  dnsRecord,
  deploymentProtectionException,
  firewallBypass,
  firewallConfig,
  bulkRedirects,
  projectRoute,
  attackMode,
  rollingRelease,
  featureFlag,
  featureFlagSegment,
  featureFlagSdkKey,
  team,
  member,
  projectMember,
  accessGroup,
  accessGroupMember,
  accessGroupProject,
  microfrontendGroup,
  microfrontendGroupMembership,
  integrationAccess,
  edgeConfig,
  edgeConfigItem,
  edgeConfigToken,
  blobStore,
  blobStoreConnection,
  webhook,
  logDrain,
  traceDrain,
  auditLogDrain,
  certificate,
  alias,
  deployment,
  userToken,
] as const;

export type Kind = Extract<(typeof importables)[number], { name: string }>;
export type KindName = Kind["name"];

export const kinds = importables.filter((one): one is Kind => "name" in one);

const kindsByName = new Map(kinds.map((kind) => [kind.name, kind]));
export const kindNamed = (name: KindName): ObjectKind => kindsByName.get(name) as Kind;

/** The kinds by the type of their resource. */
export const kindOfType: ReadonlyMap<string, Kind> = new Map(
  kinds.map((kind) => [kind.resource.type as string, kind]),
);

/** The names of kinds in a sentence: `domains, webhooks and aliases`. @param more the words at the end */
export const namesOf = (some: readonly Kind[], ...more: string[]): string =>
  [...some.map(({ name }) => pluralOf(name)), ...more].join(", ").replace(/, ([^,]*)$/, " and $1");

/** The sections of a seed document with an entry for each object, in the order in which they are written. */
export const sections = [
  "users",
  team.section,
  deployment.section,
  project.section,
  environment.section,
  domain.section,
  accountDomain.section,
  variable.section,
  sharedVariable.section,
  webhook.section,
  logDrain.section,
  traceDrain.section,
  alias.section,
  deploymentProtectionException.section,
  dnsRecord.section,
  firewallBypass.section,
  firewallConfig.section,
  bulkRedirects.section,
  projectRoute.section,
  projectMember.section,
  accessGroup.section,
  microfrontendGroup.section,
  "integrations",
  integrationAccess.section,
  edgeConfig.section,
  blobStore.section,
  certificate.section,
  featureFlag.section,
  featureFlagSegment.section,
  featureFlagSdkKey.section,
  "placeholders",
] as const;
export type Section = (typeof sections)[number];
