/** The class of each resource. Written by `npm run docs` from provider/resources; change it there. */

import type * as pulumi from "@pulumi/pulumi";
import { accessGroup } from "../provider/resources/access-group";
import { accessGroupMember } from "../provider/resources/access-group-member";
import { accessGroupProject } from "../provider/resources/access-group-project";
import { alias } from "../provider/resources/alias";
import { attackChallengeMode } from "../provider/resources/attack-challenge-mode";
import { auditLogDrain } from "../provider/resources/audit-log-drain";
import { blobStore } from "../provider/resources/blob-store";
import { blobStoreConnection } from "../provider/resources/blob-store-connection";
import { bulkRedirects } from "../provider/resources/bulk-redirects";
import { customCertificate } from "../provider/resources/custom-certificate";
import { customEnvironment } from "../provider/resources/custom-environment";
import { deployment } from "../provider/resources/deployment";
import { deploymentProtectionException } from "../provider/resources/deployment-protection-exception";
import { dnsRecord } from "../provider/resources/dns-record";
import { domain } from "../provider/resources/domain";
import { domainVerification } from "../provider/resources/domain-verification";
import { edgeConfig } from "../provider/resources/edge-config";
import { edgeConfigItem } from "../provider/resources/edge-config-item";
import { edgeConfigToken } from "../provider/resources/edge-config-token";
import { envVar } from "../provider/resources/env-var";
import { envVars } from "../provider/resources/env-vars";
import { featureFlag } from "../provider/resources/feature-flag";
import { featureFlagSdkKey } from "../provider/resources/feature-flag-sdk-key";
import { featureFlagSegment } from "../provider/resources/feature-flag-segment";
import { firewallBypass } from "../provider/resources/firewall-bypass";
import { firewallConfig } from "../provider/resources/firewall-config";
import { integrationProjectAccess } from "../provider/resources/integration-project-access";
import { logDrain } from "../provider/resources/log-drain";
import { microfrontendGroup } from "../provider/resources/microfrontend-group";
import { microfrontendGroupMembership } from "../provider/resources/microfrontend-group-membership";
import { projectDomain } from "../provider/resources/project-domain";
import { projectMember } from "../provider/resources/project-member";
import { projectRoute } from "../provider/resources/project-route";
import { rollingRelease } from "../provider/resources/rolling-release";
import { sharedEnvVar } from "../provider/resources/shared-env-var";
import { sharedEnvVarLink } from "../provider/resources/shared-env-var-link";
import { teamConfig } from "../provider/resources/team-config";
import { teamMember } from "../provider/resources/team-member";
import { traceDrain } from "../provider/resources/trace-drain";
import { userToken } from "../provider/resources/user-token";
import { webhook } from "../provider/resources/webhook";
import { classOf } from "./core/resource";
import type * as types from "./types";

export { Project } from "./project";
export { Promotion } from "./promotion";

/** An access group of the team: members of the team who get roles in projects together. Add them with `AccessGroupMember` and `AccessGroupProject`. Deleting the group removes these roles. */
export class AccessGroup extends classOf<types.AccessGroupOutputs>(accessGroup) {
  constructor(name: string, args: types.AccessGroupArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing access group without managing it. The id is `<name>`, or `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): AccessGroup {
    return new AccessGroup(name, {} as types.AccessGroupArgs, { ...opts, id });
  }
}

/** A member of an access group, who has the group's roles in its projects. */
export class AccessGroupMember extends classOf<types.AccessGroupMemberOutputs>(accessGroupMember) {
  constructor(name: string, args: types.AccessGroupMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing access group member without managing it. The id is `<access group>/<email address>`, or `<access group>/<id of the user>`, with the id or name of the group. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): AccessGroupMember {
    return new AccessGroupMember(name, {} as types.AccessGroupMemberArgs, { ...opts, id });
  }
}

/** A project of an access group: the group's members get the role in it. */
export class AccessGroupProject extends classOf<types.AccessGroupProjectOutputs>(accessGroupProject) {
  constructor(name: string, args: types.AccessGroupProjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing access group project without managing it. The id is `<project>/<access group>`, with the id or name of the group. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): AccessGroupProject {
    return new AccessGroupProject(name, {} as types.AccessGroupProjectArgs, { ...opts, id });
  }
}

/** A name that points to a deployment, whatever production serves, such as the address of a preview. The domains of a project are no aliases: a `Promotion` decides where these point. */
export class Alias extends classOf<types.AliasOutputs>(alias) {
  constructor(name: string, args: types.AliasArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing set of alias without managing it. The id is `<alias>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Alias {
    return new Alias(name, {} as types.AliasArgs, { ...opts, id });
  }
}

/** The attack challenge mode of a project: while it is enabled, every visitor has to pass a challenge. Declare one resource for each project. Deleting the resource disables the mode. */
export class AttackChallengeMode extends classOf<types.AttackChallengeModeOutputs>(attackChallengeMode) {
  constructor(name: string, args: types.AttackChallengeModeArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing attack challenge mode without managing it. The id is `<project>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): AttackChallengeMode {
    return new AttackChallengeMode(name, {} as types.AttackChallengeModeArgs, { ...opts, id });
  }
}

/** An audit log drain of the team: an endpoint or a bucket that receives the events in the team's audit log, of all projects. */
export class AuditLogDrain extends classOf<types.AuditLogDrainOutputs>(auditLogDrain) {
  constructor(name: string, args: types.AuditLogDrainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing audit log drain without managing it. The id is `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): AuditLogDrain {
    return new AuditLogDrain(name, {} as types.AuditLogDrainArgs, { ...opts, id });
  }
}

/** A Blob store of the account, which keeps files such as images and uploads. `readWriteToken` is a secret. */
export class BlobStore extends classOf<types.BlobStoreOutputs>(blobStore) {
  constructor(name: string, args: types.BlobStoreArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing blob store without managing it. The id is `<name>`, or `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BlobStore {
    return new BlobStore(name, {} as types.BlobStoreArgs, { ...opts, id });
  }
}

/** Connects a Blob store to a project. The project gets a variable with the token of the store, which belongs to the connection. */
export class BlobStoreConnection extends classOf<types.BlobStoreConnectionOutputs>(blobStoreConnection) {
  constructor(name: string, args: types.BlobStoreConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing blob store connection without managing it. The id is `<project>/<store>`, with the id or name of the store. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): BlobStoreConnection {
    return new BlobStoreConnection(name, {} as types.BlobStoreConnectionArgs, { ...opts, id });
  }
}

/** The redirects of a project that need no deployment: thousands of paths, without wildcards. Declare one resource for each project. A change is published at once. Redirects that somebody else adds stay until a refresh has shown them. */
export class BulkRedirects extends classOf<types.BulkRedirectsOutputs>(bulkRedirects) {
  constructor(name: string, args: types.BulkRedirectsArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing set of bulk redirects without managing it. The id is `<project>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BulkRedirects {
    return new BulkRedirects(name, {} as types.BulkRedirectsArgs, { ...opts, id });
  }
}

/** A TLS certificate of the account's own, which the service uses for its domains instead of one that it issues. No request of the API changes a certificate, so every change uploads a new certificate, then deletes the old one. */
export class CustomCertificate extends classOf<types.CustomCertificateOutputs>(customCertificate) {
  constructor(name: string, args: types.CustomCertificateArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing custom certificate without managing it. The id is `<id>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): CustomCertificate {
    return new CustomCertificate(name, {} as types.CustomCertificateArgs, { ...opts, id });
  }
}

/** A custom environment of a project, such as staging. Variables and domains refer to its `environmentId`. */
export class CustomEnvironment extends classOf<types.CustomEnvironmentOutputs>(customEnvironment) {
  constructor(name: string, args: types.CustomEnvironmentArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing custom environment without managing it. The id is `<project>/<slug>`, or `<project>/<id>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): CustomEnvironment {
    return new CustomEnvironment(name, {} as types.CustomEnvironmentArgs, { ...opts, id });
  }
}

/** A deployment of a project. Its source is a folder of files, the output of a build, a commit, or the source of another deployment. Changing the source, target or triggers creates a new deployment and keeps the old one. */
export class Deployment extends classOf<types.DeploymentOutputs>(deployment) {
  constructor(name: string, args: types.DeploymentArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing deployment without managing it. The id is `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Deployment {
    return new Deployment(name, {} as types.DeploymentArgs, { ...opts, id });
  }
}

/** An exception from the deployment protection of a project: everybody may open one alias, or the URL of one deployment. */
export class DeploymentProtectionException extends classOf<types.DeploymentProtectionExceptionOutputs>(
  deploymentProtectionException,
) {
  constructor(
    name: string,
    args: types.DeploymentProtectionExceptionArgs,
    opts?: pulumi.CustomResourceOptions,
  ) {
    super(name, args, opts);
  }

  /** Reads an existing deployment protection exception without managing it. The id is `<project>/<alias>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DeploymentProtectionException {
    return new DeploymentProtectionException(name, {} as types.DeploymentProtectionExceptionArgs, {
      ...opts,
      id,
    });
  }
}

/** A DNS record of a domain of the account. The account must have the domain: a `Domain` adds it, and so does a `ProjectDomain` of it or of one of its subdomains. */
export class DnsRecord extends classOf<types.DnsRecordOutputs>(dnsRecord) {
  constructor(name: string, args: types.DnsRecordArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing dns record without managing it. The id is `<domain>/<id of the record>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DnsRecord {
    return new DnsRecord(name, {} as types.DnsRecordArgs, { ...opts, id });
  }
}

/** A domain of the account, without a project. A `ProjectDomain` or `DnsRecord` that gets its `name` is deleted before it. */
export class Domain extends classOf<types.DomainOutputs>(domain) {
  constructor(name: string, args: types.DomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing domain without managing it. The id is `<domain>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Domain {
    return new Domain(name, {} as types.DomainArgs, { ...opts, id });
  }
}

/** Waits until a domain is verified and, with `waitForDns`, until the domain's DNS records point at the service. Set `dependsOn` to the resource that publishes the records. Resources that need the domain must depend on the DomainVerification. After a timeout, the next run continues to wait. */
export class DomainVerification extends classOf<types.DomainVerificationOutputs>(domainVerification) {
  constructor(name: string, args: types.DomainVerificationArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing domain verification without managing it. The id is `<project>/<domain>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainVerification {
    return new DomainVerification(name, {} as types.DomainVerificationArgs, { ...opts, id });
  }
}

/** An Edge Config of the account: a small store of items that functions read quickly. */
export class EdgeConfig extends classOf<types.EdgeConfigOutputs>(edgeConfig) {
  constructor(name: string, args: types.EdgeConfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing edge config without managing it. The id is `<slug>`, or `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EdgeConfig {
    return new EdgeConfig(name, {} as types.EdgeConfigArgs, { ...opts, id });
  }
}

/** An item of an Edge Config: a key and a value. The value may be any JSON. */
export class EdgeConfigItem extends classOf<types.EdgeConfigItemOutputs>(edgeConfigItem) {
  constructor(name: string, args: types.EdgeConfigItemArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing edge config item without managing it. The id is `<Edge Config>/<key>`, with the slug or id of the Edge Config. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EdgeConfigItem {
    return new EdgeConfigItem(name, {} as types.EdgeConfigItemArgs, { ...opts, id });
  }
}

/** A token that reads an Edge Config. `token` and `connectionString` are secrets. */
export class EdgeConfigToken extends classOf<types.EdgeConfigTokenOutputs>(edgeConfigToken) {
  constructor(name: string, args: types.EdgeConfigTokenArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing edge config token without managing it. The id is `<Edge Config>/<id of the token>`, with the slug or id of the Edge Config. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): EdgeConfigToken {
    return new EdgeConfigToken(name, {} as types.EdgeConfigTokenArgs, { ...opts, id });
  }
}

/** An environment variable of a project. Its value is always a secret, whatever its type. */
export class EnvVar extends classOf<types.EnvVarOutputs>(envVar) {
  constructor(name: string, args: types.EnvVarArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing environment variable without managing it. The id is `<project>/<KEY>/<target>`, with `/<branch>` if the variable has a branch, or `<project>/<id of the variable>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EnvVar {
    return new EnvVar(name, {} as types.EnvVarArgs, { ...opts, id });
  }
}

/** Many environment variables of a project in one declaration, created with one request. Other variables of the project stay as they are. The whole map `variables` is a secret. */
export class EnvVars extends classOf<types.EnvVarsOutputs>(envVars) {
  constructor(name: string, args: types.EnvVarsArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing set of environment variables without managing it. The id is `<project>/<KEY>,<KEY>`, or `<project>` for all. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EnvVars {
    return new EnvVars(name, {} as types.EnvVarsArgs, { ...opts, id });
  }
}

/** A feature flag of a project: its variants, and what it serves in each environment. Leave out `production`, `preview` or `development` to leave what the flag serves there to the dashboard. */
export class FeatureFlag extends classOf<types.FeatureFlagOutputs>(featureFlag) {
  constructor(name: string, args: types.FeatureFlagArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing feature flag without managing it. The id is `<project>/<slug>`, or `<project>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): FeatureFlag {
    return new FeatureFlag(name, {} as types.FeatureFlagArgs, { ...opts, id });
  }
}

/** An SDK key, with which applications evaluate the feature flags of a project in one environment. `sdkKey` and `connectionString` are secrets. */
export class FeatureFlagSdkKey extends classOf<types.FeatureFlagSdkKeyOutputs>(featureFlagSdkKey) {
  constructor(name: string, args: types.FeatureFlagSdkKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing feature flag sdk key without managing it. The id is `<project>/<hash of the key>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): FeatureFlagSdkKey {
    return new FeatureFlagSdkKey(name, {} as types.FeatureFlagSdkKeyArgs, { ...opts, id });
  }
}

/** A segment of a project: a group of visitors that the rules of feature flags name. Rules of the segment itself are kept as they are in the dashboard. */
export class FeatureFlagSegment extends classOf<types.FeatureFlagSegmentOutputs>(featureFlagSegment) {
  constructor(name: string, args: types.FeatureFlagSegmentArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing feature flag segment without managing it. The id is `<project>/<slug>`, or `<project>/<id>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): FeatureFlagSegment {
    return new FeatureFlagSegment(name, {} as types.FeatureFlagSegmentArgs, { ...opts, id });
  }
}

/** A rule that lets requests from an IP address pass the firewall of a project, for one domain or for all. */
export class FirewallBypass extends classOf<types.FirewallBypassOutputs>(firewallBypass) {
  constructor(name: string, args: types.FirewallBypassArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing set of firewall bypass without managing it. The id is `<project>/<domain>/<address>`, with `*` for all domains. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): FirewallBypass {
    return new FirewallBypass(name, {} as types.FirewallBypassArgs, { ...opts, id });
  }
}

/** The configuration of a project's firewall: custom rules, rules for IP addresses, and sets of rules of the service. Declare one resource for each project. Rules that somebody else adds stay until a refresh has shown them. */
export class FirewallConfig extends classOf<types.FirewallConfigOutputs>(firewallConfig) {
  constructor(name: string, args: types.FirewallConfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing firewall config without managing it. The id is `<project>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): FirewallConfig {
    return new FirewallConfig(name, {} as types.FirewallConfigArgs, { ...opts, id });
  }
}

/** Gives an installation of an integration access to a project, if the installation is limited to selected projects. The access to other projects is not changed. */
export class IntegrationProjectAccess extends classOf<types.IntegrationProjectAccessOutputs>(
  integrationProjectAccess,
) {
  constructor(name: string, args: types.IntegrationProjectAccessArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing set of integration project access without managing it. The id is `<project>/<id of the installation>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): IntegrationProjectAccess {
    return new IntegrationProjectAccess(name, {} as types.IntegrationProjectAccessArgs, { ...opts, id });
  }
}

/** A log drain of the account: an endpoint that receives the log lines of the account's projects. */
export class LogDrain extends classOf<types.LogDrainOutputs>(logDrain) {
  constructor(name: string, args: types.LogDrainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing log drain without managing it. The id is `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): LogDrain {
    return new LogDrain(name, {} as types.LogDrainArgs, { ...opts, id });
  }
}

/** A microfrontend group of the team: projects that are composed to one application. The group has its default application; add the other projects with `MicrofrontendGroupMembership`. A group with other projects is not deleted. */
export class MicrofrontendGroup extends classOf<types.MicrofrontendGroupOutputs>(microfrontendGroup) {
  constructor(name: string, args: types.MicrofrontendGroupArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing microfrontend group without managing it. The id is `<name>`, or `<id>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): MicrofrontendGroup {
    return new MicrofrontendGroup(name, {} as types.MicrofrontendGroupArgs, { ...opts, id });
  }
}

/** A project of a microfrontend group, other than the default application. The paths that lead to it are in the microfrontends.json of the default application. Changes take effect with the next deployment. */
export class MicrofrontendGroupMembership extends classOf<types.MicrofrontendGroupMembershipOutputs>(
  microfrontendGroupMembership,
) {
  constructor(
    name: string,
    args: types.MicrofrontendGroupMembershipArgs,
    opts?: pulumi.CustomResourceOptions,
  ) {
    super(name, args, opts);
  }

  /** Reads an existing microfrontend group membership without managing it. The id is `<project>/<group>`, with the id or name of the project, and the id of the group. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): MicrofrontendGroupMembership {
    return new MicrofrontendGroupMembership(name, {} as types.MicrofrontendGroupMembershipArgs, {
      ...opts,
      id,
    });
  }
}

/** A domain attached to a project. Until the domain is verified, `verified` is false, and `verification` has the DNS records that can verify it. Publish one of these records, and declare a `DomainVerification` that depends on the published record. */
export class ProjectDomain extends classOf<types.ProjectDomainOutputs>(projectDomain) {
  constructor(name: string, args: types.ProjectDomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing project domain without managing it. The id is `<project>/<domain>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectDomain {
    return new ProjectDomain(name, {} as types.ProjectDomainArgs, { ...opts, id });
  }
}

/** The role that a member of the team has in one project. */
export class ProjectMember extends classOf<types.ProjectMemberOutputs>(projectMember) {
  constructor(name: string, args: types.ProjectMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing project member without managing it. The id is `<project>/<email address>`, or `<project>/<id of the user>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectMember {
    return new ProjectMember(name, {} as types.ProjectMemberArgs, { ...opts, id });
  }
}

/** A route of a project that needs no deployment: it redirects or rewrites requests, answers them with a status, or changes headers. A change is published at once. Several routes of a program are changed one after the other. */
export class ProjectRoute extends classOf<types.ProjectRouteOutputs>(projectRoute) {
  constructor(name: string, args: types.ProjectRouteArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing project route without managing it. The id is `<project>/<id of the route>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectRoute {
    return new ProjectRoute(name, {} as types.ProjectRouteArgs, { ...opts, id });
  }
}

/** The rolling releases of a project: a new deployment for production gets its visitors by stages. Declare one resource for each project. Deleting the resource disables rolling releases. */
export class RollingRelease extends classOf<types.RollingReleaseOutputs>(rollingRelease) {
  constructor(name: string, args: types.RollingReleaseArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing rolling release without managing it. The id is `<project>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): RollingRelease {
    return new RollingRelease(name, {} as types.RollingReleaseArgs, { ...opts, id });
  }
}

/** An environment variable of a team that applies to all linked projects. */
export class SharedEnvVar extends classOf<types.SharedEnvVarOutputs>(sharedEnvVar) {
  constructor(name: string, args: types.SharedEnvVarArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing shared env var without managing it. The id is `<KEY>/<target>`, or `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): SharedEnvVar {
    return new SharedEnvVar(name, {} as types.SharedEnvVarArgs, { ...opts, id });
  }
}

/** Links one project to a shared variable. Other links of the variable are not changed. */
export class SharedEnvVarLink extends classOf<types.SharedEnvVarLinkOutputs>(sharedEnvVarLink) {
  constructor(name: string, args: types.SharedEnvVarLinkArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing shared env var link without managing it. The id is `<project>/<id of the shared variable>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): SharedEnvVarLink {
    return new SharedEnvVarLink(name, {} as types.SharedEnvVarLinkArgs, { ...opts, id });
  }
}

/** The settings of the team that the provider acts on. Declare one resource for each team. The team stays when the resource is deleted, with its settings. */
export class TeamConfig extends classOf<types.TeamConfigOutputs>(teamConfig) {
  constructor(name: string, args: types.TeamConfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing team config without managing it. The id is `<id of the team>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): TeamConfig {
    return new TeamConfig(name, {} as types.TeamConfigArgs, { ...opts, id });
  }
}

/** A member of the team. A user who is not a member is invited, and becomes a member by accepting the invitation. */
export class TeamMember extends classOf<types.TeamMemberOutputs>(teamMember) {
  constructor(name: string, args: types.TeamMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing team member without managing it. The id is `<email address>`, or `<id of the user>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): TeamMember {
    return new TeamMember(name, {} as types.TeamMemberArgs, { ...opts, id });
  }
}

/** A trace drain of the account: an endpoint that receives the traces of the account's projects in the format of OpenTelemetry. */
export class TraceDrain extends classOf<types.TraceDrainOutputs>(traceDrain) {
  constructor(name: string, args: types.TraceDrainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing trace drain without managing it. The id is `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): TraceDrain {
    return new TraceDrain(name, {} as types.TraceDrainArgs, { ...opts, id });
  }
}

/** An access token of the user to whom the token of the provider belongs. If the provider selects a team, the token acts on this team alone. No request of the API changes a token, so every change creates a new token, then deletes the old one. `bearerToken` is a secret. */
export class UserToken extends classOf<types.UserTokenOutputs>(userToken) {
  constructor(name: string, args: types.UserTokenArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing user token without managing it. The id is `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): UserToken {
    return new UserToken(name, {} as types.UserTokenArgs, { ...opts, id });
  }
}

/** A webhook of the account: an endpoint that receives the account's events. Each delivery is signed with `secret`. The API cannot update a webhook, so every change creates a new webhook with another secret, then deletes the old webhook. */
export class Webhook extends classOf<types.WebhookOutputs>(webhook) {
  constructor(name: string, args: types.WebhookArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing webhook without managing it. The id is `<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Webhook {
    return new Webhook(name, {} as types.WebhookArgs, { ...opts, id });
  }
}
