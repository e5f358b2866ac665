import * as z from "zod";

/**
 * Bodies and answers of rules that let addresses past the firewall.
 * @source the newest official client: /v1/security/firewall/bypass
 */

const note = z.string().max(500);

const target = {
  domain: z.string().min(1).max(253).optional(),
  projectScope: z.boolean().optional(),
  sourceIp: z.string().min(1).max(64).optional(),
  allSources: z.boolean().optional(),
};

/** The maximum of `ttl`, in milliseconds: a hundred years. */
const longestTtl = 100 * 366 * 24 * 60 * 60 * 1000;

export const addBypass = z.strictObject({
  ...target,
  /** The time until the rule expires, in milliseconds. */
  ttl: z.int().min(1).max(longestTtl).optional(),
  note: note.optional(),
});

export const removeBypass = z.strictObject({ ...target, note: note.optional() });
export type BypassBody = z.infer<typeof removeBypass>;

/** Names of members begin with a capital letter. */
export const bypass = z.strictObject({
  OwnerId: z.string(),
  Id: z.string(),
  ProjectId: z.string(),
  /** `*` for all domains of the project. */
  Domain: z.string(),
  Ip: z.string(),
  Action: z.literal("bypass"),
  IsProjectRule: z.boolean(),
  Note: note.optional(),
  ActorId: z.string(),
  CreatedAt: z.string(),
  UpdatedAt: z.string(),
  UpdatedAtHour: z.string(),
  /** Milliseconds since the epoch. */
  ExpiresAt: z.number().nullable(),
});
export type Bypass = z.infer<typeof bypass>;

export const bypassList = z.strictObject({
  result: z.array(bypass),
  /** Identifies the last rule of the page; absent on the last page. */
  pagination: z.strictObject({ OwnerId: z.string(), Id: z.string() }).optional(),
});

export const addedBypass = z.strictObject({ ok: z.literal(true), result: z.array(bypass) });
export const removedBypass = z.strictObject({ ok: z.literal(true) });
