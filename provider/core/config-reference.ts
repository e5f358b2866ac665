import type { Failure } from "./check";

/**
 * Stands for a secret of the stack's configuration in a program that `pulumi import` generates, since the CLI writes
 * inputs in clear. `slipway import --plugin` writes it into the import file.
 * @param key the key in the configuration, which begins with `imported-`
 */
export const configReference = (key: string): string => `config:${key}`;

/**
 * Refuses a reference that was left in the program, where it would become the value.
 * @param previous the inputs of the last run; an import has none, and is not refused
 */
export function refuseConfigReference(previous: object, property: string, value: unknown): Failure[] {
  const isLeft = typeof value === "string" && value.startsWith(configReference("imported-"));
  if (!isLeft || Object.keys(previous).length === 0) return [];
  const key = value.slice(configReference("").length);
  const reason = `${property} is "${value}", which stands for the secret ${key} of the configuration. Declare that secret.`;
  return [{ property, reason }];
}
