import { randomBytes } from "node:crypto";
import { digest, type Plain } from "./values";

/**
 * What lives: which resource has which object of the service, as far as the process knows. All clients, hosts and
 * kinds of resources share one account of it. An object is called by its id, and by what makes it the only one of
 * its kind, such as a variable's key, target and branch: so one that is about to be made is known before it has an id.
 *
 * The state records of each resource where its object is (`at`): the API, the account, the object, and a mark of the
 * resource itself, by which two resources that have one object are told apart.
 */
class Claims {
  /** The mark of the resource that has an object, by API and name of the object. */
  readonly #owners = new Map<string, string>();
  /** What the state of the stack holds: the names of resources, by API and object. */
  #held = new Map<string, string>();
  #heldText = "";
  /**
   * Asks what the state of the stack holds, as `heldText` writes it, in a host whose programs do not tell.
   * @throws Error with the reason when nobody knows
   */
  ask: (() => Promise<string>) | undefined;

  /**
   * Takes objects for a resource, unless another one has some of them.
   * @returns whether they are its own now
   */
  claim(apiUrl: string, mark: string, names: readonly string[]): boolean {
    const keys = names.map((name) => keyOf(apiUrl, name));
    if (keys.some((key) => (this.#owners.get(key) ?? mark) !== mark)) return false;
    for (const key of keys) this.#owners.set(key, mark);
    return true;
  }

  /** Takes objects for a resource that was just seen to have them, whoever else claimed them. */
  assign(apiUrl: string, mark: string, names: readonly string[]): void {
    for (const name of names) this.#owners.set(keyOf(apiUrl, name), mark);
  }

  /** Whether another resource of this process has an object. */
  isOthers(apiUrl: string, mark: string, name: string): boolean {
    return (this.#owners.get(keyOf(apiUrl, name)) ?? mark) !== mark;
  }

  /** A resource has nothing any more. */
  release(mark: string): void {
    for (const [key, owner] of this.#owners) if (owner === mark) this.#owners.delete(key);
  }

  /** An object is gone. */
  forget(apiUrl: string, name: string): void {
    this.#owners.delete(keyOf(apiUrl, name));
    this.#held.delete(keyOf(apiUrl, name));
  }

  /** Learns what the state of the stack holds, as `heldText` wrote it. */
  learn(text: string): void {
    if (text === this.#heldText) return;
    this.#heldText = text;
    const entries = text.split("\n").map((line): [string, string] => [line.slice(0, 12), line.slice(13)]);
    this.#held = new Map(entries);
  }

  /** The resource of the stack that has an object, such as `EnvVar "key"`, if the state of the stack is known. */
  holder(apiUrl: string, names: readonly string[]): string | undefined {
    return names.map((name) => this.#held.get(keyOf(apiUrl, name))).find(Boolean);
  }

  /** Begins a run of its own, as each process does. */
  reset(): void {
    this.#owners.clear();
    this.#held.clear();
    this.#heldText = "";
  }
}

/** The key under which the state records where an object lives, and which resource has it. */
export const recordKey = "at";

export const claims = new Claims();

const keyOf = (apiUrl: string, name: string): string => digest(apiUrl) + digest(name);

/** The mark of a resource, for its whole life. */
export const newMark = (): string => randomBytes(6).toString("base64url").slice(0, 6);

/** What the state records of a place. */
export const placeOf = (apiUrl: string, accountId: string): string => digest(apiUrl) + digest(accountId);

/** What the state records of an object that a resource has. */
export const recordOf = (place: string, id: string, mark: string): string => place + digest(id) + mark;

/** What the state records of an object that is only read. */
export const recordOfRead = (place: string): string => `${place}-`;

// What a record ends with may be any of the digits that digests are made of: its length tells what it is of.
const isRecord = (at: unknown): at is string => typeof at === "string" && at.length === 24;
const isRecordOfRead = (at: string): boolean => at.length === 13;

/** The mark that a state has, if it is not one of an earlier version. */
export const recordedMark = ({ at }: Plain): string | undefined => (isRecord(at) ? at.slice(18) : undefined);

/** The mark that a state has; one of an earlier version has none, and stands for itself. */
export const markOf = (state: Plain): string => recordedMark(state) ?? `-${digest(JSON.stringify(state))}`;

/** Names of what a variable of a project is the only one with: one for each of its environments. */
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

/** A project by its name. */
export const projectNameIn = (accountId: string, name: string): string => `${accountId}/${name}`;

/** A resource in the state of a stack. */
export interface Recorded {
  /** Such as `EnvVar`. */
  type: string;
  name: string;
  outputs: Plain;
}

/** What a stack calls a resource, to a user. */
export const labelOf = (type: string, name: string): string => `${type} "${name}"`;

/**
 * What the state of a stack holds, as a text: a line for each object, with the mark of API and object, and the
 * resource. What is only read is nobody's.
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

/** The digests of what a recorded resource has. One of an earlier version does not tell its id. */
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
