import { z } from "zod";
import { closest } from "./suggest";
import { isPlain } from "./values";

/**
 * Returns the schema of an enumeration to which the service may add values. An unknown value causes a warning, and is
 * still sent, because the service may be newer than this package.
 */
export const openList = <T extends string>(values: readonly T[], schema = z.string().min(1)) =>
  schema.meta({ examples: [...values] }) as unknown as z.ZodType<T | (string & {}), T | (string & {})>;

/** A value that is not in an open enumeration. */
interface UnknownValue {
  path: string;
  /** The known value that is closest; undefined if none is close. */
  near: string | undefined;
}

/** Warnings about unknown values of open enumerations. They never quote a value. */
export const warningsOf = (schema: z.core.$ZodType, values: unknown): string[] =>
  unknownValues(schema, values, "").map(({ path, near }) =>
    [
      `${path} has a value that this version does not know, so the service decides whether it is valid.`,
      ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    ].join(" "),
  );

/**
 * Returns a suggestion for each unknown value that is close to a known one, to add to a refusal of the service.
 */
export const suggestionsOf = (schema: z.core.$ZodType, values: unknown): string[] =>
  unknownValues(schema, values, "").flatMap(({ path, near }) =>
    near === undefined ? [] : [`${path}: did you mean ${near}?`],
  );

function unknownValues(schema: z.core.$ZodType, value: unknown, path: string): UnknownValue[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unknownValues(schema.unwrap(), value, path);
  if (schema instanceof z.ZodString && typeof value === "string") return unknownText(schema, value, path);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, i) => unknownValues(schema.element, item, `${path}[${i}]`));
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const member = memberOf(schema, key);
    return member ? unknownValues(member, item, path === "" ? key : `${path}.${key}`) : [];
  });
}

function unknownText(schema: z.ZodString, value: string, path: string): UnknownValue[] {
  const known = (schema.meta()?.examples ?? []) as string[];
  return known.length === 0 || known.includes(value) ? [] : [{ path, near: closest(value, known) }];
}

function memberOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodObject ? schema.shape[key] : undefined;
}

/** The names of the inputs at a path; empty if the value there is not an object. */
export function inputsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return inputsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => inputsAt(option, path));
  const [key, ...rest] = path;
  if (key === undefined) return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  if (schema instanceof z.ZodArray) return inputsAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return inputsAt(schema.valueType, rest);
  const member = schema instanceof z.ZodObject ? schema.shape[String(key)] : undefined;
  return member ? inputsAt(member, rest) : [];
}
