import { z } from "zod";
import { isPlain, type Plain, unknown } from "./values";

/**
 * The key in the state of computed outputs: the service's values of inputs that the program does not declare. They are
 * stored apart from the inputs, so they are neither managed nor compared.
 */
export const computedKey = "computed";

/**
 * Returns the service's values of inputs that are not managed; undefined if there are none.
 * @param existing the settings of the object, in the form of inputs
 */
export function computedOf(
  schema: z.ZodObject,
  keys: readonly string[],
  existing: Plain | undefined,
  managed: Plain,
): Plain | undefined {
  if (!existing) return undefined;
  const found = keys.flatMap((key): [string, unknown][] => {
    const input = schema.shape[key];
    if (managed[key] !== undefined || existing[key] == null || !input) return [];
    const value = known(input, existing[key]);
    return input.safeParse(value).success ? [[key, value]] : [];
  });
  return Object.fromEntries(found);
}

/** Leaves out members that the schema does not have. */
function known(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return known(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => known(schema.element, item));
  if (!isPlain(value)) return value;
  if (schema instanceof z.ZodRecord)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, known(schema.valueType, item)]),
    );
  if (!(schema instanceof z.ZodObject)) return value;
  const members = Object.entries(value).filter(([key, item]) => item != null && key in schema.shape);
  return Object.fromEntries(
    members.map(([key, item]) => [key, known(schema.shape[key] as z.core.$ZodType, item)]),
  );
}

/** A state with computed outputs as top-level members, where programs read them. */
export function expanded({ [computedKey]: computed, ...state }: Plain): Plain {
  return isPlain(computed) ? { ...computed, ...state, [computedKey]: Object.keys(computed) } : state;
}

/** A state of either host without computed outputs. */
export function collapsed({ [computedKey]: computed, ...state }: Plain): Plain {
  const keys = Array.isArray(computed) ? computed : [];
  return Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key)));
}

/** The computed outputs in a plan. Most of them stay the same in an update. @param state expanded */
export function plannedComputed(keys: readonly string[], news: Plain, state: Plain | undefined): Plain {
  const before = state?.[computedKey];
  const planned = keys.flatMap((key): [string, unknown][] => {
    if (news[key] !== undefined) return [];
    if (!state || !Array.isArray(before)) return [[key, unknown]];
    if (before.includes(key)) return [[key, state[key]]];
    // An input that is removed from the program is reset, so its computed value is not known yet.
    return state[key] === undefined ? [] : [[key, unknown]];
  });
  return Object.fromEntries(planned);
}
