import * as z from "zod";
import { gitProviders } from "../../provider/vocabulary";
import { type TeamSettings, teamSettings as teamSettingsShape } from "../accounts/team-settings";
import { echModes } from "../domains/schema";
import { edgeConfigSchema, itemDescription, itemKey } from "../edge-configs/schema";
import { latestTime } from "../platform/clock";
import { type Project, project, updateProject } from "../projects/schema";

/**
 * The members of a seed that no request can set, such as ids and times. `slipway snapshot` writes them. Rows that have
 * them are written as they are, and the rules of the API do not apply.
 */

const id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must consist of at most 64 letters, digits, '_' and '-'");
const time = z.int().min(0).max(latestTime);

export const times = { createdAt: time.optional(), updatedAt: time.optional() };

const columns = ["name", "nodeVersion", "gitForkProtection"] as const;
const settingNames = [
  ...Object.keys(updateProject.shape),
  "crons",
  "deploymentExpiration",
  "security",
].filter(
  (name) => name in project.shape && !(columns as readonly string[]).includes(name),
) as (keyof Project)[];

/** The settings in an answer of the API. Leaves out the settings and values that this server does not know. */
const settings = z.looseObject({}).transform((given) => {
  const known: Record<string, unknown> = {};
  for (const name of settingNames) {
    const result = project.shape[name].safeParse(given[name]);
    if (given[name] !== undefined && result.success) known[name] = result.data;
  }
  return known;
});

/** The settings of a team, as `PATCH /v2/teams/{id}` returns them. Leaves out the unknown ones, like those of a project. */
export const teamSettings = z.looseObject({}).transform((given): TeamSettings => {
  const entries = Object.entries(teamSettingsShape.shape).map(([name, shape]) => [
    name,
    shape.safeParse(given[name]).data,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
});

const bypassSecret = z.strictObject({
  secret: z.string().min(1),
  note: z.string().optional(),
  isEnvVar: z.boolean(),
  createdAt: time,
  createdBy: z.string(),
});

const promotion = z.strictObject({
  kind: z.enum(["promote", "rollback"]),
  from: z.string().nullable(),
  to: z.string(),
  status: z.enum(["pending", "in-progress", "succeeded", "failed"]),
  requestedAt: time,
  aliases: z.array(z.strictObject({ alias: z.string(), failed: z.boolean() })),
});

export const projectFields = {
  updatedAt: time.optional(),
  settings: settings.optional(),
  link: z.looseObject({ type: z.enum(gitProviders) }).optional(),
  dataCacheDisabled: z.boolean().optional(),
  /** The id of the deployment that serves production; null: none does. */
  production: z.string().nullable().optional(),
  lastRollbackTarget: z.record(z.string(), z.unknown()).optional(),
  /** The last promotion or rollback. */
  promotion: promotion.optional(),
  bypassSecrets: z.array(bypassSecret).optional(),
  transferStartedAt: time.optional(),
  transferToAccountId: z.string().optional(),
  transferCompletedAt: time.optional(),
  transferredFromAccountId: z.string().optional(),
};

export const variableFields = {
  id: id.optional(),
  ...times,
  configurationId: z.string().optional(),
  createdBy: z.string().optional(),
  updatedBy: z.string().optional(),
};

export const sharedEnvFields = {
  id: id.optional(),
  ...times,
  createdBy: z.string().optional(),
  updatedBy: z.string().optional(),
};

export const environmentFields = {
  id: id.optional(),
  slug: z.string().min(1).max(100),
  description: z.string().optional(),
  branchMatcher: z.looseObject({ type: z.string(), pattern: z.string() }).optional(),
  ...times,
};

export const webhookFields = {
  id: id.optional(),
  url: z.url({ protocol: /^https?$/ }),
  events: z.array(z.string()).min(1),
  projectIds: z.array(z.string()).optional(),
  secret: z.string().min(1).optional(),
  ...times,
};

export const logDrainFields = {
  id: id.optional(),
  name: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  deliveryFormat: z.enum(["json", "ndjson"]),
  projectIds: z.array(z.string()).optional(),
  sources: z
    .array(z.enum(["build", "edge", "lambda", "static", "external", "firewall", "redirect"]))
    .optional(),
  environments: z.array(z.enum(["preview", "production"])),
  headers: z.record(z.string(), z.string()).optional(),
  samplingRate: z.number().optional(),
  secret: z.string().min(1).optional(),
  ...times,
};

export const dnsRecordFields = {
  id: id.optional(),
  /** The id of a user. */
  creator: z.string().optional(),
  ...times,
};

export const firewallBypassFields = {
  domain: z.string().min(1).max(253),
  sourceIp: z.string().min(1).max(64),
  note: z.string().max(500).optional(),
  /** The id of a user. */
  actor: z.string().optional(),
  expiresAt: time.optional(),
  ...times,
};

export const edgeConfigFields = {
  id: z
    .string()
    .regex(/^ecfg_[A-Za-z0-9_]{1,60}$/, "must begin with ecfg_")
    .optional(),
  schema: edgeConfigSchema.optional(),
  items: z
    .array(
      z.strictObject({
        key: itemKey,
        value: z.unknown(),
        description: itemDescription.optional(),
      }),
    )
    .optional(),
  tokens: z
    .array(
      z.strictObject({
        id: id.optional(),
        label: z.string().min(1).max(52),
        token: z.string().min(1),
        createdAt: time.optional(),
      }),
    )
    .optional(),
  /** The id of a user. */
  createdBy: z.string().optional(),
  ...times,
};

export const accountDomainFields = {
  name: z.string(),
  verified: z.boolean().optional(),
  zone: z.boolean().optional(),
  echMode: z.enum(echModes).optional(),
  createdAt: time.optional(),
};

export const aliasFields = {
  id: id.optional(),
  alias: z.string().min(1),
  /** The id of the deployment that the alias points to. */
  deployment: z.string(),
  redirect: z.string().optional(),
  /** The id of a user. */
  creator: z.string().optional(),
  ...times,
};

/** Returns a copy of a row without the members that have these names. */
export const omit = (row: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
