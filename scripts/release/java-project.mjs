import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../setup/run.mjs";

/**
 * Completes the project description in the build.gradle of the generated SDK: Maven Central refuses a package without
 * name, license and developer, and the generator writes these only for packages of Pulumi.
 * @param {string} folder the SDK
 * @param {{ organization: string, repository: string, publisher: string }} publishing as publishing.json has them
 */
export function completeJavaProject(folder, { organization, repository, publisher }) {
  const path = join(folder, "build.gradle");
  const address = `https://github.com/${organization}/${repository}`;
  const text = [
    [/^ *inceptionYear = ""\n/m, ""],
    [/^( {16}name = )""/m, `$1"slipway"`],
    [/^( {24}name = )""(\n *url = )""/m, `$1"MIT License"$2"${address}/blob/main/LICENSE"`],
    [/^( {24}id = )""(\n *name = )""\n *email = ""/m, `$1"${organization}"$2"${publisher}"`],
  ].reduce(replaceOne, readFileSync(path, "utf8"));
  writeFileSync(path, text);
}

function replaceOne(text, [pattern, replacement]) {
  if (!pattern.test(text)) throw new CommandError(`build.gradle has no ${pattern.source}.`);
  return text.replace(pattern, replacement);
}
