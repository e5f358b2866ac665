import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { tokenOf } from "../tokens";
import { type Texts, textAt } from "./texts";

/** Types of the package schema, from zod schemas. */

export interface TypeSpec {
  type?: string;
  $ref?: string;
  items?: TypeSpec;
  additionalProperties?: TypeSpec;
  oneOf?: TypeSpec[];
  plain?: boolean;
}

export interface PropertySpec extends TypeSpec {
  description?: string;
  secret?: boolean;
  willReplaceOnChanges?: boolean;
  const?: string;
  defaultInfo?: { environment: string[] };
}

export type Properties = Record<string, PropertySpec>;

export interface ObjectSpec {
  type?: "object";
  description?: string;
  properties: Properties;
  required?: string[];
}

interface EnumSpec {
  type: string;
  description: string;
  enum: { name: string; value: unknown }[];
}

/** The part of JSON Schema that the package uses. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  examples?: unknown[];
  const?: unknown;
  maximum?: number;
}

export const jsonSchemaOf = (schema: z.ZodObject, io: "input" | "output"): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as JsonSchema;

/** A position in a schema. */
interface Position {
  /** The name of a type at this position. */
  name: string;
  /** The path of the description. */
  path: string;
}

/** Builds types, and collects those that have a name. */
export class Types {
  readonly named: Record<string, ObjectSpec | EnumSpec> = {};

  constructor(private readonly texts: Texts) {}

  /**
   * @param owner the name of the resource or function, with which the names of nested types begin
   * @param path the path of the object, with which the paths of the descriptions begin
   */
  properties(owner: string, path: string, schema: JsonSchema): Properties {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, inner]) => {
        const position = { name: owner + capitalized(key), path: `${path}.${key}` };
        const description = textAt(this.texts, position.path) + listOf(inner);
        return [key, { ...this.#typeOf(position, inner), description }];
      }),
    );
  }

  /** Adds a type to the package. @returns a reference to it @throws Error when a different type has the name */
  ref(name: string, spec: ObjectSpec | EnumSpec): TypeSpec {
    const token = tokenOf(name);
    const known = this.named[token];
    if (known && !isDeepStrictEqual(known, spec)) throw new Error(`Two different types are called ${name}.`);
    this.named[token] = spec;
    return { $ref: `#/types/${token}` };
  }

  #typeOf(position: Position, schema: JsonSchema): TypeSpec {
    const options = (schema.anyOf ?? [schema]).filter(({ type }) => type !== "null");
    const [option = {}] = options;
    if (options.length > 1) return { oneOf: options.map((each) => this.#typeOf(position, each)) };
    if (option.type === undefined && Object.keys(option).length === 0) return { $ref: "pulumi.json#/Any" };
    if (option.items) return { type: "array", items: this.#typeOf(itemOf(position), option.items) };
    if (option.properties) return this.#objectOf(position, option);
    if (typeof option.additionalProperties === "object") {
      return {
        type: "object",
        additionalProperties: this.#typeOf(itemOf(position), option.additionalProperties),
      };
    }
    return this.#scalarOf(position, option);
  }

  #objectOf({ name, path }: Position, schema: JsonSchema): TypeSpec {
    return this.ref(name, {
      type: "object",
      properties: this.properties(name, path, schema),
      required: schema.required ?? [],
    });
  }

  /** An enumeration also accepts any other text, because the service may accept new values at any time. */
  #scalarOf({ name, path }: Position, schema: JsonSchema): TypeSpec {
    const type = scalarType(schema);
    const values = (schema.enum ?? schema.examples ?? []).filter((value) => typeof value === "string");
    if (type !== "string" || values.length === 0) return { type };
    const members = values.map((value) => ({ name: memberName(value), value }));
    const description = textAt(this.texts, path);
    return { type, oneOf: [{ type }, this.ref(name, { type, description, enum: members })] };
  }
}

/**
 * Removes enumerations from the properties of outputs. A YAML program could not pass an output with an enumeration to
 * an input that takes any text, such as the value of a variable.
 */
export const withoutEnumerations = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, plainTexts(property)]));

function plainTexts({ oneOf, items, additionalProperties, ...spec }: PropertySpec): PropertySpec {
  return {
    ...spec,
    ...(items && { items: plainTexts(items) }),
    ...(additionalProperties && { additionalProperties: plainTexts(additionalProperties) }),
    ...(oneOf && spec.type === undefined && { oneOf }),
  };
}

/** The largest number of values that a description lists. */
const longestList = 9;

function listOf({ anyOf, ...schema }: JsonSchema): string {
  const values = (anyOf ?? [schema]).flatMap((option) => option.enum ?? []).filter((value) => value !== null);
  return values.length > 0 && values.length <= longestList ? ` One of: ${values.join(", ")}.` : "";
}

/** The largest number that is an integer in every language. */
const largestInteger = 2 ** 31 - 1;

function scalarType({
  type,
  enum: values = [],
  const: constant,
  maximum = Number.POSITIVE_INFINITY,
}: JsonSchema): string {
  const named = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  if (named === "integer") return maximum <= largestInteger ? "integer" : "number";
  const known = [...values, constant].filter((value) => value !== undefined && value !== null);
  if (known.length > 0 && known.every(Number.isInteger)) return "integer";
  return named ?? typeof known[0];
}

/** The position of an item of a list or a map. The name of its type is in the singular. */
const itemOf = ({ name, path }: Position): Position => ({ name: singular(name), path });

const singular = (name: string): string => name.replace(/sses$/, "ss").replace(/([^s])s$/, "$1");

const capitalized = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);

/** The name of a value in an enumeration: `docusaurus-2` is Docusaurus2, `22.x` is V22X. */
function memberName(value: string): string {
  const name = value
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join("");
  return /^\d/.test(name) ? `V${name}` : name;
}
