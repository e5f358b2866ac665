import { dirname } from "node:path";

/**
 * The names of the generated SDKs, as pages, examples and programs use them.
 * @param {{ name: string, language: Record<string, any> }} schema a package schema
 */
function namesIn({ language: { nodejs, python, go, csharp, java }, repository }) {
  return [
    nodejs.packageName,
    python.packageName,
    dirname(go.importBasePath),
    `${csharp.rootNamespace}.Slipway`,
    `${java.basePackage}.slipway`,
    repository,
    repository.replace("https://github.com/", "ghcr.io/"),
  ];
}

/**
 * Replaces the names of one schema with the names of another.
 * @param {string} text a page or a program
 */
export function renamed(text, before, after) {
  const names = namesIn(after);
  return namesIn(before).reduce((all, name, index) => all.replaceAll(name, names[index]), text);
}
