import { parse } from "yaml";

/**
 * Mends a program of Pulumi's generator for Java, which does not know the package of inputs, nor the types of lists and
 * maps, and imports what nothing uses.
 * @param {string} text the program @param {string} source the same in YAML @param {object} schema of the package
 */
export function mendedJava(text, source, schema) {
  const program = text
    .replace("package generated_program;", "package app;")
    .replaceAll("com.pulumi.slipway.", `${schema.language.java.basePackage}.slipway.`)
    .replace(/\((\s*"[^"\n]*",?)+\)/g, (list) => list.replace(/\s+/g, " ").replace("( ", "("))
    .replace(/Map\.entry\(("[^"]*"), ((?:"[^"]*"(?:, )?){2,})\)/g, "Map.entry($1, List.of($2))");
  const { resources = {}, variables = {} } = parse(source);
  const declared = Object.values(resources).map(({ type, properties = {} }) => ({
    properties,
    inputs: schema.resources[type.replace(":", ":index:")].inputProperties,
  }));
  const typed = declared.reduce(withTypes, program);
  return withImports(Object.keys(variables).reduce(withOutputs, typed));
}

/** A look-up returns an output, whose members a program reads with a function. */
const withOutputs = (program, variable) =>
  program.replace(
    new RegExp(`\\b${variable}\\.(\\w+)\\(\\)`, "g"),
    `${variable}.applyValue(result -> result.$1())`,
  );

/** Gives the lists and maps of a resource their types, where elements may be of two types: a text is the left one. */
function withTypes(program, { properties, inputs }) {
  return Object.entries(properties).reduce((text, [name, value]) => {
    const { items, additionalProperties } = inputs[name] ?? {};
    const argument = new RegExp(`\\.${name}\\(((?:[^()]|\\([^()]*\\))*)\\)`);
    const left = (texts) => texts.replace(/"([^"]*)"/g, 'Either.ofLeft("$1")');
    if (Array.isArray(value) && items?.oneOf)
      return text.replace(argument, (_, texts) => `.${name}(List.of(${left(texts)}))`);
    if (Array.isArray(value) && String(value[0]).startsWith("${"))
      return text.replace(argument, (_, outputs) => `.${name}(Output.all(${outputs}))`);
    if (additionalProperties?.oneOf)
      return text.replace(/Map\.(of|ofEntries)\((\s*)([\s\S]*?)\)\)\n/, (map) =>
        map.replace(/, "([^"]*)"/g, ', Either.ofLeft("$1")'),
      );
    return text;
  }, program);
}

const javaTypes = {
  Either: "com.pulumi.core.Either",
  List: "java.util.List",
  Output: "com.pulumi.core.Output",
  Map: "java.util.Map",
};

function withImports(text) {
  const code = text.replace(/^import .*;\n/gm, "");
  const imports = [...text.matchAll(/^import (.*\.(\w+));$/gm)];
  const paths = new Set(
    imports.filter(([, , name]) => new RegExp(`\\b${name}\\b`).test(code)).map(([, path]) => path),
  );
  for (const [name, path] of Object.entries(javaTypes))
    if (new RegExp(`\\b${name}\\.`).test(code)) paths.add(path);
  const lines = [...paths].sort().map((path) => `import ${path};`);
  return code.replace(/^(package .*;\n)\n*/, `$1\n${lines.join("\n")}\n\n`).replace(/\n\n( *\})/g, "\n$1");
}
