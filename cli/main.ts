#!/usr/bin/env node
import module from "node:module";

/**
 * The `slipway` command. It refuses old versions of Node.js, enables the compile cache for quicker starts, and loads
 * only the code of the given command.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `slipway: Node.js 22.19 or later is required. This is ${process.versions.node}. Install a later version from https://nodejs.org.\n`,
  );
  process.exit(1);
}
module.enableCompileCache();

/** Hides the warning of Node.js 22 that SQLite is experimental. The functions used here have not changed since. */
const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
process.emitWarning = (...args: unknown[]): void => {
  if (!String(args[0]).startsWith("SQLite is an experimental feature")) emitWarning(...args);
};
/** `serve` and `stop` run from the bundle of the server. Their help comes from the declarations, like all help. */
const [first, ...rest] = process.argv.slice(2);
const isServerCommand = first === "serve" || first === "stop";
const isHelp = rest.includes("--help") || rest.includes("-h");
module.createRequire(__filename)(isServerCommand && !isHelp ? "../server/command.js" : "./command.js");
