import { z } from "zod";
import type { Resource } from "../core/resource";
import { own } from "../core/values";
import { resources } from "../resources";
import { lookups as others } from ".";
import type { Lookup } from "./lookup";
import { ById } from "./shapes";

/**
 * A look-up for each resource, by the id with which the resource is imported. The answer has the id, the inputs and the
 * outputs, as an import has them.
 */

/** Why a resource has no look-up. A resource needs none whose name a look-up in `index.ts` has, such as `getProject`. */
export const withoutLookup: Readonly<Record<string, string>> = {
  DomainVerification: "it only waits, and `getProjectDomain` and `getDomainConfig` read the domain",
  Promotion: "`production` of `getProject` is the deployment that serves production",
};

/** Members that no import has: what only the provider uses, and what the API never returns. */
const unread = new Set([
  ...["adopt", "onDelete", "position", "revision", "timeoutMs", "valueFrom", "waitForVerification"],
  ...["certificate", "certificateAuthorityCertificate"],
]);

/** The members of a resource that no answer has. Functions cannot mark values as secrets in every language. */
export const hiddenOf = (resource: Resource): string[] => {
  const all = Object.keys({ ...resource.inputs.shape, ...resource.outputs.shape });
  return all.filter((key) => !isAnswered(resource, key));
};

const isAnswered = ({ traits }: Resource, key: string): boolean =>
  !traits.secret.includes(key) && !unread.has(key);

export type LookupById = Lookup<typeof ById, z.ZodObject, undefined, never> & { resource: Resource };

function byId(resource: Resource): LookupById {
  return {
    resource,
    args: ById,
    list: undefined,
    // Only the schema and the documentation need it, so that no program and no plugin waits for it.
    get result() {
      const all = Object.entries({ ...resource.inputs.shape, ...resource.outputs.shape });
      const answered = all.filter(([key]) => isAnswered(resource, key));
      return z.object({ id: z.string(), ...Object.fromEntries(answered) });
    },
    async find(client, { id }) {
      const found = Object.entries(await resource.find(client, id));
      return Object.fromEntries(found.filter(([key]) => isAnswered(resource, key)));
    },
  };
}

const named = Object.values<Resource>(resources).map(
  (resource) => [`get${resource.type}`, resource] as const,
);

/** The look-ups by id, by name. */
export const lookupsById: Readonly<Record<string, LookupById>> = Object.fromEntries(
  named
    .filter(([name, { type }]) => !(name in others) && !(type in withoutLookup))
    .map(([name, resource]) => [name, byId(resource)]),
);

/** Returns a look-up of either kind; undefined if there is none of this name. */
export const lookupNamed = (name: string): Lookup | undefined =>
  own(others as unknown as Record<string, Lookup>, name) ?? own(lookupsById, name);
