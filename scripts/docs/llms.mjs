import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/**
 * The list of the documentation for language models, in the form of https://llmstxt.org: the links of docs/README.md and
 * of the examples with their descriptions.
 * @param {string} root
 */
export function llmsText(root) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, , summary = ""] = readme.split("\n\n", 3).map(plain);
  const parts = [
    ...sectionsOf(root, "docs/README.md"),
    ...sectionsOf(root, "examples/README.md").map(([, links]) => ["Examples", links]),
  ];
  return [
    "# Slipway",
    `> ${plain(readme.split("\n\n")[1])}`,
    summary,
    "Programs import from `slipway` in TypeScript, and from a generated SDK in other languages. `npx slipway serve` starts the API on this machine, with the token `slipway-dev-token` and the team `acme`.",
    `## Start\n\n- [README](README.md): first run, a program, configuration, limitations`,
    ...parts.map(([title, links]) => {
      const all = title === "Resources" ? [...links, ...otherResources(root, links)] : links;
      return `## ${title}\n\n${all.join("\n")}`;
    }),
    `## Optional\n\n- [Changelog](CHANGELOG.md)\n- [Security](SECURITY.md)`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** The sections of a page that list other pages, in tables or lists. */
function sectionsOf(root, page) {
  const text = readFileSync(join(root, page), "utf8");
  return text
    .split(/^##? /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), linksIn(section, dirname(page))])
    .filter(([, links]) => links.length > 0);
}

/** The pages of docs/resources/ that the table does not list, with their first sentence. */
function otherResources(root, links) {
  return readdirSync(join(root, "docs/resources"))
    .sort()
    .map((name) => `docs/resources/${name}`)
    .filter((page) => !links.some((link) => link.includes(`(${page})`)))
    .map((page) => {
      const [title, first = ""] = readFileSync(join(root, page), "utf8").split("\n\n");
      return `- [${title.replace(/^# /, "")}](${page}): ${plain(first).split(/(?<=\.) /)[0]}`;
    });
}

function linksIn(section, folder) {
  return [...section.matchAll(/^(?:\| |- )\[(.+?)\]\(([^)#]+)\)(?: *\| *|: )(.*?) *\|?$/gm)].map(
    ([, name, target, about]) => `- [${name}](${posix.join(folder, target)}): ${plain(about)}`,
  );
}

/** Markdown without links, which would be relative to another folder. */
const plain = (text) => text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").trim();
