import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { firstBlocks } from "./code-blocks.mjs";
import { fileOf, inWords } from "./names.mjs";
import { root } from "./paths.mjs";
import { CommandError } from "./run.mjs";

/**
 * Reads the comments on the keys of schemas and interfaces. They are the only descriptions of fields, for
 * docs/resources and, through sdk/types.ts, for the editors of users.
 */

/**
 * The descriptions of the plugin's package, for `provider/plugin/schema`.
 * @returns {Record<string, string>} by path, such as `Project.inputs.name`
 */
export function packageTexts() {
  const { resources } = createRequire(import.meta.url)(join(root, "dist/provider/resources"));
  const texts = { Provider: declarationComment(join(root, "sdk/provider.ts"), "Provider") };
  const add = (prefix, entries) => {
    for (const [path, text] of entries) if (text !== undefined) texts[prefix + path] = text;
  };
  for (const [constant, { type }] of Object.entries(resources)) {
    const [file, source] = [fileOf(type), join(root, `provider/resources/${fileOf(type)}.ts`)];
    texts[type] = resourceComment(constant, type);
    texts[`${type}.example`] = exampleOf(file);
    for (const part of ["inputs", "outputs", "filters"])
      add(`${type}.${part}.`, schemaDescriptions(source, part));
  }
  add("", lookupTexts(texts));
  const site = join(root, "sdk/site.ts");
  texts.Site = declarationComment(site, "Site");
  texts["Site.example"] = exampleOf("site");
  add("Site.", classMembers(site, "Site"));
  const members = (file, name) => interfaceMembers(file, name).map(({ name, text }) => [name, text]);
  for (const name of ["SiteArgs", "SiteDomain", "SiteVerification", "Challenge"])
    add(`${name}.`, members(site, name));
  add("Provider.", members(join(root, "sdk/provider.ts"), "ProviderArgs"));
  return texts;
}

/**
 * The descriptions of the look-ups: those in the table, and those that follow from resources.
 * @param {Record<string, string>} texts of the resources
 * @returns {Map<string, string>} by path, such as `getProject` or `getProject.result.id`
 */
export function lookupTexts(texts) {
  const { lookupsById } = createRequire(import.meta.url)(join(root, "dist/provider/lookups/by-id"));
  const found = schemaDescriptions(join(root, "provider/lookups/index.ts"), "lookups");
  for (const [name, { resource }] of Object.entries(lookupsById)) {
    const { type, importId, traits } = resource;
    const secret = traits.secret.map((key) => `\`${key}\``);
    const without =
      secret.length > 0 ? ` The answer has no ${secret.join(" and no ")}, which are secret.` : "";
    found.set(name, `Finds ${inWords(type)} by its id: ${importId}.${without}`);
    found.set(`${name}.args.id`, `Id, as for an import: ${importId}.`);
    found.set(`${name}.result.id`, `Id of the ${inWords(type).replace(/^an? /, "")}.`);
    for (const [path, text] of Object.entries(texts)) {
      const [, member] = path.match(`^${type}\\.(?:inputs|outputs)\\.(.*)`) ?? [];
      if (member !== undefined) found.set(`${name}.result.${member}`, text);
    }
  }
  return found;
}

/** The code blocks of the example on the page of a resource: the first program in YAML, and the same in other languages. */
function exampleOf(page) {
  const file = join(root, `docs/resources/${page}.md`);
  if (!existsSync(file))
    throw new CommandError(`docs/resources/${page}.md is missing: write the page, with an example in YAML`);
  const text = readFileSync(file, "utf8");
  const { yaml } = firstBlocks(text);
  if (yaml === undefined) throw new CommandError(`docs/resources/${page}.md has no example in YAML`);
  return Object.entries({ ...programsOn(text), yaml })
    .map(([language, program]) => `\`\`\`${language}\n${program}\`\`\`\n`)
    .join("");
}

/** Begins the block on the page of a resource that has its example in other languages than YAML. */
export const programsMark = "<!-- docs: programs -->";

/**
 * The programs of that block.
 * @param {string} text the page
 * @returns {Record<string, string>} by the language of the code block; empty if the page has no block
 */
export function programsOn(text) {
  const [, block = ""] = new RegExp(`${programsMark}\n([\\s\\S]*?)<!-- end -->`).exec(text) ?? [];
  return firstBlocks(block);
}

const parse = (file) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);

/**
 * @param {string} file a TypeScript source
 * @param {string} constant a schema in it, such as `inputs`
 * @returns {Map<string, string>} descriptions by the path of the key, such as `trustedIps.addresses.value`;
 *   empty when there is no such constant
 */
export function schemaDescriptions(file, constant) {
  const found = new Map();
  const start = initializerOf(parse(file), constant);
  if (start) walk(start, "", found);
  return found;
}

function walk(node, prefix, found) {
  if (ts.isIdentifier(node)) {
    const target = initializerOf(node.getSourceFile(), node.text);
    if (target) walk(target, prefix, found);
  } else if (ts.isPropertyAccessExpression(node)) {
    walk(node.expression, prefix, found);
  } else if (ts.isCallExpression(node)) {
    if (ts.isPropertyAccessExpression(node.expression)) walk(node.expression.expression, prefix, found);
    for (const argument of node.arguments) walk(argument, prefix, found);
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) walk(element, prefix, found);
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const member of node.properties) {
      if (ts.isSpreadAssignment(member)) walk(member.expression, prefix, found);
      if (!ts.isPropertyAssignment(member)) continue;
      const path = prefix + member.name.getText();
      const text = commentOf(member);
      if (text !== undefined) found.set(path, text);
      walk(member.initializer, `${path}.`, found);
    }
  } else if (ts.isAsExpression(node)) {
    walk(node.expression, prefix, found);
  }
}

/** The initializer of a constant in a file, or in a file that it imports. */
function initializerOf(source, name) {
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find(
        ({ name: other }) => other.getText() === name,
      );
      if (found) return found.initializer;
    }
    if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.text.startsWith(".")) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    if (!bindings.elements.some((element) => element.name.text === name)) continue;
    const file = join(dirname(source.fileName), `${statement.moduleSpecifier.text}.ts`);
    return initializerOf(parse(file), name);
  }
  return undefined;
}

/**
 * @returns {{ name: string, optional: boolean, type: string, text: string | undefined }[]} the members of an interface
 */
export function interfaceMembers(file, name) {
  const found = parse(file).statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  return found.members.map((member) => ({
    name: member.name.getText(),
    optional: member.questionToken !== undefined,
    type: member.type.getText().replace(/\s+/g, " "),
    text: commentOf(member),
  }));
}

/** @returns {[name: string, text: string | undefined][]} the comments on the members of a class */
function classMembers(file, name) {
  const found = parse(file).statements.find(
    (statement) => ts.isClassDeclaration(statement) && statement.name.text === name,
  );
  return found.members
    .filter(ts.isPropertyDeclaration)
    .map((member) => [member.name.text, commentOf(member)]);
}

const classFile = (type) => join(root, `sdk/${fileOf(type)}.ts`);

/** Whether the class of a resource has code of its own. All other classes are generated. @param {string} type */
export const hasOwnClass = (type) => existsSync(classFile(type));

/**
 * The description of a resource: the comment on its own class, or on its definition.
 * @param {string} constant the name of the definition
 * @param {string} type
 */
export const resourceComment = (constant, type) =>
  hasOwnClass(type)
    ? declarationComment(classFile(type), type)
    : declarationComment(join(root, `provider/resources/${fileOf(type)}.ts`), constant);

/** The comment on a class or a constant. */
function declarationComment(file, name) {
  for (const statement of parse(file).statements) {
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    if (!declared.some((declaration) => declaration.name?.getText() === name)) continue;
    const text = commentOf(statement);
    if (text) return text;
  }
  throw new Error(`${file}: ${name} has no comment`);
}

function commentOf(node) {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment);
  return text?.replace(/\s+/g, " ").trim();
}
