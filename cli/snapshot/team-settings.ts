import { isPlain } from "../../provider/core/values";

/** The settings of a team that a snapshot has. The answer has other members too, such as the invite code. */
const teamSettings = [
  ...["avatar", "description", "emailDomain", "previewDeploymentSuffix", "stagingPrefix"],
  ...["enablePreviewFeedback", "enableProductionFeedback", "disjunctiveProductionSecretPolicy"],
  ...["remoteCaching", "hideIpAddresses", "hideIpAddressesInLogDrains", "dpAccessRequestsMode"],
  ...["requireVerifiedCommits", "disableRepositoryDispatchEvents", "defaultDeploymentProtection"],
  ...["defaultPassport", "defaultExpirationSettings", "deploymentPolicy", "nsnbConfig", "defaultProjectJobs"],
  ...["strictDeploymentProtectionSettings", "strictShareableLinks", "strictPasswordProtectionSettings"],
  ...["strictConnectors"],
];

/** Single sign-on, without the connection to the identity provider. */
const samlOf = (saml: unknown): object | undefined =>
  isPlain(saml)
    ? { enforced: saml.enforced === true, ...(isPlain(saml.roles) && { roles: saml.roles }) }
    : undefined;

/** The settings of a team in an answer; undefined if no setting is set. Answers have these members as `null` or an empty text before. */
export function settingsOfTeam(team: Record<string, unknown>): object | undefined {
  const entries = [
    ...teamSettings.map((name) => [name, team[name]] as const),
    ["saml", samlOf(team.saml)] as const,
  ];
  const known = entries.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
