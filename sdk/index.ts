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
export * from "./classes";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";
export { type Challenge, Site, type SiteArgs, type SiteDomain, type SiteVerification } from "./site";
export type * from "./types";
