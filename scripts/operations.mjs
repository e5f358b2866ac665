import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./command.mjs";
import { writeJson } from "./setup/json.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run operations -- <folder of @vercel/sdk> <folder of vercel>

Reads the operations of the official SDK and the paths of the official command line from two installed packages, and
writes them into server/platform/operations.json. Then run \`npm run docs\`.`;

await command({
  usage,
  needs: [],
  async run([sdk, cli]) {
    if (!sdk || !cli) throw new CommandError("Give the folders of both packages.");
    const clients = {
      /** The method and the path of each operation, by its id. */
      sdk: { version: versionOf(sdk), operations: operationsOf(sdk) },
      /** A parameter of a path is `{id}`. */
      cli: { version: versionOf(cli), paths: pathsOf(cli) },
    };
    writeJson("server/platform/operations.json", clients);
    return 0;
  },
});

function versionOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

/** Each function of the SDK names its operation, its method and the template of its path. */
function operationsOf(folder) {
  const funcs = join(folder, "esm/funcs");
  const rows = readdirSync(funcs)
    .filter((name) => name.endsWith(".js"))
    .map((name) => {
      const text = readFileSync(join(funcs, name), "utf8");
      const [, path] = /pathToFunc\("([^"]+)"\)/.exec(text) ?? [];
      const [, method] = /^\s+method: "([A-Z]+)"/m.exec(text) ?? [];
      const [, id] = /operationID: "([^"]+)"/.exec(text) ?? [];
      if (!path || !method || !id) throw new CommandError(`${name} names no operation, method or path.`);
      return [id, `${method} ${path}`];
    });
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The texts of the command line that begin with a version, such as `/v9/projects/${id}`. */
function pathsOf(folder) {
  const dist = join(folder, "dist");
  const paths = new Set();
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!/\.[cm]?js$/.test(name)) continue;
    const text = readFileSync(join(dist, name), "utf8");
    for (const { index } of text.matchAll(/(?<=["'`])\/v\d+\/[a-z]/g)) {
      const path = pathAt(text, index);
      if (path) paths.add(path);
    }
  }
  return [...paths].sort();
}

/** @returns the path without its query; undefined if the text is only the beginning of a path */
function pathAt(text, start) {
  let path = "";
  let at = start;
  while (/[\w./$-]/.test(text[at])) {
    if (text[at] !== "$") path += text[at++];
    else if (path.endsWith("/")) {
      const end = endOfExpression(text, at + 2);
      // A list of segments.
      if (text.slice(at, end).includes("[")) return undefined;
      path += "{id}";
      at = end;
    } else break; // The query, or a suffix that may be empty.
  }
  return /[`"'?$]/.test(text[at]) && !path.endsWith("/") ? path : undefined;
}

function endOfExpression(text, start) {
  let depth = 1;
  let at = start;
  for (; depth > 0; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}") depth--;
  }
  return at;
}
