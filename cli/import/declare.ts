import type * as responses from "../../provider/client/responses";
import type { Resource } from "../../provider/core/resource";
import { isPlain, type Plain, same } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { receiverUrl } from "../../provider/resources/names";

/** An object of the account, with the data for its resource in a program. */
export interface Discovered {
  type: ResourceType;
  /** Logical name, unique among all discovered objects. */
  name: string;
  id: string;
  /** The first part of the id. For a project and its objects, this is the id of the project. */
  projectId: string;
  inputs: Plain;
  /** The state of the resource. */
  state: Plain;
  /** Inputs and outputs whose whole values are secret. */
  secret: readonly string[];
  /** Inputs that cannot be read. The program ignores changes to them. */
  unreadable: readonly string[];
}

interface DeclareOptions {
  /** Logical name. */
  name: string;
  /** The list to which notes about omitted inputs and objects are added, with the reasons. */
  notes: string[];
  /** The names of the resources that have been declared, by their unique keys. The new resource is added. */
  declaredKeys: Map<string, string>;
  /** Inputs and outputs that the API does not return, from the state of another tool. */
  known?: Partial<Record<"inputs" | "outputs", Plain>>;
  /** Texts that another tool records as secret. */
  secretTexts?: readonly string[];
}

/**
 * Declares an object with the valid inputs that differ from their defaults.
 * @returns undefined, with a note, if the remaining inputs are not valid, or if a declared object has its unique key: the
 *   service lets several objects have a name that a program declares once
 */
export function declare(
  resource: Resource,
  read: { id: string; inputs: Plain; state: Plain },
  { name, notes, declaredKeys, known = {}, secretTexts = [] }: DeclareOptions,
): Discovered | undefined {
  const type = resource.type as ResourceType;
  const inputs = { ...known.inputs, ...withoutDefaults(resource, read.inputs) };
  const unreadable =
    /^(Shared)?EnvVar$/.test(type) && inputs.type !== "system" && inputs.value === undefined ? ["value"] : [];
  // A value that cannot be read is declared as an empty text.
  for (const key of unreadable) inputs[key] = "";
  for (const { property, reason } of resource.check({}, inputs)) {
    if (property === undefined || !(property in inputs)) continue;
    notes.push(`${type} ${name}: ${property} was left out: ${reason}`);
    delete inputs[property];
  }
  const [failure] = resource.check({}, inputs);
  if (failure) {
    notes.push(`${type} ${name} (${read.id}) was left out: ${failure.reason}`);
    return undefined;
  }
  const keys = resource.uniqueKeysOf({ ...read.state, ...inputs }).map((key) => `${type} ${key}`);
  const other = keys.map((key) => declaredKeys.get(key)).find((one) => one !== undefined);
  if (other !== undefined) {
    notes.push(
      `${type} ${name} (${read.id}) was left out, because ${other} has the same name and a program declares a name only ` +
        "once. To import both, give one of the objects another name first.",
    );
    return undefined;
  }
  for (const key of keys) declaredKeys.set(key, name);
  if (unreadable.length > 0) {
    notes.push(`${type} ${name}: its value cannot be read, so it stays as it is until you set it.`);
  }
  const order = Object.keys(resource.inputs.shape);
  const ordered = Object.fromEntries(order.filter((key) => key in inputs).map((key) => [key, inputs[key]]));
  const outputs = Object.entries({ ...read.state, ...known.outputs }).filter(
    ([key]) => !(key in resource.inputs.shape),
  );
  return {
    type,
    name,
    id: read.id,
    projectId: read.id.split("/")[0] ?? "",
    inputs: ordered,
    state: { ...inputs, ...Object.fromEntries(outputs) },
    secret: [...new Set([...resource.traits.secret, ...secretInputs(resource, ordered, secretTexts)])],
    unreadable,
  };
}

/** Inputs that are secret in this account, or in the state of another tool, but not by their resource. */
function secretInputs(
  { inputs: { shape } }: Resource,
  inputs: Plain,
  secretTexts: readonly string[],
): string[] {
  const isSecret = ([key, value]: [string, unknown]): boolean =>
    typeof value === "string"
      ? secretTexts.some((text) => value === text || (text.length >= 8 && value.includes(text))) ||
        // The path or query of a receiver's URL is often a key.
        (shape[key] === receiverUrl && !isBareAddress(value))
      : isPlain(value) && Object.entries(value).some(isSecret);
  return Object.entries(inputs).flatMap((entry) => (isSecret(entry) ? [entry[0]] : []));
}

function isBareAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return pathname === "/" && username + password + search + hash === "";
}

/** Drops inputs that equal their defaults. */
function withoutDefaults({ type, traits }: Resource, inputs: Plain): Plain {
  const usual: Plain = traits.defaults;
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([key, value]) =>
        // Null means "not set", except for the value of an Edge Config item.
        (value !== null || (type === "EdgeConfigItem" && key === "value")) &&
        // The service itself sets this field, which records who changed another setting.
        key !== "autoAssignCustomDomainsUpdatedBy" &&
        !(Object.hasOwn(usual, key) && same(usual[key], value)),
    ),
  );
}

/**
 * Notes about settings of a project that the program does not declare.
 * @param declared the inputs of the project that the program declares
 */
export function omittedSettings(
  { name, passwordProtection, protectionBypass }: responses.Project,
  declared: Plain = {},
): string[] {
  const notes: string[] = [];
  if (passwordProtection && !declared.passwordProtection) {
    notes.push(`Project ${name}: passwordProtection was left out: its password cannot be read.`);
  }
  const managed = isPlain(declared.protectionBypass) ? Object.values(declared.protectionBypass) : [];
  const secrets = managed.map((one) => isPlain(one) && one.secret);
  if (Object.keys(protectionBypass ?? {}).some((secret) => !secrets.includes(secret))) {
    const which = managed.length > 0 ? "other protection bypass secrets" : "protection bypass secrets";
    notes.push(`Project ${name}: its ${which} are not managed. Declare new ones to manage them.`);
  }
  return notes;
}

export function uniqueName(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let i = 2; taken.has(candidate); i++) candidate = `${name}-${i}`;
  taken.add(candidate);
  return candidate;
}
