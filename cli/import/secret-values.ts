import { createHash } from "node:crypto";
import { isPlain, type Plain } from "../../provider/core/values";
import { type Discovered, uniqueName } from "./declare";

/** A secret of an input, which the program reads from the configuration of the stack. */
export interface SecretValue {
  /** The path of the secret in the inputs, such as `["passwordProtection", "password"]`. */
  path: readonly string[];
  /** The key of the secret in the configured values. */
  key: string;
  value: string;
}

/** The secret members of secret inputs. The program declares the other members literally. */
const secretMembers = new Set(["password", "secret"]);

/** Inputs whose members are not all secret: only those in `secretMembers`. */
const partlySecret = new Set(["passwordProtection", "protectionBypass"]);

/** The known secrets of a resource. */
export function secretValues({ name, inputs, secret, unreadable }: Discovered): SecretValue[] {
  const keys = secret.filter((key) => key in inputs && !unreadable.includes(key));
  return keys
    .flatMap((key) => valuesIn(inputs[key], [key]))
    .map((one) => ({ ...one, key: keyOf(name, one) }));
}

/** The key of a secret. A variable has only one secret, whose key is the name of the variable. */
const keyOf = (name: string, { path }: Pick<SecretValue, "path">): string =>
  path.length === 1 && path[0] === "value" ? name : [name, ...path].join(".");

function valuesIn(value: unknown, path: readonly string[]): Omit<SecretValue, "key">[] {
  if (isPlain(value))
    return Object.entries(value).flatMap(([member, inner]) => valuesIn(inner, [...path, member]));
  const isSecret = !partlySecret.has(path[0] ?? "") || secretMembers.has(path.at(-1) ?? "");
  return isSecret && typeof value === "string" ? [{ path, value }] : [];
}

/**
 * The configuration key under which all values are stored in one object. The CLI reads only one value from standard
 * input, and other users can see the arguments of a command. Imports of other objects get another key.
 */
export function configKeyOf(found: readonly Discovered[]): string {
  const names = found.filter((one) => secretValues(one).length > 0).map(({ name }) => name);
  return `imported-${createHash("sha256").update(JSON.stringify(names.sort())).digest("hex").slice(0, 6)}`;
}

/** A secret with its own configuration key, for programs that the CLI generates. */
export interface ConfiguredSecret extends SecretValue {
  resource: Discovered;
  /** Consists of letters, digits, `_` and `-`, which every language and the interpolation in YAML accept. */
  configKey: string;
}

export function configuredSecrets(found: readonly Discovered[]): ConfiguredSecret[] {
  // In YAML, a resource and a key of the configuration cannot have the same name.
  const taken = new Set(found.map(({ name }) => name));
  return found.flatMap((resource) =>
    secretValues(resource).map((one) => ({
      ...one,
      resource,
      configKey: uniqueName(`imported-${one.key.replace(/[^\w-]+/g, "-")}`, taken),
    })),
  );
}

/** The inputs, with each secret replaced by another value. */
export function withSecretsReplaced(
  { inputs }: Discovered,
  secrets: readonly { path: readonly string[]; replacement: unknown }[],
): Plain {
  const replaced = structuredClone(inputs);
  for (const { path, replacement } of secrets) {
    const within = path.slice(0, -1).reduce((values, member) => values[member] as Plain, replaced);
    within[path.at(-1) ?? ""] = replacement;
  }
  return replaced;
}
