import { configReference } from "../../provider/core/config-reference";
import { withOwner } from "../../provider/core/ownership-record";
import type { Plain } from "../../provider/core/values";
import { loaderText } from "../../provider/loader";
import type { Discovered } from "./declare";
import { programOf } from "./program";
import { withoutReservedNames, yamlConfigValue } from "./runtime";
import { configKeyOf, configuredSecrets, secretValues, withSecretsReplaced } from "./secret-values";
import { commandFallback, quoted } from "./shell";

/** The files that import existing objects into a stack. */
export interface ImportFiles {
  /** The input of `pulumi import --file`. Contains secrets. */
  importFile: string;
  /** Shell commands that set the values of variables in the stack's configuration. Contains secrets. */
  secrets: string;
}

/** The files with the program, in TypeScript and without secrets. */
export function importFiles(found: readonly Discovered[]): ImportFiles & { program: string } {
  const resources = found.map((one) => {
    const marked = (values: Plain): Plain => ({
      ...withSecretsMarked(one, values),
      __provider: loaderText(one.type),
    });
    const { type, name, id, inputs, state } = one;
    return {
      type: `pulumi-nodejs:dynamic/slipway:${type}`,
      name,
      id,
      inputs: marked(inputs),
      outputs: marked(withOwner(state, id)),
    };
  });
  const values = found.flatMap(secretValues).map(({ key, value }) => [key, value]);
  return {
    program: programOf(found),
    importFile: importFileOf(resources),
    secrets: secretsScript(
      values.length > 0 ? [[configKeyOf(found), JSON.stringify(Object.fromEntries(values))]] : [],
    ),
  };
}

/**
 * The files for resources of the plugin. The CLI generates the program from the inputs in the import file. In
 * these inputs, references to the configuration replace the secrets.
 * @param runtime the language of the program, as in Pulumi.yaml, if it is known
 */
export function pluginFiles(given: readonly Discovered[], runtime?: string): ImportFiles {
  const found = withoutReservedNames(given);
  const secrets = configuredSecrets(found);
  const resources = found.map((one) => {
    const own = secrets.filter(({ resource }) => resource === one);
    const inputs = withSecretsReplaced(
      one,
      own.map(({ path, configKey }) => ({ path, replacement: configReference(configKey) })),
    );
    const { type, name, id, state } = one;
    return {
      type: `slipway:index:${type}`,
      name,
      id,
      inputs: withSecretsMarked(one, inputs),
      outputs: withSecretsMarked(one, withOwner(state, id)),
    };
  });
  return {
    importFile: importFileOf(resources),
    secrets: secretsScript(
      secrets.map(({ configKey, value }) => [configKey, runtime === "yaml" ? yamlConfigValue(value) : value]),
    ),
  };
}

/** Marks a value as secret for the engine. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

const withSecretsMarked = ({ secret }: Discovered, values: Plain): Plain =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      secret.includes(key) ? { ...secretSignature, plaintext: JSON.stringify(value) } : value,
    ]),
  );

/** The file contains inputs and outputs, because the engine cannot read dynamic resources during an import. */
const importFileOf = (resources: readonly Plain[]): string =>
  `${JSON.stringify({ resources }, undefined, 2)}\n`;

/** @param values the values with their keys in the configuration */
function secretsScript(values: readonly (readonly [key: string, value: string])[]): string {
  return [
    "#!/bin/sh",
    "# Sets the values of variables in the stack's configuration. Remove it afterwards.",
    "set -e",
    ...commandFallback,
    // Other users can see the arguments of a process, but not its standard input. The CLI removes one line break at the
    // end of the input, so the script adds one.
    ...values.map(([key, value]) => `printf '%s\\n' ${quoted(value)} | pulumi config set --secret -- ${key}`),
    "",
  ].join("\n");
}
