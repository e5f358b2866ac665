import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./paths.mjs";

/** The file next to a bundle with the licenses of its packages. */
export const licensesFile = "LICENSES.txt";

const heading = /^=== (\S+) (\S+): (.+)$/gm;

/**
 * The folders of the packages in a bundle.
 * @param {import("esbuild").Metafile} metafile
 */
export function packagesIn({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll("\\", "/")) ?? [];
      if (folder !== undefined && bytesInOutput > 0) folders.add(resolve(root, folder));
    }
  }
  return [...folders];
}

/** The licenses and notices of packages, as the text of a file. */
export function licensesOf(folders) {
  const about = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const sections = new Map();
  for (const folder of folders) {
    const { name, version, license } = about(folder);
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice)|\.LICENSE\.txt$/i.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim());
    if (texts.length === 0) texts.push(licenseInReadme(folder));
    sections.set(`${name} ${version}`, [`=== ${name} ${version}: ${license}`, ...texts].join("\n\n"));
  }
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  return `This bundle contains code of these packages, each under its own license.\n\n${sorted.join("\n\n")}\n`;
}

/** The text below the license heading of the README. Some packages have their license only there. */
function licenseInReadme(folder) {
  const file = readdirSync(folder).find((name) => /^readme/i.test(name));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
  return /^#+ *licen[cs]e\s*([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim() ?? "";
}

/** The bundled packages that a licenses file lists. */
export function bundledIn(text) {
  return [...text.matchAll(heading)].map(([, name, version, license]) => ({ name, version, license }));
}
