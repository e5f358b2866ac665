/** Everything that a program may import. */

export { DomainVerification, type DomainVerificationArgs } from "./domain-verification";
export { EnvVar, type EnvVarArgs } from "./env-var";
export { Project, type ProjectArgs } from "./project";
export { ProjectDomain, type ProjectDomainArgs } from "./project-domain";
export { Promotion, type PromotionArgs } from "./promotion";
export { Provider, type ProviderArgs } from "./provider";
