import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { terms } from "./terms.mjs";

/** Finds words in code, comments and documentation for which `terms.mjs` names a standard term. */

/** Files that are not checked: generated or recorded files, the specification, and the list of terms itself. */
const skipped = [
  /^(docs\/(specification|pictures)|test\/fixtures|test\/support\/tls)\//,
  /^scripts\/check\/|^test\/scripts\/vocabulary\.test\.ts$/,
  /(^|\/)(package-lock\.json|go\.(sum|mod)|LICENSE)$/,
  /\.(png|svg|pem|crt|key)$/,
];

const codeExtensions = new Set([".ts", ".tsx", ".mts", ".cts", ".mjs", ".cjs", ".js"]);

/** The tracked files that are checked, relative to `root`. */
export function checkedFiles(root) {
  return execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && !skipped.some((pattern) => pattern.test(file)));
}

/**
 * Finds coined terms in a file.
 * @param {string} file the path, which is checked too
 * @returns {Promise<{ file: string, line: number, found: string, use: string }[]>} `line` is 0 for the path
 */
export async function findCoinedTerms(file, text) {
  const applicable = terms.filter(
    ({ only, except = [] }) => (only?.test(file) ?? true) && !except.some(({ path }) => path?.test(file)),
  );
  const lines = text.split("\n");
  const findings = [];
  const report = (line, found, { use, except = [] }) => {
    if (except.some(({ text: allowed }) => allowed?.test(lines[line - 1] ?? file))) return;
    const isKnown = findings.some((one) => one.line === line && one.found === found);
    if (!isKnown) findings.push({ file, line, found, use });
  };
  const search = (line, content, isName) => {
    for (const term of applicable) {
      const pattern = isName ? (term.name ?? term.words) : term.words;
      for (const [found] of pattern ? wordsOf(content).matchAll(globally(pattern)) : [])
        report(line, found, term);
    }
  };
  search(0, file.replace(/\.\w+$/, ""), true);
  for (const [at, content] of lines.entries()) {
    search(at + 1, content, false);
    for (const term of applicable) {
      const [, , word] = term.sentence?.exec(content) ?? [];
      if (word !== undefined) report(at + 1, word, term);
    }
  }
  if (codeExtensions.has(extname(file))) {
    for (const { line, name } of await namesIn(file, text)) search(line, name, true);
  }
  return findings.sort((a, b) => a.line - b.line);
}

/** A text with its compound names as separate words in lower case: `takeOver` and `take-over` become "take over". */
const wordsOf = (text) =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/(?<=\w)[_/-](?=\w)/g, " ")
    .toLowerCase();

const globally = (pattern) => new RegExp(pattern, "g");

/** The identifiers of a source, with the lines that they are in. */
async function namesIn(file, text) {
  const { default: ts } = await import("typescript");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const names = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const at = node.end - node.text.length;
      names.push({ line: source.getLineAndCharacterOfPosition(at).line + 1, name: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** The findings in all checked files, file by file. */
export async function checkVocabulary(root) {
  const findings = [];
  for (const file of checkedFiles(root)) {
    findings.push(...(await findCoinedTerms(file, readFileSync(join(root, file), "utf8"))));
  }
  return findings;
}
