import type { Pacer } from "../store/pacer";

/** The number of items above which a list is written item by item. */
const mostItems = 20;
/** The smallest length of a piece, except of the last one, in characters. */
const pieceLength = 64 * 1024;
/** The length up to which an answer is one text. */
const textLength = 1024 * 1024;

/** The depth below which a value is not divided. Lists of answers are less deep. */
const deepestPart = 6;

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > mostItems;

/** True if a value is a long list, or directly contains one: only lists make answers large. */
const isDivided = (value: unknown): value is object =>
  typeof value === "object" && value !== null && (isLong(value) || Object.values(value).some(isLong));

/** The JSON of a value, in parts that are each written quickly. Values are plain data, without `toJSON`. */
function* partsOf(value: unknown, depth = 0): Generator<string> {
  if (depth === deepestPart || !isDivided(value)) {
    yield JSON.stringify(value) ?? "null";
  } else if (Array.isArray(value)) {
    let separator = "[";
    for (const item of value) {
      if (isDivided(item)) {
        yield separator;
        yield* partsOf(item, depth + 1);
      } else yield separator + (JSON.stringify(item) ?? "null");
      separator = ",";
    }
    yield "]";
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

/** The JSON of a value: one text, or pieces if the value is large. Between the pieces, the event loop can turn. */
export async function toJson(value: unknown, pacer: Pacer): Promise<string | Buffer[]> {
  if (!isDivided(value)) return JSON.stringify(value);
  const texts: string[] = [];
  let text = "";
  let length = 0;
  for (const part of partsOf(value)) {
    text += part;
    if (text.length < pieceLength) continue;
    texts.push(text);
    length += text.length;
    text = "";
    if (pacer.isDue) await pacer.pause();
  }
  texts.push(text);
  return length < textLength ? texts.join("") : texts.map((one) => Buffer.from(one));
}
