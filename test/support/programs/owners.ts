import type { Plain } from "../../../provider/core/values";
import type { Snapshot } from "../../../server/control/routes/snapshot";
import type { RecordedResource } from "./run";

/** What is at the service, by what it is called here; variables with their environments. */
export type Objects = ReadonlyMap<string, readonly string[]>;

/** All projects, custom environments, domains and variables. */
export function objectsOf({
  projects,
  domains,
  env,
  customEnvironments,
}: Snapshot): Map<string, readonly string[]> {
  return new Map<string, readonly string[]>([
    ...projects.map(({ id }) => [projectKey(id), []] as const),
    ...customEnvironments.map(({ id, projectId }) => [environmentKey(projectId, id), []] as const),
    ...domains.map(({ projectId, name }) => [domainKey(projectId, name), []] as const),
    ...env.map(({ id, projectId, target }) => [variableKey(projectId, id), target as string[]] as const),
  ]);
}

export const projectKey = (id: string): string => `project ${id}`;
export const environmentKey = (project: string, id: string): string => `environment ${project}/${id}`;
export const domainKey = (project: string, name: string): string => `domain ${project}/${name}`;
export const variableKey = (project: string, id: string): string => `variable ${project}/${id}`;

/** The project that an object is in. */
const projectOf = (key: string): string => key.replace(/^\w+ ([^/]+).*$/, "$1");

/** The objects that a resource of the state has, with the environments that it declares. */
export function objectsOfHeld({
  type,
  id,
  outputs,
}: RecordedResource): [key: string, environments: readonly string[]][] {
  if (type === "Project") return [[projectKey(id), []]];
  if (type === "CustomEnvironment") return [[`environment ${id}`, []]];
  if (type === "ProjectDomain") return [[`domain ${id}`, []]];
  if (type === "EnvVar") return [[`variable ${id}`, outputs.target as string[]]];
  const { projectId, records, variables, target } = outputs as {
    projectId: string;
    records: Plain;
    variables: Record<string, { target?: string[] } | string>;
    target?: string[];
  };
  return Object.entries(records).map(([key, record]) => {
    const one = variables[key];
    const own = typeof one === "object" ? one.target : undefined;
    return [variableKey(projectId, (record as { id: string }).id), own ?? target ?? []];
  });
}

/** Watches a stack and a service over runs: nothing that a resource has is lost, and nothing is left behind. */
export class Owners {
  #before: Objects = new Map();
  #owned: ReadonlySet<string> = new Set();
  /** What somebody else has made, and no resource has had. */
  readonly #foreign = new Set<string>();
  /** How often a resource took over what somebody else had made. */
  adoptions = 0;

  /** Somebody else has made these. */
  add(objects: Objects): void {
    for (const key of objects.keys()) if (!this.#before.has(key)) this.#foreign.add(key);
    this.#before = objects;
  }

  /** Begins anew, after a run that was killed: what no resource has is nobody's. */
  begin(state: readonly RecordedResource[], there: Objects): void {
    this.#before = there;
    this.#owned = new Set(state.flatMap(objectsOfHeld).map(([key]) => key));
    for (const key of there.keys()) if (!this.#owned.has(key)) this.#foreign.add(key);
  }

  /**
   * @param isWhole the run was carried out
   * @throws Error that tells what is wrong after a run
   */
  check(state: readonly RecordedResource[], there: Objects, isWhole = true): void {
    const owners = new Map<string, string>();
    for (const held of state.filter(({ isPending }) => !isPending)) {
      for (const [key, environments] of objectsOfHeld(held)) {
        const other = owners.get(key);
        // Two resources may have a domain until a run has deleted one of them.
        const isShared = !isWhole && held.type === "ProjectDomain";
        if (other !== undefined && !isShared) throw new Error(`${key} is owned by ${other} and ${held.name}`);
        owners.set(key, held.name);
        const found = there.get(key);
        if (!found) throw new Error(`${key} is gone, which ${held.name} has`);
        const missing = environments.filter((name) => !found.includes(name));
        if (missing.length > 0) throw new Error(`${key} of ${held.name} is taken away from ${missing}`);
      }
    }
    for (const [key, environments] of this.#before) {
      const isOwned = owners.has(key);
      const found = there.get(key);
      if (!found) {
        const isDropped = this.#owned.has(key) || this.#owned.has(projectKey(projectOf(key)));
        if (!isDropped) throw new Error(`${key} is gone, which nobody of the program had`);
        this.#foreign.delete(key);
        continue;
      }
      if (this.#owned.has(key)) continue;
      const lost = environments.filter((name) => !found.includes(name));
      if (lost.length > 0) throw new Error(`${key} is adopted and taken away from ${lost}`);
      if (isOwned && this.#foreign.delete(key)) this.adoptions += 1;
    }
    for (const key of there.keys()) {
      if (!owners.has(key) && !this.#foreign.has(key)) throw new Error(`${key} is left behind`);
    }
    this.#before = there;
    this.#owned = new Set(owners.keys());
  }
}
