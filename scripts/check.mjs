import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run check [-- --static]

What to run before a commit: types, Biome (format, lint), the layers of the imports, knip (dead code), that the tables
of docs/ are current, that the site of docs/ builds without a dead link, and the tests that need no Pulumi CLI.

  --static  leave out the tests`;

const bin = (path) => join(root, "node_modules", path);

const checks = [
  ["types", bin("typescript/bin/tsc"), ["--noEmit"]],
  ["types of the pages", bin("typescript/bin/tsc"), ["--noEmit", "-p", "server/dashboard/app"]],
  ["format and lint", bin("@biomejs/biome/bin/biome"), ["check"]],
  [
    "layers of the imports",
    bin("dependency-cruiser/bin/dependency-cruiser.mjs"),
    ["server", "provider", "sdk", "cli", "scripts", "examples"],
  ],
  ["dead code", bin("knip/bin/knip.js"), []],
  ["docs", join(root, "scripts/docs.mjs"), ["--check"]],
  ["the site, without a dead link", join(root, "scripts/site.mjs"), []],
  [
    "unit tests",
    bin("jest/bin/jest.js"),
    ["test/(?!(e2e|chaos|bench|contract)/)", "--selectProjects", "slipway"],
  ],
];

await command({
  usage,
  flags: ["--static"],
  needs: ["dist"],
  async run(args) {
    const failed = [];
    for (const [name, file, fileArgs] of checks) {
      if (name === "unit tests" && args.includes("--static")) continue;
      console.error(`check: ${name} …`);
      const code = await foreground(process.execPath, [file, ...fileArgs], process.env);
      if (code >= 128) return code;
      if (code !== 0) failed.push(name);
    }
    console.error(failed.length > 0 ? `check: failed: ${failed.join("; ")}` : "check: all is well");
    return failed.length > 0 ? 1 : 0;
  },
});
