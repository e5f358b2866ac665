#!/usr/bin/env node
import module from "node:module";

/**
 * The `slipway` command. It refuses a Node.js that is too old, and keeps a compile cache so that later starts are
 * faster.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `slipway: Node.js 22.19 or later is required. This is ${process.versions.node}. Install a later version from https://nodejs.org.\n`,
  );
  process.exit(1);
}
module.enableCompileCache();

/** Hides the warning of Node.js 22 that SQLite is experimental. Later versions have not changed what is used here. */
const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
process.emitWarning = (...args: unknown[]): void => {
  if (!String(args[0]).startsWith("SQLite is an experimental feature")) emitWarning(...args);
};
// `import()` would parse the whole file to detect its module format.
module.createRequire(__filename)("./command.js");
