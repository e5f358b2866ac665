#!/usr/bin/env node
import module from "node:module";

/**
 * The `slipway` command. It refuses a Node.js that is too old, keeps a compile cache so that later starts are quicker,
 * and loads only the code of the given command.
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
