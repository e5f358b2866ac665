/** Everything that a program may import. */

export type {
  AliasInfo,
  DeploymentInfo,
  DeploymentQuery,
  DomainInfo,
  ProjectInfo,
} from "../provider/lookups";
export { DomainVerification, type DomainVerificationArgs } from "./domain-verification";
export { EnvVar, type EnvVarArgs } from "./env-var";
export { EnvVars, type EnvVarsArgs } from "./env-vars";
export * from "./lookups";
export { Project, type ProjectArgs } from "./project";
export { ProjectDomain, type ProjectDomainArgs } from "./project-domain";
export { Promotion, type PromotionArgs } from "./promotion";
export { Provider, type ProviderArgs } from "./provider";
export { type Challenge, Site, type SiteArgs, type SiteDomain, type SiteVerification } from "./site";
