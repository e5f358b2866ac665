import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/server";

interface Conformance {
  findTests: (text: string) => { tests: { title: string; ids: Set<string> }[]; strays: string[] };
  readStatements: (file: string) => Map<string, string>;
}

const { findTests, readStatements }: Conformance = require("../../scripts/conformance/statements.mjs");

const statements = readStatements(join(root, "docs/specification/statements.md"));
const read = (file: string) => findTests(readFileSync(join(root, file), "utf8"));
const testFiles = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name));
const serverFiles = testFiles.filter((name) => name.startsWith(join("test", "server")));

it("no title of a test holds an id of a statement", () => {
  const titles = testFiles.flatMap((file) => read(file).tests.map(({ title }) => title));
  expect(titles.length).toBeGreaterThan(1000);
  expect(
    titles.filter((title) => /\[[A-Z]+-\d+|\b(PR|DO|EN|AU|EV|ER|LI|VE|TK|X|S|T|P|D|E)-\d\d/.test(title)),
  ).toEqual([]);
});

it("every statement has a test of the server, and every id is a statement's", () => {
  const ids = new Set(serverFiles.flatMap((file) => read(file).tests.flatMap((test) => [...test.ids])));
  expect([...ids].sort()).toEqual([...statements.keys()].sort());
});

it("every id stands beside a test", () => {
  expect(serverFiles.flatMap((file) => read(file).strays.map((id) => `${file}: ${id}`))).toEqual([]);
});

describe("an id in a comment", () => {
  const idsOf = (text: string) => findTests(text).tests.map(({ title, ids }) => [title, [...ids]]);

  it("belongs to the test below it, over several lines", () => {
    const text = 'it("a", () => {});\n// X-01, X-02\n// PR-03\nit("b", () => {});\n';
    expect(idsOf(text)).toEqual([
      ['"a"', []],
      ['"b"', ["X-01", "X-02", "PR-03"]],
    ]);
  });

  it("belongs to the test whose row it stands behind or above", () => {
    const text = 'it.each([\n  [1], // X-01\n  // X-02\n  [2],\n])("a %s", () => {});\nit("b", () => {});\n';
    expect(idsOf(text)).toEqual([
      ['"a %s"', ["X-01", "X-02"]],
      ['"b"', []],
    ]);
  });

  it("belongs to every test that runs the table it stands in", () => {
    const text =
      'const rows = [\n  [1], // X-01\n];\nit.each(rows)("a %s", f);\nit.each([...rows, [2]])("b", f);\nit("c", f);\n';
    expect(idsOf(text)).toEqual([
      ['"a %s"', ["X-01"]],
      ['"b"', ["X-01"]],
      ['"c"', []],
    ]);
  });

  it("belongs to the group that it stands above", () => {
    expect(idsOf('// X-01\ndescribe("a", () => {\n  it("b", f);\n});\n')).toEqual([
      ['"a"', ["X-01"]],
      ['"b"', []],
    ]);
  });

  it("is a stray one beside anything else", () => {
    expect(findTests("// X-01\nconst a = 1;\n").strays).toEqual(["X-01"]);
  });

  it("is no id within a sentence", () => {
    expect(idsOf('// As X-01 says, and PR-02\nit("a", f);\n')).toEqual([['"a"', []]]);
  });
});
