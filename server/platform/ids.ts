import { createHash, randomFillSync } from "node:crypto";

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
  deployHook: ["", 16],
  dnsRecord: ["rec_", 24],
  sharedEnvVar: ["env_", 24],
  edgeConfig: ["ecfg_", 28],
  edgeConfigToken: ["", 24],
  event: ["evt_", 24],
  /** Rows whose ids are internal. */
  row: ["", 20],
} as const satisfies Record<string, readonly [string, number]>;

export type IdKind = keyof typeof forms;

/** The lengths of secrets. A secret must not be guessable, so all of its characters are random. */
const secrets = { token: 24, code: 32, bypassSecret: 32, webhookSecret: 32, deployHook: 24 };

export function newSecret(kind: keyof typeof secrets): string {
  return randomText(secrets[kind]);
}

/** The number of characters that encode the time: enough until 2081. */
const timeLength = 7;
const digits = [...alphabet].sort().join("");
let lastTime = 0;
let lastText = "";

/**
 * Makes an id in the API's form: the time, then random characters. Ids made in sequence are neighbours in an
 * index, so that a commit of many rows writes few pages of the index.
 */
export function newId(kind: IdKind): string {
  const [prefix, length] = forms[kind];
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = "";
    for (let rest = now; lastText.length < timeLength; rest = Math.floor(rest / digits.length)) {
      lastText = digits[rest % digits.length] + lastText;
    }
  }
  return prefix + lastText + randomText(length - timeLength);
}

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of takeRandom(length - text.length)) {
      // Two of the 64 values have no character. They are skipped, because a character with two values would be more
      // likely.
      text += alphabet[byte & 63] ?? "";
    }
  }
  return text;
}

/** Makes an id in the API's form that depends only on the names, so that a seed always gives the same ids. */
export function derivedId(kind: IdKind, ...names: string[]): string {
  const [prefix, length] = forms[kind];
  const digest = createHash("sha512")
    .update(JSON.stringify([kind, ...names]))
    .digest();
  let id: string = prefix;
  for (const byte of digest.subarray(0, length)) id += alphabet[byte % alphabet.length];
  return id;
}

/** Random bytes are read in blocks, because a few bytes cost as much as a block. */
const block = Buffer.alloc(4096);

let used = block.length;

/** Takes random bytes; no two calls get the same bytes. @param count at most 4096 */
export function takeRandom(count: number): Buffer {
  if (used + count > block.length) {
    randomFillSync(block);
    used = 0;
  }
  // A copy, because the block is refilled.
  const bytes = Buffer.from(block.subarray(used, used + count));
  block.fill(0, used, used + count);
  used += count;
  return bytes;
}
