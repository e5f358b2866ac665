import { readFileSync } from "node:fs";
import path from "node:path";

/** The version in this package's package.json, which is in a folder above this file, built or not. */
export function packageVersion(): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      if (name === "slipway") return version;
    } catch {
      // There is no package.json in this folder, so look in the one above.
    }
    if (folder === path.dirname(folder)) return "unknown";
  }
}
