import * as z from "zod";
import { buildMachineTypes, functionMemoryTypes } from "../../provider/vocabulary";

/**
 * The machines that build and serve a project.
 * @source the newest official client: `resourceConfig` of a project's create and update
 */

export const buildQueueConfigurations = ["SKIP_NAMESPACE_QUEUE", "WAIT_FOR_NAMESPACE_QUEUE"] as const;

const members = {
  buildMachineType: z.enum(buildMachineTypes).optional(),
  buildMachineSelection: z.enum(["elastic", "fixed"]).optional(),
  buildMachineElasticLastUpdated: z.number().optional(),
  buildMachineElasticReason: z
    .enum([
      "oom-failure",
      "enospc-failure",
      "build-timeout-failure",
      "basic-floor",
      "high-peak-memory",
      "sustained-high-cpu",
      "high-peak-disk",
      "long-build-duration",
      "short-build-duration",
      "enterprise-floor",
    ])
    .optional(),
  buildQueue: z
    .strictObject({
      configuration: z.enum(buildQueueConfigurations).optional(),
    })
    .optional(),
  elasticConcurrencyEnabled: z.boolean().optional(),
  enableFunctionsBeta: z.boolean().optional(),
  fluid: z.boolean().optional(),
  functionDefaultMemoryType: z.enum(functionMemoryTypes).optional(),
  /** Seconds. */
  functionDefaultTimeout: z.number().min(1).max(900).optional(),
  functionZeroConfigFailover: z.boolean().optional(),
  isNSNBDisabled: z.boolean().optional(),
};

const regions = z.array(z.string().min(1).max(4)).min(1).max(100);

export const resourceConfigBody = z.strictObject({ ...members, functionDefaultRegions: regions.optional() });
export const resourceConfig = z.strictObject({ ...members, functionDefaultRegions: regions });
export type ResourceConfig = z.infer<typeof resourceConfig>;

export const defaultResourceConfig: ResourceConfig = { functionDefaultRegions: ["iad1"] };

/** The stored settings of a project's machines. */
export interface Machines {
  serverlessFunctionRegion: string | null;
  /** Absent in projects of earlier versions. */
  resourceConfig?: ResourceConfig;
}

/** The configuration in an answer. */
export const resourceConfigOf = ({ serverlessFunctionRegion: region, resourceConfig }: Machines) =>
  resourceConfig ?? (region ? { functionDefaultRegions: [region] } : defaultResourceConfig);

/**
 * Merges the settings of a body into those of a project. Absent members keep their value.
 * @choice `serverlessFunctionRegion` and the list of default regions are one setting. The former is the only region in
 *   the list, or null if the list has several. If a body has both, the list takes precedence.
 */
export function mergeMachines(
  before: Machines,
  body: {
    serverlessFunctionRegion?: string | null | undefined;
    resourceConfig?: z.infer<typeof resourceConfigBody> | undefined;
  },
): Required<Machines> {
  const was = resourceConfigOf(before);
  const { serverlessFunctionRegion: region, resourceConfig: changes = {} } = body;
  const list =
    changes.functionDefaultRegions ??
    (region === undefined ? undefined : region ? [region] : defaultResourceConfig.functionDefaultRegions);
  const resourceConfig = { ...was, ...changes, functionDefaultRegions: list ?? was.functionDefaultRegions };
  return {
    resourceConfig,
    serverlessFunctionRegion: regionAfter(before, region, changes.functionDefaultRegions),
  };
}

function regionAfter(before: Machines, region: string | null | undefined, list: string[] | undefined) {
  if (list !== undefined) return list.length === 1 ? (list[0] ?? null) : null;
  return region === undefined ? before.serverlessFunctionRegion : region;
}
