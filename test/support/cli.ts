import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import { runChild } from "./child";
import { root } from "./server";

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `slipway` from the sources to its end. */
export async function slipway(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  options: { cwd?: string; input?: string } = {},
): Promise<Result> {
  const child = runChild("cli/command.ts", args, env, options);
  return { code: await child.exited, ...child.output() };
}

const ajv = new Ajv2020({ allErrors: true });

/** Checks a line or document of `--json` against the published schema of the command. @returns the parsed value */
export function parseOutput<T = Record<string, unknown>>(name: string, text: string): T {
  const file = join(root, "docs/schemas", `${name.replaceAll(" ", "-")}.json`);
  const value: unknown = JSON.parse(text);
  const isValid = ajv.validate(JSON.parse(readFileSync(file, "utf8")), value);
  if (!isValid) throw new Error(`${name} --json: ${ajv.errorsText()}`);
  return value as T;
}

/** The document that `--json` wrote. */
export const jsonOf = <T = Record<string, unknown>>(name: string, { stdout }: Pick<Result, "stdout">): T =>
  parseOutput<T>(name, stdout);
