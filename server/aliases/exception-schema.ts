import * as z from "zod";

/** Exceptions from deployment protection. @source the newest official client: PATCH /aliases/{id}/protection-bypass */

const access = z.enum(["granted", "denied"]);
const email = z.email().max(256);

/** Exactly one of three forms. A body without members creates a link. */
export const changeException = z.union([
  z.strictObject({
    override: z.strictObject({
      scope: z.literal("alias-protection-override"),
      action: z.enum(["create", "revoke"]),
    }),
  }),
  z.strictObject({
    scope: z.union([
      z.strictObject({ userId: z.string().min(1).max(100), email: email.optional(), access }),
      z.strictObject({ email, access }),
    ]),
  }),
  z.strictObject({
    /** The time until a new link expires, in seconds. Without it, a link does not expire. */
    ttl: z
      .int()
      .min(1)
      .max(100 * 366 * 24 * 60 * 60)
      .optional(),
    /** Revokes a link, and creates another one if `regenerate` is true. */
    revoke: z.strictObject({ secret: z.string().min(1), regenerate: z.boolean() }).optional(),
  }),
]);
export type ChangeException = z.infer<typeof changeException>;

const changed = { createdAt: z.number(), lastUpdatedAt: z.number(), lastUpdatedBy: z.string() };
const created = { createdAt: z.number(), createdBy: z.string() };

/** By key: `*` for everybody, the id or the email address of a user, or the secret of a link. */
export const exceptions = z.record(
  z.string(),
  z.union([
    z.strictObject({ ...created, scope: z.literal("alias-protection-override") }),
    z.strictObject({ ...created, scope: z.literal("shareable-link"), expires: z.number().optional() }),
    z.strictObject({ ...changed, scope: z.literal("user"), access: z.literal("granted") }),
    z.strictObject({ ...changed, scope: z.literal("email_invite") }),
  ]),
);
export type Exceptions = z.infer<typeof exceptions>;

export const changedExceptions = z.strictObject({ protectionBypass: exceptions });
