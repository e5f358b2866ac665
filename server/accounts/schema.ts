import * as z from "zod";
import { teamRoles } from "../../provider/vocabulary";
import { pagination, paging } from "../http/query";
import { directoryRoles as roles, teamSettings, teamSettingsBody } from "./team-settings";

/** Answers about the caller's user and teams, which official clients request first. @source wire-shapes 11 */

const role = z.enum(teamRoles);

/** @choice Users have the limited form, which every version of the official clients accepts. */
export const user = z.strictObject({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatar: z.null(),
  /** The team that the access token is bound to; null for a token of the user's own account. */
  defaultTeamId: z.string().nullable(),
  limited: z.literal(true),
  version: z.literal("northstar"),
});
export type User = z.infer<typeof user>;

export const team = z.strictObject({
  ...teamSettings.shape,
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  avatar: z.string().nullable(),
  description: z.string().nullable(),
  creatorId: z.string(),
  stagingPrefix: z.string(),
  /** @source the official command line */
  billing: z.strictObject({ plan: z.enum(["hobby", "pro", "enterprise"]) }),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Absent if the policy was never set. */
  sensitiveEnvironmentVariablePolicy: z.enum(["on", "off", "default"]).optional(),
  membership: z.strictObject({
    role,
    confirmed: z.literal(true),
    uid: z.string(),
    teamId: z.string(),
    createdAt: z.number(),
    created: z.number(),
  }),
});
export type Team = z.infer<typeof team>;

/** @source the newest official client: patchTeam. The longest slug is that of its createTeam. */
export const updateTeam = z.strictObject({
  ...teamSettingsBody.shape,
  name: z.string().min(1).max(256).optional(),
  slug: z
    .string()
    .max(48)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "may have lower case letters, digits, and dashes between them")
    .optional(),
  /** Has no effect, because this server has no invite codes. */
  regenerateInviteCode: z.boolean().optional(),
  /** `on`: new variables for production and preview must be sensitive. */
  sensitiveEnvironmentVariablePolicy: z.enum(["on", "off", "default"]).optional(),
});

/** @source the newest official client: postTeamDsyncRoles. @choice At most 500 groups. */
export const directoryRoles = z.strictObject({
  roles: roles.refine((given) => Object.keys(given).length <= 500, "must have at most 500 groups"),
});
export type DirectoryRoles = z.infer<typeof directoryRoles>;

/** @source the newest official client: createTeam */
export const createTeam = z.strictObject({
  slug: updateTeam.shape.slug.unwrap(),
  name: updateTeam.shape.name,
  /** Where the user comes from, which has no effect. */
  attribution: z
    .strictObject({
      ...{ sessionReferrer: z.string(), landingPage: z.string(), pageBeforeConversionPage: z.string() },
      utm: z
        .strictObject({
          ...{ utmSource: z.string(), utmMedium: z.string(), utmCampaign: z.string(), utmTerm: z.string() },
        })
        .partial(),
    })
    .partial()
    .optional(),
});
export const createdTeam = z.strictObject({
  id: z.string(),
  slug: z.string(),
  /** Earlier official clients need it. */
  billing: z.strictObject({ plan: z.literal("pro") }),
});

/** @choice `limited` is always false, because this server has no team log-in. */
const listedTeam = team.extend({ limited: z.boolean(), limitedBy: z.array(z.string()) });

export type UpdateTeam = z.infer<typeof updateTeam>;

export const teamFilters = z.object(paging);

export const teamList = z.strictObject({ teams: z.array(listedTeam), pagination });
