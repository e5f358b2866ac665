import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";
import { pulumiEnvironment } from "./setup/pulumi.mjs";

const usage = `npm run bench [-- server | provider | dashboard]

Measures on this machine and writes the figures into docs/benchmarks.md, on a machine that does nothing else:

  server     the reference server beside a bare node:http server that answers the same bytes; about six minutes
  provider   the provider beside dynamic resources of which nothing is done, with the real CLI; about ten minutes
  dashboard  a browser that looks at 10,000 projects; about a minute; needs Chromium

Without a name, all of it.`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  run: (args, { pulumi }) =>
    foreground(process.execPath, [join(root, "test/bench/index.mts"), ...args], {
      ...pulumiEnvironment(pulumi),
      SLIPWAY_PULUMI: pulumi,
    }),
});
