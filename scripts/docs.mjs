import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { command } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run docs [-- --check]

Writes the tables of docs/ anew: fields of resources from their schemas, arguments and answers of look-ups from
their types. What stands between the lines <!-- docs: … --> and <!-- end --> is written by it, the rest by hand.

  --check  writes nothing; fails when a page is not current`;

const begin = /^<!-- docs: (\S+) (.*) -->$/;
const end = "<!-- end -->";

await command({
  usage,
  flags: ["--check"],
  needs: ["dist"],
  async run(args) {
    const check = args.includes("--check");
    const tables = await loadTables();
    const stale = pages().filter((page) => {
      const before = readFileSync(page, "utf8");
      const after = rewritten(before, page, tables);
      if (before !== after && !check) writeFileSync(page, after);
      return before !== after;
    });
    for (const page of stale) {
      console.error(`docs: ${page.slice(root.length + 1)} ${check ? "is not current" : "written"}`);
    }
    if (check && stale.length > 0) console.error("docs: run `npm run docs`");
    return check && stale.length > 0 ? 1 : 0;
  },
});

function pages() {
  return readdirSync(join(root, "docs"), { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "docs", name));
}

function rewritten(text, page, tables) {
  const lines = [];
  let skipping = false;
  for (const line of text.split("\n")) {
    if (line === end) skipping = false;
    if (!skipping) lines.push(line);
    const [, kind, rest] = begin.exec(line) ?? [];
    if (kind === undefined) continue;
    if (!tables[kind]) throw new Error(`${page}: there is no table ${kind}`);
    lines.push("", ...tables[kind](...rest.split(" ")), "");
    skipping = true;
  }
  if (skipping) throw new Error(`${page}: ${end} is missing`);
  return lines.join("\n");
}

async function loadTables() {
  const { interfaceMembers, schemaDescriptions } = await import("./setup/descriptions.mjs");
  const { fieldsOf, listsOf, table, typeText } = await import("./docs/fields.mjs");
  const require = createRequire(import.meta.url);
  const { z } = require("zod");

  /** The definition of a resource, with its schemas as JSON Schema and the descriptions of its keys. */
  const load = (file) => {
    const exported = Object.values(require(join(root, `dist/provider/resources/${file}.js`)));
    const resource = exported.find((one) => one?.type !== undefined && one.inputs !== undefined);
    const source = join(root, `provider/resources/${file}.ts`);
    const schema = (of, io) => z.toJSONSchema(of, { io, unrepresentable: "any", reused: "inline" });
    return {
      ...resource,
      inputs: schema(resource.inputs, "input"),
      outputs: schema(resource.outputs, "output"),
      about: { inputs: schemaDescriptions(source, "inputs"), outputs: schemaDescriptions(source, "outputs") },
    };
  };

  return {
    /** Inputs of a resource. */
    inputs(file) {
      const resource = load(file);
      return [
        "An input that leaves the program goes back to its default; one without a default stays as it is.",
        "",
        ...table(["input", "type", "", "default"], fieldsOf(resource, "inputs")),
      ];
    },
    /** Outputs of a resource, beside its id and its inputs. */
    outputs(file) {
      return table(["output", "type", ""], fieldsOf(load(file), "outputs"));
    },
    /** Values of inputs that are too many for a table. */
    lists(file) {
      return listsOf(load(file).inputs);
    },
    /** Members of an interface. */
    members(file, name) {
      const members = interfaceMembers(join(root, file), name);
      const rows = members.map((member) => [
        `\`${member.name}\``,
        typeText(member.type),
        member.text ?? "",
        member.optional ? "" : "yes",
      ]);
      const required = rows.some(([, , , required]) => required === "");
      return required
        ? table(["", "type", "", "required"], rows)
        : table(
            ["", "type", ""],
            rows.map((row) => row.slice(0, 3)),
          );
    },
  };
}
