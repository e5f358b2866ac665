import { existsSync } from "node:fs";
import { join } from "node:path";
import { shellArgument } from "./shell";

/** The file that removes the objects from the state of the former tool, and the step that uses it. */
export interface Release {
  file: string;
  /** True if the step must precede the preview. Otherwise, the preview would show deletions of the former resources. */
  isBeforeCheck?: boolean;
  step(path: string): string;
}

/**
 * Describes the next steps. Imported objects stay protected until a preview has shown that the program declares them.
 * Until then, no `pulumi up` can delete them.
 * @param forPlugin true if the CLI generates the program
 */
export function nextSteps(out: string, release: Release | undefined, forPlugin: boolean): string {
  const [secrets, importFile] = ["secrets.sh", "import.json"].map((name) => shellArgument(join(out, name)));
  const releaseSteps = release ? [release.step(join(out, release.file))] : [];
  const generate = forPlugin ? `--out ${shellArgument(join(out, generated))}` : "--generate-code=false";
  const steps = [
    ...(forPlugin ? [] : [declareStep(out)]),
    `Set the secrets in the configuration of the stack, and import the objects. Imported objects are protected from
   deletion.
  sh ${secrets}
  pulumi import --file ${importFile} ${generate} --yes`,
    ...(forPlugin ? [declareGeneratedStep(out)] : []),
    ...(release?.isBeforeCheck ? releaseSteps : []),
    `Check that nothing changes. If the preview shows changes, correct the program before you go on: \`pulumi up\` deletes
   objects that the program does not declare, and fails while they are protected.
  pulumi preview --expect-no-changes`,
    ...(release?.isBeforeCheck ? [] : releaseSteps),
    `Remove the protection${forPlugin ? ": first the option protect in the program" : ""}.
  pulumi up --yes
  rm ${secrets} ${importFile}`,
  ];
  const numbered = steps.map((step, at) => `${at + 1}. ${step}\n`);
  return `Next steps, in the folder of the Pulumi project with the stack selected:\n${numbered.join("")}`;
}

function declareStep(out: string): string {
  const program = join(out, "index.ts");
  if (existsSync(join(out, "Pulumi.yaml")))
    return `${program} is now the program of the stack. Move the resources of the old program into it.`;
  const path = /^[./]/.test(program) ? program : `./${program}`;
  return `Declare the objects in the program of the stack. At the end of its main file, add
  import ${JSON.stringify(path)};`;
}

/** The name of the file with the program that the CLI generates. */
const generated = "generated";

const declareGeneratedStep = (
  out: string,
): string => `Add ${join(out, generated)} to the program of the stack. Replace each text config:imported-… with that secret of the
   configuration: \${imported-…} in YAML, config.require_secret("imported-…") in Python.`;
