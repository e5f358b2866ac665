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

/** Node.js 22 warns of its SQLite, which has not changed since in what is used of it here. */
const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
process.emitWarning = (...args: unknown[]): void => {
  if (!String(args[0]).startsWith("SQLite is an experimental feature")) emitWarning(...args);
};
const [first, second] = process.argv.slice(2);
const ofServer = ["serve", "stop"];
if (first === "help" && second && ofServer.includes(second)) process.argv.splice(2, 2, second, "--help");
const isOfServer = ofServer.includes(process.argv[2] ?? "");
module.createRequire(__filename)(isOfServer ? "../server/command.js" : "./command.js");
