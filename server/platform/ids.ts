import { createHash, randomFillSync } from "node:crypto";
import type { IdForm } from "../store/object";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The forms of ids of objects that have no table of their own. The others are in the `object.ts` of their nouns. */
const forms = {
  team: { prefix: "team_", length: 24 },
  user: { prefix: "", length: 24 },
  deployHook: { prefix: "", length: 16 },
  event: { prefix: "evt_", length: 24 },
  /** Rows whose ids are internal. */
  row: { prefix: "", length: 20 },
};

/** The description of an object, or the name of another form. @source wire-shapes 11 */
type Identified = keyof typeof forms | { columns: { id: { form: IdForm } } };

const formOf = (of: Identified): IdForm =>
  typeof of === "string" ? { kind: of, ...forms[of] } : of.columns.id.form;

/** Makes a secret. It must not be guessable, so all of its characters are random. */
export const newSecret = (length: 24 | 32): string => randomText(length);

/** The number of characters that encode the time: enough until 2081. */
const timeLength = 7;
const digits = [...alphabet].sort().join("");
let lastTime = 0;
let lastText = "";

/**
 * Makes an id in the API's form: the time, then random characters. Ids made in sequence are neighbours in an
 * index, so that a commit of many rows writes few pages of the index.
 */
export function newId(of: Identified): string {
  const { prefix, length } = formOf(of);
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
export function derivedId(of: Identified, ...names: string[]): string {
  const { kind, prefix, length } = formOf(of);
  const digest = createHash("sha512")
    .update(JSON.stringify([kind, ...names]))
    .digest();
  let id = prefix;
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
