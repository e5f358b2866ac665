import type { Settings } from "../client/config";
import { collapsed } from "../core/computed";
import type { Resource } from "../core/resource";
import type { RunContext } from "../core/run-context";
import { typeOf } from "../core/urn";
import type { Plain } from "../core/values";
import { resourceOfType } from "../hosting";
import { tokenStart } from "./tokens";
import { plain } from "./wire";

/** The data and functions that the service passes to its methods. */
export interface HostContext {
  run(): RunContext;
  /** @throws ConfigError */
  settings(): Settings;
  /**
   * The resources whose diff needs no replacement, by URN. The engine may replace them nevertheless: for any change if
   * `replaceOnChanges` is set, and after an interrupted replacement. It then checks the resource again as a new one.
   * `isChange`: the diff has changes. `deletedFirst`: a replacement deletes the old object first. `ignored`: the property
   * paths that the program ignores.
   */
  compared: Map<string, { isChange: boolean; deletedFirst: boolean; ignored: readonly string[] }>;
  /** Returns the property paths that a resource ignores. @throws Error when they are not known */
  ignoredBy(urn: string): Promise<readonly string[]>;
  /** True if the configuration asks for a refresh of resources before each update. @throws ConfigError */
  refreshesBeforeUpdate(): boolean;
  /** Returns the errors in the configuration. */
  problems(): string[];
  /** Shows a warning about a resource. */
  warn(urn: string, message: string): void;
  /** Shows the progress of a resource. */
  inform(urn: string, message: string): void;
  /** Runs a step with the time limit of its resource. @param seconds 0: no limit */
  withLimits<T>(seconds: number, step: () => Promise<T>): Promise<T>;
}

/** Finds the resource of a URN. @throws Error when the plugin has no such type */
export function resourceOf(urn: string): Resource {
  const type = typeOf(urn);
  const resource = type.startsWith(tokenStart) && resourceOfType.get(type.slice(tokenStart.length));
  if (!resource) throw new Error(`slipway has no resource of type ${type}.`);
  return resource;
}

/** Converts a state from the engine (see `plain`), and removes its computed outputs. */
export const stateIn = (values: Plain): Plain => collapsed(plain(values));
