import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { block } from "../support/pages";
import { root } from "../support/server";

/** The pages that Pulumi's registry shows, in the form that it expects. */
const overview = readFileSync(join(root, "docs/_index.md"), "utf8");
const installation = readFileSync(join(root, "docs/installation-configuration.md"), "utf8");
const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));

it.each([
  ["overview", overview],
  ["installation", installation],
])("the page %s begins with the front matter of a package", (_, text) => {
  const [, matter = ""] = /^---\n([\s\S]+?)\n---\n/.exec(text) ?? [];
  expect(parse(matter)).toEqual({
    title: expect.stringContaining("Slipway"),
    meta_desc: expect.stringMatching(/\.$/),
    layout: "package",
  });
});

it("the overview has a tab for each language, with the program of the guide", () => {
  const [, listed = ""] = /\{\{< chooser language "(.+)" >\}\}/.exec(overview) ?? [];
  const tabs = [
    ...overview.matchAll(
      /^\{\{% choosable language (\w+) %\}\}\n\n```(\w+)\n([\s\S]+?)```\n\n\{\{% \/choosable %\}\}$/gm,
    ),
  ];
  expect(tabs.map(([, tab]) => tab)).toEqual(listed.split(","));
  expect(listed).toBe("typescript,python,go,csharp,java,yaml,hcl");
  expect(overview).toContain("{{< /chooser >}}");
  for (const [, , fence, program] of tabs) {
    const shown = block(`docs/guides/other-languages.md ${fence} 1`);
    expect(program).toBe(shown.replace(/^plugins:\n(?: .*\n)+/m, ""));
  }
});

it("the installation lists every setting with its variable, and every SDK", () => {
  for (const [key, { defaultInfo }] of Object.entries<{ defaultInfo: { environment: string[] } }>(
    schema.config.variables,
  )) {
    expect(installation).toContain(`- \`slipway:${key}\` (environment: \`${defaultInfo.environment[0]}\`): `);
  }
  const { nodejs, python, go } = schema.language;
  for (const name of [nodejs.packageName, python.packageName, go.importBasePath]) {
    expect(installation).toContain(`\`${name}\``);
  }
  expect(installation).toContain(`--server ${schema.pluginDownloadURL}\n`);
});
