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

/**
 * The skill with which a coding agent writes programs with Slipway: the rules and the commands of docs/guides/agents.md,
 * and the pages of the resources and guides. The npm package contains it.
 * @param {string} root
 */
export function skillText(root) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const guide = readFileSync(join(root, "docs/guides/agents.md"), "utf8");
  const commands = firstBlock(guide, "bash");
  const told = firstBlock(guide, "text");
  const rules = told.slice(told.indexOf("\n- ") + 1);
  const parts = sectionsOf(root, "docs/README.md").filter(([, links]) =>
    links.some((link) => link.includes("(docs/")),
  );
  return [
    `---\nname: slipway\ndescription: Declare Vercel projects, domains, environment variables, deployments and promotions with Pulumi and Slipway, and try changes on the bundled API server. For repositories whose programs import slipway or declare slipway resources.\n---`,
    "# Slipway",
    plain(readme.split("\n\n")[1]),
    `## Rules\n\n${rules.trim()}`,
    `## Start the bundled server\n\n\`\`\`bash\n${commands.trim()}\n\`\`\``,
    ...parts.map(([title, links]) => `## ${title}\n\n${links.map(fromSkill).join("\n")}`),
  ]
    .join("\n\n")
    .concat("\n");
}

function firstBlock(guide, language) {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(guide) ?? [];
  if (!text?.trim()) throw new Error(`docs/guides/agents.md has no block of ${language}`);
  return text;
}

/** A link as a path in the repository of the user, which holds wherever the skill is copied. */
const fromSkill = (link) => link.replace(/\[(.+?)\]\((.+?)\)/, "$1 (`node_modules/slipway/$2`)");

/**
 * The instructions for coding agents that change this repository: the sections of CONTRIBUTING.md.
 * @param {string} root
 */
export function agentsText(root) {
  const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const sections = [...contributing.matchAll(/^## (.+)$/gm)].map(
    ([, title]) => `- [${title}](CONTRIBUTING.md#${title.toLowerCase().replaceAll(" ", "-")})`,
  );
  return [
    "# Instructions for coding agents",
    "These instructions are for changes of this repository. To write programs with Slipway, read [the skill](skills/slipway/SKILL.md) and [llms.txt](llms.txt).",
    "Run `npm run check` before each commit, and the tests near the change, such as `npm test -- test/server/domains`. `npm run docs` writes all generated files, among them this one. Never edit a generated file or the lines between `<!-- docs: … -->` and `<!-- end -->` by hand.",
    `Read the section of CONTRIBUTING.md that the change needs:\n\n${sections.join("\n")}`,
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
