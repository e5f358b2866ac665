import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { banner } from "./ops/banner";
import type { LogFormat } from "./platform/log";
import { StartError } from "./platform/start-error";
import { packageVersion } from "./platform/version";
import { startDetached, stopDetached } from "./process/background";
import { onEndOfNpx } from "./process/npm-parent";
import { developmentToken, plainDevelopmentToken } from "./seed/development-account";
import { readSeedFile } from "./seed/file";
import { openServer } from "./server";
import { StoreError } from "./store/store";

interface ServeFlags {
  host: string;
  port: number;
  data: string;
  seed?: string;
  controlToken?: string;
  dashboard: "on" | "off";
  banner: "on" | "off";
  allowedHosts: string[];
  keyFile?: string;
  dns: "embedded" | "system";
  smtp?: string;
  rateLimits?: true;
  lenient?: true;
  privateReceivers?: true;
  logLevel: string;
  logFormat: LogFormat | "auto";
  detach?: true;
}

const serve = new Command("serve")
  .description("Runs the reference API until it is stopped (Ctrl-C or SIGTERM).")
  .addOption(flag("--host <address>", "address to listen on", "SLIPWAY_HOST").default("127.0.0.1"))
  .addOption(
    flag("--port <number>", "port to listen on; 0 takes a free one", "SLIPWAY_PORT")
      .default(4000)
      .argParser(parsePort),
  )
  // @choice Data is durable unless `memory` is given.
  .addOption(
    flag(
      "--data <where>",
      "a folder, memory, or postgres://user:password@host/database",
      "SLIPWAY_DATA",
    ).default(".slipway/data"),
  )
  .addOption(flag("--seed <file>", "accounts and projects to start with, in YAML or JSON", "SLIPWAY_SEED"))
  .addOption(
    flag("--control-token <token>", "opens the control plane under /_control", "SLIPWAY_CONTROL_TOKEN"),
  )
  .addOption(
    flag("--dashboard <state>", "switches the dashboard on or off", "SLIPWAY_DASHBOARD")
      .choices(["on", "off"])
      .default("on"),
  )
  .addOption(
    flag(
      "--banner <state>",
      "prints tokens and links at the start; off where output is logged",
      "SLIPWAY_BANNER",
    )
      .choices(["on", "off"])
      .default("on"),
  )
  .addOption(
    flag(
      "--allowed-hosts <names>",
      "host names of the control plane and the dashboard, separated by commas",
      "SLIPWAY_ALLOWED_HOSTS",
    )
      .default([], "localhost and IP addresses")
      .argParser((text) => text.split(",").map((name) => name.trim())),
  )
  .addOption(
    flag(
      "--key-file <file>",
      "file with the key that encrypts secrets; or the key itself in SLIPWAY_KEY",
      "SLIPWAY_KEY_FILE",
    ),
  )
  .addOption(
    flag("--dns <where>", "where TXT records are looked up", "SLIPWAY_DNS")
      .choices(["embedded", "system"])
      .default("embedded"),
  )
  .addOption(flag("--smtp <url>", "where mail is sent: smtp://host:25?from=me@example.com", "SLIPWAY_SMTP"))
  .addOption(
    flag(
      "--private-receivers",
      "lets webhooks and log drains send to private addresses, also when --host is not loopback",
      "SLIPWAY_PRIVATE_RECEIVERS",
    ),
  )
  .addOption(flag("--rate-limits", "applies the rate limits of the public API", "SLIPWAY_RATE_LIMITS"))
  .addOption(
    flag("--lenient", "accepts and stores unknown members of bodies, for newer clients", "SLIPWAY_LENIENT"),
  )
  .addOption(
    flag("--log-level <level>", "least severe messages that go to standard error", "SLIPWAY_LOG_LEVEL")
      .choices(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
      .default("info"),
  )
  .addOption(
    flag(
      "--log-format <format>",
      "lines for people, with each request, or json for programs",
      "SLIPWAY_LOG_FORMAT",
    )
      .choices(["auto", "lines", "json"])
      .default("auto", "auto: lines at a terminal"),
  )
  .option("--detach", "goes on in the background once it serves; slipway stop ends it")
  .action(async ({ detach, ...flags }: ServeFlags) => {
    if (!detach) return run(flags);
    const { said, url } = await startDetached();
    process.stderr.write(said);
    process.stdout.write(listening(url));
  });

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
  banner: state,
  logFormat,
  ...flags
}: Omit<ServeFlags, "detach">): Promise<void> {
  const file = seedPath === undefined ? undefined : readSeedFile(seedPath);
  const server = await openServer({
    ...flags,
    logFormat: logFormat !== "auto" ? logFormat : process.stderr.isTTY ? "lines" : "json",
    dashboard: dashboard === "on",
    onDashboardOpened: () => tellDashboard(),
    key: process.env.SLIPWAY_KEY,
    seed: file?.seed,
    explainSeed: file?.explain,
  });
  const url: string = await server.listen().catch(async (error) => {
    await server.close();
    throw error;
  });
  const isTold = state === "on";
  // A link works once, so a new one is printed when the last one was used.
  function tellDashboard(): void {
    const link = isTold ? server.dashboardLink() : undefined;
    if (link !== undefined) process.stderr.write(`The dashboard is at ${url}${link}\n`);
  }
  const { developmentTeam: team } = server;
  const development = team && { team, token: developmentToken, plainToken: plainDevelopmentToken };
  if (isTold) {
    process.stderr.write(banner({ url, data: flags.data, development: development || undefined }));
  }
  const end = (): void => {
    server.close().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);
  onEndOfNpx(end);
  tellDashboard();
  process.stdout.write(listening(url));
}

const listening = (url: string): string => `slipway is listening on ${url}\n`;

function flag(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError("Give a number from 0 to 65535.");
  return port;
}

/** Prints one line for an error that the user can fix, and the stack of a bug. */
function fail(error: unknown): never {
  const isExpected = error instanceof StartError || error instanceof StoreError;
  process.stderr.write(`slipway: ${isExpected ? error.message : ((error as Error).stack ?? error)}\n`);
  process.exit(1);
}

/** An empty variable counts as not set. */
for (const name of Object.keys(process.env)) {
  if (name.startsWith("SLIPWAY_") && process.env[name] === "") delete process.env[name];
}

/** Commander switches a flag on whatever the value of its variable. */
for (const name of ["SLIPWAY_RATE_LIMITS", "SLIPWAY_LENIENT", "SLIPWAY_PRIVATE_RECEIVERS"]) {
  if (/^(0|false|no|off)$/i.test(process.env[name] ?? "")) delete process.env[name];
}

// Files that the server writes are for its user alone.
process.umask(0o077);

const program = new Command("slipway")
  .description("The reference API of Slipway.")
  .version(packageVersion())
  .exitOverride()
  .addCommand(serve.exitOverride())
  .addCommand(stop.exitOverride());

program.parseAsync().catch((error) => {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
});
