import { join } from "node:path";
import { checkSchema } from "./check/schema.mjs";
import { checkVocabulary } from "./check/vocabulary.mjs";
import { checkWorkflows } from "./check/workflows.mjs";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run check [-- --static | --vocabulary]

Checks to run before a commit: types, Biome (format, lint), the layers of the imports, knip (dead code), that the tables
of docs/ and schema.json are current, that the schema breaks no program without a line in the changelog, that code and
prose use the vocabulary of scripts/check/terms.mjs, that actionlint accepts the workflows, that the site of docs/ builds
without a dead link, and the tests that need no Pulumi CLI.

  --static      leave out the tests
  --vocabulary  only list the coined terms, file by file; exits with 1 if there are any`;

const bin = (path) => join(root, "node_modules", path);

const checks = [
  ["types", bin("typescript-native/bin/tsc"), ["--noEmit"]],
  ["types of the pages", bin("typescript-native/bin/tsc"), ["--noEmit", "-p", "server/dashboard/app"]],
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

const breakingHint =
  "Add a line to the section Unreleased of CHANGELOG.md that says what to do: - **Breaking**: `EnvVar.target` …";

await command({
  usage,
  flags: ["--static", "--vocabulary"],
  needs: process.argv.includes("--vocabulary") ? [] : ["dist"],
  async run(args) {
    const findings = await checkVocabulary(root);
    if (args.includes("--vocabulary")) {
      for (const text of report(findings)) console.log(text);
      return findings.length > 0 ? 1 : 0;
    }
    const failed = [];
    if (findings.length > 0) {
      failed.push("vocabulary");
      console.error(report(findings).join("\n"));
    }
    console.error("check: workflows …");
    const workflows = await checkWorkflows();
    if (workflows.skipped) console.error(`check: workflows were not checked: ${workflows.skipped}`);
    if (workflows.problems !== "") {
      failed.push("workflows");
      console.error(workflows.problems);
    }
    console.error("check: breaking changes of the schema …");
    const breaking = checkSchema(root);
    if (breaking.length > 0) {
      failed.push("breaking changes of the schema");
      console.error(`${breaking.join("\n")}\n${breakingHint}`);
    }
    for (const [name, file, fileArgs] of checks) {
      if (name === "unit tests" && args.includes("--static")) continue;
      console.error(`check: ${name} …`);
      const code = await foreground(process.execPath, [file, ...fileArgs], process.env);
      if (code >= 128) return code;
      if (code !== 0) failed.push(name);
    }
    console.error(failed.length > 0 ? `check: failed: ${failed.join("; ")}` : "check: no problems found");
    return failed.length > 0 ? 1 : 0;
  },
});

function report(findings) {
  return findings.map(
    ({ file, line, found, use }) => `${file}${line > 0 ? `:${line}` : ""}: "${found}": use ${use}`,
  );
}
