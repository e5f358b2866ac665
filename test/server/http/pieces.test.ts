import * as fc from "fast-check";
import { toJson } from "../../../server/http/pieces";
import { Pacer } from "../../../server/store/pacer";

/** The text that is sent for a value. */
async function sent(value: unknown): Promise<string> {
  const json = await toJson(value, new Pacer());
  return typeof json === "string" ? json : Buffer.concat([json].flat()).toString();
}

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.constantFrom(null, undefined, true, "größe €", "😀"),
);
const { item } = fc.letrec((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, leaf, tie("members"), tie("list")),
  members: fc.dictionary(fc.string({ maxLength: 4 }), tie("item"), { maxKeys: 4 }),
  list: fc.array(tie("item"), { maxLength: 45 }),
}));

describe("the JSON of an answer", () => {
  it("is that of JSON.stringify, in however many parts it is written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ items: fc.array(item, { maxLength: 60 }), next: item }), async (value) => {
        expect(JSON.parse(await sent(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ["one buffer", 2_000],
    ["several pieces", 40_000],
  ])("has every byte of texts that are longer than their characters, as %s", async (_, count) => {
    const value = { items: Array.from({ length: count }, (_item, at) => ({ at, name: `größe ${at} 😀 €` })) };
    expect(await sent(value)).toBe(JSON.stringify(value));
  });
});
