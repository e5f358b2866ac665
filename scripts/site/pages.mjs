import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isOfRegistry } from "../setup/names.mjs";
import { root } from "../setup/paths.mjs";
import { operationsPage } from "./operations.mjs";

/** The pages of the repository for the generator. The README of a folder is its index, and each example is a page. */

const atRoot = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
const here = join(root, "scripts/site");

/**
 * Writes the pages and the configuration of the generator into `folder`.
 * @param {string} folder
 * @param {{ base: string, output: string }} options where the site is served and written
 */
export async function writePages(folder, { base, output }) {
  rmSync(folder, { recursive: true, force: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const pages = [
    ...atRoot,
    ...filesUnder("docs", ".md").filter((page) => !isOfRegistry(page)),
    "examples/README.md",
  ];
  /** Writes a page, which the site also has as it is written here. */
  const writePage = (path, text) => {
    write(path, text);
    write(`public/${path}`, text);
  };
  for (const page of pages) writePage(outputPathOf(page), withLinks(page, textOf(page)));
  for (const name of examples()) writePage(`examples/${name}/index.md`, examplePage(name));
  const { page, description } = await operationsPage();
  writePage("docs/operations.md", page);
  write("public/openapi.json", description);
  write("public/llms.txt", llmsText(base));
  for (const pages of [folder, join(folder, "public")])
    cpSync(join(root, "docs/pictures"), join(pages, "docs/pictures"), { recursive: true });
  cpSync(join(root, "server/dashboard/app/icon.svg"), join(folder, "public/icon.svg"));
  cpSync(join(root, "docs/schemas"), join(folder, "public/docs/schemas"), { recursive: true });
  const settings = { base, outDir: output, sidebar: sidebar() };
  write(
    ".vitepress/config.mjs",
    `import { configuration } from ${JSON.stringify(join(here, "config.mjs"))};\nexport default configuration(${JSON.stringify(settings)});\n`,
  );
  cpSync(join(here, "theme"), join(folder, ".vitepress/theme"), { recursive: true });
}

/** llms.txt with the addresses of the pages on the site, as Markdown. */
const llmsText = (base) =>
  readFileSync(join(root, "llms.txt"), "utf8").replace(/\]\((?!https?:)([^)]+)\)/g, (_, path) => {
    const page = outputPathOf(path).replace(/^(examples\/[\w-]+)\/?$/, "$1/index.md");
    return `](${base}${page})`;
  });

/** The text of a page. The list of examples also shows the seed file that the examples need on a server. */
const textOf = (page) =>
  readFileSync(join(root, page), "utf8") +
  (page === "examples/README.md" ? `\n${section("seed.yaml", "examples/seed.yaml")}` : "");

const filesUnder = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name).split(sep).join("/"))
    .sort();

const outputPathOf = (page) => page.replace(/README\.md$/, "index.md");

const examples = () =>
  readdirSync(join(root, "examples")).filter((name) => statSync(join(root, "examples", name)).isDirectory());

/**
 * A page's text. Links to folders and to files of examples become links to the pages that show them.
 * @param at the folder of the page that shows the text, if this page is not `page`
 */
function withLinks(page, text, at = dirname(page)) {
  return text.replace(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (link, path, anchor = "") => {
    if (/^[a-z]+:/.test(path)) return link;
    const target = relative(root, join(root, dirname(page), path))
      .split(sep)
      .join("/");
    const [file = "", heading = ""] = outputPathOfLink(target).split("#");
    const way = relative(at, file).split(sep).join("/");
    return `](${way.startsWith(".") ? way : `./${way}`}${heading === "" ? anchor : `#${heading}`})`;
  });
}

/** The page and anchor on the site for the target of a link in the repository. */
function outputPathOfLink(target) {
  if (target.endsWith("README.md")) return outputPathOf(target);
  const [, name, file] = /^examples\/([^/]+)(?:\/(.+))?$/.exec(target) ?? [];
  if (target === "examples") return "examples/index.md";
  if (target === "docs") return "docs/index.md";
  if (name === "seed.yaml") return `examples/index.md#${anchorOf(name)}`;
  if (name === undefined) return target;
  return `examples/${name}/index.md${file === undefined ? "" : `#${anchorOf(file)}`}`;
}

/** The anchor of a heading, as on GitHub. */
export const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const languages = { ts: "ts", js: "js", yml: "yaml", yaml: "yaml", json: "json", Dockerfile: "docker" };

/** The page of an example, file by file. The description comes from the list of examples. */
function examplePage(name) {
  const list = readFileSync(join(root, "examples/README.md"), "utf8");
  const [, about = ""] = new RegExp(`^\\| \\[${name}\\]\\(.*?\\) *\\| (.*?) *\\|$`, "m").exec(list) ?? [];
  const files = filesUnder(`examples/${name}`, "")
    .filter((file) => statSync(join(root, file)).isFile())
    .filter((file) => !/(^|\/)(node_modules|Pulumi\.[^/]+\.yaml)(\/|$)/.test(file));
  const first = (file) => (/\/(index\.ts|Pulumi\.yaml)$/.test(file) ? 0 : 1);
  const sections = files
    .sort((a, b) => first(a) - first(b) || a.localeCompare(b))
    .map((file) => section(file.slice(`examples/${name}/`.length), file));
  return `# ${name}\n\n${withLinks("examples/README.md", sentence(about), `examples/${name}`)}\n\n${sections.join("\n")}`;
}

const sentence = (text) => (text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}.`);

const section = (title, file) =>
  `## ${title}\n\n\`\`\`${languages[file.split(/[./]/).at(-1)] ?? "txt"}\n${readFileSync(join(root, file), "utf8").trimEnd()}\n\`\`\`\n`;

/** The sidebar: the lists of docs/README.md and examples/README.md, in the order of these pages. */
function sidebar() {
  const lists = (page) =>
    readFileSync(join(root, page), "utf8")
      .split(/^## /m)
      .map((part) => ({
        text: part.slice(0, part.indexOf("\n")),
        items: [...part.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(([, text, link]) => ({ text, link })),
      }));
  const docs = lists("docs/README.md").filter(({ items }) => items.length > 0);
  const [{ items: programs }] = lists("examples/README.md");
  return [
    {
      text: "Begin",
      items: [
        { text: "Slipway", link: "/" },
        { text: "All documents", link: "/docs/" },
      ],
    },
    ...docs.map(({ text, items }) => ({
      text,
      items: items.map(({ text: name, link }) => ({
        text: name,
        link: `/docs/${link.replace(/\.md$/, "")}`,
      })),
    })),
    {
      text: "The server",
      items: [
        { text: "The reference server", link: "/docs/server" },
        { text: "Coverage of the API", link: "/docs/coverage" },
        { text: "The slipway command", link: "/docs/cli" },
        { text: "Operations", link: "/docs/operations" },
        { text: "Benchmarks", link: "/docs/benchmarks" },
        { text: "Scale", link: "/docs/scale" },
        { text: "The specification", link: "/docs/specification/" },
        { text: "Decisions", link: "/docs/decisions/" },
      ],
    },
    {
      text: "Examples",
      collapsed: true,
      items: [
        { text: "All examples", link: "/examples/" },
        ...programs.map(({ text, link }) => ({ text, link: `/examples/${link}/` })),
      ],
    },
    {
      text: "The project",
      items: [
        { text: "Changes", link: "/CHANGELOG" },
        { text: "Security", link: "/SECURITY" },
        { text: "Working on Slipway", link: "/CONTRIBUTING" },
      ],
    },
  ];
}
