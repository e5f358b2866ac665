import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./command.mjs";
import { writeJson } from "./setup/json.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run terraform -- <folder of the Terraform provider> <its version>

Reads the resources of Vercel's Terraform provider and their attributes from its folder docs/, and writes them into
scripts/docs/terraform.json. Then say in scripts/docs/terraform.mjs which input of Slipway corresponds to a new attribute,
and run \`npm run docs\`.`;

await command({
  usage,
  needs: [],
  async run([folder, version]) {
    if (!folder || !version) throw new CommandError("Give the folder of the provider and its version.");
    const pages = (kind) =>
      readdirSync(join(folder, "docs", kind))
        .filter((name) => name.endsWith(".md"))
        .sort();
    const provider = {
      version,
      /** The attributes of each resource, by path. */
      resources: Object.fromEntries(
        pages("resources").map((name) => [
          nameOf(name),
          attributesOf(readFileSync(join(folder, "docs/resources", name), "utf8")),
        ]),
      ),
      dataSources: pages("data-sources").map(nameOf),
    };
    writeJson("scripts/docs/terraform.json", provider);
    return 0;
  },
});

function nameOf(page) {
  return `vercel_${page.replace(/\.md$/, "")}`;
}

/** The attributes of a generated page. Those in a nested schema have the path of this schema before their name. */
function attributesOf(page) {
  const found = [];
  let path = "";
  for (const line of (page.split("\n## Schema")[1] ?? "").split("\n")) {
    const [, nested] = /^### Nested Schema for `(.+)`/.exec(line) ?? [];
    if (nested) path = `${nested}.`;
    const [, attribute] = /^- `(\w+)` \(/.exec(line) ?? [];
    if (attribute) found.push(path + attribute);
  }
  return found.sort();
}
