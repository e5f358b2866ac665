/** Everything that a program may import. */

export type {
  AliasInfo,
  CustomEnvironmentInfo,
  CustomEnvironmentQuery,
  DeploymentInfo,
  DeploymentQuery,
  DeploymentsQuery,
  DomainInfo,
  EdgeConfigInfo,
  EdgeConfigQuery,
  ProjectInfo,
  ProjectLookup,
  ProjectSearch,
} from "../provider/lookups/shapes";
export * from "./classes";
export * from "./functions";
export type { EnvVarResult, LookupOptions } from "./lookup-types";
export { Provider, type ProviderArgs } from "./provider";
export { type Challenge, Site, type SiteArgs, type SiteDomain, type SiteVerification } from "./site";
export type * from "./types";
