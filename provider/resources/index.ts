import { accessGroup } from "./access-group";
import { accessGroupMember } from "./access-group-member";
import { accessGroupProject } from "./access-group-project";
import { alias } from "./alias";
import { attackChallengeMode } from "./attack-challenge-mode";
import { auditLogDrain } from "./audit-log-drain";
import { blobStore } from "./blob-store";
import { blobStoreConnection } from "./blob-store-connection";
import { bulkRedirects } from "./bulk-redirects";
import { customCertificate } from "./custom-certificate";
import { customEnvironment } from "./custom-environment";
import { deployment } from "./deployment";
import { deploymentProtectionException } from "./deployment-protection-exception";
import { dnsRecord } from "./dns-record";
import { domain } from "./domain";
import { domainVerification } from "./domain-verification";
import { edgeConfig } from "./edge-config";
import { edgeConfigItem } from "./edge-config-item";
import { edgeConfigToken } from "./edge-config-token";
import { envVar } from "./env-var";
import { envVars } from "./env-vars";
import { featureFlag } from "./feature-flag";
import { featureFlagSdkKey } from "./feature-flag-sdk-key";
import { featureFlagSegment } from "./feature-flag-segment";
import { firewallBypass } from "./firewall-bypass";
import { firewallConfig } from "./firewall-config";
import { integrationProjectAccess } from "./integration-project-access";
import { logDrain } from "./log-drain";
import { microfrontendGroup } from "./microfrontend-group";
import { microfrontendGroupMembership } from "./microfrontend-group-membership";
import { project } from "./project";
import { projectDomain } from "./project-domain";
import { projectMember } from "./project-member";
import { projectRoute } from "./project-route";
import { promotion } from "./promotion";
import { rollingRelease } from "./rolling-release";
import { sharedEnvVar } from "./shared-env-var";
import { sharedEnvVarLink } from "./shared-env-var-link";
import { teamConfig } from "./team-config";
import { teamMember } from "./team-member";
import { traceDrain } from "./trace-drain";
import { userToken } from "./user-token";
import { webhook } from "./webhook";

/**
 * All resources. The hosts, the package schema, the types of the SDK and the tables of the documentation are generated
 * from this list. Module, class and page of a resource are named after its type.
 */
export const resources = {
  project,
  projectDomain,
  domain,
  domainVerification,
  envVar,
  envVars,
  deployment,
  promotion,
  customEnvironment,
  dnsRecord,
  attackChallengeMode,
  rollingRelease,
  sharedEnvVar,
  sharedEnvVarLink,
  teamMember,
  teamConfig,
  projectMember,
  accessGroup,
  accessGroupMember,
  accessGroupProject,
  microfrontendGroup,
  microfrontendGroupMembership,
  firewallBypass,
  firewallConfig,
  featureFlag,
  featureFlagSegment,
  featureFlagSdkKey,
  bulkRedirects,
  projectRoute,
  integrationProjectAccess,
  edgeConfig,
  edgeConfigItem,
  edgeConfigToken,
  blobStore,
  blobStoreConnection,
  webhook,
  logDrain,
  traceDrain,
  auditLogDrain,
  alias,
  deploymentProtectionException,
  customCertificate,
  userToken,
} as const;
