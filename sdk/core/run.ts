import * as pulumi from "@pulumi/pulumi";
import { formatRun } from "../../provider/loader";

/** Private members of a resource in the SDK of Pulumi. */
interface Internals {
  __pulumiType?: string;
  __name?: string;
  __parentResource?: pulumi.Resource;
}

const stackType = "pulumi:pulumi:Stack";

/**
 * Returns the URNs of a resource and of its provider, as text (see `formatRun`). The engine does not pass them to
 * dynamic providers.
 * @returns undefined without an engine, as in unit tests
 */
export function runOf(type: string, name: string, opts: pulumi.CustomResourceOptions): string | undefined {
  // The monitor of a unit test (`setMocks`) has no channel.
  if (!(pulumi.runtime.getMonitor() as { getChannel?: unknown } | undefined)?.getChannel) return undefined;
  const provider = opts.provider ?? opts.parent?.getProvider(type);
  return formatRun({
    urn: urnOf(type, name, opts.parent),
    provider: provider
      ? urnOf("pulumi:providers:pulumi-nodejs", nameOf(provider), parentOf(provider))
      : urnOf("pulumi:providers:pulumi-nodejs", "default"),
  });
}

/** Returns the URN that the engine will give to a resource. The program would have to wait for the engine's answer. */
export function urnOf(type: string, name: string, parent?: pulumi.Resource): string {
  const types = [type];
  for (let above = parent; above; above = parentOf(above)) {
    const { __pulumiType: parentType = "" } = above as Internals;
    if (parentType !== stackType) types.unshift(parentType);
  }
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${types.join("$")}::${name}`;
}

const nameOf = (resource: pulumi.Resource): string => (resource as Internals).__name ?? "";
const parentOf = (resource: pulumi.Resource): pulumi.Resource | undefined =>
  (resource as Internals).__parentResource;
