import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run bench [-- server]

Measures on this machine and writes the figures into docs/benchmarks.md, on a machine that does nothing else:

  server   the reference server beside a bare node:http server that answers the same bytes; about six minutes

Without a name, all of it.`;

await command({
  usage,
  needs: ["dist"],
  run: (args) => foreground(process.execPath, [join(root, "test/bench/index.mts"), ...args], process.env),
});
