import { readFileSync } from "node:fs";
import ts from "typescript";

const row = /^\| ([A-Z]+-\d+) \| (.*) \| \w+ \|$/;
/** A comment that consists of ids, up to the end of its line. */
const comment = /\/\/ ([A-Z]+-\d+(?:, [A-Z]+-\d+)*)$/gm;
const functions = ["describe", "it", "test"];

/** The texts of the statements in a file such as docs/specification/statements.md, by id. */
export function readStatements(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Map(lines.flatMap((line) => (row.test(line) ? [row.exec(line).slice(1)] : [])));
}

/**
 * The tests and groups in a test file: title, first and last line, and the ids in its comments.
 * A comment directly above or within a test belongs to this test. A comment above or within a table that is declared
 * separately belongs to the tests that use the table.
 * @returns {{ tests: { title: string, from: number, to: number, ids: Set<string> }[], strays: string[] }}
 *   `strays` are ids in comments that belong to no test.
 */
export function findTests(text) {
  const source = ts.createSourceFile("test.ts", text, ts.ScriptTarget.Latest, true);
  const tests = [];
  visit(source);
  const strays = [];
  for (const match of text.matchAll(comment)) {
    const owners = findOwners(match.index);
    const ids = match[1].split(", ");
    if (owners.length === 0) strays.push(...ids);
    for (const { ids: own } of owners) for (const id of ids) own.add(id);
  }
  return { tests: tests.map(({ node: _, table: __, ...test }) => test), strays };

  function visit(node) {
    const test = toTest(node);
    if (test) tests.push(test);
    ts.forEachChild(node, visit);
  }

  function toTest(node) {
    if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return undefined;
    const call = node.expression;
    if (!functions.includes(calleeOf(call).getText())) return undefined;
    return {
      node,
      title: call.arguments[0].getText(),
      table: ts.isCallExpression(call.expression) ? call.expression.arguments[0] : undefined,
      from: lineOf(node.getStart()),
      to: lineOf(node.getEnd()),
      ids: new Set(),
    };
  }

  function findOwners(position) {
    const statements = [];
    const descend = (node) => {
      if (position < node.pos || position >= node.end) return;
      if (ts.isStatement(node)) statements.unshift(node);
      ts.forEachChild(node, descend);
    };
    descend(source);
    for (const statement of statements) {
      const own = tests.filter(({ node }) => node === statement);
      if (own.length > 0) return own;
      const users = tests.filter(
        ({ table }) => table && namesOf(statement).some((name) => uses(table, name)),
      );
      if (users.length > 0) return users;
    }
    return [];
  }

  function lineOf(position) {
    return source.getLineAndCharacterOfPosition(position).line + 1;
  }
}

/** The name of a called function, such as `it` in `it.each(rows)("title", …)`. */
function calleeOf(node) {
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? calleeOf(node.expression) : node;
}

function namesOf(statement) {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name }) => name.getText());
}

function uses(node, name) {
  return (
    (ts.isIdentifier(node) && node.text === name) ||
    ts.forEachChild(node, (child) => uses(child, name)) === true
  );
}
