import { resourcePolicy } from "./policy";
import { except, matchesAny, stacks } from "./settings";

interface Settings {
  except: readonly string[];
  stacks: readonly string[];
}

export const productionProtected = resourcePolicy<Settings>({
  name: "production-protected",
  description: "Projects and domains of production have the option protect.",
  enforcementLevel: "advisory",
  severity: "medium",
  remediationSteps: "Set the option protect: true.",
  settings: { ...except("Project and ProjectDomain resources"), ...stacks },
  check({ kind, name, stack, props, isProtected }, settings) {
    if (isProtected || matchesAny(settings.except, name) || !matchesAny(settings.stacks, stack)) return [];
    if (kind === "Project") {
      return [
        "The project is not protected: if you remove it from the program, or run pulumi destroy, Pulumi deletes the project with " +
          "its variables, domains and deployments. Set the option protect: true.",
      ];
    }
    // A domain of a branch or of a custom environment does not serve production.
    const isProduction = props.gitBranch == null && props.customEnvironmentId == null;
    if (kind !== "ProjectDomain" || !isProduction) return [];
    return [
      "The domain is not protected: if you remove it from the program, or run pulumi destroy, Pulumi deletes the domain, which then serves " +
        "nothing. Set the option protect: true.",
    ];
  },
});
