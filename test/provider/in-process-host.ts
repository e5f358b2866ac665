import { parse } from "../../provider/core/ownership-record";
import { StackSnapshot } from "../../provider/core/stack-snapshot";
import { type Plain, safeRecord } from "../../provider/core/values";
import type { Cancellation } from "../../provider/dynamic/cancellation";
import { DynamicHost } from "../../provider/dynamic/host";
import { objectsOf, providerKey, resourceOfType } from "../../provider/hosting";
import { ignoredKey, loaderText, type ResourceType, urnKey } from "../../provider/loader";
import { resources } from "../../provider/resources";
import { StackState } from "../../provider/stack-state";
import { urnOf } from "../support/fake-cli";
import { type Failed, type Host, type Named, type NamedStep, providerUrn, withRun } from "./host";

const differs = 2;
const isSame = 1;

/** No signal ends the steps. */
export const neverCancelled: Cancellation = {
  cancelled: new AbortController().signal,
  engineEnd: new AbortController().signal,
};

/**
 * The dynamic provider in this process: it begins much sooner than one with a process of its own (`startHost`).
 * @param name of the provider; not given, it is the default one
 */
export async function inProcessHost(config: Record<string, string>, name?: string): Promise<Host> {
  const stack = new RecordedStack(name);
  const host = new DynamicHost(neverCancelled, undefined, stack);
  return { ...(await dynamicHost(host, config, stack)), cancel: () => host.showLastWarnings() };
}

/** The state of the stack, as the engine would tell it. */
class RecordedStack extends StackState {
  #resources: readonly Named[] = [];
  #ignoredPaths: ReadonlyMap<string, readonly string[]> = new Map();

  /** @param providerName name of the provider of this process */
  constructor(readonly providerName: string | undefined) {
    super();
  }

  record(resources: readonly Named[], steps: readonly NamedStep[]): void {
    this.#resources = resources;
    this.#ignoredPaths = new Map(
      steps.map(({ type, name, ignoreChanges = [] }) => [urnOf(type, name), ignoreChanges]),
    );
  }

  /** The inputs that a resource ignores. */
  ignoredOf(type: string, name: string | undefined): readonly string[] {
    return this.#ignoredPaths.get(urnOf(type, name)) ?? [];
  }

  override async readSnapshot(): Promise<StackSnapshot> {
    const ofKind = (isPending: boolean) =>
      this.#resources.filter((resource) => (resource.isPending ?? false) === isPending);
    return new StackSnapshot(
      ofKind(false).map(({ type, name, outputs, provider, isReplaced = false }) => ({
        ...{ urn: urnOf(type, name), outputs, provider: providerUrn(provider), isReplaced },
      })),
      objectsOf,
      ofKind(true).flatMap(({ outputs }) => parse(outputs)?.owner ?? []),
    );
  }

  override readAgain(): Promise<StackSnapshot> {
    return this.readSnapshot();
  }
}

/** A dynamic host, called as Pulumi's process calls it. */
export async function dynamicHost(
  host: DynamicHost,
  config: Record<string, string>,
  recorded?: RecordedStack,
): Promise<Host> {
  const handlerOf = async (type: ResourceType) => {
    const resource = resourceOfType.get(type);
    if (!resource) throw new Error(`there is no ${type}`);
    const handler = host.handlerOf(resource);
    await handler.configure({ config: { get: (key: string) => config[key] } } as never);
    return handler;
  };
  const types = Object.values(resources).map(({ type }) => type as ResourceType);
  const made = new Map(await Promise.all(types.map(async (type) => [type, await handlerOf(type)] as const)));
  const of = (type: ResourceType) => made.get(type) as NonNullable<ReturnType<typeof made.get>>;
  const pack = (type: ResourceType, values: Plain): Plain => ({
    ...wire(values),
    [providerKey]: loaderText(type),
  });

  let ignored: readonly string[] = [];

  return {
    ignore(paths) {
      ignored = paths;
    },
    record: (resources, steps) => recorded?.record(resources, steps),
    async configure() {},
    async check(type, olds, news, name) {
      // As the SDK does.
      const paths = [...ignored, ...(recorded?.ignoredOf(type, name) ?? [])];
      const given = {
        ...news,
        ...(paths.length > 0 && { [ignoredKey]: paths }),
        ...(resourceOfType.get(type)?.needsUrn && name !== undefined && { [urnKey]: urnOf(type, name) }),
      };
      const { inputs, failures = [] } = await of(type).check(
        wire(olds),
        pack(type, withRun(type, given, recorded && name, recorded?.providerName)),
      );
      return { inputs: wire(inputs), failures };
    },
    async diff(type, id, olds, news) {
      const diff = await of(type).diff(id, pack(type, olds), pack(type, news));
      return {
        changes: diff.changes ? differs : isSame,
        replaces: diff.replaces ?? [],
        deleteFirst: diff.deleteBeforeReplace ?? false,
      };
    },
    async create(type, inputs) {
      const { id, outs } = await failing(of(type).create(pack(type, inputs)));
      return { id, properties: wire(outs) };
    },
    async read(type, id, properties) {
      const { id: found = "", props, inputs } = await of(type).read(id, pack(type, properties));
      return { id: found, properties: wire(props), inputs: wire(inputs) };
    },
    async update(type, id, olds, news) {
      return wire((await failing(of(type).update(id, pack(type, olds), pack(type, news)))).outs);
    },
    remove: (type, id, properties) => of(type).delete(id, pack(type, properties)),
    printed: () => "",
    async cancel() {},
    async close() {},
  };
}

/** Values after their way through the engine. */
const wire = (values: unknown): Plain => JSON.parse(JSON.stringify(safeRecord((values ?? {}) as Plain)));

async function failing<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    const { id, properties } = error as { id?: string; properties?: Plain };
    if (id !== undefined && properties) (error as Failed).kept = { id, properties: wire(properties) };
    throw error;
  }
}
