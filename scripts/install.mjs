#!/usr/bin/env node
import { command } from "./command.mjs";
import { languages, provideLanguage } from "./setup/languages.mjs";

const usage = `npm run setup [-- --print-pulumi]

Installs what the other commands need: the dependencies (npm ci), the Pulumi CLI, and the compiled package in dist/.
Does nothing if everything is there. The other commands run it themselves.

  --print-pulumi  prints the path of the Pulumi CLI that the other commands use; does not compile dist/
  --print-yaml, --print-python, --print-go, --print-java
                  provides the language host and prints its folder; does not compile dist/`;

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
