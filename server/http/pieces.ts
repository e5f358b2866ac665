import type { Pacer } from "../store/pacer";

/** The number of items of a list that are written at once. */
const itemsAtOnce = 20;
/** The smallest length of a piece, except of the last one, in characters. */
const pieceLength = 64 * 1024;
/** The length up to which an answer is one text. */
const textLength = 1024 * 1024;

/** The depth below which a value is not divided. Lists of answers are less deep. */
const deepestPart = 6;

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > itemsAtOnce;

/** True if a value is a long list, or directly contains one: only lists make answers large. */
function isDivided(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (isLong(value)) return true;
  for (const name in value) if (isLong(value[name as keyof typeof value])) return true;
  return false;
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

/** The JSON of a value: one text, or pieces if the value is large. Between the pieces, the event loop can turn. */
export async function toJson(value: unknown, pacer: Pacer): Promise<string | Buffer[]> {
  if (!isDivided(value)) return JSON.stringify(value);
  const pieces: string[] = [];
  let parts: string[] = [];
  let partsLength = 0;
  let length = 0;
  for (const part of partsOf(value)) {
    parts.push(part);
    partsLength += part.length;
    if (partsLength < pieceLength) continue;
    pieces.push(parts.join(""));
    length += partsLength;
    parts = [];
    partsLength = 0;
    if (pacer.isDue) await pacer.pause();
  }
  pieces.push(parts.join(""));
  return length < textLength ? pieces.join("") : pieces.map((one) => Buffer.from(one));
}
