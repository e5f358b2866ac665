/** Everything that a program may import. */

export type {
  AliasInfo,
  CustomEnvironmentInfo,
  CustomEnvironmentQuery,
  DeploymentInfo,
  DeploymentQuery,
  DomainInfo,
  ProjectInfo,
} from "../provider/lookups";
export { CustomEnvironment } from "./custom-environment";
export { DomainVerification } from "./domain-verification";
export { EnvVar } from "./env-var";
export { EnvVars } from "./env-vars";
export * from "./lookups";
export { Project } from "./project";
export { ProjectDomain } from "./project-domain";
export { Promotion } from "./promotion";
export { Provider, type ProviderArgs } from "./provider";
export { type Challenge, Site, type SiteArgs, type SiteDomain, type SiteVerification } from "./site";
export type * from "./types";
export { Webhook } from "./webhook";
