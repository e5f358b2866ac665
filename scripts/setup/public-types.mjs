import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./paths.mjs";

/** The modules whose types programs import, and that derive these types from schemas of zod. */
const modules = ["provider/lookups/shapes", "server/control/client-types"];

/**
 * Writes the types of the package's entry points to dist/: the declarations that the compiler has written, as far as the
 * entry points need them. Programs that import the package compile without the types of its dependencies, which need
 * newer settings of TypeScript than many projects have. Therefore some modules have their types alone, spelled out.
 */
export function writePublicTypes() {
  const spelled = spelledModules();
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const written = new Set();
  const write = (file) => {
    const declared = join(root, "dist/.types", file);
    if (written.has(file) || !existsSync(declared)) return;
    written.add(file);
    const text = spelled.get(file) ?? readFileSync(declared, "utf8");
    writeFileSync(join(root, "dist", file), text);
    const { importedFiles } = ts.preProcessFile(text);
    for (const { fileName } of importedFiles.filter((one) => one.fileName.startsWith("."))) {
      const path = join(dirname(file), fileName.replace(/\.js$/, ""));
      write(`${path}.d.ts`);
      write(join(path, "index.d.ts"));
    }
  };
  for (const { types } of Object.values(exports)) if (types) write(types.replace("./dist/", ""));
}

/** @returns {Map<string, string>} the types of `modules`, by the path of their declarations */
function spelledModules() {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = modules.map((name) => join(root, `${name}.ts`));
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const textOf = (file) =>
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
      .filter(({ flags }) => flags & ts.SymbolFlags.TypeAlias)
      .map((symbol) => declarationOf(checker, symbol))
      .join("\n");
  return new Map(modules.map((name, at) => [`${name}.d.ts`, textOf(files[at])]));
}

function declarationOf(checker, symbol) {
  const text = spell(checker, checker.getDeclaredTypeOfSymbol(symbol));
  return `${commentOf(checker, symbol)}export type ${symbol.name} = ${text};\n`;
}

/** The text of a type, without the names of other types. */
function spell(checker, type) {
  const spelled = (part) => spell(checker, part);
  if (type.aliasSymbol?.name === "JSONType") return "unknown";
  if (type.flags & ts.TypeFlags.Boolean) return "boolean";
  if (type.isUnion()) return unionOf(type, spelled);
  if (type.isIntersection()) return type.types.map(spelled).join(" & ");
  if (checker.isArrayType(type)) return `(${spelled(checker.getTypeArguments(type)[0])})[]`;
  if (checker.isTupleType(type)) return `[${checker.getTypeArguments(type).map(spelled).join(", ")}]`;
  const isPlain = type.flags & ts.TypeFlags.Object && type.getCallSignatures().length === 0;
  return isPlain ? objectOf(checker, type, spelled) : checker.typeToString(type, undefined, inFull);
}

const inFull = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** A union, with `boolean` instead of its two values. */
function unionOf({ types }, spelled) {
  const isBoolean = ({ flags }) => flags & ts.TypeFlags.BooleanLiteral;
  const others = types.filter((part) => !isBoolean(part)).map(spelled);
  const booleans = types.filter(isBoolean);
  const texts = [...(booleans.length === 2 ? ["boolean"] : booleans.map(spelled)), ...others];
  return texts.join(" | ");
}

function objectOf(checker, type, spelled) {
  const indexes = checker
    .getIndexInfosOfType(type)
    .map((index) => `[key: ${spelled(index.keyType)}]: ${spelled(index.type)};`);
  const members = checker.getPropertiesOfType(type).map((member) => {
    const isOptional = member.flags & ts.SymbolFlags.Optional;
    const text = spelled(checker.getTypeOfSymbol(member));
    return `${commentOf(checker, member)}${JSON.stringify(member.name)}${isOptional ? "?" : ""}: ${text};`;
  });
  return `{\n${[...indexes, ...members].join("\n")}\n}`;
}

function commentOf(checker, symbol) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return text === "" ? "" : `/** ${text.replaceAll("\n", "\n * ")} */\n`;
}
