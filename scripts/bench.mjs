import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";
import { pulumiEnvironment } from "./setup/pulumi.mjs";

const usage = `npm run bench [-- server | postgres | size | peers | provider | dashboard] [--quick] [--seed N]
       npm run bench -- --against FOLDER [--quick] [--seed N]

Measures on this machine and writes the figures into docs/benchmarks.md, on a machine that does nothing else:

  server     the reference server beside an afternoon's server on Fastify that knows no rule, and beside a bare
             node:http server that answers the same bytes; about ten minutes
  postgres   the reference server on a PostgreSQL of its own, beside what that takes of transactions; two minutes
  size       the bytes that a project takes in both stores; half a minute
  peers      two servers that others use instead, on the same requests; npm installs them into a folder of their own,
             .slipway/bench; about five minutes
  provider   the provider beside dynamic resources of which nothing is done, with the real CLI; about ten minutes
  dashboard  a browser that looks at 10,000 projects; about a minute; needs Chromium

Without a name, all of it. Requests are drawn at random, from a seed that is printed and can be given. With --quick,
server, postgres, size and peers only show that everything runs: their figures mean nothing, and the page stays as it is.

With --against, this build of the server beside the one of another checkout, on both engines, in about six minutes:
what has become slower? The page stays as it is. That checkout needs its own "npm ci" and "npm run build".`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  run: (args, { pulumi }) =>
    foreground(process.execPath, [join(root, "test/bench/index.mts"), ...args], {
      ...pulumiEnvironment(pulumi),
      SLIPWAY_PULUMI: pulumi,
    }),
});
