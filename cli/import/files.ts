import { withOwner } from "../../provider/core/ownership-record";
import type { Plain } from "../../provider/core/values";
import { loaderText } from "../../provider/loader";
import type { Discovered } from "./declare";
import { programOf } from "./program";
import { configKeyOf, secretValues } from "./secret-values";
import { commandFallback, quoted } from "./shell";

/** The files that import existing objects into a stack. */
export interface ImportFiles {
  /** The program, without secrets. */
  program: string;
  /** The input of `pulumi import --file`. Contains secrets. */
  importFile: string;
  /** Shell commands that set the values of variables in the stack's configuration. Contains secrets. */
  secrets: string;
}

export function importFiles(found: readonly Discovered[]): ImportFiles {
  return { program: programOf(found), importFile: importFileOf(found), secrets: secretsOf(found) };
}

/** Marks a secret for the engine. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The file contains inputs and outputs, because the engine cannot read a dynamic resource. */
function importFileOf(found: readonly Discovered[]): string {
  const resources = found.map(({ type, name, id, inputs, state, secret }) => {
    const marked = (values: Plain): Plain => ({
      ...Object.fromEntries(
        Object.entries(values).map(([key, value]) => [
          key,
          secret.includes(key) ? { ...secretSignature, plaintext: JSON.stringify(value) } : value,
        ]),
      ),
      __provider: loaderText(type),
    });
    return {
      type: `pulumi-nodejs:dynamic/slipway:${type}`,
      name,
      id,
      inputs: marked(inputs),
      outputs: marked(withOwner(state, id)),
    };
  });
  return `${JSON.stringify({ resources }, undefined, 2)}\n`;
}

function secretsOf(found: readonly Discovered[]): string {
  const values = found.flatMap(secretValues).map(({ key, value }) => [key, value]);
  const text = quoted(JSON.stringify(Object.fromEntries(values)));
  return [
    "#!/bin/sh",
    "# Sets the values of variables in the stack's configuration. Remove it afterwards.",
    "set -e",
    ...commandFallback,
    // The list of processes does not show standard input.
    ...(values.length > 0
      ? [`printf '%s' ${text} | pulumi config set --secret -- ${configKeyOf(found)}`]
      : []),
    "",
  ].join("\n");
}
