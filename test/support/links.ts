import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The pages below a folder, relative to `root`, without those of Pulumi's registry. */
export function pagesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        name.endsWith(".md") && !/node_modules|(^|\/)(_index|installation-configuration)\.md$/.test(name),
    )
    .map((name) => join(folder, name))
    .sort();
}

/** The place in a page that a heading can be reached by. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Links and pictures of pages that lead nowhere below `root`, as `page: link`. */
export function brokenLinks(root: string, pages: string[]): string[] {
  const textOf = (page: string): string => readFileSync(join(root, page), "utf8");
  const leads = (page: string, link: string): boolean => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return false;
    if (anchor === undefined) return true;
    if (!statSync(join(root, target)).isFile()) return false;
    const headings = [...textOf(target).matchAll(/^#+ (.*)$/gm)];
    return headings.some(([, heading = ""]) => anchorOf(heading) === anchor);
  };
  return pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^https?:/.test(link) && !leads(page, link))
      .map((link) => `${page}: ${link}`),
  );
}
