import { inspect } from "node:util";
import { CommanderError } from "commander";
import { ConfigError } from "../provider/client/config";
import { version } from "../provider/client/version";
import { commands, groups } from "./commands";
import { UsageError, UserError } from "./core/errors";
import { programFor, withoutHelpCommand, withSignedLast } from "./core/program";

const description =
  "Runs a reference server of the Vercel API, and imports, audits and rehearses accounts for Pulumi programs.";

/**
 * Runs a command line, and prints its error.
 * @param onExit called with the exit code of a command that ran
 * @returns the exit code of an error
 */
export async function runCommandLine(
  words: readonly string[],
  onExit: (code: number) => void,
): Promise<number | undefined> {
  const args = withSignedLast(withoutHelpCommand(words), commands);
  try {
    await programFor(args, { description, version, commands, groups, onExit }).parseAsync(args, {
      from: "user",
    });
    return undefined;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // An error of the operating system, such as a folder that cannot be written, is not a bug.
    const isOfSystem = (error as NodeJS.ErrnoException | undefined)?.syscall !== undefined;
    const isExpected = error instanceof UserError || error instanceof ConfigError || isOfSystem;
    process.stderr.write(`slipway: ${isExpected ? (error as Error).message : inspect(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
