// Longer than other files: the list of all tables and blocks that are generated.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { command } from "./command.mjs";
import { commandReference, commandRows, outputSchemas } from "./docs/commands.mjs";
import { cliRows, coverageSentence, sdkRows } from "./docs/coverage.mjs";
import { agentsText, llmsText, skillText } from "./docs/llms.mjs";
import { renamed } from "./docs/names.mjs";
import { registryPages } from "./docs/registry.mjs";
import { firstBlocks } from "./setup/code-blocks.mjs";
import { buildDist } from "./setup/dist.mjs";
import { isOfRegistry } from "./setup/names.mjs";
import { root } from "./setup/paths.mjs";

const require = createRequire(import.meta.url);

const usage = `npm run docs [-- --check | --programs]

Generates the tables of README.md and docs/ between the lines <!-- docs: … --> and <!-- end -->, the types and exports of sdk/, and
schema.json, llms.txt, AGENTS.md, the skill for coding agents, the pages of Pulumi's registry and the JSON Schemas of docs/schemas, from the schemas of the
resources, the types of the look-ups, the options of \`slipway serve\`, the commands in cli/ and publishing.json.
If publishing.json changes a name, pages and examples get the new name too. If the YAML program of a resource's page
changes, the program is written in the other languages, for which Go and the plugins of \`pulumi convert\` for YAML and
HCL are needed.

  --check     writes nothing, and fails if a file is outdated
  --programs  writes the programs of all pages in the other languages`;

const typesFile = join(root, "sdk/types.ts");
const classesFile = join(root, "sdk/classes.ts");
const functionsFile = join(root, "sdk/functions.ts");
const schemaFile = join(root, "schema.json");
const languagesPage = join(root, "docs/guides/other-languages.md");

const begin = /^<!-- docs: (\S+)(.*) -->$/;
const end = "<!-- end -->";

await command({
  usage,
  flags: ["--check", "--programs"],
  needs: ["dist"],
  async run(args) {
    const check = args.includes("--check");
    const { programLines, writePrograms } = await import("./docs/programs.mjs");
    const { tables, types, classes, functions, schemas } = await load();
    const write = (file, after) => {
      const before = existsSync(file) ? readFileSync(file, "utf8") : "";
      if (before !== after && !check) writeFileSync(file, after);
      return before !== after;
    };
    const schema = readFileSync(join(root, "dist/plugin/schema.json"), "utf8");
    const rename = renaming(schema);
    const texts = new Map(pages().map((page) => [page, rename(readFileSync(page, "utf8"))]));
    const programTexts = check
      ? new Map()
      : await writePrograms([...texts.values()], { all: args.includes("--programs"), formatted });
    const blocks = (text) => ({ ...tables, programs: () => programLines(text, programTexts) });
    const stale = pages().filter((page) => {
      const text = texts.get(page);
      return write(page, rewritten(text, page, blocks(text)));
    });
    stale.push(...programs().filter((file) => write(file, rename(readFileSync(file, "utf8")))));
    if (write(schemaFile, schema)) stale.push(schemaFile);
    const forModels = { "llms.txt": llmsText, "AGENTS.md": agentsText, "skills/slipway/SKILL.md": skillText };
    for (const [name, textOf] of Object.entries(forModels))
      if (write(join(root, name), textOf(root))) stale.push(join(root, name));
    for (const [name, text] of Object.entries(registryPages(JSON.parse(schema), programsOf(languagesPage)))) {
      const file = join(root, "docs", name);
      if (write(file, text)) stale.push(file);
    }
    for (const [name, text] of Object.entries(schemas)) {
      const file = join(root, "docs/schemas", name);
      if (write(file, text)) stale.push(file);
    }
    stale.push(...removed(join(root, "docs/schemas"), Object.keys(schemas), check));
    if (write(typesFile, formatted(types))) stale.push(typesFile);
    if (write(classesFile, formatted(classes))) stale.push(classesFile);
    if (write(functionsFile, formatted(functions))) stale.push(functionsFile);
    for (const page of stale) {
      console.error(`docs: ${page.slice(root.length + 1)} ${check ? "is not current" : "written"}`);
    }
    if (check && stale.length > 0) console.error("docs: run `npm run docs`");
    // The types and classes are sources of dist/, and the examples of the pages are in its schema.
    if (!check) {
      await buildDist();
      writeFileSync(schemaFile, readFileSync(join(root, "dist/plugin/schema.json"), "utf8"));
    }
    return check && stale.length > 0 ? 1 : 0;
  },
});

/** Removes the files of a folder that are no longer generated; with `check`, only finds them. @returns their paths */
function removed(folder, expected, check) {
  const files = readdirSync(folder).filter((name) => !expected.includes(name));
  const paths = files.map((name) => join(folder, name));
  if (!check) for (const path of paths) rmSync(path);
  return paths;
}

function pages() {
  const names = readdirSync(join(root, "docs"), { recursive: true })
    .filter((name) => name.endsWith(".md") && !isOfRegistry(name))
    .map((name) => join("docs", name));
  return ["README.md", ...names].map((name) => join(root, name));
}

/** The first program of a page in each language. Without `plugins`, the YAML program uses the registry. */
function programsOf(page) {
  const blocks = Object.entries(firstBlocks(readFileSync(page, "utf8")));
  return Object.fromEntries(
    blocks.map(([language, text]) => [language, text.replace(/^plugins:\n(?: .*\n)+/m, "")]),
  );
}

/** Files that contain names of the SDKs, in addition to the pages. */
function programs() {
  return ["examples", "templates", "test/e2e/programs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter(
        (name) => /\.(go|mod|py|txt|yaml)$/.test(name) && !/(^|\/)(venv|sdks|node_modules)\//.test(name),
      )
      .map((name) => join(root, folder, name)),
  );
}

/** Returns a function that replaces the names of the committed schema in a text with the names of a new schema. */
function renaming(schema) {
  const [before, after] = [readFileSync(schemaFile, "utf8"), schema].map((text) => JSON.parse(text));
  return (text) => renamed(text, before, after);
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
    lines.push("", ...tables[kind](...rest.trim().split(" ")), "");
    skipping = true;
  }
  if (skipping) throw new Error(`${page}: ${end} is missing`);
  return lines.join("\n");
}

/** Formats a text with Biome, like the sources. */
function formatted(text) {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", "--stdin-file-path=sdk/types.ts"], {
    cwd: root,
    input: text,
    encoding: "utf8",
  });
}

async function load() {
  const descriptions = await import("./setup/descriptions.mjs");
  const { hasOwnClass, interfaceMembers, resourceComment, schemaDescriptions } = descriptions;
  const { fileOf, inWords } = await import("./setup/names.mjs");
  const { fieldsOf, listsOf, table, typeText } = await import("./docs/fields.mjs");
  const { classesOf, functionsOf, typesOf } = await import("./docs/sdk-types.mjs");
  const { dataSourceRows, terraformSections, terraformShare } = await import("./docs/terraform.mjs");
  const terraform = JSON.parse(readFileSync(join(root, "scripts/docs/terraform.json"), "utf8"));
  const { z } = require("zod");

  const { resources } = require(join(root, "dist/provider/resources"));
  /** The definition of a resource, with its schemas as JSON Schema and the descriptions of its keys. */
  const loadResource = (file) => {
    const resource = Object.values(resources).find(({ type }) => fileOf(type) === file);
    const source = join(root, `provider/resources/${file}.ts`);
    const schema = (of, io) => z.toJSONSchema(of, { io, unrepresentable: "any", reused: "inline" });
    return {
      ...resource,
      ...resource.traits,
      inputs: schema(resource.inputs, "input"),
      outputs: schema(resource.outputs, "output"),
      about: { inputs: schemaDescriptions(source, "inputs"), outputs: schemaDescriptions(source, "outputs") },
      supplied: resource.traits.autoName ? ["name"] : [],
    };
  };

  const { lookups } = require(join(root, "dist/provider/lookups"));
  const shapes = require(join(root, "dist/provider/lookups/shapes"));
  const { hiddenOf, lookupsById, withoutLookup } = require(join(root, "dist/provider/lookups/by-id"));
  const lookupTexts = descriptions.lookupTexts({});

  const core = require(join(root, "dist/cli/core/command"));
  const commands = require(join(root, "dist/cli/commands")).commands.map(({ name, load }) => ({
    name,
    declared: load(),
  }));

  const coverage = () => ({
    ...loadSource("server/coverage.ts"),
    clients: JSON.parse(readFileSync(join(root, "server/platform/operations.json"), "utf8")),
  });
  const tables = {
    /** The commands, each with its summary. */
    commands: () => table(["command", ""], commandRows(commands)),
    /** The risks of `slipway audit`. */
    risks() {
      const { risks } = require(join(root, "dist/cli/audit/risks"));
      const rows = Object.entries(risks).map(([name, { severity, about, hint }]) => [
        `\`${name}\``,
        severity,
        `${about}. ${hint}`,
      ]);
      return table(["risk", "severity", ""], rows);
    },
    /** The differences between the profiles of the server. */
    differences() {
      const { differences } = loadSource("server/platform/profile.ts");
      const rows = Object.entries(differences).map(([id, { specification, hosted, evidence }]) => [
        `\`${id}\``,
        specification,
        hosted,
        evidence.join(", "),
      ]);
      return table(["id", "specification", "hosted", "evidence"], rows);
    },
    /**
     * How many operations of the official clients the server serves.
     * @param folder the path from the page to docs/; without it, there is no link
     */
    coverage: (folder) => coverageSentence(coverage(), folder),
    /** The operations of the official SDK. */
    sdkOperations: () => table(["operation", "request", "served"], sdkRows(coverage())),
    /** The paths of the official command line. */
    cliPaths: () => table(["path", "served"], cliRows(coverage())),
    /** A section for each command. */
    commandReference: () => commandReference(commands, core),
    /**
     * The resources, each with the first sentence of its comment.
     * @param folder the path from the page to docs/
     */
    resources(folder = "") {
      const rows = Object.entries(resources).map(([constant, { type }]) => [
        `[${type}](${folder}resources/${fileOf(type)}.md)`,
        resourceComment(constant, type).split(/(?<=\.) /)[0],
      ]);
      return table(["", ""], rows);
    },
    /** The ids with which each resource is imported. */
    importIds() {
      return table(
        ["resource", "id"],
        Object.values(resources).map(({ type, importId }) => [`\`${type}\``, importId]),
      );
    },
    /** The scopes of each resource. */
    scopes() {
      const rows = Object.values(resources).map(({ type, scopes }) => [
        `\`${type}\``,
        scopes.map((scope) => `\`${scope}\``).join(", ") ||
          "not possible for an integration: use the token of a user",
      ]);
      return table(["declares", "scopes"], rows);
    },
    /** Inputs of a resource. */
    inputs(file) {
      const resource = loadResource(file);
      return [
        "If you remove an input from the program, the setting returns to the default of the input. If the input has no default, the setting keeps its value.",
        "",
        ...table(["input", "type", "", "default"], fieldsOf(resource, "inputs")),
      ];
    },
    /** Outputs of a resource, in addition to its id and its inputs. */
    outputs(file) {
      return table(["output", "type", ""], fieldsOf(loadResource(file), "outputs"));
    },
    /** Lists of input values that are too long for a table. */
    lists(file) {
      return listsOf(loadResource(file).inputs);
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
    /** The look-ups. */
    lookups() {
      const rows = Object.entries(lookups).map(([name, { result, list }]) => {
        const [shape] = Object.entries(shapes).find(([, each]) => each === result);
        const link = `[${shape}](#${shape.toLowerCase()})`;
        return [`\`${name}\``, list === undefined ? link : `list of ${link}`, lookupTexts.get(name)];
      });
      return table(["look-up", "returns", ""], rows);
    },
    /** The look-ups of resources by their ids, and why some resources have none. */
    lookupsById() {
      const rows = Object.entries(lookupsById).map(([name, { resource }]) => [
        `\`${name}\``,
        `[${resource.type}](${fileOf(resource.type)}.md)`,
        resource.importId,
        resource.traits.secret.map((key) => `\`${key}\``).join(", "),
      ]);
      const others = Object.entries(withoutLookup).map(
        ([type, reason]) => `- [${type}](${fileOf(type)}.md) has no look-up: ${reason}.`,
      );
      return [...table(["look-up", "resource", "`id`", "not in the answer"], rows), "", ...others];
    },
    /** The look-up of a resource by its id. */
    lookupById(file) {
      const name = `get${Object.values(resources).find(({ type }) => fileOf(type) === file).type}`;
      const text = lookupTexts.get(name);
      if (!lookupsById[name]) throw new Error(`There is no look-up by id ${name}.`);
      const link = `[\`${name}\`](lookups.md#look-ups-by-id)`;
      return [`The look-up ${link} ${text.charAt(0).toLowerCase()}${text.slice(1)}`];
    },
    /** Arguments or results of a look-up. */
    lookup(name, part) {
      const schema = z.toJSONSchema(lookups[name][part], {
        io: "output",
        unrepresentable: "any",
        reused: "inline",
      });
      const about = new Map(
        [...lookupTexts].flatMap(([path, text]) =>
          path.startsWith(`${name}.${part}.`) ? [[path.slice(`${name}.${part}.`.length), text]] : [],
        ),
      );
      const required = new Set(part === "args" ? schema.required : []);
      const fields = { about: { outputs: about }, outputs: schema, defaults: {}, replaceOn: [], secret: [] };
      const rows = fieldsOf(fields, "outputs").map(([key, type, text]) => [
        key,
        type,
        required.has(key.slice(1, -1)) ? `${text} Required.` : text,
      ]);
      return table(["", "type", ""], rows);
    },
    /** How many resources of Terraform's provider correspond to resources of Slipway. */
    terraformShare: () => terraformShare(terraform),
    /** The attributes of Terraform's resources, and the inputs that correspond to them. */
    terraformAttributes() {
      const schema = JSON.parse(readFileSync(join(root, "dist/plugin/schema.json"), "utf8"));
      return terraformSections(terraform, schema, table, fileOf);
    },
    /** The data sources of Terraform's provider, and the look-ups that correspond to them. */
    terraformDataSources() {
      const names = Object.keys({ ...lookups, ...lookupsById });
      return table(["data source", "in Slipway"], dataSourceRows(terraform, names));
    },
    /** The options of `slipway serve`. */
    serveOptions() {
      const { serveOptions: options, flagOf, variableOf } = loadSource("server/options.ts");
      const rows = Object.entries(options).map(([name, option]) => {
        const { value, choices, only, help } = option;
        const shown = option.shownDefault ?? (option.default === undefined ? "" : `\`${option.default}\``);
        const values = choices ? choices.join("\\|") : value && `<${value}>`;
        return [
          only === "variable" ? "" : `\`${[flagOf(name), values].filter(Boolean).join(" ")}\``,
          only === "flag" ? "" : `\`${variableOf(name)}\``,
          help,
          shown,
        ];
      });
      return table(["flag", "variable", "", "default"], rows);
    },
  };
  return {
    tables,
    schemas: outputSchemas(commands, z.toJSONSchema),
    functions: functionsOf(
      Object.fromEntries(
        Object.entries({ ...lookups, ...lookupsById }).map(([name, { resource }]) => [
          name,
          { about: lookupTexts.get(name), type: resource?.type, hidden: resource && hiddenOf(resource) },
        ]),
      ),
    ),
    classes: classesOf(
      Object.entries(resources).map(([constant, { type, importId }]) => ({
        type,
        constant,
        importId,
        file: fileOf(type),
        about: resourceComment(constant, type),
        hasOwnClass: hasOwnClass(type),
      })),
    ),
    types: typesOf(
      Object.values(resources).map(({ type }) => ({ ...loadResource(fileOf(type)), what: inWords(type) })),
    ),
  };
}

/** Loads a source that has no separate file in dist/. */
function loadSource(file) {
  const { outputFiles } = require("esbuild").buildSync({
    entryPoints: [join(root, file)],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "cjs",
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(module, module.exports, require);
  return module.exports;
}
