interface Finding {
  file: string;
  line: number;
  found: string;
  use: string;
}
interface Term {
  words?: RegExp;
  name?: RegExp;
  sentence?: RegExp;
  use: string;
  except?: { reason: string }[];
}
const {
  findCoinedTerms,
}: {
  findCoinedTerms(file: string, text: string): Promise<Finding[]>;
} = require("../../scripts/check/vocabulary.mjs");
const { terms }: { terms: Term[] } = require("../../scripts/check/terms.mjs");

const found = async (file: string, text: string): Promise<[number, string][]> =>
  (await findCoinedTerms(file, text)).map((one) => [one.line, one.found]);

describe("the vocabulary check", () => {
  it("finds a coined term in a comment", async () => {
    const text = "// The holder is asked first.\nexport const owner = 1;\n";
    expect(await found("provider/core/owner.ts", text)).toEqual([[1, "holder"]]);
  });

  it("finds a coined term as a part of an identifier, of a property and of a type", async () => {
    const text = [
      "export const stepAside = 1;",
      "const one = { takingTurns: 2 };",
      "interface HeldPlaces {}",
      "class A { #wayOut = 1; }",
    ].join("\n");
    expect(await found("provider/core/names.ts", text)).toEqual(
      expect.arrayContaining([
        [1, "step aside"],
        [2, "taking turns"],
        [3, "places"],
        [4, "way out"],
      ]),
    );
  });

  it("finds a coined term in a page and in a message", async () => {
    expect(await found("docs/guides/page.md", "# Names\n\nNames that take turns.\n")).toEqual([
      [3, "take turns"],
    ]);
    expect(await found("server/a.ts", 'throw new Error("It is made anew.");')).toEqual([[1, "anew"]]);
  });

  it("finds a coined term in the name of a file and of a folder", async () => {
    expect(await found("provider/core/turns/wait.ts", "")).toEqual([[0, "turns"]]);
    expect(await found("provider/trampoline.ts", "")).toEqual([[0, "trampoline"]]);
  });

  it("finds a sentence that begins with a clause in place of a noun", async () => {
    const text =
      "/** What a policy gets. */\n// Done. Who asks waits.\n// What is it?\n/** Says what it is. */\n";
    expect(await found("server/a.ts", text)).toEqual([
      [1, "What"],
      [2, "Who"],
    ]);
    expect(await found("docs/page.md", "### What happened\n\nIt is done: What remains is text.\n")).toEqual([
      [3, "What"],
    ]);
  });

  it("allows ordinary words of the same spelling", async () => {
    const text =
      "/** Turns a 404 into undefined, in place of the placeholder. Set aside nothing. */\nMath.floor(1);\n";
    expect(await found("provider/core/values.ts", text)).toEqual([]);
  });

  it("names the standard term, and a reason for each exception", () => {
    for (const { words, name, sentence, use, except = [] } of terms) {
      expect([words ?? name ?? sentence, use]).toEqual([expect.any(RegExp), expect.stringMatching(/\w/)]);
      for (const { reason } of except) expect(reason).toMatch(/\w/);
    }
  });
});
