import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../support/server";

const { oldestVersion }: { oldestVersion: string } = require("../../scripts/setup/pulumi.mjs");

const projects = globSync(["Pulumi.yaml", "{examples,templates}/**/Pulumi.yaml"], {
  cwd: root,
  exclude: (name) => name === "node_modules",
});

it.each(projects)("%s names the supported versions of the Pulumi CLI", (file) => {
  const { requiredPulumiVersion, runtime } = parse(readFileSync(join(root, file), "utf8"));
  // Since 3.256, the CLI downloads the language plugin of HCL.
  const oldest = runtime === "hcl" ? "3.256.0" : oldestVersion;
  expect(requiredPulumiVersion).toBe(`>=${oldest} <4.0.0`);
});

it("the examples and templates are among these projects", () => {
  expect(projects).toEqual(
    expect.arrayContaining([
      "Pulumi.yaml",
      "examples/stages/app/Pulumi.yaml",
      "templates/slipway-yaml/Pulumi.yaml",
    ]),
  );
});
