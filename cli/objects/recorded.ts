import type { Resource } from "../../provider/core/resource";
import { isPlain, type Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";

/** Objects that another tool has recorded. */

/** A resource that another tool recorded, with the types and attributes of the Terraform provider. */
export interface RecordedResource {
  /** The address of the resource in the tool, for messages. */
  address: string;
  /** The parts of the logical name that the resource gets. */
  names: readonly string[];
  type: string;
  values: Plain;
  /** The texts in values that the tool records as secret. */
  secretTexts: readonly string[];
  /** The next run of the tool would replace the object. */
  isTainted: boolean;
  /** The object was replaced, and the tool still has to delete it. */
  isDeposed: boolean;
}

/** The objects of a resource. @param all every resource that the tool recorded */
export type Mapping = (resource: RecordedResource, all: readonly RecordedResource[]) => ManagedObject[];

/** An object that another tool manages. */
export interface ManagedObject {
  type: ResourceType;
  /** The id that Slipway's resource uses for the object. */
  id: string;
  /** The wanted logical name. */
  name: string;
  /** The address of the object's resource in the other tool. */
  address: string;
  /** The team of the object, if the other tool recorded it. */
  team?: string | undefined;
  known: KnownValues;
  /** Texts that the other tool records as secret. */
  secretTexts?: readonly string[];
  /** Inputs that the other tool does not manage. */
  unmanaged?: readonly string[];
}

/** Values in the state of the other tool that the API does not return. */
export interface KnownValues {
  /** The value of a variable. */
  value?: string | undefined;
  /** The password of a project. */
  password?: string;
  /** The bypass secrets of a project, by label. */
  bypass?: Record<string, { secret: string; note?: string }>;
  /** Inputs of other kinds. */
  inputs?: Plain;
  outputs?: Plain;
}

export function objectOf(
  { address, names: parts, values, secretTexts }: RecordedResource,
  { type }: Resource,
  id = "",
  { known = {}, names = [] }: { known?: KnownValues; names?: string[] } = {},
): ManagedObject {
  const team = textIn(values, "team_id");
  const name = logicalName([...parts, ...names]);
  return { type: type as ResourceType, id, name, address, team, known, secretTexts };
}

/** The id of an object of a project. */
export const within = ({ values }: RecordedResource, id = ""): string =>
  `${textIn(values, "project_id") ?? ""}/${id}`;

/** The mapping of a resource that is one object of a project. @param key the attribute that has the id of the object */
export const ofProject =
  (type: Resource, key: string): Mapping =>
  (resource) => [objectOf(resource, type, within(resource, textIn(resource.values, key)))];

/** The recorded secret of an object, which is among the inputs or the outputs of its resource. */
export function knownSecret({ values }: RecordedResource, among: "inputs" | "outputs"): KnownValues {
  const secret = textIn(values, "secret");
  return secret === undefined ? {} : { [among]: { secret } };
}

/** The recorded value of a variable, which can be an empty text; undefined if the tool does not record it. */
export const knownValue = ({ value }: Plain): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Joins parts to a logical name of letters, digits, `.`, `_` and `-`. */
export function logicalName(parts: readonly string[]): string {
  const plain = parts.map((part) =>
    part
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, ""),
  );
  return plain.filter((part) => part !== "").join("-") || "resource";
}

/** The text under a key; undefined if the value is empty or not a text. */
export const textIn = (values: Plain, key: string): string | undefined => {
  const value = values[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const listIn = (values: Plain, key: string): Plain[] => {
  const value = values[key];
  return Array.isArray(value) ? value.filter(isPlain) : [];
};
