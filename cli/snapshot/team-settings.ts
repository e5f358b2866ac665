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

/** The settings of a team in an answer; undefined if no setting is set. Answers have these members as `null` or an empty text before. */
export function settingsOfTeam(team: Record<string, unknown>): object | undefined {
  const entries = teamSettings.map((name) => [name, team[name]] as const);
  const known = entries.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
