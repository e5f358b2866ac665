#!/usr/bin/env node
import module from "node:module";

/**
 * The `slipway` command. It says so when Node.js is too old, and has the code that it loads kept compiled, so
 * that the next start is quicker.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`slipway: Node.js 22.19 or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(1);
}
module.enableCompileCache();
// Not `import()`, which would read the whole file to find out what kind of module it is.
module.createRequire(__filename)("./command.js");
