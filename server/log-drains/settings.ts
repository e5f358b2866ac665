import type { Vault } from "../platform/vault";
import type { DrainSettings } from "./schema";

/** The stored settings of a drain. Headers are sealed, since they often hold a token of the receiver. */
export type StoredSettings = Omit<DrainSettings, "headers"> & { headers?: string };

export function sealSettings(vault: Vault, drain: string, { headers, ...rest }: DrainSettings): string {
  const stored: StoredSettings = { ...rest };
  if (headers) stored.headers = vault.seal(drain, JSON.stringify(headers));
  return JSON.stringify(stored);
}

/** @throws Error when the settings are damaged */
export function openSettings(
  vault: Vault,
  { id, settings }: { id: string; settings: string },
): DrainSettings {
  const { headers, ...rest } = JSON.parse(settings) as StoredSettings;
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
