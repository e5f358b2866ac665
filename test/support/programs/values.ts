import fc from "fast-check";
import { z } from "zod";
import type { Resource } from "../../../provider/core/resource";
import type { Plain } from "../../../provider/core/values";

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  /** The values of today, of a list that is open. */
  examples?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  items?: Schema;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
}

/** Values of an input whose schema does not tell enough, by path. */
export type Special = Record<string, fc.Arbitrary<unknown>>;

/**
 * Random inputs of a resource, out of its schema: each may be left out.
 * @param special inputs of which others are generated; undefined leaves one to the caller
 */
export function inputsOf(resource: Resource, special: Partial<Special>): fc.Arbitrary<Plain> {
  const { properties = {} } = z.toJSONSchema(resource.inputs, { io: "input" }) as Schema;
  const members = Object.entries(properties)
    .filter(([key]) => !(key in special && special[key] === undefined))
    .map(([key, schema]) => [key, optional(arbitraryOf(schema, key, special as Special))] as const);
  return fc.record(Object.fromEntries(members)).map(withoutUndefined);
}

/** A value that often is not there, so that programs stay readable; a smaller program is one without it. */
const optional = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );

function arbitraryOf(schema: Schema, path: string, special: Special): fc.Arbitrary<unknown> {
  const own = special[path];
  if (own) return own;
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((variant) => arbitraryOf(variant, path, special)));
  const listed = schema.enum ?? schema.examples;
  if (listed) return fc.constantFrom(...listed);
  const types = [schema.type ?? []].flat();
  if (types.length > 1)
    return fc.oneof(...types.map((type) => arbitraryOf({ ...schema, type }, path, special)));
  switch (types[0]) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: 3 });
    case "number":
      return fc.constantFrom(schema.minimum ?? 0, 0.5, 1);
    case "string":
      if (schema.pattern) throw new Error(`${path} has a pattern, so its values have to be given`);
      return fc.constantFrom("one", "two", ...((schema.minLength ?? 0) > 0 ? [] : [""]));
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}, `${path}[]`, special), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case "object":
      return objectOf(schema, path, special);
    default:
      throw new Error(`${path} has a schema of a kind that is not known here: ${JSON.stringify(schema)}`);
  }
}

function objectOf(schema: Schema, path: string, special: Special): fc.Arbitrary<unknown> {
  if (typeof schema.additionalProperties === "object") {
    const keys = special[`${path}{}`] ?? fc.constantFrom("a", "b", "c");
    const value = arbitraryOf(schema.additionalProperties, `${path}.*`, special);
    return fc.dictionary(keys as fc.Arbitrary<string>, value, { maxKeys: 3 });
  }
  const members = Object.entries(schema.properties ?? {}).map(([key, member]) => {
    const value = arbitraryOf(member, `${path}.${key}`, special);
    return [key, schema.required?.includes(key) ? value : optional(value)];
  });
  return fc
    .record(Object.fromEntries(members))
    .map(withoutUndefined)
    .filter((value) => Object.keys(value).length >= (schema.minProperties ?? 0));
}

export const withoutUndefined = (values: Plain): Plain =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
