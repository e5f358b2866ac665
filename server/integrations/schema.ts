import * as z from "zod";
import { type ScopeName, type ScopeSetting, scopeSubjects } from "../access/scopes";

/** Bodies and answers of installations. @source wire-shapes 9 */

const scopeNames = scopeSubjects.flatMap((subject): ScopeName[] => [
  `read:${subject}`,
  `read-write:${subject}`,
]);

/** A scope in the settings of an integration, with or without a right: `read:project`, or `project` for both rights. */
export const scopeSetting: z.ZodType<ScopeSetting> = z.enum([...scopeSubjects, ...scopeNames]);

export const installationSources = ["marketplace", "deploy-button", "external"] as const;

export const disabledReasons = [
  "disabled-by-owner",
  "feature-not-available",
  "disabled-by-admin",
  "original-owner-left-the-team",
  "account-plan-downgrade",
  "original-owner-role-downgraded",
] as const;

export const configuration = z.strictObject({
  id: z.string(),
  integrationId: z.string(),
  /** The account on which the integration is installed. */
  ownerId: z.string(),
  userId: z.string(),
  teamId: z.string().nullable(),
  slug: z.string(),
  type: z.literal("integration-configuration"),
  scopes: z.array(z.enum(scopeNames)),
  /** The ids of the projects that the installation covers; absent if it covers all projects of the account. */
  projects: z.array(z.string()).optional(),
  source: z.enum(installationSources),
  installationType: z.enum(["marketplace", "external"]),
  status: z.enum(["pending", "ready", "suspended"]),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When the first code was exchanged. */
  completedAt: z.number().optional(),
  disabledAt: z.number().optional(),
  disabledReason: z.enum(disabledReasons).optional(),
  deletedAt: z.null(),
  deleteRequestedAt: z.null(),
});
export type Configuration = z.infer<typeof configuration>;

/** @source Token exchange; wire-shapes 8 */
export const exchange = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  code: z.string().min(1),
  redirect_uri: z.string().min(1),
  grant_type: z.literal("authorization_code").optional(),
});

export const exchanged = z.strictObject({
  token_type: z.literal("Bearer"),
  access_token: z.string(),
  installation_id: z.string(),
  user_id: z.string(),
  team_id: z.string().nullable(),
});
