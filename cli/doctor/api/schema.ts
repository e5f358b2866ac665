import { isPlain } from "../../../provider/core/values";

/** Compares values with JSON Schemas, and describes differences by names and types alone, never by values. */

export type Schema = Readonly<Record<string, unknown>>;

export const schemaDifferences = ["missing member", "unknown member", "other type", "unknown value"] as const;

export interface SchemaDifference {
  kind: (typeof schemaDifferences)[number];
  /** The place in the answer, such as `projects[].link.type`. A key of a map is `*`. */
  member: string;
  /** The name of an unknown member, which may be a key of a map that the schema does not know. */
  name?: string;
  expected: string;
  found: string;
}

type Place = readonly string[];

/** @param definitions the schemas that `$ref` names, by the last part of their reference */
export function compareWithSchema(
  value: unknown,
  schema: Schema,
  definitions: Readonly<Record<string, Schema>> = {},
): SchemaDifference[] {
  return compare(value, schema, []);

  function compare(value: unknown, declared: Schema, place: Place): SchemaDifference[] {
    const schema = resolve(declared);
    const branches = branchesOf(schema);
    if (branches) return compareWithBranches(value, branches.map(resolve), place);
    const type = typeOf(value);
    const allowed = typesOf(schema);
    if (allowed && !allowed.some((name) => name === type || (name === "integer" && Number.isInteger(value))))
      return [difference("other type", place, describe(schema), type)];
    const values = valuesOf(schema);
    if (values && !values.includes(value))
      return [difference("unknown value", place, describe(schema), `another ${type}`)];
    if (Array.isArray(value)) return value.flatMap((item) => compareItem(item, schema, place));
    if (isPlain(value)) return compareMembers(value, schema, place);
    return [];
  }

  function compareItem(item: unknown, { items }: Schema, place: Place): SchemaDifference[] {
    return isPlain(items) ? compare(item, items, [...place.slice(0, -1), `${place.at(-1) ?? ""}[]`]) : [];
  }

  function compareMembers(
    value: Record<string, unknown>,
    { properties = {}, required = [], additionalProperties: others }: Schema,
    place: Place,
  ): SchemaDifference[] {
    const declared = properties as Record<string, Schema>;
    const missing = (required as string[])
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) =>
        difference("missing member", [...place, name], describe(resolve(declared[name] ?? {})), "nothing"),
      );
    const present = Object.entries(value).flatMap(([name, member]): SchemaDifference[] => {
      const schema = Object.hasOwn(declared, name) ? declared[name] : undefined;
      if (schema) return compare(member, schema, [...place, name]);
      if (isPlain(others)) return compare(member, others, [...place, "*"]);
      if (others !== false) return [];
      return [{ ...difference("unknown member", [...place, "*"], "nothing", typeOf(member)), name }];
    });
    return [...missing, ...present];
  }

  /** Takes the branch that fits best: one of the value's type, with the fewest differences. */
  function compareWithBranches(value: unknown, all: Schema[], place: Place): SchemaDifference[] {
    const branches = all.flatMap((branch) => branchesOf(branch)?.map(resolve) ?? [branch]);
    const results = branches.map((branch) => compare(value, branch, place));
    const isOfOtherType = (found: SchemaDifference[]): boolean =>
      found.some(({ kind, member }) => kind === "other type" && member === memberOf(place));
    const fitting = results.filter((found) => !isOfOtherType(found)).sort((a, b) => a.length - b.length);
    return (
      fitting[0] ?? [
        difference("other type", place, [...new Set(branches.map(describe))].join(" or "), typeOf(value)),
      ]
    );
  }

  function resolve(schema: Schema): Schema {
    const { $ref } = schema;
    return typeof $ref === "string" ? (definitions[$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  }

  /** Such as `string or null`. Lists the values of a short enumeration. */
  function describe(schema: Schema): string {
    const branches = branchesOf(schema);
    if (branches) return [...new Set(branches.map((branch) => describe(resolve(branch))))].join(" or ");
    const values = valuesOf(schema);
    if (values && values.length > shownValues) return `one of ${values.length} values`;
    return (
      values?.map((value) => JSON.stringify(value)).join(" or ") ??
      typesOf(schema)?.join(" or ") ??
      "any value"
    );
  }
}

/** Longer enumerations are described by their number of values. */
const shownValues = 12;

const difference = (
  kind: SchemaDifference["kind"],
  place: Place,
  expected: string,
  found: string,
): SchemaDifference => ({ kind, member: memberOf(place), expected, found });

const memberOf = (place: Place): string => place.join(".").replace(/^\./, "");

const branchesOf = ({ anyOf, oneOf }: Schema): Schema[] | undefined =>
  (anyOf ?? oneOf) as Schema[] | undefined;

const typesOf = ({ type }: Schema): string[] | undefined =>
  type === undefined ? undefined : ([type].flat() as string[]);

function valuesOf(schema: Schema): unknown[] | undefined {
  return Object.hasOwn(schema, "const") ? [schema.const] : (schema.enum as unknown[] | undefined);
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
