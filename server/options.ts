import { isIP } from "node:net";
import { InvalidArgumentError } from "commander";
import type { Clock } from "./platform/clock";
import type { LogFormat } from "./platform/log";
import { profileNames } from "./platform/profile";
import type { Seed } from "./seed/document";
import type { SeedError } from "./seed/error";
import { defaultFilesLimit } from "./store/contents";

/** An option of `slipway serve`. */
export interface ServeOption {
  /** One line for `--help` and for docs/server.md. */
  readonly help: string;
  /** The name of the option's value, as in `--port <number>`. An option without `value` is a switch. */
  readonly value?: string;
  readonly default?: unknown;
  /** The text that `--help` shows instead of the default value. */
  readonly shownDefault?: string;
  readonly choices?: readonly string[];
  /** @throws InvalidArgumentError */
  readonly parse?: (text: string) => unknown;
  /** Set if the option has only a flag, or only a variable. */
  readonly only?: "flag" | "variable";
}

/**
 * The options of `slipway serve`, in the order of `--help`. Flag and variable are named after the key: `keyFile` is
 * `--key-file` and `SLIPWAY_KEY_FILE`. `npm run docs` writes the options into docs/server.md.
 */
export const serveOptions = {
  host: { value: "address", help: "address to listen on", default: "127.0.0.1" },
  port: {
    value: "number",
    help: "port to listen on; 0 selects a free port",
    default: 4000,
    parse: parsePort,
  },
  /** @choice Data is durable unless `memory` is given. */
  data: {
    value: "where",
    help: "where data is stored: a folder, memory, or postgres://user:password@host/database",
    default: ".slipway/data",
  },
  filesLimit: {
    value: "size",
    help: "largest total size of uploaded files in the data folder, such as 500MB; 0 stores no contents of files",
    default: defaultFilesLimit,
    shownDefault: "10GB",
    parse: parseSize,
  },
  seed: { value: "file", help: "accounts and projects to start with, in YAML or JSON" },
  init: {
    value: "folder",
    help: "seed files and Pulumi programs that are applied in the order of their names when the server listens",
  },
  controlToken: {
    value: "token",
    help: "token of the control plane under /_control; without a token, the control plane is off",
  },
  dashboard: {
    value: "state",
    help: "switches the dashboard on or off",
    choices: ["on", "off"],
    default: "on",
  },
  /** @choice Off by default where other machines reach the server, because the files may be sources. */
  serveDeployments: {
    value: "state",
    help: "switches the public pages of deployments on or off",
    choices: ["on", "off"],
    shownDefault: "on if --host is a loopback address",
  },
  banner: {
    value: "state",
    help: "prints tokens and links at the start; switch it off where output is logged",
    choices: ["on", "off"],
    default: "on",
  },
  allowedHosts: {
    value: "names",
    help: "more host names that give access to the control plane, dashboard and development account, separated by commas",
    default: [],
    shownDefault: "localhost and IP addresses",
    parse: parseHostNames,
  },
  /** Without a flag, because other users of the machine can read the arguments of a process. */
  key: { value: "key", help: "the key that encrypts secrets: 32 bytes in base64 or hex", only: "variable" },
  keyFile: {
    value: "file",
    help: "file with the key that encrypts secrets; instead, you can set SLIPWAY_KEY to the key itself",
  },
  /** @choice The embedded zone by default, so that a fresh server contacts no other machine. */
  dns: {
    value: "where",
    help: "where TXT records are looked up",
    choices: ["embedded", "system"],
    default: "embedded",
  },
  smtp: {
    value: "url",
    help: "SMTP server that sends mail, and the sender: smtp://host:25?from=me@example.com",
  },
  privateReceivers: {
    help: "allows webhooks and log drains with private addresses, even if --host is not a loopback address",
  },
  /** @choice The seed can choose it too. The option takes precedence. */
  profile: {
    value: "name",
    help: "answers as the specification says, or as the hosted API does where it is known to differ",
    choices: profileNames,
    shownDefault: "specification",
  },
  rateLimits: { help: "applies the rate limits of the public API" },
  lenient: { help: "accepts and stores members of bodies that the server does not know, for newer clients" },
  logLevel: {
    value: "level",
    help: "least severe level of messages on standard error",
    choices: ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    default: "info",
  },
  logFormat: {
    value: "format",
    help: "format of the log: readable lines, which include each request, or JSON",
    choices: ["auto", "lines", "json"],
    default: "auto",
    shownDefault: "auto: lines at a terminal",
  },
  detach: {
    help: "starts the server in the background, and returns when it is ready; slipway stop ends it",
    only: "flag",
  },
} as const satisfies Record<string, ServeOption>;

type ServeOptions = typeof serveOptions;

type Value<O extends ServeOption> = O extends { parse: (text: string) => infer Parsed }
  ? Parsed
  : O extends { choices: readonly (infer Choice)[] }
    ? Choice
    : O extends { value: string }
      ? string
      : boolean;

type WithDefault = { [K in keyof ServeOptions]: ServeOptions[K] extends { default: unknown } ? K : never };

/** The options that `slipway serve` was started with. */
export type ServeFlags = {
  [K in WithDefault[keyof ServeOptions]]: Value<ServeOptions[K]>;
} & Given<Exclude<keyof ServeOptions, WithDefault[keyof ServeOptions]>>;

type Given<K extends keyof ServeOptions> = { [P in K]?: Value<ServeOptions[P]> | undefined };

export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const variableOf = (name: string): string =>
  `SLIPWAY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError("Give a number from 0 to 65535.");
  return port;
}

/** Refuses names with a scheme, port or path, because they would match no request. */
function parseHostNames(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const invalid = names.find((name) => !/^[\w-]+(\.[\w-]+)*$/.test(name) && isIP(name) === 0);
  if (invalid === undefined) return names;
  const what =
    invalid === "" ? "A name before or after a comma is missing." : `${invalid} is not a host name.`;
  throw new InvalidArgumentError(`${what} Give names such as slipway.example.com, without http:// and port.`);
}

const units = { "": 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** @returns bytes */
function parseSize(text: string): number {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?) ?((?:[kmgt]b)?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw new InvalidArgumentError("Give a size such as 500MB, 10GB or 0.");
  return Number(digits) * units[unit.toLowerCase() as keyof typeof units];
}

/** Options of a server: the options of `slipway serve`, and options that only programs can set. */
export interface ServerOptions
  extends Given<
    | "host"
    | "filesLimit"
    | "controlToken"
    | "allowedHosts"
    | "key"
    | "keyFile"
    | "dns"
    | "smtp"
    | "privateReceivers"
    | "profile"
    | "rateLimits"
    | "lenient"
  > {
  port: number;
  data: string;
  logLevel?: string | undefined;
  /** Default `json`. Requests are logged at level `info` in `lines`, and at level `debug` in `json`. */
  logFormat?: LogFormat | undefined;
  /** Default: an empty store gets the development account. */
  seed?: Seed | undefined;
  /** Returns an error with the place in the seed file. */
  explainSeed?: ((error: SeedError) => Error) | undefined;
  /** Makes the development account even if there is a seed, or the store is not empty. */
  alwaysDevelopmentAccount?: boolean | undefined;
  /** Serves the dashboard. Default: true. */
  dashboard?: boolean | undefined;
  /** Serves the files of deployments. Default: true if `host` is a loopback address. */
  serveDeployments?: boolean | undefined;
  /** How long an unused session of the dashboard lasts, in milliseconds. Default 2 hours. */
  dashboardIdleMs?: number | undefined;
  /** Called when a link to the dashboard was used. A link works only once. */
  onDashboardOpened?: (() => void) | undefined;
  clock?: Clock | undefined;
  /** How long a receiver of events may take to answer, in milliseconds. Default 30 s. */
  receiverTimeMs?: number | undefined;
  /** Checks every answer against its schema, and every refusal against the refusals of its route. */
  strict?: boolean | undefined;
}
