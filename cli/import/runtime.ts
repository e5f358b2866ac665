import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isPlain } from "../../provider/core/values";
import { type Discovered, uniqueName } from "./declare";

/**
 * The runtime in the `Pulumi.yaml` of a folder or of a folder above it, such as `yaml`.
 * @param folders the first one with a project counts @returns undefined without a project
 */
export function runtimeIn(...folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    for (let at = resolve(folder); ; at = dirname(at)) {
      const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(at, name)).find(existsSync);
      if (file !== undefined) return runtimeOf(file);
      if (at === dirname(at)) break;
    }
  }
  return undefined;
}

function runtimeOf(file: string): string | undefined {
  try {
    const project: unknown = parse(readFileSync(file, "utf8"));
    const runtime = isPlain(project) ? project.runtime : undefined;
    const name = isPlain(runtime) ? runtime.name : runtime;
    return typeof name === "string" ? name : undefined;
  } catch {
    // The Pulumi CLI reports a file that is not valid.
    return undefined;
  }
}

/** Texts that Go reads as a number or a boolean, and similar ones. */
const scalar =
  /^([+-]?(0x[\da-f_.p+-]*|(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?|inf|infinity|nan)|t|f|true|false)$/i;

/**
 * The text of a value in the configuration of a program in YAML. Pulumi guesses the types of configuration in YAML, even
 * of declared configuration: `1.10` becomes a number, `null` nothing, and JSON an object. It reads a JSON text in quotes
 * as the text.
 */
export const yamlConfigValue = (value: string): string =>
  isGuessedInYaml(value) ? JSON.stringify(value) : value;

export function isGuessedInYaml(value: string): boolean {
  if (scalar.test(value)) return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** Names that a program in YAML reserves, and names with which the CLI generates no program. */
const reservedName = /^(pulumi|null|true|false|\d[\d.]*(e\d+)?)$/i;

/** Renames resources whose names a generated program cannot have. */
export function withoutReservedNames(found: readonly Discovered[]): readonly Discovered[] {
  const taken = new Set(found.map(({ name }) => name));
  return found.map((one) =>
    reservedName.test(one.name) ? { ...one, name: uniqueName(`resource-${one.name}`, taken) } : one,
  );
}
