import { inspect } from "node:util";
import { Command, CommanderError } from "commander";
import { ConfigError } from "../provider/client/config";
import { version } from "../provider/client/version";
import { runDemo } from "./demo";
import { runImport, UserError } from "./import/command";
import { installPlugin } from "./plugin";

const program = new Command("slipway")
  .description("Projects, domains, variables and promotions, declared with Pulumi.")
  .version(version)
  .exitOverride();

program.command("serve").description("runs the reference API; see slipway serve --help").exitOverride();

program
  .command("stop")
  .description("stops the server that slipway serve --detach started in this folder")
  .exitOverride();

program
  .command("demo")
  .summary("starts the server and a first program in an empty folder")
  .description(
    "Starts the reference API in the background, writes a program in YAML into this folder, which has to be empty, " +
      "and runs pulumi up. Needs the Pulumi CLI. Repeat it as often as you like.",
  )
  .option("--port <number>", "port of the server; a free one if it is in use", "4000")
  .exitOverride()
  .action(runDemo);

program
  .command("import")
  .summary("writes a program and an import file for the projects of an account")
  .description(
    "Reads the projects, domains and variables of an account. Writes a TypeScript program that declares them, and " +
      "files that import them into a stack. Changes nothing at the service. SLIPWAY_API_URL, SLIPWAY_TOKEN and " +
      "SLIPWAY_TEAM select the account.",
  )
  .argument(
    "[what...]",
    "projects by id or name, or single environments (project/staging), domains (project/www.example.com) and " +
      "variables (project/KEY/target, project/KEY/preview/branch); by default all projects",
  )
  .option("--out <folder>", "folder for the files", ".")
  .option("--promotions", "also declares the deployment that serves production")
  .option("--force", "overwrites existing files")
  .addHelpText(
    "after",
    `
Writes three files:
  index.ts     the program, without secrets
  import.json  for \`pulumi import --file\` (Pulumi CLI 3.254 or newer); contains secrets
  secrets.sh   sets the values of variables in the stack's configuration; contains secrets
Only you can read the last two. Remove them after the import.

Exit codes: 0 success, 1 failure, 2 invalid usage.`,
  )
  .exitOverride()
  .action(runImport);

program
  .command("plugin")
  .description("the plugin for programs in YAML, Python, Go and others")
  .exitOverride()
  .command("install")
  .description("installs the plugin for the Pulumi CLI: in PULUMI_HOME, or else in ~/.pulumi")
  .exitOverride()
  .action(() => void process.stdout.write(`${installPlugin()}\n`));

async function run(): Promise<void> {
  refuseUnknownCommand(program, process.argv.slice(2));
  await program.parseAsync();
}

/** Commander prints the help for an unknown command with --help, and exits with 0. */
function refuseUnknownCommand(command: Command, [first, ...rest]: string[]): void {
  if (first === undefined || first.startsWith("-") || command.commands.length === 0) return;
  const known = command.commands.find((one) => one.name() === first);
  if (known) refuseUnknownCommand(known, rest);
  else if (first !== "help") command.error(`error: unknown command '${first}'`);
}

run().catch((error) => {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  const isExpected = error instanceof UserError || error instanceof ConfigError;
  process.stderr.write(`slipway: ${isExpected ? error.message : inspect(error)}\n`);
  process.exit(1);
});
