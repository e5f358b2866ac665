import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pagesUnder } from "./links";
import { root } from "./server";

/** Every page that a reader of the repository gets to see, relative to its root. */
export const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesUnder(root, "docs"),
  ...pagesUnder(root, "examples"),
];

export const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

export interface Block {
  /** Page, language and place among the page's blocks of that language: `README.md sh 1`. */
  id: string;
  page: string;
  /** As the fence names it; `text` without a name. */
  language: string;
  text: string;
}

/** The code blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const seen = new Map<string, number>();
  return [...textOf(page).matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, name, text = ""]) => {
    const language = name || "text";
    const place = (seen.get(language) ?? 0) + 1;
    seen.set(language, place);
    return { id: `${page} ${language} ${place}`, page, language, text };
  });
}

/** The text of one block, by its id. */
export function block(id: string): string {
  const page = id.slice(0, id.indexOf(" "));
  const found = blocksOf(page).find((one) => one.id === id);
  if (!found) throw new Error(`no page has the block ${id}`);
  return found.text;
}

/** An output as a page shows it: what stands between the marks `…` is said, in this order. */
export function asShown(text: string): RegExp {
  const parts = text.trim().split(/\s*…\s*/);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"));
  return new RegExp(escaped.join("[\\s\\S]*?"));
}
