import * as pulumi from "@pulumi/pulumi";
import { computedKey } from "../../provider/core/computed";
import type { Resource } from "../../provider/core/resource";
import { ignoredKey, loaderText, type ResourceType, runKey, urnKey } from "../../provider/loader";
import { isForPlugin } from "./hosting";
import { runOf, urnOf } from "./run";
import { userError } from "./user-error";

type ResourceClass<Outputs> = new (
  name: string,
  args: object,
  opts?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource & Outputs;

/**
 * The class of which all resources of a kind are made. Its type names Pulumi's dynamic host, and its `__provider` is
 * a constant: nothing of the program is serialised.
 */
export function classOf<Outputs>(resource: Resource): ResourceClass<Outputs> {
  const { type, secret } = resource;
  const text = loaderText(type as ResourceType);
  const computed = new Set(resource.computed);
  const [pluginType, dynamicType] = [`slipway:index:${type}`, `pulumi-nodejs:dynamic/slipway:${type}`];
  // Where the engine replaces without asking (--replace, replacementTrigger), it has to know this.
  const first = resource.deletesFirst ? { deleteBeforeReplace: true } : {};
  // Outputs that are not named here would not be there on the resource.
  const undefinedOutputs = Object.fromEntries(
    Object.keys(resource.outputs.shape).map((key) => [key, undefined]),
  );
  const undefinedInputs = Object.fromEntries(
    Object.keys(resource.inputs.shape).map((key) => [key, undefined]),
  );

  class DynamicResource extends pulumi.CustomResource {
    constructor(name: string, args: object = {}, opts: pulumi.CustomResourceOptions = {}) {
      refuseMisuse(type, name, opts);
      // One that exists and is only read tells its inputs; otherwise what was not given is in `computed`.
      const read = opts.id === undefined ? {} : undefinedInputs;
      const props: Record<string, unknown> = { ...undefinedOutputs, ...read, ...args };
      if (opts.id === undefined && !isForPlugin() && computed.size > 0) props[computedKey] = undefined;
      const run = isForPlugin() || opts.id !== undefined ? undefined : runOf(dynamicType, name, opts);
      if (run !== undefined) props[runKey] = run;
      const { ignoreChanges: ignored = [] } = opts;
      if (!isForPlugin() && ignored.length > 0) props[ignoredKey] = ignored;
      if (!isForPlugin() && resource.needsUrn && opts.id === undefined)
        props[urnKey] = urnOf(dynamicType, name, opts.parent);
      for (const key of secret) if (props[key] !== undefined) props[key] = pulumi.secret(props[key]);
      // A stack may come from the other host.
      const [own, other] = isForPlugin() ? [pluginType, dynamicType] : [dynamicType, pluginType];
      super(
        own,
        name,
        isForPlugin() ? props : { ...props, __provider: text },
        pulumi.mergeOptions(
          { ...first, ...opts },
          { additionalSecretOutputs: [...secret], aliases: [{ type: other }] },
        ),
      );
    }
  }
  // Every Output of a resource costs time, asked for or not: those of inputs that were not given are made when asked for.
  for (const key of Object.keys(undefinedInputs)) {
    Object.defineProperty(DynamicResource.prototype, key, {
      get(this: Record<string, pulumi.Output<Record<string, unknown> | undefined> | undefined>) {
        const found = computed.has(key) ? this[computedKey] : undefined;
        return found ? found.apply((values) => values?.[key]) : pulumi.output(undefined);
      },
      set(value) {
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
  return DynamicResource as unknown as ResourceClass<Outputs>;
}

/** @throws RunError for what Pulumi would answer with a stack, or with nothing that helps */
export function refuseMisuse(
  type: string,
  name: unknown,
  { import: id }: pulumi.CustomResourceOptions,
): void {
  if (typeof name !== "string" || name === "") {
    throw userError(
      `${/^[AEIOU]/.test(type) ? "An" : "A"} ${type} has no resource name. Pass it as the first argument: new ${type}("web", { … }).`,
    );
  }
  if (id !== undefined) {
    throw userError(
      `${type} "${name}": the option import is not available with the npm package, because Pulumi cannot read a dynamic ` +
        "resource that is not in the stack. Use `slipway import`, which writes the program and the import file. Or " +
        `${type === "EnvVar" || type.startsWith("Project") ? "set { adopt: true }" : "declare it without the option"}.`,
    );
  }
}
