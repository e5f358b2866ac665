import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { root } from "../setup/paths.mjs";

/**
 * A fault in a source file: the text between two offsets is replaced. The key of the fault depends on the text of its
 * line, and does not change when other lines of the file change.
 * @typedef {{
 *   key: string, file: string, line: number, range: object, from: number, to: number,
 *   operator: string, original: string, replacement: string,
 * }} Mutant
 */

/** Entry points, which tests only load in other processes. */
const entries = new Set(["server/main.ts", "server/command.ts", "cli/main.ts"]);
/** Code for browsers, which `test/dashboard` tests in a browser. */
const inBrowsers = /^server\/(dashboard\/app|ops\/reference)\//;

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };

/**
 * Every fault that Stryker's operators can put into the sources below some folders.
 * @returns {Promise<Mutant[]>}
 */
export async function mutantsOf(folders) {
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const isSeen = (name) => !entries.has(name) && !inBrowsers.test(name);
  const sources = new Map(names.filter(isSeen).map((name) => [name, readFileSync(join(root, name), "utf8")]));
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }));
  const { mutants } = await new Instrumenter(silent).instrument(files, options);
  const offsets = new Map([...sources].map(([name, text]) => [name, offsetsOf(text)]));
  const seen = new Map();
  return mutants.map(({ fileName: file, location: range, mutatorName: operator, replacement }) => {
    const text = sources.get(file);
    const [from, to] = [range.start, range.end].map(offsets.get(file));
    const original = text.slice(from, to);
    const line = text.slice(text.lastIndexOf("\n", from - 1) + 1).split("\n", 1)[0];
    const about = JSON.stringify([file, line.trim(), operator, original, replacement]);
    const nth = (seen.get(about) ?? 0) + 1;
    seen.set(about, nth);
    const key = createHash("sha256").update(`${about}${nth}`).digest("hex").slice(0, 16);
    return { key, file, line: range.start.line + 1, range, from, to, operator, original, replacement };
  });
}

function offsetsOf(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return ({ line, column }) => starts[line] + column;
}

/**
 * Draws faults at random, each at most once. The same seed draws the same faults. A change of a source changes only the
 * faults that are drawn from the changed lines.
 * @param {Mutant[]} mutants
 */
export function draw(mutants, count, seed) {
  const sortKey = ({ key }) => createHash("sha256").update(`${seed} ${key}`).digest("hex");
  return mutants
    .map((mutant) => ({ mutant, key: sortKey(mutant) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/**
 * The sources with the given faults, each behind the switch `isFault$(key)`. Code that faults can change first calls
 * `passed$(key, …)` with the keys of these faults, which records that a test reaches them.
 * @param {Mutant[]} mutants
 * @returns {Promise<Map<string, string>>} texts by file
 */
export async function withSwitches(mutants) {
  const texts = new Map();
  for (const [name, drawn] of Map.groupBy(mutants, ({ file }) => file)) {
    const content = readFileSync(join(root, name), "utf8");
    const file = { name, content, mutate: drawn.map(({ range }) => range) };
    const { files, mutants: placed } = await new Instrumenter(silent).instrument([file], options);
    const keys = new Map(placed.map((mutant) => [mutant.id, keyOf(mutant, drawn)]));
    const quoted = (id) => JSON.stringify(keys.get(id) ?? "");
    const text = files[0].content
      .replace(/\bstryMutAct_9fa48\("(\d+)"\)/g, (_, id) => `isFault$(${quoted(id)})`)
      .replace(
        /\bstryCov_9fa48\(([^)]*)\)/g,
        (_, ids) => `passed$(${ids.replace(/"(\d+)"/g, (_, id) => quoted(id))})`,
      );
    texts.set(name, text);
  }
  return texts;
}

function keyOf({ location, mutatorName, replacement }, drawn) {
  const isSame = ({ range, operator, replacement: other }) =>
    operator === mutatorName &&
    other === replacement &&
    JSON.stringify(range) === JSON.stringify({ start: location.start, end: location.end });
  return drawn.find(isSame)?.key;
}
