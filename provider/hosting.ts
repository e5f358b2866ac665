import { Client } from "./client/client";
import { ConfigError, type Settings } from "./client/config";
import type { StackReader } from "./core/ownership";
import type { Resource } from "./core/resource";
import { RunContext } from "./core/run-context";
import type { RecordedResource } from "./core/stack-snapshot";
import { kindOf } from "./core/urn";
import { resources } from "./resources";

/** The resources by their type, for all hosts. */

export const resourceOfType: ReadonlyMap<string, Resource> = new Map(
  Object.values<Resource>(resources).map((resource) => [resource.type, resource]),
);

/** The digests of the objects of a recorded resource. */
export const objectsOf = ({ urn, outputs }: RecordedResource): string[] =>
  resourceOfType.get(kindOf(urn))?.recordedObjects(outputs) ?? [];

/** The run contexts of a host, by settings, so that resources of one account share connections and reads. */
export class Contexts {
  readonly #contexts = new Map<string, RunContext>();

  constructor(private readonly stack: StackReader) {}

  of(settings: Settings): RunContext {
    const key = JSON.stringify(settings);
    const context = this.#contexts.get(key) ?? new RunContext(new Client(settings), this.stack);
    this.#contexts.set(key, context);
    return context;
  }

  /** Returns the warnings that a host shows at the end of a run. */
  async lastWarnings(): Promise<string[]> {
    const all = [...this.#contexts.values()].map(({ production }) => production.warnings());
    return (await Promise.all(all)).flat();
  }
}

/**
 * Returns the errors in the configuration, so that they are reported before anything is created.
 * @param read reads the settings, and throws `ConfigError` if they are invalid
 */
export function problemsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

/** The key of the provider's text in the values of a dynamic resource. */
export const providerKey = "__provider";

export const withoutProvider = ({
  [providerKey]: _,
  ...rest
}: Record<string, unknown>): Record<string, unknown> => rest;

/** The engine's text for a value that is not yet known. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
