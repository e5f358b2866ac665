import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/server";

/** `@source` in a comment, up to the end of its line. */
const source = /@source ([^\n]*?)(?: \*\/)?$/gm;
const page = (name: string): string => readFileSync(join(root, "docs/specification", name), "utf8");
const titlesOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (?:\d+\. )?(.+)$/gm)].map(([, title = ""]) => title);

const api = page("api.md");
const titles = titlesOf(api);
const sections = [...page("wire-shapes.md").matchAll(/^## (\d+)\. /gm)].map(([, number]) => number);

/** Files outside of the repository that name themselves. */
const outside = [
  /^RFC \d+/,
  /^[\w-]+\/[\w-]+#\d+/,
  /^the (API.s|newest) official client/,
  /^the (official command line|Terraform provider)\b/,
  /^recorded answers of the hosted API\b/,
  /^deploy actions\b/,
  /^the public (API[,: ]|documentation of the service)/,
  /^the documentation of `vercel\.json`$/,
  /^the shape is the one that/,
  /^24\.x is newer/,
];

function leadsSomewhere(part: string): boolean {
  const text = part.trim();
  if (outside.some((pattern) => pattern.test(text))) return true;
  const shapes = /^wire-shapes((?:[ ,]|and|\d|\.)*)/.exec(text)?.[1];
  if (shapes !== undefined) {
    return [...shapes.matchAll(/\b(\d+)(?:\.\d+)?/g)].every(([, number]) => sections.includes(number));
  }
  const endpoint = /\b(?:GET|POST|PATCH|DELETE) \/\S+/.exec(text)?.[0].replace(/[,.;]$/, "");
  if (endpoint !== undefined) return api.includes(endpoint);
  return titles.some((title) => text.startsWith(title)) || / and PATCH projects/.test(text);
}

const files = ["cli", "provider", "sdk", "server"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
);

it.each(files)("leads from each @source of %s to a heading of docs/specification", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const parts = [...text.matchAll(source)].flatMap(([, line = ""]) => line.split(/; (?!`)/));
  expect(parts.filter((part) => !leadsSomewhere(part))).toEqual([]);
});

it("says at the top of each long file why it is longer than others", () => {
  const sources = ["cli", "provider", "scripts", "sdk", "server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(css|cjs|mjs|ts|tsx)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const generated = ["classes.ts", "types.ts"].map((name) => join("sdk", name));
  const written = sources.filter((file) => !generated.includes(file));
  const long = written.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 301);
  const silent = long.filter(
    (file) => !/^\/[/*] Longer than other files: \w/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(long).not.toEqual([]);
  expect(silent).toEqual([]);
});

it("tells a heading that is not there", () => {
  expect(leadsSomewhere("Projects, POST /v10/projects, 409")).toBe(true);
  expect(leadsSomewhere("wire-shapes 4, identity for conflicts")).toBe(true);
  expect(leadsSomewhere("wire-shapes 40")).toBe(false);
  expect(leadsSomewhere("Chapter of nothing")).toBe(false);
  expect(leadsSomewhere("Projects, POST /v10/nothing")).toBe(false);
});
