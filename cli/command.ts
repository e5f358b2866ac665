import { inspect } from "node:util";
import { CommanderError } from "commander";
import { ConfigError } from "../provider/client/config";
import { version } from "../provider/client/version";
import { commands, groups } from "./commands";
import { UsageError, UserError } from "./core/errors";
import { programFor, withoutHelpCommand, withSignedLast } from "./core/program";

const description =
  "Runs a reference server of the Vercel API, and imports, audits and rehearses accounts for Pulumi programs.";

/** An empty variable counts as not set. */
for (const name of Object.keys(process.env)) {
  if (name.startsWith("SLIPWAY_") && process.env[name] === "") delete process.env[name];
}

async function run(): Promise<void> {
  const args = withSignedLast(withoutHelpCommand(process.argv.slice(2)), commands);
  const onExit = (code: number): void => {
    process.exitCode = code;
  };
  await programFor(args, { description, version, commands, groups, onExit }).parseAsync(args, {
    from: "user",
  });
}

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE")
    process.stderr.write(`slipway: The output cannot be written (${error.message}).\n`);
  process.exit(error.code === "EPIPE" ? process.exitCode : 1);
});

run().catch((error) => {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  // An error of the operating system, such as a folder that cannot be written, is not a bug.
  const isOfSystem = error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
  const isExpected = error instanceof UserError || error instanceof ConfigError || isOfSystem;
  process.stderr.write(`slipway: ${isExpected ? error.message : inspect(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
});
