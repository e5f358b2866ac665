import type { Plain } from "../../../provider/core/values";
import type { ByHand } from "./author";
import { isReference } from "./program";

/** Resources that complete projects, domains and variables, each with the input that is its unique key. */
export const companionKeys = {
  SharedEnvVar: "key",
  EdgeConfig: "slug",
  EdgeConfigItem: "key",
  DnsRecord: "name",
  FirewallBypass: "sourceIp",
  TeamMember: "email",
  ProjectMember: "email",
} as const;
export type Companion = keyof typeof companionKeys;
export const companionTypes = Object.keys(companionKeys) as Companion[];
export const isCompanion = (type: string): type is Companion => Object.hasOwn(companionKeys, type);

/** Those of which, until a run has ended, two resources may have one object. */
export const sharedTypes = new Set<string>([
  "ProjectDomain",
  "FirewallBypass",
  "TeamMember",
  "ProjectMember",
  "SharedEnvVarLink",
  "EdgeConfigItem",
  // Of a project, after a run with targets that renames it.
  "Promotion",
]);

/** Users who are in the team already: a project takes no others. */
export const colleagues = Array.from({ length: 6 }, (_, i) => `colleague${i}`);

const roles = {
  TeamMember: ["VIEWER", "MEMBER", "DEVELOPER"],
  ProjectMember: ["PROJECT_VIEWER", "PROJECT_DEVELOPER", "ADMIN"],
};

/** A unique key. @param number one that no other key has */
export function keyOf(type: Companion, number: number): string {
  if (type === "SharedEnvVar") return `SHARED${number}`;
  if (type === "EdgeConfig") return `config${number}`;
  if (type === "EdgeConfigItem") return `item${number}`;
  if (type === "DnsRecord") return `name${number}`;
  if (type === "FirewallBypass") return `192.0.${number >> 8}.${number & 255}`;
  return type === "TeamMember"
    ? `user${number}@example.org`
    : `${colleagues[number % colleagues.length]}@example.com`;
}

/** The inputs beside the unique key and the project. @param pick one of some choices */
export function inputsOf(type: Companion, pick: (choices: readonly string[]) => string): Plain {
  if (type === "SharedEnvVar") return { value: pick(["v", "w"]), type: "encrypted", target: ["preview"] };
  if (type === "DnsRecord") return { domain: "example.com", type: "TXT", value: pick(["v", "w"]) };
  if (type === "FirewallBypass") return { domain: "*" };
  if (type === "EdgeConfig") return {};
  if (type === "EdgeConfigItem") return { value: pick(["v", "w"]) };
  return { role: pick(roles[type]) };
}

/** An input that an edit changes. */
export function edited(type: Companion, pick: (choices: readonly string[]) => string): Plain {
  if (type === "SharedEnvVar") return { value: pick(["v", "w", "x"]) };
  if (type === "DnsRecord") return { ttl: Number(pick(["60", "600"])) };
  if (type === "FirewallBypass") return { note: pick(["one", "two"]) };
  if (type === "EdgeConfig") return { schema: { title: pick(["one", "two"]) } };
  if (type === "EdgeConfigItem") return { value: [pick(["v", "w", "x"])] };
  return { role: pick(roles[type]) };
}

export const hasProject = (type: Companion): boolean => type === "FirewallBypass" || type === "ProjectMember";

/** The request that makes the object of a declaration. @param project its name */
export function requestFor(type: Companion, args: Plain, project: string): ByHand[] {
  const { key, value, target, email, role, name, slug } = args;
  if (type === "SharedEnvVar")
    return [{ path: "/v1/env", body: { evs: [{ key, value }], type: "encrypted", target } }];
  if (type === "TeamMember") return [{ path: "/v2/teams/acme/members", body: { email, role } }];
  if (type === "ProjectMember") return [{ path: `/v1/projects/${project}/members`, body: { email, role } }];
  if (type === "DnsRecord")
    return [{ path: "/v2/domains/example.com/records", body: { name, type: "TXT", value } }];
  if (type === "EdgeConfig") return [{ path: "/v1/edge-config", body: { slug } }];
  // It needs the id of the project or Edge Config, which no program knows.
  return [];
}

/** The unique key of a declaration, with that in which it is unique. */
export function identityOf(
  type: Companion | "SharedEnvVarLink" | "AttackChallengeMode",
  args: Plain,
): string {
  const { project, sharedEnvVarId, edgeConfigId, domain, key, name, value, sourceIp, email, slug } = args;
  const scopes = [project, sharedEnvVarId, edgeConfigId].map((one) => (isReference(one) ? one.$ref : one));
  return JSON.stringify([type, ...scopes, domain, key, name, name && value, sourceIp, email, slug]);
}
