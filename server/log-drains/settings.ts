import type { Vault } from "../platform/vault";
import type { Delivery, DrainChanges } from "./drain-schema";
import type { DrainSettings } from "./schema";

/** The stored settings of a drain. Headers are sealed, since they often hold a token of the receiver. */
export type StoredSettings = Omit<DrainSettings, "headers"> & { headers?: string };

/** The stored settings of a drain of other data, without its secret. The headers belong to the delivery. */
export interface OtherSettings {
  name: string;
  projectIds?: string[] | undefined;
  sampling?: DrainChanges["sampling"];
  delivery: Delivery;
  headers?: DrainSettings["headers"];
}

/** Applies changes to the settings of a drain of other data. @returns the secret, too, if it changes */
export function changedSettings(
  current: OtherSettings | undefined,
  { kind: _, url, filter, delivery: given, ...changes }: DrainChanges,
): { settings: OtherSettings; secret: string | undefined } {
  const merged = { ...current, ...changes } as OtherSettings;
  if (!given) return { settings: merged, secret: undefined };
  const { headers, secret, ...delivery } = { headers: undefined, secret: undefined, ...given };
  return { settings: { ...merged, delivery, headers }, secret };
}

export function sealSettings(vault: Vault, drain: string, settings: DrainSettings | OtherSettings): string {
  const { headers, ...rest } = settings;
  return JSON.stringify(headers ? { ...rest, headers: vault.seal(drain, JSON.stringify(headers)) } : rest);
}

/** @throws Error when the settings are damaged */
export function openSettings<T extends DrainSettings | OtherSettings = DrainSettings>(
  vault: Vault,
  { id, settings }: { id: string; settings: string },
): T {
  const { headers, ...rest } = JSON.parse(settings);
  return headers === undefined ? rest : { ...rest, headers: JSON.parse(vault.open(id, headers)) };
}

/** The settings as they are stored; undefined if they are damaged. */
export function readSettings(text: string): StoredSettings | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
