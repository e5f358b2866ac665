/** The query parameter that selects a team, by id or slug. */
export const teamParameter = (team: string): [name: "teamId" | "slug", team: string] => [
  team.startsWith("team_") ? "teamId" : "slug",
  team,
];

export const projectPath = (idOrName: string, version = "v9"): string =>
  `/${version}/projects/${encodeURIComponent(idOrName)}`;

export const domainPath = (project: string, name: string): string =>
  `${projectPath(project)}/domains/${encodeURIComponent(name)}`;

/** The configuration of a domain: whether its DNS records point at the service. */
export const domainConfigPath = (name: string): string => `${accountDomainPath(name, "v6")}/config`;

export const variablePath = (project: string, id: string, version = "v9"): string =>
  `${projectPath(project, version)}/env/${encodeURIComponent(id)}`;

/** @param environment id or slug; undefined for the list, or to create an environment */
export const environmentPath = (project: string, environment?: string): string =>
  [
    `${projectPath(project)}/custom-environments`,
    ...(environment === undefined ? [] : [encodeURIComponent(environment)]),
  ].join("/");

export const accountDomainsPath = "/v5/domains";

/** A domain of the account. */
export const accountDomainPath = (domain: string, version = "v5"): string =>
  `/${version}/domains/${encodeURIComponent(domain)}`;

/** @param id undefined for the domain's list of records, or to create a record */
export const recordsPath = (domain: string, id?: string, version = "v5"): string =>
  [
    `${accountDomainPath(domain, version)}/records`,
    ...(id === undefined ? [] : [encodeURIComponent(id)]),
  ].join("/");

/** The path to read or change a DNS record by its id alone. */
export const recordPath = (id: string, version = "v5"): string =>
  `/${version}/domains/records/${encodeURIComponent(id)}`;

export const rollingReleasePath = (project: string): string =>
  `${projectPath(project, "v1")}/rolling-release`;

export const attackModePath = "/v1/security/attack-mode";
/** @param id undefined for the team's list, or for a write whose body has the ids */
export const sharedEnvPath = (id?: string): string =>
  ["/v1/env", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

/** @param team id or slug */
export const teamPath = (team: string): string => `/v2/teams/${encodeURIComponent(team)}`;

/** @param uid undefined for the team's list of members, or to invite a member */
export const membersPath = (team: string, uid?: string, version = "v3"): string =>
  [
    `/${version}/teams/${encodeURIComponent(team)}/members`,
    ...(uid === undefined ? [] : [encodeURIComponent(uid)]),
  ].join("/");

/** The path of an invitation to an email address without an account. */
export const invitePath = (team: string, code: string): string =>
  `/v1/teams/${encodeURIComponent(team)}/invites/${encodeURIComponent(code)}`;

/** @param id undefined for the list, or to create an Edge Config */
export const edgeConfigPath = (id?: string): string =>
  ["/v1/edge-config", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

export const edgeConfigSchemaPath = (id: string): string => `${edgeConfigPath(id)}/schema`;

/** @param id undefined for the list, or to create a deployment */
export const deploymentPath = (id?: string, version = "v13"): string =>
  [`/${version}/deployments`, ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");
