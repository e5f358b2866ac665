#!/usr/bin/env node
import module from "node:module";

/**
 * The `slipway` command. It says so when Node.js is too old, has the code that it loads kept compiled, so that the
 * next start is quicker, and loads no more than the command that is asked for.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`slipway: Node.js 22.19 or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(1);
}
module.enableCompileCache();
const [first, second] = process.argv.slice(2);
if (first === "help" && second === "serve") process.argv.splice(2, 2, "serve", "--help");
const isServe = process.argv[2] === "serve";
module.createRequire(__filename)(isServe ? "../server/command.js" : "./command.js");
