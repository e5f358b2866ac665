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
 * Creates the class of a resource type. Its resources have a type of Pulumi's dynamic host. Their `__provider` is a
 * constant text, so Pulumi serializes nothing of the program.
 */
export function classOf<Outputs>(resource: Resource): ResourceClass<Outputs> {
  const { type, traits } = resource;
  const text = loaderText(type as ResourceType);
  const computed = new Set(traits.computed);
  const [pluginType, dynamicType] = [`slipway:index:${type}`, `pulumi-nodejs:dynamic/slipway:${type}`];
  // With --replace and replacementTrigger, the engine does not ask the provider, so `deleteBeforeReplace` is set here.
  const first = resource.deletesFirst ? { deleteBeforeReplace: true } : {};
  // The resource has only the outputs that are named here.
  const undefinedOutputs = Object.fromEntries(
    Object.keys(resource.outputs.shape).map((key) => [key, undefined]),
  );
  const undefinedInputs = Object.fromEntries(
    Object.keys(resource.inputs.shape).map((key) => [key, undefined]),
  );

  class DynamicResource extends pulumi.CustomResource {
    constructor(name: string, args: object = {}, opts: pulumi.CustomResourceOptions = {}) {
      refuseMisuse(type, name, opts);
      // A resource that is only read has its inputs as outputs. Otherwise, inputs that were not given are in
      // `computed`.
      const read = opts.id === undefined ? {} : undefinedInputs;
      const props: Record<string, unknown> = { ...undefinedOutputs, ...read, ...args };
      if (opts.id === undefined && !isForPlugin() && computed.size > 0) props[computedKey] = undefined;
      const run = isForPlugin() || opts.id !== undefined ? undefined : runOf(dynamicType, name, opts);
      if (run !== undefined) props[runKey] = run;
      const { ignoreChanges: ignored = [] } = opts;
      if (!isForPlugin() && ignored.length > 0) props[ignoredKey] = ignored;
      if (!isForPlugin() && resource.needsUrn && opts.id === undefined)
        props[urnKey] = urnOf(dynamicType, name, opts.parent);
      for (const key of traits.secret) if (props[key] !== undefined) props[key] = pulumi.secret(props[key]);
      // The resources of a stack may have been created with the other host.
      const [own, other] = isForPlugin() ? [pluginType, dynamicType] : [dynamicType, pluginType];
      const options = pulumi.mergeOptions(
        { ...first, ...opts },
        { additionalSecretOutputs: [...traits.secret], aliases: [{ type: other }] },
      );
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = Math.min(stackTraceLimit, promiseFrames);
      try {
        super(own, name, isForPlugin() ? props : { ...props, __provider: text }, options);
      } catch (error) {
        Error.stackTraceLimit = stackTraceLimit;
        throw withCallers(error);
      } finally {
        Error.stackTraceLimit = stackTraceLimit;
      }
    }
  }
  // Every Output of a resource costs time, even if nothing reads it. Outputs of inputs that were not given are
  // therefore created on their first use.
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

/**
 * The maximum number of frames in the stack traces of promises. Pulumi records them to name promises that never settle,
 * and has four promises for each property. With its own limit of ten frames, the traces take a third of the processor
 * time of a program with many resources.
 */
const promiseFrames = process.env.PULUMI_DEBUG_PROMISE_LEAKS ? Number.POSITIVE_INFINITY : 1;

/** Adds the lines of the program to the stack trace of an error that was created with `promiseFrames`. */
function withCallers(error: unknown): unknown {
  if (!(error instanceof Error) || error.stack === undefined) return error;
  const callers = new Error().stack?.split("\n").slice(2) ?? [];
  error.stack = [error.stack, ...callers].join("\n");
  return error;
}

/** @throws RunError for mistakes for which Pulumi would show a stack trace, or an unhelpful message */
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
