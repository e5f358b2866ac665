import { z } from "zod";
import type { Plain } from "./values";

/**
 * States after a change with an unknown outcome. The host reports such a state as a partial failure, so the engine
 * updates the resource in the next run, even if its diff finds nothing. That update sends all managed inputs, since the
 * values at the service are unknown. A finished update removes the names, and so does a read, because the state then has
 * the values of the service. A state can be unsure without names: if the change declared no new input.
 */

/** The key of the names of the inputs that the service may have, but that the state lacks. */
const unsureKey = "unsure";

/** True when it is unknown whether the last change of an object took full effect. */
export const isUnsure = (state: Plain): boolean => Array.isArray(state[unsureKey]);

const namesIn = (state: Plain): string[] => (isUnsure(state) ? (state[unsureKey] as string[]) : []);

/**
 * Returns the state after a change with an unknown outcome.
 * @param declared the inputs of the change @param before the state before the change
 * @param inputs the schema of the inputs. A collection of objects, such as deploy hooks by name, is never unsure: its
 *   update records each object before it sends it, and the service may have others, which belong to somebody else
 */
export function unsureState(state: Plain, declared: Plain, before: Plain, inputs: z.ZodObject): Plain {
  const isUnrecorded = (name: string): boolean =>
    state[name] === undefined && !isCollection(inputs.shape[name]);
  const names = new Set([...namesIn(before), ...Object.keys(declared)]);
  return { ...state, [unsureKey]: [...names].filter(isUnrecorded).sort() };
}

/** True for a map whose values are objects. */
function isCollection(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return isCollection(schema.unwrap());
  return schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodObject;
}

/**
 * Returns the inputs that only a change with an unknown outcome declared. With them in the state, an update resets those
 * that the program does not declare. A refresh does not read them: it cannot tell what the change has set from what
 * somebody else has.
 * @param news the inputs that the program declares, which need no value from the service
 * @param read reads the inputs at the service. Null stands for a value that it does not return
 */
export async function unsureInputs(state: Plain, news: Plain, read: () => Promise<Plain>): Promise<Plain> {
  const undeclared = namesIn(state).filter((name) => news[name] === undefined);
  if (undeclared.length === 0) return {};
  const found = await read();
  return Object.fromEntries(undeclared.map((name) => [name, found[name] ?? null]));
}
