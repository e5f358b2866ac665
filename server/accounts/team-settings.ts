import * as z from "zod";
import { protectionTypes, retentionPeriods, teamRoles } from "../../provider/vocabulary";

/**
 * The settings of a team that are stored and returned. They have no effect on this server.
 * @source the newest official client: patchTeam
 */

/** @choice The maximum length of a setting with many parts, as JSON. The public API documents no limit. */
const largestSetting = 65_536;

const loose = z.looseObject({}).refine((value) => JSON.stringify(value).length <= largestSetting, {
  message: `must have at most ${largestSetting} characters as JSON`,
});
const policy = z.enum(["on", "off", "default"]);
const switchable = z.strictObject({ enabled: z.boolean() });
const hostname = z.string().min(1).max(253).nullable();
const protection = { deploymentType: z.enum(protectionTypes) };
const targets = z.strictObject({ targets: z.array(z.string().max(256)).max(100) });

const shared = {
  /** The hash of an uploaded image. */
  avatar: z.string().max(256).nullable(),
  description: z.string().max(140),
  emailDomain: hostname,
  previewDeploymentSuffix: hostname,
  stagingPrefix: z.string().max(256),
  enablePreviewFeedback: policy,
  enableProductionFeedback: policy,
  disjunctiveProductionSecretPolicy: policy,
  remoteCaching: z.strictObject({ enabled: z.boolean().optional() }),
  hideIpAddresses: z.boolean(),
  hideIpAddressesInLogDrains: z.boolean(),
  dpAccessRequestsMode: z.enum(["all", "none", "email-domain"]),
  requireVerifiedCommits: z.boolean(),
  disableRepositoryDispatchEvents: z.boolean(),
  defaultPassport: z
    .strictObject({ connectorId: z.string().max(256), deploymentType: protection.deploymentType.optional() })
    .nullable(),
  deploymentPolicy: loose,
  strictDeploymentProtectionSettings: switchable,
  strictShareableLinks: switchable,
  strictPasswordProtectionSettings: switchable,
  strictConnectors: switchable,
  nsnbConfig: z.strictObject({ preference: z.enum(["auto-approval", "manual-approval", "block"]) }),
  defaultProjectJobs: z.strictObject({ lint: targets.optional(), typecheck: targets.optional() }),
  resourceConfig: loose,
};

/** Which role, or which access group, the members of each group of a directory get. */
export const directoryRoles = z.record(
  z.string().min(1),
  z.union([z.enum(teamRoles), z.strictObject({ accessGroupId: z.string().min(1).max(256) })]),
);

const days = z.number().optional();

/** The settings as they are stored and returned, each absent until it is set. */
export const teamSettings = z
  .strictObject({
    ...shared,
    saml: z.strictObject({
      enforced: z.boolean(),
      roles: directoryRoles.optional(),
    }),
    defaultDeploymentProtection: z.strictObject({
      passwordProtection: z.strictObject(protection).nullable().optional(),
      ssoProtection: z.strictObject(protection).nullable().optional(),
    }),
    defaultExpirationSettings: z.strictObject({
      expirationDays: days,
      expirationDaysProduction: days,
      expirationDaysCanceled: days,
      expirationDaysErrored: days,
    }),
  })
  .partial();
export type TeamSettings = z.infer<typeof teamSettings>;

/** In days. Teams have more periods than projects. */
const periods = { ...retentionPeriods, "2w": 14, "2y": 730, "3y": 1_095 };
const period = z
  .enum(Object.keys(periods) as [keyof typeof periods])
  .transform((name) => periods[name])
  .optional();

/** The members with which a request changes the settings. Passwords are neither stored nor returned. */
export const teamSettingsBody = z
  .strictObject({
    ...shared,
    saml: teamSettings.shape.saml.unwrap().extend({ enforced: z.boolean().default(false) }),
    defaultDeploymentProtection: z.strictObject({
      passwordProtection: z
        .strictObject({ ...protection, password: z.string().max(72).nullable().optional() })
        .transform(({ deploymentType }) => ({ deploymentType }))
        .nullable()
        .optional(),
      ssoProtection: z.strictObject(protection).nullable().optional(),
    }),
    defaultExpirationSettings: z
      .strictObject({
        expiration: period,
        expirationProduction: period,
        expirationCanceled: period,
        expirationErrored: period,
      })
      .transform((given) => ({
        expirationDays: given.expiration,
        expirationDaysProduction: given.expirationProduction,
        expirationDaysCanceled: given.expirationCanceled,
        expirationDaysErrored: given.expirationErrored,
      })),
  })
  .partial();
