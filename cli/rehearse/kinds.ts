import type { Change } from "./report";

/** Object kinds by type, for resources with the id of their object. A Promotion has the id of its project. */
export const kindOfType: Readonly<Record<string, Change["kind"]>> = {
  Project: "project",
  CustomEnvironment: "environment",
  ProjectDomain: "domain",
  EnvVar: "variable",
  Deployment: "deployment",
  SharedEnvVar: "shared variable",
  DnsRecord: "DNS record",
  TeamMember: "member",
  ProjectMember: "project member",
  FirewallBypass: "firewall bypass",
  EdgeConfig: "Edge Config",
  EdgeConfigItem: "Edge Config item",
  EdgeConfigToken: "Edge Config token",
  Webhook: "webhook",
  LogDrain: "log drain",
};

/** The type of a resource without its package: `EnvVar`. */
export const typeName = (type: string): string => type.split(":").at(-1) ?? "";
