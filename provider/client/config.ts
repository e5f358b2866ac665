import { rehearsalIn } from "./rehearsal";

/** The address of the API, and the credentials. */
export interface Settings {
  /** The address of the API, without a slash at the end. */
  apiUrl: string;
  /** The address of the copy in a rehearsal. Requests go to this address instead of `apiUrl`. */
  sentTo?: string | undefined;
  token: string;
  /** The team, by id or slug; undefined for the personal account. */
  team: string | undefined;
  /** The default type of variables. Default: sensitive. */
  defaultVariableType?: "encrypted" | undefined;
  /** Whether an explicit `slipway.Provider` sets its team; undefined if none sets a team, token or address. */
  explicitProvider?: "with-team" | "without-team" | undefined;
}

/** An error in the user's configuration. Only its message is shown. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Returns the value of a key such as `slipway:token`, if it is set. */
export type Lookup = (key: string) => string | undefined;

const defaultPort = "4000";

/**
 * The address of the bundled server on this machine, at the port in SLIPWAY_PORT.
 * @throws ConfigError when SLIPWAY_PORT is not a valid port
 */
export function defaultApiUrl({ SLIPWAY_PORT }: NodeJS.ProcessEnv = process.env): string {
  const port = SLIPWAY_PORT || defaultPort;
  if (/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65536)
    return `http://127.0.0.1:${Number(port)}`;
  throw new ConfigError(
    `SLIPWAY_PORT=${port} is not a valid port. Set it to a number from 1 to 65535, or set SLIPWAY_API_URL to the address of the API.`,
  );
}

/** The settings and their environment variables. */
const variables = {
  apiUrl: "SLIPWAY_API_URL",
  token: "SLIPWAY_TOKEN",
  team: "SLIPWAY_TEAM",
  defaultVariableType: "SLIPWAY_DEFAULT_VARIABLE_TYPE",
} as const;
export type Setting = keyof typeof variables;
export const settingNames = Object.keys(variables) as Setting[];

/**
 * Returns the configuration key for a setting of an explicit `slipway.Provider`. Stack configurations do not use this
 * key.
 */
export const explicitKey = (setting: string): string => `slipway:provider.${setting}`;

/** The message for a Node.js version that is too old; undefined if the version is supported. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return undefined;
  return `Node.js 22.19 or later is required. This is ${version}. Install a later version, and run Pulumi with it first on PATH.`;
}

/**
 * Reads settings from an explicit provider, the environment and the stack's configuration, in this order.
 * An empty team in an explicit provider is the personal account, and an empty token in an explicit provider is an
 * error. Elsewhere, empty values count as not set.
 */
export function settingsFrom(config: Lookup, environment: NodeJS.ProcessEnv = process.env): Settings {
  const rehearsal = rehearsalIn(environment);
  if (!rehearsal) return ownSettings(config, environment);
  const { copy, token, source, team, isTeamOfToken = false } = rehearsal;
  // An address that differs from the address of the copy comes from `envVarMappings`.
  const apiUrl =
    environment.SLIPWAY_API_URL === copy ? rehearsal.apiUrl : environment.SLIPWAY_API_URL || rehearsal.apiUrl;
  const settings = ownSettings(config, { ...environment, SLIPWAY_API_URL: apiUrl });
  const refuse = (has: string, provider: string): never => {
    throw new ConfigError(
      `A rehearsal only has a copy of ${has}, so this provider for ${provider} sends nothing. ` +
        "Rehearse the accounts of a stack one by one, with --target.",
    );
  };
  // The copy's address is allowed too, because a program may pass SLIPWAY_API_URL to a provider.
  if (settings.apiUrl !== source && settings.apiUrl !== copy) refuse(source, settings.apiUrl);
  const isOther =
    settings.team === undefined ? team.length > 0 && !isTeamOfToken : !team.includes(settings.team);
  if (isOther) refuse(accountName(team.at(-1)), accountName(settings.team));
  return { ...settings, apiUrl: source, sentTo: copy, token };
}

const accountName = (team: string | undefined): string =>
  team === undefined ? "the personal account" : `the team ${team}`;

function ownSettings(config: Lookup, environment: NodeJS.ProcessEnv): Settings {
  const tooOld = nodeProblem(process.versions.node);
  if (tooOld !== undefined) throw new ConfigError(tooOld);
  const given = (setting: Setting): string | undefined => config(explicitKey(setting));
  const usual = (setting: Setting): string | undefined =>
    environment[variables[setting]] || config(`slipway:${setting}`);
  const isGiven = (setting: Setting): boolean => given(setting) !== undefined;
  const isExplicit = isGiven("apiUrl") || isGiven("token");
  return {
    explicitProvider: isGiven("team") ? "with-team" : isExplicit ? "without-team" : undefined,
    apiUrl: checkedUrl(given("apiUrl") || usual("apiUrl") || defaultApiUrl(environment)),
    token: checkedToken(given("token") ?? usual("token")),
    team: (given("team") ?? usual("team")) || undefined,
    ...checkedType(given("defaultVariableType") || usual("defaultVariableType")),
  };
}

/** Warnings about a valid configuration. */
export function warningsOf(config: Lookup, environment: NodeJS.ProcessEnv = process.env): string[] {
  const [used, declared] = [environment[variables.team], config("slipway:team")];
  if (config(explicitKey("team")) !== undefined || !used || !declared || used === declared) return [];
  return [
    `${variables.team}=${used} overrides slipway:team of the stack (${declared}). ` +
      `Unset ${variables.team}, or set both to the same team.`,
  ];
}

function checkedType(type: string | undefined): Pick<Settings, "defaultVariableType"> {
  if (!type || type === "sensitive") return {};
  if (type === "encrypted") return { defaultVariableType: type };
  throw new ConfigError(
    "slipway:defaultVariableType (or SLIPWAY_DEFAULT_VARIABLE_TYPE) must be one of sensitive, encrypted.",
  );
}

function checkedToken(token: string | undefined): string {
  if (!token) {
    throw new ConfigError(
      "No access token is configured. Set SLIPWAY_TOKEN, or run `pulumi config set --secret slipway:token <token>`.",
    );
  }
  if (/[^\x21-\x7e]/.test(token)) {
    throw new ConfigError(
      "The access token (slipway:token or SLIPWAY_TOKEN) contains a space or a character that is invalid in HTTP headers. Correct it.",
    );
  }
  return token;
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(
      "The address of the API (slipway:apiUrl or SLIPWAY_API_URL) is not an http:// or https:// address.",
    );
  }
  const url = new URL(text);
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new ConfigError(
      `The access token is not sent over plain http:// to ${url.host}. ` +
        "Use https:// in slipway:apiUrl or SLIPWAY_API_URL; http:// is for addresses of this machine.",
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigError(
      "The address of the API (slipway:apiUrl or SLIPWAY_API_URL) may contain only a scheme, a host, a port and a path.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d+){3}$/.test(host)
  );
}
