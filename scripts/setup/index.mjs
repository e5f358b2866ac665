#!/usr/bin/env node
import { command } from "../command.mjs";

const usage = `npm run setup [-- --print-pulumi]

Makes everything ready that the other commands need, and does nothing when it is:
the dependencies (npm ci), the Pulumi CLI, and the compiled package in dist/.
The other commands run it themselves.

  --print-pulumi  print the path of the Pulumi CLI that the other commands use`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    if (args.includes("--print-pulumi")) console.log(pulumi);
    return 0;
  },
});
