import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  type DiffRequest,
  DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { z } from "zod";
import {
  ConfigError,
  explicitKey,
  type Lookup,
  type Setting,
  settingNames,
  settingsFrom,
} from "../client/config";
import { failuresOf } from "../core/check";
import { closest } from "../core/suggest";
import { nameOf } from "../core/urn";
import { holdsUnknown, type Plain, same } from "../core/values";
import { type Contexts, problemsOf } from "../hosting";
import { plain, received, sent } from "./wire";

/** The configuration of a provider of the plugin: from the stack, or from the program for an explicit provider. */

/**
 * A setting that only the plugin has, because the engine asks only plugins which resources to refresh before an update.
 */
const refreshSetting = "refreshBeforeUpdate";
type PluginSetting = Setting | typeof refreshSetting;

const settings: readonly PluginSetting[] = [...settingNames, refreshSetting];

/**
 * A constant input that every SDK adds to an explicit provider. Default providers do not have it, because the engine
 * creates them from the stack's configuration.
 */
export const explicitKind = "explicit";

const providerInputs = z.strictObject({
  apiUrl: z.string().optional(),
  token: z.string().optional(),
  team: z.string().optional(),
  defaultVariableType: z.string().optional(),
  refreshBeforeUpdate: z.union([z.string(), z.boolean()]).optional(),
  kind: z.literal(explicitKind).optional(),
});

/** The names of default providers, which the engine derives from the version and the address of the plugin. */
const defaultName = /^default(_(\d|\w+:|\w+_\/).*)?$/;

/**
 * True for an explicit provider. SDKs of earlier versions do not add the constant input. Without it, a provider is
 * explicit if it does not have the name of a default provider.
 */
const isExplicit = (urn: string, inputs: Plain): boolean =>
  inputs.kind === explicitKind || (urn !== "" && !defaultName.test(nameOf(urn)));

export const configOf = (request: ConfigureRequest): Lookup =>
  lookupOf(request.getUrn() ?? "", plain(received(request.getArgs())));

export function lookupOf(urn: string, given: Plain): Lookup {
  const stack = stackConfig();
  const explicit = isExplicit(urn, given);
  const own = new Map<string, unknown>(
    settings.map((setting) => [explicit ? explicitKey(setting) : `slipway:${setting}`, given[setting]]),
  );
  return (key) => {
    const value = own.has(key) ? own.get(key) : explicit ? stack[key] : undefined;
    return typeof value === "boolean" ? String(value) : typeof value === "string" ? value : undefined;
  };
}

/**
 * Whether promotions and sensitive variables are refreshed before each preview and update.
 * @throws ConfigError for a value other than true and false
 */
export function refreshesBeforeUpdate(config: Lookup, environment: NodeJS.ProcessEnv = process.env): boolean {
  const value =
    config(explicitKey(refreshSetting)) ||
    environment.SLIPWAY_REFRESH_BEFORE_UPDATE ||
    config(`slipway:${refreshSetting}`) ||
    "false";
  if (value === "true" || value === "false") return value === "true";
  throw new ConfigError(
    "slipway:refreshBeforeUpdate (or SLIPWAY_REFRESH_BEFORE_UPDATE) must be one of true, false.",
  );
}

/** The errors in the configuration, each as a sentence. */
export const configProblems = (config: Lookup): string[] =>
  problemsOf(() => {
    settingsFrom(config);
    refreshesBeforeUpdate(config);
  });

/** The stack's configuration, which every plugin gets. Explicit providers use it for settings that they lack. */
function stackConfig(): Plain {
  try {
    return JSON.parse(process.env.PULUMI_CONFIG ?? "{}");
  } catch {
    return {};
  }
}

/** @param warn shows a warning about the provider */
export function checkConfig(request: CheckRequest, warn: (message: string) => void): CheckResponse {
  const news = received(request.getNews());
  const given = plain(news);
  const reply = new CheckResponse().setInputs(sent(given, [news], ["token"]));
  const refuse = (reasons: readonly string[]): CheckResponse =>
    reply.setFailuresList(reasons.map((reason) => new CheckFailure().setReason(reason)));
  // The stack's configuration may also have keys for the program, so its unknown keys are not errors.
  const known = isExplicit(request.getUrn(), given)
    ? withoutKeysOfEngine(given)
    : withoutForeignKeys(given, warn);
  const failures = failuresOf(providerInputs, [], known);
  if (failures.length > 0) return refuse(failures.map(({ reason }) => reason));
  if (holdsUnknown(given)) return reply;
  return refuse(configProblems(lookupOf(request.getUrn(), given)));
}

/** Removes the keys in which the engine records the version and the download URL of the plugin. */
const withoutKeysOfEngine = ({ version: _, pluginDownloadURL: __, ...given }: Plain): Plain => given;

function withoutForeignKeys(given: Plain, warn: (message: string) => void): Plain {
  for (const key of Object.keys(given)) {
    const meant = key in providerInputs.shape ? undefined : closest(key, settings);
    if (meant !== undefined)
      warn(`the configuration slipway:${key} has no effect. Did you mean slipway:${meant}?`);
  }
  return Object.fromEntries(Object.entries(given).filter(([key]) => key in providerInputs.shape));
}

/** A change of account replaces the provider and its resources. Other changes, such as a token, update the provider. */
export async function diffConfig(request: DiffRequest, contexts: Contexts): Promise<DiffResponse> {
  const before = plain(received(request.getOldInputs()));
  const after = plain(received(request.getNews()));
  const changed = settings.filter((setting) => !same(valueIn(before, setting), after[setting]));
  const reply = new DiffResponse().setDiffsList(changed);
  reply.setChanges(
    changed.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
  );
  const isMoved = changed.includes("team") && (await isElsewhere(contexts, request.getUrn(), before, after));
  return isMoved ? reply.setReplacesList(["team"]) : reply;
}

/** The value of a setting. In stacks that come from the dynamic provider, explicit providers have other keys. */
const valueIn = (inputs: Plain, setting: PluginSetting): unknown =>
  inputs[setting] ?? inputs[explicitKey(setting)];

/** True when both accounts are known and differ. The id and the slug of a team are the same account. */
async function isElsewhere(contexts: Contexts, urn: string, before: Plain, after: Plain): Promise<boolean> {
  // A changed `slipway:team` of a stack is probably a mistake, so it replaces nothing. Reads and deletes then fail.
  if (!isExplicit(urn, after) || holdsUnknown(after)) return false;
  const accountOf = async (given: Plain): Promise<string | undefined> => {
    const own = settings.map((setting) => [setting, valueIn(given, setting)]);
    return contexts
      .of(settingsFrom(lookupOf(urn, { ...Object.fromEntries(own), kind: explicitKind })))
      .client.account()
      .catch(() => undefined);
  };
  const [from, to] = await Promise.all([accountOf(before), accountOf(after)]);
  return from !== undefined && to !== undefined && from !== to;
}
