import type { Failure } from "./check";

/**
 * Returns the placeholder for a secret that the stack's configuration contains. `slipway import --plugin` writes the
 * placeholder into the import file, because `pulumi import` generates a program with all inputs in plain text.
 * @param key the key in the configuration, which begins with `imported-`
 */
export const configReference = (key: string): string => `config:${key}`;

/**
 * Returns a failure for a placeholder that was not replaced in the program. Otherwise the placeholder would become the
 * value of the input.
 * @param previous the inputs of the last run; empty for an import, in which placeholders are allowed
 */
export function refuseConfigReference(previous: object, property: string, value: unknown): Failure[] {
  const isLeft = typeof value === "string" && value.startsWith(configReference("imported-"));
  if (!isLeft || Object.keys(previous).length === 0) return [];
  const key = value.slice(configReference("").length);
  const reason = `${property} is "${value}", which stands for the secret ${key} of the configuration. Declare that secret.`;
  return [{ property, reason }];
}
