import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { root } from "../setup/paths.mjs";

/**
 * A fault in a source file: the text between two offsets is replaced.
 * @typedef {{ file: string, line: number, lastLine: number, from: number, to: number, operator: string, replacement: string }} Mutant
 */

/** Entry points that only tests in other processes load. */
const unseen = new Set(["server/main.ts", "server/command.ts", "cli/main.ts"]);

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };

/** Every fault that Stryker's operators can put into the sources below some folders. */
export async function mutantsOf(folders) {
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const sources = new Map(
    names.filter((name) => !unseen.has(name)).map((name) => [name, readFileSync(join(root, name), "utf8")]),
  );
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }));
  const { mutants } = await new Instrumenter(silent).instrument(files, options);
  return mutants.map(({ fileName, location: { start, end }, mutatorName, replacement }) => {
    const offset = offsetsOf(sources.get(fileName));
    return {
      file: fileName,
      line: start.line + 1,
      lastLine: end.line + 1,
      from: offset(start),
      to: offset(end),
      operator: mutatorName,
      replacement,
    };
  });
}

function offsetsOf(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return ({ line, column }) => starts[line] + column;
}

/** Draws without putting back; the same seed draws the same. */
export function draw(mutants, count, seed) {
  const random = randomFrom(seed);
  const rest = [...mutants];
  const drawn = [];
  while (drawn.length < count && rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    drawn.push(rest[at]);
    rest[at] = rest.at(-1);
    rest.pop();
  }
  return drawn;
}

/** Mulberry32: numbers in [0, 1) that a seed of 32 bits fixes. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
