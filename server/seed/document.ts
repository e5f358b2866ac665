import * as z from "zod";
import { addDomain } from "../domains/schema";
import { newEnv } from "../env/schema";
import { installationSources, scopeSetting } from "../integrations/schema";
import { createProject, updateProject } from "../projects/schema";

/**
 * What a server can be given to start with, as a file or through the control plane.
 * Ids may be left out: they are derived from the names, so they are the same every time.
 */

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "may have letters, digits, '_' and '-', at most 64");
const name = z.string().min(1).max(100);
const time = z.int().min(0);

/** What users and teams share. */
export const accountFields = {
  id: id.optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** @choice A team is on the pro plan and a person on the hobby plan when nothing is said. */
  plan: z.enum(["hobby", "pro", "enterprise"]).optional(),
  addons: z.array(z.string()).optional(),
  softBlocked: z.boolean().optional(),
  paymentMethodNeedsUpdate: z.boolean().optional(),
  deniedDomains: z.array(z.string().toLowerCase()).optional(),
  createdAt: time.optional(),
};

const user = z.strictObject({ ...accountFields, username: name });

const team = z.strictObject({
  ...accountFields,
  slug: name,
  members: z
    .array(
      z.strictObject({
        user: name,
        role: z.enum(["OWNER", "MEMBER", "DEVELOPER", "VIEWER", "BILLING"]),
      }),
    )
    .optional(),
});

/** Whose a thing is: a team by slug or id, or a person by username or id. */
const owner = { team: name.optional(), user: name.optional() };
export const hasOneOwner = (row: { team?: string | undefined; user?: string | undefined }): boolean =>
  (row.team === undefined) !== (row.user === undefined);
export const oneOwner = { message: "needs a team or a user, and not both" };

const token = z.strictObject({
  token: z.string().regex(/^\S+$/, "must be a text without blanks"),
  user: name,
  /** The only account that the token acts on. Without it: the user's own and each of their teams. */
  team: name.optional(),
  /** It works no longer: a token that merely leaves the document stays good. */
  revoked: z.boolean().optional(),
});

export const deployment = z
  .strictObject({
    ...owner,
    id: z
      .string()
      .regex(/^dpl_[A-Za-z0-9_]{1,60}$/, "must begin with dpl_")
      .optional(),
    /** Name of the project, which need not exist yet. */
    project: name,
    target: z.enum(["production", "preview"]).optional(),
    readyState: z.enum(["BUILDING", "ERROR", "INITIALIZING", "QUEUED", "READY", "CANCELED"]).optional(),
    gitBranch: z.string().optional(),
    gitSha: z.string().optional(),
    url: z.string().optional(),
    meta: z.record(z.string(), z.string()).optional(),
    /** Username or id of who made it. */
    creator: name.optional(),
    createdAt: time.optional(),
  })
  .refine(hasOneOwner, oneOwner);

/** Any field of a project that can be written, and what only actions bring about. */
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
  })
  .refine(hasOneOwner, oneOwner);

/** Any field of a domain that can be written. */
const domain = z
  .strictObject({
    ...addDomain.shape,
    ...owner,
    project: name,
    /** Default: as when it is added by a request, so after the account has proved the apex. */
    verified: z.boolean().optional(),
    /** What its TXT record must carry, so that the record can be seeded too. */
    challenge: z
      .string()
      .regex(/^[0-9a-f]{20}$/, "must be twenty hex digits")
      .optional(),
  })
  .refine(hasOneOwner, oneOwner);

/** Any field of a variable that can be written. */
const envVar = z.strictObject({ ...newEnv.shape, ...owner, project: name }).refine(hasOneOwner, oneOwner);

export const dnsName = z
  .string()
  .toLowerCase()
  .transform((text) => text.replace(/\.$/, ""))
  .pipe(z.string().regex(/^(?=.{1,253}$)[a-z0-9_*-]+(\.[a-z0-9_*-]+)*$/, "must be a domain name"));

const dnsRecord = z.strictObject({ name: dnsName, type: z.literal("TXT"), value: z.string() });

const gitProvider = z
  .strictObject({
    ...owner,
    type: z.enum(["github", "gitlab", "bitbucket"]),
    /** `owner/name` of those that may be linked. Without it: every one. */
    repos: z.array(z.string()).optional(),
    /** What comes of creating a webhook for the link. */
    webhooks: z.enum(["ok", "forbidden", "unavailable"]).optional(),
  })
  .refine(hasOneOwner, oneOwner);

const integration = z.strictObject({
  /** Its id as well. */
  clientId: id.optional(),
  clientSecret: z.string().min(1),
  slug: name,
  name: name.optional(),
  /** Username or id of who develops it. */
  owner: name,
  redirectUrl: z.url(),
  webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
  scopes: z.array(scopeSetting),
});

/** How an integration is installed on an account, and by whom. */
export const installation = z.strictObject({
  ...owner,
  /** Username or id of a member of the team. */
  installedBy: name.optional(),
  scopes: z.array(scopeSetting).optional(),
  /** Names or ids of the only projects that it covers. */
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

export const seedDocument = z.strictObject({
  users: z.array(user).optional(),
  teams: z.array(team).optional(),
  tokens: z.array(token).optional(),
  gitProviders: z.array(gitProvider).optional(),
  dns: z.array(dnsRecord).optional(),
  deployments: z.array(deployment).optional(),
  projects: z.array(project).optional(),
  domains: z.array(domain).optional(),
  env: z.array(envVar).optional(),
  integrations: z.array(integration).optional(),
  installations: z.array(seedInstallation).optional(),
});

/** A checked document. */
export type Seed = z.output<typeof seedDocument>;
/** A document as it is written. */
export type SeedDocument = z.input<typeof seedDocument>;
export type SeedDeployment = z.output<typeof deployment>;
export type SeedOwner = { team?: string | undefined; user?: string | undefined };
