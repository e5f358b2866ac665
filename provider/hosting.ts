import { Client } from "./client/client";
import { ConfigError, type Lookup, type Settings, settingsFrom } from "./client/config";
import type { Resource } from "./core/resource";
import { resources } from "./resources";

/** What every host shares: the resources by type, and how their requests are configured. */

export const resourceOfType: ReadonlyMap<string, Resource> = new Map(
  Object.values<Resource>(resources).map((resource) => [resource.type, resource]),
);

const clients = new Map<string, Client>();

/** All resources of an account share one client, and with it connections and reads. */
export function clientFor(settings: Settings): Client {
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new Client(settings);
  clients.set(key, client);
  return client;
}

/** What is wrong with the configuration, to be told before anything is made. */
export function problemsOf(config: Lookup): string[] {
  try {
    settingsFrom(config);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

/** Under this key a dynamic resource carries the text that says how it is hosted. */
export const providerKey = "__provider";

export const withoutProvider = ({
  [providerKey]: _,
  ...rest
}: Record<string, unknown>): Record<string, unknown> => rest;

/** How the engine writes a value that is not known yet, wherever it stands. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
