#!/usr/bin/env node
import { command } from "../command.mjs";
import { languages, provideLanguage } from "./languages.mjs";

const usage = `npm run setup [-- --print-pulumi]

Makes everything ready that the other commands need, and does nothing when it is:
the dependencies (npm ci), the Pulumi CLI, and the compiled package in dist/.
The other commands run it themselves.

  --print-pulumi  print the path of the Pulumi CLI that the other commands use, and leave dist/ as it is
  --print-yaml, --print-python, --print-go
                  print the folder of the host of programs in that language, after making it ready; leaves dist/ as it is`;

const onlyPulumi = process.argv.includes("--print-pulumi");
const language = languages.find((one) => process.argv.includes(`--print-${one}`));

await command({
  usage,
  flags: ["--print-pulumi", ...languages.map((one) => `--print-${one}`)],
  needs: onlyPulumi || language ? ["pulumi"] : ["pulumi", "dist"],
  async run(_args, { pulumi }) {
    if (onlyPulumi) console.log(pulumi);
    if (language) console.log(await provideLanguage(language, pulumi));
    return 0;
  },
});
