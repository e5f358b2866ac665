import { parse } from "yaml";
import { Client } from "../../provider/client/client";
import { explicitKey, type Lookup, type Settings, settingsFrom } from "../../provider/client/config";
import { ApiError, MalformedAnswer, OutOfReach } from "../../provider/client/errors";
import { isPlain, type Plain } from "../../provider/core/values";
import { snapshotHint } from "../core/account";
import { UserError } from "../core/errors";
import { readInput } from "../core/input";
import { accountDomain } from "../objects/account-domain";
import { userToken } from "../objects/user-token";
import { SnapshotInMemory } from "../snapshot/memory";
import { showProgress } from "../snapshot/progress";
import { AccountReader } from "../snapshot/read";
import type { Document } from "./copy";
import { textsIn } from "./program-files";
import type { Report } from "./report";
import { kindOf, typeName } from "./secrets";
import type { Resource, StackCopySource } from "./stack";

/** Reads the account of a stack. */

export interface Source {
  /** The address of the API that the stack's provider uses. */
  apiUrl: string;
  document: Document;
  account: { team?: string };
  /** True if no team is configured, and the token itself selects the team. */
  isTeamOfToken?: boolean;
  /** The access token that reads the account. */
  token: string;
  /** The id or name of the token's user. */
  user: string;
  /** The file that the account was read from; null if it was read from the API. */
  snapshot: Report["snapshot"];
}

/**
 * @param folder the folder of the program
 * @param file the snapshot to read instead of the API
 * @throws UserError, ConfigError
 */
export async function readSource(
  stack: StackCopySource,
  folder: string,
  file: string | undefined,
): Promise<Source> {
  const settings = settingsOf(stack, file !== undefined);
  const { apiUrl, token } = settings;
  if (file !== undefined) return { apiUrl, token, ...readFile(file, apiUrl) };
  const client = new Client(settings);
  try {
    const snapshot = new SnapshotInMemory(apiUrl);
    const progress = showProgress();
    const reader = new AccountReader(client, snapshot, {
      withValues: true,
      deployments: deploymentsIn(stack, folder),
      progress: progress.show,
    });
    const { user, team } = await reader.read();
    progress.end();
    const document = JSON.parse(JSON.stringify(snapshot.document)) as Document;
    const account = team === undefined ? {} : { team };
    const isTeamOfToken = team !== undefined && settings.team === undefined;
    return { apiUrl, token, document, account, isTeamOfToken, user, snapshot: null };
  } catch (error) {
    if (error instanceof ApiError || error instanceof OutOfReach || error instanceof MalformedAnswer)
      throw new UserError(`The account cannot be read: ${error.message}`);
    throw error;
  } finally {
    await client.close();
  }
}

/** The id and the slug of the account's team; empty for a personal account. */
export function teamNames({ document, account }: Pick<Source, "document" | "account">): string[] {
  if (account.team === undefined) return [];
  const [team] = (document.teams ?? []) as Named[];
  return [team?.id, team?.slug].filter((name) => name !== undefined);
}

/** The names and tokens of the providers in a state that have their own access token. */
export function tokensOf(resources: readonly Resource[]): { name: string; token: string }[] {
  return resources.flatMap(({ urn, type, inputs }) => {
    if (!isProvider(type)) return [];
    const token = inputs[explicitKey("token")] ?? inputs.token ?? mappedToken(inputs);
    return typeof token === "string" ? [{ name: urn.split("::").at(-1) ?? urn, token }] : [];
  });
}

/** The names of the access tokens of users (`UserToken`) of which a run has created, replaced or deleted the object. */
export function changedUserTokens(before: readonly Resource[], after: readonly Resource[]): string[] {
  const idsIn = (resources: readonly Resource[]) =>
    new Map(
      resources.flatMap(({ urn, type, id }) =>
        typeName(type) === userToken.resource.type ? [[urn, id] as const] : [],
      ),
    );
  const [old, now] = [idsIn(before), idsIn(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((urn) => old.get(urn) !== now.get(urn))
    .map((urn) => urn.split("::").at(-1) ?? urn);
}

/** The token in the environment variable that the provider's option `envVarMappings` maps to SLIPWAY_TOKEN. */
function mappedToken({ __internal }: Plain): string | undefined {
  const mappings = isPlain(__internal) && isPlain(__internal.envVarMappings) ? __internal.envVarMappings : {};
  const [variable] = Object.entries(mappings).find(([, target]) => target === "SLIPWAY_TOKEN") ?? [];
  return variable === undefined ? undefined : process.env[variable];
}

const isProvider = (type: string): boolean => /^pulumi:providers:(slipway|pulumi-nodejs)$/.test(type);

/** The settings of the provider, from the environment and the configuration, or else from an explicit provider. */
function settingsOf({ config, resources }: StackCopySource, isFromFile: boolean): Settings {
  const usual: Lookup = (key) => config.get(key)?.value;
  const environment = isFromFile
    ? { ...process.env, SLIPWAY_TOKEN: process.env.SLIPWAY_TOKEN || "none" }
    : process.env;
  if (environment.SLIPWAY_TOKEN || usual("slipway:token")) return settingsFrom(usual, environment);
  const explicit = resources.find(
    ({ type, inputs }) =>
      isProvider(type) &&
      (typeof inputs.token === "string" || typeof inputs[explicitKey("token")] === "string"),
  );
  const { inputs = {} } = explicit ?? {};
  const given: Lookup = (key) => {
    const [, setting = ""] = /^slipway:provider\.(\w+)$/.exec(key) ?? [];
    const value = inputs[key] ?? inputs[setting];
    return typeof value === "string" ? value : usual(key);
  };
  return settingsFrom(given);
}

/** @param apiUrl the address of the API that the stack uses @throws UserError */
function readFile(file: string, apiUrl: string): Pick<Source, "document" | "account" | "user" | "snapshot"> {
  const document = documentIn(file);
  const { copyOf, copiedAt = null } = document;
  if (copyOf !== undefined && copyOf.replace(/\/+$/, "") !== apiUrl) {
    throw new UserError(
      `${file} is a snapshot of ${copyOf}, and the stack is for ${apiUrl}. ` +
        `If the stack's account is at ${copyOf}, set SLIPWAY_API_URL=${copyOf}. Otherwise write a snapshot of ${apiUrl}.`,
    );
  }
  const [team] = document.teams ?? [];
  const owner = team?.members?.find(({ role }) => role === "OWNER") ?? team?.members?.[0];
  const user = owner?.user ?? document.users?.[0]?.id ?? document.users?.[0]?.username;
  if (user === undefined) throw new UserError(`The snapshot ${file} has no user. ${snapshotHint}`);
  const key = team?.id ?? team?.slug;
  const account = key === undefined ? {} : { team: key };
  return { document, account, user, snapshot: { file, copiedAt } };
}

/** @throws UserError */
function documentIn(file: string): SnapshotDocument {
  const text = readInput(file, `The snapshot ${file}`, snapshotHint);
  if (text.trim() === "") throw new UserError(`${file} is empty. ${snapshotHint}`);
  let document: unknown;
  try {
    document = text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text);
  } catch {
    // The original error quotes the file, which may contain secrets.
    throw new UserError(`${file} is incomplete or damaged. ${snapshotHint}`);
  }
  const isSnapshot =
    isPlain(document) && ["teams", "users", "projects"].every((name) => isListOrAbsent(document[name]));
  if (!isSnapshot) throw new UserError(`${file} is not a snapshot. ${snapshotHint}`);
  return document as unknown as SnapshotDocument;
}

type SnapshotDocument = Document & { teams?: Named[]; users?: Named[] };

const isListOrAbsent = (value: unknown): boolean => value === undefined || Array.isArray(value);

interface Named {
  id?: string;
  slug?: string;
  username?: string;
  members?: { user: string; role: string }[];
}

/** Ids of deployments in the state, the configuration and the files of the program. */
function deploymentsIn({ resources, config }: StackCopySource, folder: string): string[] {
  const ids = new Set<string>();
  const search = (text: string): void => {
    for (const [id] of text.matchAll(/\bdpl_[A-Za-z0-9_]+/g)) ids.add(id);
  };
  for (const { id, inputs, outputs } of resources) search(JSON.stringify([id, inputs, outputs]));
  for (const value of config.values()) search(JSON.stringify(value));
  for (const { text } of textsIn(folder)) search(text);
  return [...ids];
}

/** Which domains the stack has declared with or without a DNS zone. */
export const zonesOf = (resources: readonly Resource[]): Map<string, boolean> =>
  new Map(
    resources.flatMap(({ type, id, outputs }) =>
      kindOf(type) === accountDomain.name && typeof outputs.zone === "boolean"
        ? [[id, outputs.zone] as const]
        : [],
    ),
  );
