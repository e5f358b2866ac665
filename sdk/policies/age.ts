import { variablesOf } from "./declared";
import { stackPolicy } from "./policy";
import { except, matchesAny } from "./settings";

const dayMs = 24 * 60 * 60 * 1000;

/** The types of variables that need no rotation: their values are not secrets, or the service sets them. */
const notRotated: readonly unknown[] = ["plain", "system"];

export const variablesRotated = stackPolicy<{ except: readonly string[]; maxAgeDays: number }>({
  name: "variables-rotated",
  description: "Variables that are not plain change regularly.",
  enforcementLevel: "advisory",
  severity: "low",
  remediationSteps: "Rotate the value of the variable.",
  settings: {
    ...except("variables"),
    maxAgeDays: {
      type: "integer",
      minimum: 1,
      default: 365,
      description: "How many days a variable may go without a change.",
    },
  },
  check(resources, { except, maxAgeDays }) {
    const now = Date.now();
    return resources.flatMap((resource) =>
      variablesOf(resource).flatMap(({ key, type, updatedAt }) => {
        if (typeof type !== "string" || notRotated.includes(type) || matchesAny(except, key)) return [];
        // `updatedAt` is zero if the record has no time.
        if (typeof updatedAt !== "number" || updatedAt === 0) return [];
        const days = Math.floor((now - updatedAt) / dayMs);
        if (days <= maxAgeDays) return [];
        const message = `${key} was last changed ${days} days ago, and the limit is ${maxAgeDays}. Rotate its value.`;
        return [{ urn: resource.urn, message }];
      }),
    );
  },
});
