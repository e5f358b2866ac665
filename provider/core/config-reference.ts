import type { Failure } from "./check";

/**
 * The placeholder for a secret of the stack's configuration. `slipway import --plugin` writes it into the import file,
 * because `pulumi import` generates a program that contains inputs in plain text.
 * @param key the key in the configuration, which begins with `imported-`
 */
export const configReference = (key: string): string => `config:${key}`;

/**
 * Refuses a placeholder that was not replaced in the program. Otherwise it would become the value.
 * @param previous the inputs of the last run; empty for an import, which is not refused
 */
export function refuseConfigReference(previous: object, property: string, value: unknown): Failure[] {
  const isLeft = typeof value === "string" && value.startsWith(configReference("imported-"));
  if (!isLeft || Object.keys(previous).length === 0) return [];
  const key = value.slice(configReference("").length);
  const reason = `${property} is "${value}", which stands for the secret ${key} of the configuration. Declare that secret.`;
  return [{ property, reason }];
}
