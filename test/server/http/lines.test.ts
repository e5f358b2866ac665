import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { Followers, followLines, type Items } from "../../../server/http/lines";

const never = new AbortController().signal;
const collect = async (stream: AsyncIterable<string>): Promise<string[]> => {
  const texts = [];
  for await (const text of stream) texts.push(text);
  return texts;
};

describe("a followed list", () => {
  it("sends each item once, until the list is complete", async () => {
    const reads: Items[] = [
      { items: [1], isComplete: false },
      { items: [1, 2, 3], isComplete: true },
    ];
    const read = async (): Promise<Items> => reads.shift() ?? { items: [], isComplete: true };
    const texts = await collect(followLines({ items: [], isComplete: false }, read, never));
    expect(texts).toEqual(["1\n", "2\n3\n"]);
  });

  it("ends when reading fails, or when the client leaves", async () => {
    const first = { items: [1], isComplete: false };
    expect(await collect(followLines(first, () => Promise.reject(new Error("gone")), never))).toEqual([
      "1\n",
    ]);
    const read = () => Promise.resolve(first);
    expect(await collect(followLines(first, read, AbortSignal.abort()))).toEqual(["1\n"]);
  });
});

it("an account follows at most 20 lists at a time", () => {
  const followers = new Followers();
  const responses = Array.from(
    { length: 21 },
    () => Object.assign(new EventEmitter(), { destroyed: false }) as ServerResponse,
  );
  const [first, ...others] = responses as [ServerResponse, ...ServerResponse[]];
  expect(responses.map((response) => followers.add("acme", response))).toEqual([
    ...Array.from({ length: 20 }, () => true),
    false,
  ]);
  expect(followers.add("other", first)).toBe(true);
  others[0]?.emit("close");
  expect(followers.add("acme", first)).toBe(true);
  expect(followers.add("acme", first)).toBe(false);
});
