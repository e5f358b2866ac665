import { z } from "zod";
import { closest } from "./suggest";
import { isPlain } from "./values";

/**
 * An enumeration that may grow. Unknown values cause a warning and are left to the service, which may be newer than
 * this package.
 */
export const openList = <T extends string>(values: readonly T[], schema = z.string().min(1)) =>
  schema.meta({ examples: [...values] }) as unknown as z.ZodType<T | (string & {}), T | (string & {})>;

/** Warnings about unknown values of open enumerations. They never quote a value. */
export function cautionsOf(schema: z.core.$ZodType, value: unknown, path = ""): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return cautionsOf(schema.unwrap(), value, path);
  if (schema instanceof z.ZodString && typeof value === "string") return unknownOf(schema, value, path);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, i) => cautionsOf(schema.element, item, `${path}[${i}]`));
  if (!isPlain(value)) return [];
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([key, item]) =>
      cautionsOf(schema.valueType, item, `${path}.${key}`),
    );
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const member = schema.shape[key];
    return member ? cautionsOf(member, item, path === "" ? key : `${path}.${key}`) : [];
  });
}

function unknownOf(schema: z.ZodString, value: string, path: string): string[] {
  const known = (schema.meta()?.examples ?? []) as string[];
  if (known.length === 0 || known.includes(value)) return [];
  const near = closest(value, known);
  return [
    `${path} has a value that this version does not know, so the service decides whether it is valid. ` +
      (near === undefined ? "" : `Did you mean ${near}?`),
  ].map((text) => text.trim());
}

/** The names of the inputs at a path; empty where it is not an object. */
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
