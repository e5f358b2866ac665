import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run bench [-- --long]

Measures the reference server beside a bare node:http server that answers the same bytes, in one run, and
writes the table to docs/benchmarks.md. It takes about three minutes on a machine that does nothing else.

  --long   also how memory grows over a million requests`;

await command({
  usage,
  needs: ["dist"],
  run: (args) => foreground(process.execPath, [join(root, "test/bench/index.mts"), ...args], process.env),
});
