import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { firstBlocks } from "../setup/code-blocks.mjs";
import { programsMark as mark, programsOn } from "../setup/descriptions.mjs";
import { pathWithoutPackages, root } from "../setup/paths.mjs";
import { providePulumi } from "../setup/pulumi.mjs";
import { CommandError } from "../setup/run.mjs";
import { hclProgram } from "./hcl-program.mjs";
import { mendedJava } from "./java-program.mjs";

/**
 * The example on the page of a resource, in the languages of the plugin. Pulumi's generators write it from the page's
 * first YAML program. The block has a digest of that program, so that a program is written again only if it changes.
 */

/** The languages of the block, in the order of Pulumi's registry, by the languages of their code blocks. */
const titles = {
  typescript: "TypeScript, with the generated SDK",
  python: "Python",
  go: "Go",
  csharp: "C#",
  java: "Java",
  hcl: "HCL",
};

/** A digest of a program and of the languages in which it is written. */
const digestOf = (program) =>
  createHash("sha256").update(Object.keys(titles).join()).update(program).digest("hex").slice(0, 12);

/** @param {string} text a page @returns {string | undefined} the program of a page that has the block */
const sourceOf = (text) => (text.includes(mark) ? firstBlocks(text).yaml : undefined);

const isCurrent = (text) => text.includes(`<!-- from ${digestOf(sourceOf(text))} -->`);

/**
 * Writes the programs of pages.
 * @param {string[]} texts the pages
 * @param {{ all: boolean, formatted(text: string): string }} options `all` writes those too whose source has not
 * changed, and `formatted` formats TypeScript
 * @returns {Promise<Map<string, Record<string, string>>>} by the source: the program in each language
 * @throws CommandError without Go, or if a generator refuses a program
 */
export async function writePrograms(texts, { all, formatted }) {
  const schema = join(root, "dist/plugin/schema.json");
  const sources = texts.flatMap((text) => {
    const source = sourceOf(text);
    return source !== undefined && (all || !isCurrent(text)) ? [source] : [];
  });
  if (sources.length === 0) return new Map();
  const { status, stdout, stderr, error } = spawnSync("go", ["run", ".", schema], {
    cwd: join(root, "scripts/docs/programs"),
    env: { ...process.env, PATH: pathWithoutPackages().join(delimiter) },
    input: JSON.stringify(Object.fromEntries(sources.map((source) => [source, source]))),
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  if (error?.code === "ENOENT")
    throw new CommandError(
      "Go is not on PATH. It is needed to write the changed examples in other languages.",
    );
  if (status !== 0)
    throw new CommandError(`The examples cannot be written in other languages:\n${stderr.trim()}`);
  const description = JSON.parse(readFileSync(schema, "utf8"));
  const pulumi = await providePulumi();
  return new Map(
    Object.entries(JSON.parse(stdout)).map(([source, programs]) => {
      const all = { ...programs, hcl: hclProgram(source, pulumi) };
      const { typescript, ...others } = mended(source, all, description);
      return [source, { typescript: formatted(typescript), ...others }];
    }),
  );
}

/** The lines of the block on a page. @param written the result of `writePrograms` */
export function programLines(text, written) {
  const source = sourceOf(text);
  if (source === undefined) throw new CommandError(`A page has ${mark}, but no program in YAML before it.`);
  const programs = written.get(source) ?? programsOn(text);
  return [
    `<!-- from ${digestOf(source)} -->`,
    ...Object.entries(titles).flatMap(([language, title]) => [
      "",
      "<details>",
      `<summary>${title}</summary>`,
      "",
      `\`\`\`${language}`,
      ...linesIn(programs, language),
      "```",
      "",
      "</details>",
    ]),
  ];
}

function linesIn(programs, language) {
  if (!programs[language])
    throw new CommandError(`A page lacks its program in ${language}. Run: npm run docs -- --programs`);
  return programs[language].trimEnd().split("\n");
}

/** Mends what the generators get wrong. Each mend says why it is needed. */
function mended(source, programs, schema) {
  const settings = Object.entries(parse(source).config ?? {});
  const secrets = settings.filter(([, { secret }]) => secret === true).map(([key]) => key);
  return Object.fromEntries(
    Object.entries(programs).map(([language, program]) => [
      language,
      mends[language](
        secrets.reduce((text, key) => asSecret[language](text, key), program),
        source,
        schema,
      ),
    ]),
  );
}

/** The reading of a secret key of the configuration: the conversion from YAML loses that it is secret. */
const asSecret = {
  typescript: (text, key) => text.replace(`require("${key}")`, `requireSecret("${key}")`),
  python: (text, key) => text.replace(`require("${key}")`, `require_secret("${key}")`),
  go: (text, key) =>
    text
      .replace(`cfg.Require("${key}")`, `cfg.RequireSecret("${key}")`)
      .replace(`pulumi.String(pulumi.String(${key}))`, key),
  csharp: (text, key) => text.replace(`Require("${key}")`, `RequireSecret("${key}")`),
  java: (text, key) => text.replace(`config.get("${key}")`, `config.requireSecret("${key}")`),
  hcl(text, key) {
    const plain = `variable "${key}" {\n  type = string\n`;
    if (!text.includes(plain)) throw new CommandError(`The program in HCL lacks its variable ${key}.`);
    return text.replace(plain, `variable "${key}" {\n  type      = string\n  sensitive = true\n`);
  },
};

const mends = {
  typescript: (text) => text,
  python: (text) => text,
  csharp: (text) =>
    text
      .replace("using System.Linq;\n", "")
      .replace(/\(\) => \n/, "() =>\n")
      .replace(/\n\n\}\);/, "\n});"),
  go: (text, source) =>
    Object.keys(parse(source).variables ?? {})
      // The result of a look-up is no output.
      .reduce(
        (program, name) =>
          program.replace(
            new RegExp(`(ctx\\.Export\\("[^"]+", )(${name}\\.\\w+)\\)`, "g"),
            "$1pulumi.ToOutput($2))",
          ),
        text,
      )
      // A look-up beside a resource of the same name is called Lookup, and so are its arguments.
      .replace(
        /slipway\.Lookup(\w+)\(ctx, &slipway\.Get\1Args/g,
        "slipway.Lookup$1(ctx, &slipway.Lookup$1Args",
      )
      // The elements of a list of objects are inputs.
      .replace(
        /^(\t+)(\w+: *)\[\](slipway\.\w+)Args\{\n([\s\S]*?)\n\1\},\n/gm,
        (_, indent, member, type, items) => {
          const named = items.replace(new RegExp(`^${indent}\t\\{$`, "gm"), `${indent}\t&${type}Args{`);
          return `${indent}${member}[]${type}Input{\n${named}\n${indent}},\n`;
        },
      ),
  java: mendedJava,
  // The other languages name no version either.
  hcl: (text) => text.replace(/^( +source) +(= .+)\n +version += .+\n/m, "$1 $2\n"),
};
