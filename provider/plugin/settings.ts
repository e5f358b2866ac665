import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  type DiffRequest,
  DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { explicitKey, type Lookup, type Setting, settingsFrom } from "../client/config";
import { holdsUnknown, type Plain, same } from "../core/values";
import { clientFor, problemsOf } from "../hosting";
import { plain, received, sent } from "./wire";

/** The settings of a provider of the plugin: from the stack's configuration, or from the program for an explicit one. */

/**
 * The engine makes a default provider for resources without one, with the stack's `slipway:…`, and calls it after the
 * version and the address of the plugin. A program may well call one of its own `default-eu`.
 */
const isDefault = (urn: string): boolean => urn === "" || /^default(_(\d|\w+:|\w+_\/).*)?$/.test(nameOf(urn));

export const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");
export const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

export const configOf = (request: ConfigureRequest): Lookup =>
  lookupOf(request.getUrn() ?? "", plain(received(request.getArgs())));

export function lookupOf(urn: string, given: Plain): Lookup {
  const stack = stackConfig();
  const isExplicit = !isDefault(urn);
  const own = new Map<string, unknown>(
    settings.map((setting) => [isExplicit ? explicitKey(setting) : `slipway:${setting}`, given[setting]]),
  );
  return (key) => {
    const value = own.has(key) ? own.get(key) : isExplicit ? stack[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
}

const settings: readonly Setting[] = ["apiUrl", "token", "team"];

/** The stack's configuration, which the engine gives to every plugin. An explicit provider falls back on it. */
function stackConfig(): Plain {
  try {
    return JSON.parse(process.env.PULUMI_CONFIG ?? "{}");
  } catch {
    return {};
  }
}

export function checkConfig(request: CheckRequest): CheckResponse {
  const news = received(request.getNews());
  const given = plain(news);
  const reply = new CheckResponse().setInputs(sent(given, [news], ["token"]));
  if (holdsUnknown(given)) return reply;
  for (const reason of problemsOf(lookupOf(request.getUrn(), given))) {
    reply.addFailures(new CheckFailure().setReason(reason));
  }
  return reply;
}

/** A change of account replaces the provider and its resources; other changes, such as a token, update it. */
export async function diffConfig(request: DiffRequest): Promise<DiffResponse> {
  const before = plain(received(request.getOldInputs()));
  const after = plain(received(request.getNews()));
  const changed = settings.filter((setting) => !same(valueIn(before, setting), after[setting]));
  const reply = new DiffResponse().setDiffsList(changed);
  reply.setChanges(
    changed.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
  );
  const isMoved = changed.includes("team") && (await isElsewhere(request.getUrn(), before, after));
  return isMoved ? reply.setReplacesList(["team"]) : reply;
}

/** Stacks from the dynamic provider have the settings of explicit providers under other keys. */
const valueIn = (inputs: Plain, setting: Setting): unknown => inputs[setting] ?? inputs[explicitKey(setting)];

/** True when both accounts are known and differ; the id of a team equals its slug. */
async function isElsewhere(urn: string, before: Plain, after: Plain): Promise<boolean> {
  // Another `slipway:team` of a stack is more likely a mistake, which reads and deletes will refuse.
  if (isDefault(urn) || holdsUnknown(after)) return false;
  const accountOf = async (given: Plain): Promise<string | undefined> => {
    const own = Object.fromEntries(settings.map((setting) => [setting, valueIn(given, setting)]));
    return clientFor(settingsFrom(lookupOf(urn, own)))
      .account()
      .catch(() => undefined);
  };
  const [from, to] = await Promise.all([accountOf(before), accountOf(after)]);
  return from !== undefined && to !== undefined && from !== to;
}
