/** The class of each resource. Written by `npm run docs` from the list of provider/resources. */

export { AttackChallengeMode } from "./attack-challenge-mode";
export { CustomEnvironment } from "./custom-environment";
export { Deployment } from "./deployment";
export { DnsRecord } from "./dns-record";
export { DomainVerification } from "./domain-verification";
export { EdgeConfig } from "./edge-config";
export { EdgeConfigItem } from "./edge-config-item";
export { EdgeConfigToken } from "./edge-config-token";
export { EnvVar } from "./env-var";
export { EnvVars } from "./env-vars";
export { FirewallBypass } from "./firewall-bypass";
export { LogDrain } from "./log-drain";
export { Project } from "./project";
export { ProjectDomain } from "./project-domain";
export { ProjectMember } from "./project-member";
export { Promotion } from "./promotion";
export { SharedEnvVar } from "./shared-env-var";
export { SharedEnvVarLink } from "./shared-env-var-link";
export { TeamMember } from "./team-member";
export { Webhook } from "./webhook";
