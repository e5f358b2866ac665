import type * as pulumi from "@pulumi/pulumi";
import { type Plain, safeRecord } from "../../provider/core/values";
import { providerKey, resourceOfType } from "../../provider/hosting";
import { handlerName, ignoredKey, loaderText, type ResourceType, urnKey } from "../../provider/loader";
import { resources } from "../../provider/resources";
import { urnOf } from "../support/fake-cli";
import { type Failed, type Host, type Named, type NamedStep, providerUrn, withRun } from "./host";
import { shareModules } from "./shared-modules";

type Handler = Required<pulumi.dynamic.ResourceProvider>;

const differs = 2;
const isSame = 1;

/**
 * The dynamic provider with modules of its own: it knows as little of others as a process of its own would, and
 * begins much sooner. `startHost` has the process.
 * @param name of the provider; not given, it is the default one
 */
export async function isolatedHost(config: Record<string, string>, name?: string): Promise<Host> {
  let provider: Provider = {};
  const recorded = new Recorded(name);
  shareModules();
  let end = async (): Promise<void> => {};
  const termination = jest.requireActual("../../provider/termination");
  const beforeEnd = (step: () => Promise<void>): void => {
    end = step;
  };
  jest.doMock("../../provider/termination", () => ({ ...termination, beforeEnd }));
  jest.isolateModules(() => {
    const { StackState } =
      require("../../provider/stack-state") as typeof import("../../provider/stack-state");
    // Not by a spy, which Jest would keep with the whole class until the end of the file.
    StackState.prototype.readSnapshot = recorded.readSnapshot as never;
    StackState.prototype.readAgain = recorded.readSnapshot as never;
    provider = require("../../provider/dynamic");
    recorded.isolate(
      require("../../provider/core/stack-snapshot"),
      require("../../provider/core/ownership-record"),
      require("../../provider/hosting"),
    );
  });
  return { ...(await dynamicHost(provider, config, recorded)), cancel: () => end() };
}

/** The state of the stack, as the engine would tell it. */
class Recorded {
  #resources: readonly Named[] = [];
  #ignored: ReadonlyMap<string, readonly string[]> = new Map();
  #snapshotOf = (_held: readonly Named[]): unknown => undefined;

  /** @param provider name of the provider of this process */
  constructor(readonly provider: string | undefined) {}

  isolate(
    { StackSnapshot }: typeof import("../../provider/core/stack-snapshot"),
    { parse }: typeof import("../../provider/core/ownership-record"),
    { objectsOf }: typeof import("../../provider/hosting"),
  ): void {
    this.#snapshotOf = (resources) =>
      new StackSnapshot(
        resources
          .filter(({ isPending }) => !isPending)
          .map(({ type, name, outputs, provider, isReplaced = false }) => ({
            ...{ urn: urnOf(type, name), outputs, provider: providerUrn(provider), isReplaced },
          })),
        objectsOf,
        resources.filter(({ isPending }) => isPending).flatMap(({ outputs }) => parse(outputs)?.owner ?? []),
      );
  }

  record(resources: readonly Named[], steps: readonly NamedStep[]): void {
    this.#resources = resources;
    this.#ignored = new Map(
      steps.map(({ type, name, ignoreChanges = [] }) => [urnOf(type, name), ignoreChanges]),
    );
  }

  /** The inputs that a resource ignores. */
  ignoredBy(type: string, name: string | undefined): readonly string[] {
    return this.#ignored.get(urnOf(type, name)) ?? [];
  }

  readSnapshot = async (): Promise<unknown> => this.#snapshotOf(this.#resources);
}

/** The exports of `slipway/dynamic`. */
type Provider = Record<string, { handler(): Handler }>;

/** The dynamic provider, called as Pulumi's process calls it. */
export async function dynamicHost(
  provider: Provider,
  config: Record<string, string>,
  recorded?: Recorded,
): Promise<Host> {
  const handlerOf = async (type: ResourceType) => {
    const print = console.error;
    const handler = provider[handlerName(type)]?.handler();
    // Each would have it filter what it prints.
    console.error = print;
    if (!handler) throw new Error(`there is no ${type}`);
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
      const paths = [...ignored, ...(recorded?.ignoredBy(type, name) ?? [])];
      const given = {
        ...news,
        ...(paths.length > 0 && { [ignoredKey]: paths }),
        ...(resourceOfType.get(type)?.needsUrn && name !== undefined && { [urnKey]: urnOf(type, name) }),
      };
      const { inputs, failures = [] } = await of(type).check(
        wire(olds),
        pack(type, withRun(type, given, recorded && name, recorded?.provider)),
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
