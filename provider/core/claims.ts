import { randomBytes } from "node:crypto";
import { digest, isPlain, type Plain } from "./values";

/**
 * Tracks which resource owns which object of the service, for all clients, hosts and kinds of resources of the
 * process. Names of an object are its id and its unique keys, such as a variable's key, target and branch, so that an
 * object is known before it has an id.
 *
 * The state of each resource has a record (`at`) of the API, the account, the object, and a mark of the resource, which
 * tells two resources with the same object apart.
 */
class Claims {
  /** The marks of owners, by API and name of the object. */
  readonly #owners = new Map<string, string>();
  /** The resources in the state of the stack, by API and object. */
  #held = new Map<string, string>();
  #heldText = "";
  /**
   * Reads the state of the stack, in hosts whose programs do not send it.
   * @throws Error with the reason when it cannot be read
   */
  ask: (() => Promise<Held>) | undefined;

  /**
   * Claims objects for a resource, unless another one has some of them.
   * @returns true when they are its own now
   */
  claim(apiUrl: string, mark: string, names: readonly string[]): boolean {
    const keys = names.map((name) => keyOf(apiUrl, name));
    if (keys.some((key) => (this.#owners.get(key) ?? mark) !== mark)) return false;
    for (const key of keys) this.#owners.set(key, mark);
    return true;
  }

  /** Assigns objects to a resource that certainly has them, even if another one claimed them. */
  assign(apiUrl: string, mark: string, names: readonly string[]): void {
    for (const name of names) this.#owners.set(keyOf(apiUrl, name), mark);
  }

  /** True when another resource of this process has an object. */
  isOthers(apiUrl: string, mark: string, name: string): boolean {
    return (this.#owners.get(keyOf(apiUrl, name)) ?? mark) !== mark;
  }

  /** Releases all objects of a resource. */
  release(mark: string): void {
    for (const [key, owner] of this.#owners) if (owner === mark) this.#owners.delete(key);
  }

  /** Forgets that the stack holds an object, which was deleted. */
  forget(apiUrl: string, name: string): void {
    this.#held.delete(keyOf(apiUrl, name));
  }

  /** Takes over the state of the stack in the form of `heldText`. */
  learn(text: string): void {
    if (text === this.#heldText) return;
    this.#heldText = text;
    const entries = text.split("\n").map((line): [string, string] => [line.slice(0, 12), line.slice(13)]);
    this.#held = new Map(entries);
  }

  /** The resource of the stack that has an object, such as `EnvVar "key"`; undefined when that is unknown. */
  holder(apiUrl: string, names: readonly string[]): string | undefined {
    return names.map((name) => this.#held.get(keyOf(apiUrl, name))).find(Boolean);
  }

  /** Starts again without claims, as a new process would. */
  reset(): void {
    this.#owners.clear();
    this.#held.clear();
    this.#heldText = "";
  }
}

/** The key of the record in the state. */
export const recordKey = "at";

export const claims = new Claims();

const keyOf = (apiUrl: string, name: string): string => digest(apiUrl) + digest(name);

/** Makes the mark of a resource, which never changes. */
export const newMark = (): string => randomBytes(6).toString("base64url").slice(0, 6);

/** The part of a record for the API and the account. */
export const placeOf = (apiUrl: string, accountId: string): string => digest(apiUrl) + digest(accountId);

/** The record of an object that a resource manages. */
export const recordOf = (place: string, id: string, mark: string): string => place + digest(id) + mark;

/** The record of an object that is only read. @param reader its mark, where it is known who reads it */
export const recordOfRead = (place: string, reader = ""): string => `${place}-${reader}`;

// Records are told apart by their length, since their ends can be any characters of digests.
const isRecord = (at: unknown): at is string => typeof at === "string" && at.length === 24;
const isRecordOfRead = (at: string): boolean => at.length === 13 || at.length === 19;

/** The mark in a state; undefined in a state of an earlier version. */
export const recordedMark = ({ at }: Plain): string | undefined => (isRecord(at) ? at.slice(18) : undefined);

/** True for the state of an object that was only read, by `get` or for an import. */
export const isOnlyRead = ({ at }: Plain): boolean => typeof at === "string" && isRecordOfRead(at);

/** The mark in the state of an object that was only read; empty when it has none. */
export const readerOf = (state: Plain): string => (isOnlyRead(state) ? `${state.at}`.slice(13) : "");

/**
 * The state of an object that was read for the first time, told apart from that of another resource with the same
 * object: an import makes it the resource's own.
 */
export const readAs = (state: Plain, urn: string): Plain =>
  isOnlyRead(state) ? { ...state, [recordKey]: `${`${state.at}`.slice(0, 13)}${digest(urn)}` } : state;

/** The state of an object that was read for an import, as that of the resource that now owns it. */
export const asOwned = (state: Plain, id: string): Plain =>
  isOnlyRead(state) ? { ...state, [recordKey]: recordOf(`${state.at}`.slice(0, 12), id, newMark()) } : state;

/** The mark of a state; a state without one is its own mark. */
export const markOf = (state: Plain): string =>
  recordedMark(state) || readerOf(state) || `-${digest(JSON.stringify(state, sorted))}`;

/** Orders the keys of objects, which the engine does not preserve. */
const sorted = (_key: string, value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** The unique names of a variable: one for each of its environments. */
export const variableNames = (
  projectId: string,
  { key, target, customEnvironmentIds, gitBranch }: Variable,
): string[] =>
  [...(target ?? []), ...(customEnvironmentIds ?? [])].map((one) =>
    [projectId, key, one, gitBranch ?? ""].join("/"),
  );

interface Variable {
  key: string;
  target?: readonly string[] | null | undefined;
  customEnvironmentIds?: readonly string[] | null | undefined;
  gitBranch?: string | null | undefined;
}

/** The unique name of a project. */
export const projectNameIn = (accountId: string, name: string): string => `${accountId}/${name}`;

/** A resource in the state of a stack. */
export interface Recorded {
  /** Such as `EnvVar`. */
  type: string;
  name: string;
  outputs: Plain;
}

/** What the state of a stack holds. */
export interface Held {
  /** In the form of `heldText`. */
  text: string;
  /** The marks of resources whose objects were deleted or let go, and that are still to be made anew. */
  left: readonly string[];
}

/** The name of a resource in messages. */
export const labelOf = (type: string, name: string): string => `${type} "${name}"`;

/**
 * Serializes the objects in the state of a stack: a line for each, with the digests of API and object, and the
 * resource. Objects that are only read are left out.
 */
export function heldText(resources: readonly Recorded[]): string {
  const lines = resources.flatMap((resource) => {
    const { at } = resource.outputs;
    if (typeof at !== "string" || isRecordOfRead(at)) return [];
    return objectsOf(resource, at).map(
      (mark) => `${at.slice(0, 6)}${mark} ${labelOf(resource.type, resource.name)}`,
    );
  });
  return lines.join("\n");
}

/** The digests of a resource's objects. A state of an earlier version does not have the id. */
function objectsOf({ type, outputs }: Recorded, at: string): string[] {
  const { projectId, name, key, target, customEnvironmentIds, gitBranch, records, accountId } =
    outputs as Record<string, string> & {
      target: string[];
      customEnvironmentIds: string[];
      records: Record<string, { id: string }>;
    };
  const recorded = isRecord(at) ? [at.slice(12, 18)] : undefined;
  if (type === "Project") return recorded ?? [digest(projectNameIn(`${accountId}`, `${name}`))];
  if (type === "ProjectDomain") return recorded ?? [digest(`${projectId}/${name}`)];
  if (type === "EnvVar")
    return (
      recorded ??
      variableNames(`${projectId}`, { key: `${key}`, target, customEnvironmentIds, gitBranch }).map(digest)
    );
  if (type === "EnvVars") return Object.values(records ?? {}).map(({ id }) => digest(`${projectId}/${id}`));
  return [];
}
