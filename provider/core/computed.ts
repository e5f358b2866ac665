import { z } from "zod";
import { isPlain, type Plain, unknown } from "./values";

/**
 * The key under which a state stores computed outputs: the service's values of inputs that the program does not
 * declare. Because a state stores them apart from the inputs, Slipway neither manages nor compares them.
 */
export const computedKey = "computed";

/**
 * Returns the service's values of the inputs `keys` that are not managed; undefined without `existing`.
 * @param existing the settings of the object at the service, in the form of inputs
 * @param managed the inputs that the state will have
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

/** Returns a value without the members that the schema does not have. */
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

/**
 * Returns a state with its computed outputs as top-level members, where programs read them. `computed` then lists their
 * names.
 */
export function expanded({ [computedKey]: computed, ...state }: Plain): Plain {
  return isPlain(computed) ? { ...computed, ...state, [computedKey]: Object.keys(computed) } : state;
}

/** Returns a state without computed outputs. The state may be expanded (see `expanded`) or not. */
export function collapsed({ [computedKey]: computed, ...state }: Plain): Plain {
  const keys = Array.isArray(computed) ? computed : [];
  return Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key)));
}

/**
 * Returns the computed outputs for a preview. They are unknown in a create. In an update, each keeps its value, unless
 * the program declared the input before and no longer does.
 * @param state the expanded state; undefined for a create
 */
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
