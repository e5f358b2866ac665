import { anchorOf } from "./pages.mjs";

/** The settings of the generator: see https://vitepress.dev/reference/site-config */
export const configuration = ({ base, outDir, sidebar }) => ({
  title: "Slipway",
  description: "Projects, domains, variables and promotions, declared with Pulumi.",
  lang: "en",
  base,
  outDir,
  // The pages as Markdown.
  srcExclude: ["public/**"],
  lastUpdated: false,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
  // The anchors are the same as on GitHub, so that links work on both.
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => markdown.core.ruler.push("empty-titles", emptyTitlesAreCells),
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      { text: "Begin", link: "/" },
      { text: "Resources and guides", link: "/docs/" },
      { text: "The server", link: "/docs/server" },
      { text: "Examples", link: "/examples/" },
    ],
    sidebar,
  },
});

/** Replaces empty headings of table columns by cells, because screen readers would read them out. */
function emptyTitlesAreCells({ tokens }) {
  tokens.forEach((token, at) => {
    if (token.type !== "th_open" || tokens[at + 1]?.content !== "") return;
    for (const part of tokens.slice(at, at + 3)) if (part.tag === "th") part.tag = "td";
  });
}
