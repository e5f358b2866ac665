import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { closest } from "./http/closest";
import { untilInitialized } from "./init/client";
import { readInitFolder } from "./init/folder";
import { Init } from "./init/init";
import { banner, type DevelopmentAccess } from "./ops/banner";
import { flagOf, type ServeFlags, type ServeOption, serveOptions, variableOf } from "./options";
import { resemblesPostgres } from "./platform/data-address";
import { StartError } from "./platform/start-error";
import { isSystemError } from "./platform/system-error";
import { packageVersion } from "./platform/version";
import { startDetached, stopDetached } from "./process/background";
import { onEndOfNpx } from "./process/npm-parent";
import { isLoopback } from "./seed/development-account";
import { readSeedFile } from "./seed/file";
import { openServer } from "./server";
import { StoreError } from "./store/store";

const serve = new Command("serve").description(
  "Runs the reference API until it is stopped (Ctrl-C or SIGTERM).",
);
for (const [name, option] of Object.entries<ServeOption>(serveOptions)) {
  if (option.only !== "variable") serve.addOption(commandOption(name, option));
}
serve.action(async ({ detach, ...flags }: ServeFlags) => {
  if (!detach) return run(flags);
  if (flags.init !== undefined) readInitFolder(flags.init);
  const { said, url } = await startDetached({ ...flags, controlToken: controlTokenFor(flags) });
  process.stderr.write(said);
  if (flags.init !== undefined) await untilInitialized(url);
  process.stdout.write(listening(url));
});

/**
 * The control token of a server in the background.
 * @choice On a loopback address, the server always has a token, which only the user can read. Commands such as
 *   `slipway logs` therefore need no preparation.
 */
const controlTokenFor = ({
  controlToken,
  host,
}: Pick<ServeFlags, "controlToken" | "host">): string | undefined =>
  controlToken ?? (isLoopback(host) ? randomBytes(24).toString("hex") : undefined);

const stop = new Command("stop")
  .description("Stops the server that slipway serve --detach started in this folder.")
  .action(async () => {
    const url = await stopDetached();
    process.stdout.write(
      url === undefined ? "No server of this folder is running.\n" : `The server at ${url} is stopped.\n`,
    );
  });

async function run({
  seed: seedPath,
  dashboard,
  serveDeployments,
  banner: state,
  logFormat,
  init: initFolder,
  ...flags
}: Omit<ServeFlags, "detach" | "key">): Promise<void> {
  const init = initFolder === undefined ? undefined : openInit(initFolder, flags.data);
  const file = seedPath === undefined ? undefined : readSeedFile(seedPath);
  const server = await openServer({
    ...flags,
    init,
    logFormat: logFormat !== "auto" ? logFormat : process.stderr.isTTY ? "lines" : "json",
    dashboard: dashboard === "on",
    serveDeployments: serveDeployments === undefined ? undefined : serveDeployments === "on",
    onDashboardOpened: () => printDashboardLink(),
    key: process.env[variableOf("key")],
    seed: file?.seed,
    explainSeed: file?.explain,
  });
  const url: string = await server.listen().catch(async (error) => {
    await server.close();
    throw error;
  });
  const printsBanner = state === "on";
  // A link works once, so a new one is printed when the last one was used.
  function printDashboardLink(): void {
    const link = printsBanner ? server.dashboardLink() : undefined;
    if (link !== undefined) process.stderr.write(`The dashboard is at ${url}${link}\n`);
  }
  if (printsBanner) {
    process.stderr.write(banner({ url, data: flags.data, development: server.development }));
  }
  const end = (): void => {
    const stopped = init?.stop().then(() => server.close()) ?? server.close();
    stopped.then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);
  onEndOfNpx(end);
  printDashboardLink();
  process.stdout.write(listening(url));
  const folder = flags.data === "memory" ? undefined : resolve(flags.data);
  await init?.run({ ...server, folder, env: environmentOf(url, server.development) });
}

/** @throws StartError if the folder cannot be used, or with PostgreSQL, whose servers would all apply it */
function openInit(folder: string, data: string): Init {
  if (!resemblesPostgres(data)) return new Init(readInitFolder(folder));
  throw new StartError(
    "--init works with --data in a folder or in memory. With PostgreSQL, use slipway seed once.",
  );
}

/** The variables that point a program at the server. Without a development account, the user gives the last two. */
const environmentOf = (url: string, development: DevelopmentAccess | undefined): Record<string, string> => ({
  SLIPWAY_API_URL: url,
  ...(development && {
    SLIPWAY_TOKEN: development.tokens[0] ?? "",
    SLIPWAY_TEAM: development.team.slug,
  }),
});

const listening = (url: string): string => `slipway is listening on ${url}\n`;

function commandOption(name: string, option: ServeOption): Option {
  const { value, help, choices, parse, only } = option;
  const made = new Option(value === undefined ? flagOf(name) : `${flagOf(name)} <${value}>`, help);
  if (only !== "flag") made.env(variableOf(name));
  if (choices) made.argParser((text) => chosen(text, choices));
  else if (value !== undefined) made.argParser((text) => (parse ?? String)(given(text)));
  if (option.default !== undefined) made.default(option.default, option.shownDefault);
  return made;
}

/** Checks that a value is one of the choices. The refusal has the same wording as in all other commands. */
function chosen(text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text;
  const near = closest(text, choices);
  const suggestion = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new InvalidArgumentError(`Choose one of ${choices.join(", ")}.${suggestion}`);
}

/** Refuses an empty value, which a script passes when a variable is not set. An empty host would mean every address. */
function given(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty. Give a value, or leave it out.");
  return text;
}

/** Prints one line for an error that the user can fix, and the stack of a bug. */
function fail(error: unknown): never {
  const isExpected = error instanceof StartError || error instanceof StoreError || isSystemError(error);
  const { message, stack } = error as Error;
  process.stderr.write(`slipway: ${isExpected ? message : (stack ?? error)}\n`);
  process.exit(1);
}

/** An empty variable counts as not set. */
for (const name of Object.keys(process.env)) {
  if (name.startsWith("SLIPWAY_") && process.env[name] === "") delete process.env[name];
}

/** Commander turns a switch on for every value of its variable, so values such as `0` and `off` are handled here. */
for (const [name, { value }] of Object.entries<ServeOption>(serveOptions)) {
  const variable = variableOf(name);
  const given = process.env[variable];
  if (value !== undefined || given === undefined || /^(1|true|yes|on)$/i.test(given)) continue;
  if (/^(0|false|no|off)$/i.test(given)) delete process.env[variable];
  else {
    process.stderr.write(`slipway: ${variable}=${given} is neither on nor off. Set it to 1 or 0.\n`);
    process.exit(2);
  }
}

/** Begins messages of Commander as all other errors begin. */
const outputError = (text: string, write: (text: string) => void): void =>
  write(text.replace(/^error: /, "slipway: "));

// The server keeps running when its output cannot be written, because the reader has ended or the disk is full.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Only the user may read the files that the server writes.
process.umask(0o077);

const program = new Command("slipway")
  .description("The reference API of Slipway.")
  .version(packageVersion())
  .exitOverride()
  .configureOutput({ outputError })
  .addCommand(
    serve
      .exitOverride()
      .configureOutput({ outputError })
      .showHelpAfterError("Run slipway serve --help to see its arguments and flags."),
  )
  .addCommand(stop.exitOverride().configureOutput({ outputError }));

program.parseAsync().catch((error) => {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
});
