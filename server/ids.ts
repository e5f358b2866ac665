import { createHash, randomInt } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Prefix and number of random characters. @source wire-shapes 11 */
const forms = {
  project: ["prj_", 28],
  deployment: ["dpl_", 28],
  team: ["team_", 24],
  user: ["", 24],
  envVar: ["", 16],
  configuration: ["icfg_", 24],
  integration: ["oac_", 24],
  webhook: ["account_hook_", 16],
  logDrain: ["ld_", 16],
  customEnvironment: ["env_", 16],
  event: ["evt_", 24],
  token: ["", 24],
  code: ["", 32],
  bypassSecret: ["", 32],
  webhookSecret: ["", 32],
  /** Rows whose id no client sees. */
  row: ["", 20],
} as const satisfies Record<string, readonly [string, number]>;

export type IdKind = keyof typeof forms;

/** Makes a random id of the API's form. */
export function newId(kind: IdKind): string {
  const [prefix, length] = forms[kind];
  let id: string = prefix;
  for (let i = 0; i < length; i++) id += alphabet[randomInt(alphabet.length)];
  return id;
}

/** Makes the same id of the API's form for the same names, so that a seed file gives stable ids. */
export function derivedId(kind: IdKind, ...names: string[]): string {
  const [prefix, length] = forms[kind];
  const digest = createHash("sha512")
    .update(JSON.stringify([kind, ...names]))
    .digest();
  let id: string = prefix;
  for (const byte of digest.subarray(0, length)) id += alphabet[byte % alphabet.length];
  return id;
}
