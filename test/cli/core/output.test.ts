import { columns, shown } from "../../../cli/core/output";

it.each([
  ["a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["two\nlines", "two\\u{a}lines"],
  ["moc.elpmaxe\u202e", "moc.elpmaxe\\u{202e}"],
  ["zero\u200bwidth", "zero\\u{200b}width"],
  ["Grüße 日本", "Grüße 日本"],
])("the text %j is shown without what controls or misleads a terminal", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it("columns are as wide as their longest text without its colors, and lines have no spaces at the end", () => {
  const rows = [
    ["\u001b[31mred\u001b[39m", "1", ""],
    ["longer", "2", "end"],
  ];
  expect(columns(rows)).toEqual(["\u001b[31mred\u001b[39m     1", "longer  2  end"]);
});
