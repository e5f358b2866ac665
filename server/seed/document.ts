import * as z from "zod";
import { projectRoles, sharedEnvTypes, teamRoles } from "../../provider/vocabulary";
import { projectName } from "../access/projects";
import { createRecord } from "../domains/record-schema";
import { addDomain } from "../domains/schema";
import { createEdgeConfig } from "../edge-configs/schema";
import { envTarget, newEnv } from "../env/schema";
import { installationSources, scopeSetting } from "../integrations/schema";
import { latestTime } from "../platform/clock";
import { profileNames } from "../platform/profile";
import { createProject, updateProject } from "../projects/schema";
import * as copied from "./copied";

/**
 * The schema of a seed, which comes from a file or from the control plane.
 * Default ids are derived from names, so they are the same every time.
 */

const id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must consist of at most 64 letters, digits, '_' and '-'");
const name = z.string().min(1).max(100);
/**
 * Milliseconds since the epoch; negative: before the seed is applied (`-3600000` is an hour ago).
 * A row may get a later time than it names, so `latestTime` leaves a day until the year 10000.
 */
const time = z.int().min(-latestTime).max(latestTime);

/** Converts the time of a row to milliseconds since the epoch. Default: `now`. */
export const timeOf = (given: number | undefined, now: number): number =>
  given === undefined ? now : given < 0 ? Math.max(0, now + given) : given;

/** The fields of both users and teams. */
export const accountFields = {
  id: id.optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** @choice Default: pro for a team, hobby for a user. */
  plan: z.enum(["hobby", "pro", "enterprise"]).optional(),
  addons: z.array(z.string()).optional(),
  softBlocked: z.boolean().optional(),
  paymentMethodNeedsUpdate: z.boolean().optional(),
  deniedDomains: z.array(z.string().toLowerCase()).optional(),
  createdAt: time.optional(),
};

const user = z.strictObject({ ...accountFields, username: name });

/** `on`: new variables for production and preview must be sensitive. `default` is off. */
export const sensitivePolicy = z.enum(["on", "off", "default"]);

const team = z.strictObject({
  ...accountFields,
  sensitiveEnvironmentVariablePolicy: sensitivePolicy.optional(),
  settings: copied.teamSettings.optional(),
  slug: name,
  members: z
    .array(
      z.strictObject({
        user: name,
        role: z.enum(teamRoles),
        /** `false`: the user was invited and has not accepted. */
        confirmed: z.boolean().optional(),
        createdAt: time.optional(),
      }),
    )
    .optional(),
});

/** The owner: a team by slug or id, or a user by username or id. */
const owner = { team: name.optional(), user: name.optional() };
export const hasOneOwner = (row: { team?: string | undefined; user?: string | undefined }): boolean =>
  (row.team === undefined) !== (row.user === undefined);
export const oneOwner = { message: "needs either a team or a user" };

const token = z.strictObject({
  token: z.string().regex(/^\S+$/, "must not contain spaces"),
  user: name,
  /** The only account that the token acts on. Default: the user's own account and every team of the user. */
  team: name.optional(),
  /** Revokes the token. Removing a token from the document does not. */
  revoked: z.boolean().optional(),
});

export const deployment = z
  .strictObject({
    ...owner,
    id: z
      .string()
      .regex(/^dpl_[A-Za-z0-9_]{1,60}$/, "must begin with dpl_")
      .optional(),
    /** The name of the project, which need not exist yet. */
    project: projectName,
    target: z.enum(["production", "preview"]).optional(),
    readyState: z.enum(["BUILDING", "ERROR", "INITIALIZING", "QUEUED", "READY", "CANCELED"]).optional(),
    gitBranch: z.string().optional(),
    gitSha: z.string().optional(),
    url: z.string().optional(),
    meta: z.record(z.string(), z.string()).optional(),
    /** The user who created the deployment, by username or id. */
    creator: name.optional(),
    createdAt: time.optional(),
    customEnvironmentId: name.optional(),
    /** STAGED: a build for production that production does not serve until it is promoted. */
    readySubstate: z.literal("STAGED").optional(),
  })
  .refine(hasOneOwner, oneOwner)
  .refine(
    ({ readySubstate, target, readyState = "READY" }) =>
      !readySubstate || (target === "production" && readyState === "READY"),
    {
      path: ["readySubstate"],
      message: "needs the target production and the readyState READY",
    },
  );

/** The writable fields of a project, and those that only actions set. */
const project = z
  .strictObject({
    ...createProject.omit({ environmentVariables: true }).shape,
    ...updateProject.omit({ name: true }).shape,
    ...owner,
    id: z
      .string()
      .regex(/^prj_[A-Za-z0-9_]{1,60}$/, "must begin with prj_")
      .optional(),
    paused: z.boolean().optional(),
    createdAt: time.optional(),
    ...copied.projectFields,
  })
  .refine(hasOneOwner, oneOwner);

/** The writable fields of a domain. */
const domain = z
  .strictObject({
    ...addDomain.shape,
    ...owner,
    project: name,
    /** Default: true when the account has verified the apex domain, as when a request adds the domain. */
    verified: z.boolean().optional(),
    /** The value that the TXT record must contain, so that the record can be seeded too. */
    challenge: z
      .string()
      .regex(/^[0-9a-f]{20}$/, "must be twenty hex digits")
      .optional(),
    ...copied.times,
  })
  .refine(hasOneOwner, oneOwner);

/** The writable fields of a variable. */
const envVar = z
  .strictObject({ ...newEnv.shape, ...owner, project: name, ...copied.variableFields })
  .refine(hasOneOwner, oneOwner);

/** A variable of a team, with the projects to which it is linked. */
const sharedEnv = z.strictObject({
  team: name,
  key: z.string(),
  value: z.string().optional(),
  type: z.enum(sharedEnvTypes).optional(),
  target: envTarget.optional(),
  applyToAllCustomEnvironments: z.boolean().optional(),
  comment: z.string().optional(),
  /** By name or id. */
  projects: z.array(name).optional(),
  ...copied.sharedEnvFields,
});

const environment = z
  .strictObject({ ...owner, project: name, ...copied.environmentFields })
  .refine(hasOneOwner, oneOwner);
const webhook = z.strictObject({ ...owner, ...copied.webhookFields }).refine(hasOneOwner, oneOwner);
const logDrain = z.strictObject({ ...owner, ...copied.logDrainFields }).refine(hasOneOwner, oneOwner);
const alias = z.strictObject({ ...owner, ...copied.aliasFields }).refine(hasOneOwner, oneOwner);

export const dnsName = z
  .string()
  .toLowerCase()
  .transform((text) => text.replace(/\.$/, ""))
  .pipe(z.string().regex(/^(?=.{1,253}$)[a-z0-9_*-]+(\.[a-z0-9_*-]+)*$/, "must be a domain name"));

export const zoneType = z.enum(["A", "CNAME", "TXT"]);

/** A record of the embedded zone. */
export const zoneRecord = z.discriminatedUnion("type", [
  z.strictObject({ name: dnsName, type: z.literal("A"), value: z.ipv4("must be an IPv4 address") }),
  z.strictObject({ name: dnsName, type: z.literal("CNAME"), value: dnsName }),
  z.strictObject({ name: dnsName, type: z.literal("TXT"), value: z.string() }),
]);

/** A rule that lets an IP address bypass the firewall, for a domain of the project or for all (`*`). */
const firewallBypass = z
  .strictObject({ ...owner, project: name, ...copied.firewallBypassFields })
  .refine(hasOneOwner, oneOwner);

/** A member of a team, or a user who is invited to it, with a role in a project of the team. */
const projectMember = z.strictObject({
  team: name,
  project: name,
  /** Id or username. */
  user: name,
  role: z.enum(projectRoles),
  createdAt: time.optional(),
});

/** An Edge Config with its items and tokens. */
const edgeConfig = z
  .strictObject({ ...owner, ...copied.edgeConfigFields, slug: createEdgeConfig.shape.slug })
  .refine(hasOneOwner, oneOwner);

/** A DNS record of a domain of an account, as a request creates it. */
const accountDnsRecord = z
  .strictObject({ ...createRecord.shape, ...owner, domain: name, ...copied.dnsRecordFields })
  .refine(hasOneOwner, oneOwner);

/** A domain that was added to an account, without a project. */
const accountDomain = z
  .strictObject({ ...owner, ...copied.accountDomainFields })
  .refine(hasOneOwner, oneOwner);

const gitProvider = z
  .strictObject({
    ...owner,
    type: z.enum(["github", "gitlab", "bitbucket"]),
    /** The repositories that may be linked, as `owner/name`. Default: all. */
    repos: z.array(z.string()).optional(),
    /** The outcome of creating the webhook for a link. */
    webhooks: z.enum(["ok", "forbidden", "unavailable"]).optional(),
  })
  .refine(hasOneOwner, oneOwner);

const integration = z.strictObject({
  /** The client id, which is also the id of the integration. */
  clientId: id.optional(),
  clientSecret: z.string().min(1),
  slug: name,
  name: name.optional(),
  /** The user who develops the integration, by username or id. */
  owner: name,
  redirectUrl: z.url(),
  webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
  scopes: z.array(scopeSetting),
});

/** The options of an installation. */
export const installation = z.strictObject({
  ...owner,
  /** A member of the team, by username or id. */
  installedBy: name.optional(),
  scopes: z.array(scopeSetting).optional(),
  /** The projects that the installation covers, by name or id. Default: all. */
  projects: z.array(z.string()).optional(),
  source: z.enum(installationSources).optional(),
});

const seedInstallation = installation
  .extend({
    id: z
      .string()
      .regex(/^icfg_[A-Za-z0-9_]{1,60}$/, "must begin with icfg_")
      .optional(),
    /** Slug or client id. */
    integration: name,
    token: token.shape.token.optional(),
  })
  .refine(hasOneOwner, oneOwner);

/** Explains that a snapshot for comparisons cannot be a seed, because it has no secrets. */
const hintForSnapshot = ({ code, keys }: { code: string; keys?: readonly string[] }): string | undefined =>
  code === "unrecognized_keys" && keys?.includes("accounts")
    ? "this is a snapshot of the control plane, which has no secrets. Write a seed document instead (docs/server.md), let `slipway snapshot` write one, or copy the data of the other server"
    : undefined;

export const seedDocument = z.strictObject(
  {
    /** The profile of a server that starts with the seed, if no option chooses one. */
    profile: z.enum(profileNames).optional(),
    users: z.array(user).optional(),
    teams: z.array(team).optional(),
    tokens: z.array(token).optional(),
    gitProviders: z.array(gitProvider).optional(),
    dns: z.array(zoneRecord).optional(),
    deployments: z.array(deployment).optional(),
    projects: z.array(project).optional(),
    domains: z.array(domain).optional(),
    accountDomains: z.array(accountDomain).optional(),
    env: z.array(envVar).optional(),
    sharedEnv: z.array(sharedEnv).optional(),
    integrations: z.array(integration).optional(),
    installations: z.array(seedInstallation).optional(),
    environments: z.array(environment).optional(),
    webhooks: z.array(webhook).optional(),
    logDrains: z.array(logDrain).optional(),
    aliases: z.array(alias).optional(),
    dnsRecords: z.array(accountDnsRecord).optional(),
    firewallBypasses: z.array(firewallBypass).optional(),
    projectMembers: z.array(projectMember).optional(),
    edgeConfigs: z.array(edgeConfig).optional(),
    /** The address of the API that the document was read from. The server then sends no events, log lines and mail. */
    copyOf: z.url({ protocol: /^https?$/ }).optional(),
    /** When the document was read from `copyOf`, in milliseconds since the epoch. */
    copiedAt: z.int().min(0).optional(),
    /** Describes the parts that were not read. The server ignores this. */
    placeholders: z.array(z.string()).optional(),
  },
  { error: (issue) => hintForSnapshot(issue as { code: string; keys?: readonly string[] }) },
);

/** A checked seed document. */
export type Seed = z.output<typeof seedDocument>;
/** A seed document as written, before it is checked. */
export type SeedDocument = z.input<typeof seedDocument>;
export type SeedDeployment = z.output<typeof deployment>;
export type SeedOwner = { team?: string | undefined; user?: string | undefined };
