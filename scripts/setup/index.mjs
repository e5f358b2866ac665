#!/usr/bin/env node
import { command } from "../command.mjs";

const usage = `npm run setup [-- --print-pulumi]

Makes everything ready that the other commands need, and does nothing when it is:
the dependencies (npm ci), the Pulumi CLI, and the compiled package in dist/.
The other commands run it themselves.

  --print-pulumi  print the path of the Pulumi CLI that the other commands use, and leave dist/ as it is`;

const onlyPulumi = process.argv.includes("--print-pulumi");

await command({
  usage,
  flags: ["--print-pulumi"],
  needs: onlyPulumi ? ["pulumi"] : ["pulumi", "dist"],
  async run(_args, { pulumi }) {
    if (onlyPulumi) console.log(pulumi);
    return 0;
  },
});
