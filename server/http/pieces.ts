import type { Pacer } from "../store/pacer";

/** The number of items of a list that are written at once. */
const itemsAtOnce = 20;
/** The smallest length of a piece, except of the last one, in characters. */
const pieceLength = 64 * 1024;
/** The length up to which an answer is one buffer, in characters. */
const bufferLength = 1024 * 1024;

/** The depth below which a value is not divided. Lists of answers are less deep. */
const deepestPart = 6;

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > itemsAtOnce;

/** True if a value is a long list, or directly contains one: only lists make answers large. */
function isDivided(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  // Twice as fast as a loop over the names.
  return isLong(value) || Object.values(value).some(isLong);
}

/** The JSON of a value, in parts that are each written quickly. Values are plain data, without `toJSON`. */
function* partsOf(value: unknown, depth = 0): Generator<string> {
  if (depth === deepestPart || !isDivided(value)) {
    yield JSON.stringify(value) ?? "null";
  } else if (Array.isArray(value)) {
    yield* partsOfList(value, depth);
  } else {
    let separator = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* partsOf(member, depth + 1);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  }
}

function* partsOfList(list: readonly unknown[], depth: number): Generator<string> {
  for (let at = 0; at < list.length; at += itemsAtOnce) {
    const items = list.slice(at, at + itemsAtOnce);
    yield at === 0 ? "[" : ",";
    if (!items.some(isDivided)) {
      yield JSON.stringify(items).slice(1, -1);
      continue;
    }
    for (const [index, item] of items.entries()) {
      if (index > 0) yield ",";
      yield* partsOf(item, depth + 1);
    }
  }
  yield "]";
}

/** The JSON of a value: a text, one buffer, or pieces if the value is large. Between the pieces, the event loop can turn. */
export async function toJson(value: unknown, pacer: Pacer): Promise<string | Buffer | Buffer[]> {
  if (!isDivided(value)) return JSON.stringify(value);
  const pieces: string[] = [];
  let piece = "";
  for (const part of partsOf(value)) {
    piece += part;
    if (piece.length < pieceLength) continue;
    pieces.push(piece);
    piece = "";
    if (pacer.isDue) await pacer.pause();
  }
  pieces.push(piece);
  const length = pieces.reduce((sum, one) => sum + one.length, 0);
  return length < bufferLength ? bufferOf(pieces) : pieces.map((one) => Buffer.from(one));
}

/** The texts as one buffer. A joined text would be copied more often. */
function bufferOf(texts: readonly string[]): Buffer {
  const buffer = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += buffer.write(text, at);
  return buffer;
}
