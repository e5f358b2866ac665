import { isPlain, unknown } from "../../provider/core/values";
import { resourcePolicy } from "./policy";
import { except, matchesAny } from "./settings";

export const previewsProtected = resourcePolicy<{ except: readonly string[] }>({
  name: "previews-protected",
  description: "Projects protect their previews.",
  enforcementLevel: "advisory",
  severity: "medium",
  remediationSteps: "Declare ssoProtection, passwordProtection or trustedIps for previews.",
  settings: except("Project resources"),
  check({ kind, name, props }, settings) {
    if (kind !== "Project" || matchesAny(settings.except, name)) return [];
    if (props.previewDeploymentsDisabled === true || props.previewDeploymentsDisabled === unknown) return [];
    const { ssoProtection, passwordProtection, trustedIps } = props;
    if ([ssoProtection, passwordProtection, trustedIps].some(coversPreviews)) return [];
    return [
      "The project declares no protection of its previews: everybody who knows their addresses can open them. " +
        'Declare ssoProtection: { deploymentType: "preview" }, passwordProtection or trustedIps.',
    ];
  },
});

/** True if a protection covers previews, or may cover them. A protection of production alone does not cover them. */
const coversPreviews = (protection: unknown): boolean =>
  protection === unknown || (isPlain(protection) && protection.deploymentType !== "production");
