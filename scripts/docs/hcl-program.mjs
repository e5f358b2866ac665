import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathWithoutPackages, pulumiHome, root } from "../setup/paths.mjs";
import { CommandError } from "../setup/run.mjs";

/**
 * Writes a program in HCL with `pulumi convert`. The CLI downloads the converter of YAML and the language plugin of HCL,
 * unless they are on PATH.
 * @param {string} source a program in YAML, without the head of a project
 * @param {string} pulumi the CLI
 * @throws CommandError if the CLI refuses the program, or lacks a plugin
 */
export function hclProgram(source, pulumi) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-hcl-"));
  try {
    const project = join(folder, "yaml");
    mkdirSync(project);
    const plugin = `plugins:\n  providers:\n    - name: slipway\n      path: ${JSON.stringify(join(root, "dist/plugin"))}\n`;
    const body = source.replace(/^(name|runtime):.*\n/gm, "");
    writeFileSync(join(project, "Pulumi.yaml"), `name: example\nruntime: yaml\n${plugin}${body}`);
    const wanted = ["--from", "yaml", "--language", "hcl", "--generate-only", "--out", join(folder, "hcl")];
    const folders = [dirname(pulumi), join(pulumiHome(), "slipway-languages"), ...pathWithoutPackages()];
    const { status, stdout, stderr } = spawnSync(pulumi, ["convert", ...wanted], {
      cwd: project,
      env: { ...process.env, PATH: folders.join(delimiter), PULUMI_SKIP_UPDATE_CHECK: "true" },
      encoding: "utf8",
    });
    if (status !== 0)
      throw new CommandError(
        `The examples cannot be written in HCL. Without a network, put pulumi-converter-yaml and pulumi-language-hcl on PATH.\n${stdout}${stderr}`,
      );
    return spaced(readFileSync(join(folder, "hcl/program.tf"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts one empty line between blocks, where the generator puts none or two, and a space before each value. */
const spaced = (program) =>
  `${program
    .trim()
    .replace(/^\}\n+(?=\S)/gm, "}\n\n")
    .replace(/^( +\w+ +)=(?=[^\s=])/gm, "$1= ")}\n`;
