/**
 * What `__provider` of each kind of resource asks `slipway/dynamic` for. Frozen: stored states ask for these names
 * for ever. They are short because a state holds the text twice.
 */
const handlers = {
  Project: "project",
  ProjectDomain: "domain",
  DomainVerification: "verify",
  EnvVar: "env",
  EnvVars: "envs",
  Promotion: "promote",
} as const;

export type ResourceType = keyof typeof handlers;

/** The text that a resource carries. It calls the installed package, so that no state holds code. */
export const trampoline = (type: ResourceType): string =>
  `module.exports=require('slipway/dynamic').${handlers[type]}`;
