import { z } from "zod";
import type { Resource } from "../../../provider/core/resource";
import { isPlain, type Plain } from "../../../provider/core/values";
import type { Row } from "../subject";

export interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/**
 * Every input of a resource, nested ones too, as its schema has them: `trustedIps.addresses[].note`. A star stands
 * for the names of a record.
 */
export const pathsOf = (resource: Resource): string[] => Object.keys(schemasOf(resource));

/** The schema of every input, by its path. That of an input with variants has the bounds of each of them. */
export function schemasOf(resource: Resource): Record<string, Schema> {
  const schema = z.toJSONSchema(resource.inputs, { io: "input" }) as Schema;
  const found: Record<string, Schema> = {};
  for (const [path, one] of below(schema, "")) found[path] = { ...found[path], ...one };
  return found;
}

function below(schema: Schema, path: string): [path: string, schema: Schema][] {
  const step = (name: string) => (path === "" ? name : `${path}.${name}`);
  const values = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => inside(step(name), member)),
    ...(schema.items ? below(schema.items, `${path}[]`) : []),
    ...(values ? inside(step("*"), values) : []),
    ...(schema.anyOf ?? []).flatMap((variant) => below(variant, path)),
  ];
}

const inside = (path: string, schema: Schema): [path: string, schema: Schema][] => [
  [path, schema],
  ...(schema.anyOf ?? []).map((variant): [string, Schema] => [path, variant]),
  ...below(schema, path),
];

/** The name under which rows keep their one member of a record. */
export const member = "K";

/** Puts a value at a path of inputs: into the first item of a list, undefined takes it away. */
export function put<T>(inputs: T, path: string, value: unknown): T {
  return put_(inputs, stepsOf(path), value) as T;
}

function put_(inside: unknown, [step, ...rest]: (string | number)[], value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(inside) ? inside : [];
    return [put_(list[0], rest, value), ...list.slice(1)];
  }
  const { [step]: old, ...others } = (inside ?? {}) as Record<string, unknown>;
  const next = put_(old, rest, value);
  return next === undefined ? others : { ...others, [step]: next };
}

const stepsOf = (path: string): (string | number)[] =>
  path.split(".").flatMap((name) => (name.endsWith("[]") ? [stepOf(name.slice(0, -2)), 0] : [stepOf(name)]));

const stepOf = (name: string): string => (name === "*" ? member : name);

/** The inputs of a resource with one value for the input of a row. */
export const inputsWith =
  ({ path, given }: Pick<Row, "path" | "given">, prepared: { given: Plain; known?: Plain }) =>
  (value: unknown): Plain => {
    const { known = {} } = prepared;
    const others = withKnown({ ...prepared.given, ...given }, known) as Plain;
    return put(others, path, withKnown(value, known));
  };

/** A value of a row with what it calls `@name` in place. */
export function withKnown(value: unknown, known: Plain): unknown {
  if (typeof value === "string" && value.startsWith("@")) return known[value.slice(1)];
  if (Array.isArray(value)) return value.map((item) => withKnown(item, known));
  if (!isPlain(value)) return value;
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(members.map(([key, item]) => [key, withKnown(item, known)]));
}
