import type {
  EnforcementLevel,
  ResourceValidationPolicy,
  Severity,
  StackValidationPolicy,
} from "@pulumi/policy";
import { type Declared, declaredOf } from "./declared";
import { type SettingSchemas, withDefaults } from "./settings";

interface Definition {
  name: string;
  description: string;
  enforcementLevel: EnforcementLevel;
  severity: Severity;
  /** The advice for a violation. */
  remediationSteps: string;
  settings: SettingSchemas;
}

interface ResourceDefinition<S> extends Definition {
  /** @returns a message for each violation, without the value of a variable */
  check(resource: Declared, settings: S): string[];
}

interface StackDefinition<S> extends Definition {
  /** @returns a message for each violation, without the value of a variable */
  check(resources: Declared[], settings: S): Violation[];
}

export interface Violation {
  message: string;
  urn: string;
}

/** A policy that checks the inputs of each resource, before it is created or updated. */
export function resourcePolicy<S extends object>(
  definition: ResourceDefinition<S>,
): ResourceValidationPolicy {
  const { settings, check, ...policy } = definition;
  return {
    ...policy,
    configSchema: { properties: settings },
    validateResource(args, report) {
      const resource = declaredOf(args);
      if (!resource) return;
      for (const message of check(resource, withDefaults(settings, args.getConfig<Partial<S>>())))
        report(message);
    },
  };
}

/** A policy that checks the outputs of all resources of a stack, at the end of a preview or an update. */
export function stackPolicy<S extends object>(definition: StackDefinition<S>): StackValidationPolicy {
  const { settings, check, ...policy } = definition;
  return {
    ...policy,
    configSchema: { properties: settings },
    validateStack(args, report) {
      const resources = args.resources.flatMap((one) => declaredOf(one) ?? []);
      for (const { message, urn } of check(resources, withDefaults(settings, args.getConfig<Partial<S>>())))
        report(message, urn);
    },
  };
}
