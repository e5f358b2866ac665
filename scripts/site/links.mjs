import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Dead links, pictures and scripts of the built pages, as `page: link`. Links to other hosts are not checked. */
export function brokenLinksOf(site, base) {
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".html"),
  );
  const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), "utf8")]));
  const isThere = (page, link) => {
    const [path = "", anchor = ""] = decodeURI(link).split("#");
    const from = `${base}${page.replaceAll("\\", "/")}`;
    const resolved = posix.resolve(posix.dirname(from), path);
    const folder = `${resolved}/`.replace("//", "/");
    const target = path === "" ? from : path.endsWith("/") ? folder : resolved;
    if (!target.startsWith(base)) return false;
    const file = target.slice(base.length).replace(/(^|\/)$/, "$1index.html");
    if (!existsSync(join(site, file))) return false;
    return anchor === "" || !file.endsWith(".html") || (texts.get(file) ?? "").includes(`id="${anchor}"`);
  };
  return pages.flatMap((page) => {
    const links = [...(texts.get(page) ?? "").matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link]) => link);
    const local = links.filter((link) => !/^([a-z]+:|\/\/)/.test(link));
    return [...new Set(local)].filter((link) => !isThere(page, link)).map((link) => `${page}: ${link}`);
  });
}
