import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import { runCommandLine } from "../../cli/run";
import { childEnvironment, runChild } from "./child";
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

/** The end of the last command in this process: they share its folder, variables and output. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `slipway` to its end in this process, which is much quicker than in one of its own. It suits commands that
 * neither start programs nor end by a signal. A command that reads standard input gets a process of its own.
 */
export function slipwayHere(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  options: { cwd?: string; input?: string } = {},
): Promise<Result> {
  if (options.input !== undefined) return slipway(args, env, options);
  const run = last.then(() => runHere(args, env, options.cwd ?? process.cwd()));
  last = run.catch(() => {});
  return run;
}

async function runHere(args: string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Result> {
  const outside = { env: { ...process.env }, cwd: process.cwd() };
  const output = { stdout: "", stderr: "" };
  const restores = (["stdout", "stderr"] as const).map((name) => capture(process[name], output, name));
  setVariables(childEnvironment({ ...env }));
  process.chdir(cwd);
  let code: number | null = 0;
  try {
    const failed = await runCommandLine(args, (own) => {
      code = own;
    });
    return { code: failed ?? code, ...output };
  } finally {
    process.chdir(outside.cwd);
    setVariables(outside.env);
    for (const restore of restores) restore();
  }
}

function setVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  // An empty variable counts as not set, as in a process of the command.
  const isSet = ([name, value]: [string, unknown]) =>
    value !== undefined && !(name.startsWith("SLIPWAY_") && value === "");
  Object.assign(process.env, Object.fromEntries(Object.entries(env).filter(isSet)));
}

/** Collects what is written to a stream, which is no terminal meanwhile. @returns what ends that */
function capture(stream: NodeJS.WriteStream, output: Record<string, string>, name: string): () => void {
  const write = jest.spyOn(stream, "write").mockImplementation((part) => {
    output[name] += String(part);
    return true;
  });
  const ofTerminal = (["isTTY", "columns"] as const).map((key) => {
    const before = Object.getOwnPropertyDescriptor(stream, key);
    Object.defineProperty(stream, key, { value: undefined, configurable: true, writable: true });
    return () => (before ? Object.defineProperty(stream, key, before) : Reflect.deleteProperty(stream, key));
  });
  return () => {
    write.mockRestore();
    for (const restore of ofTerminal) restore();
  };
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
