import type { Pacer } from "../store/pacer";

/** The number of values above which an answer is written in pieces. Writing so many takes about a millisecond. */
const mostValues = 2_000;
/** The smallest length of a piece, except of the last one, in characters. */
const pieceLength = 64 * 1024;

/** True if a value holds many values. Stops counting early, so that the check of a large value takes no longer. */
function isLarge(value: unknown): boolean {
  let left = mostValues;
  const count = (part: unknown): void => {
    left -= 1;
    if (left < 0 || typeof part !== "object" || part === null) return;
    for (const member of Array.isArray(part) ? part : Object.values(part)) {
      if (left < 0) return;
      count(member);
    }
  };
  count(value);
  return left < 0;
}

/** The depth below which a value is not divided. Lists of answers are less deep. */
const deepestPart = 6;

/** The JSON of a value, in parts that are each written quickly. Values are plain data, without `toJSON`. */
function* partsOf(value: unknown, depth = 0): Generator<string> {
  if (depth === deepestPart || !isLarge(value)) {
    yield JSON.stringify(value) ?? "null";
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield at === 0 ? "[" : ",";
      yield* partsOf(item, depth + 1);
    }
    yield "]";
  } else {
    let separator = "{";
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* partsOf(member, depth + 1);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  }
}

/** The JSON of a value: one text, or pieces if the value is large. Between the pieces, the event loop can turn. */
export async function toJson(value: unknown, pacer: Pacer): Promise<string | Buffer[]> {
  if (!isLarge(value)) return JSON.stringify(value);
  await pacer.pause();
  const pieces: Buffer[] = [];
  let text = "";
  for (const part of partsOf(value)) {
    text += part;
    if (text.length < pieceLength) continue;
    pieces.push(Buffer.from(text));
    text = "";
    if (pacer.isDue) await pacer.pause();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}
