import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/server";

const { renamed }: { renamed(text: string, before: object, after: object): string } =
  require("../../scripts/docs/names.mjs");

const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));

/** The committed schema as another publisher would have it. */
const others = {
  ...schema,
  repository: "https://github.com/acme/deploy",
  language: {
    nodejs: { packageName: "@acme/slipway" },
    python: { packageName: "acme_slipway" },
    go: { importBasePath: "github.com/acme/deploy/sdk/go/slipway" },
    csharp: { rootNamespace: "Acme" },
    java: { basePackage: "com.acme" },
  },
};

it.each([
  ["docs/guides/other-languages.md", ["@acme/slipway", "acme_slipway", "Acme.Slipway;", "com.acme.slipway."]],
  ["examples/go/main.go", ['"github.com/acme/deploy/sdk/go/slipway"']],
  ["examples/python/__main__.py", ["import acme_slipway as slipway"]],
])("renamed gives %s the names of another publisher, and back", (file, names) => {
  const text = readFileSync(join(root, file), "utf8");
  const changed = renamed(text, schema, others);
  for (const name of names) expect(changed).toContain(name);
  expect(changed).not.toMatch(/your-?organization/i);
  expect(renamed(changed, others, schema)).toBe(text);
});
