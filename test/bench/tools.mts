import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { progress } from "./report.mts";

/**
 * Packages that only the bench needs: the peers that it measures, and the library that draws its plots. They are
 * installed into a folder of their own, so that nobody who uses or develops Slipway gets them.
 */
export const versions = { emulate: "0.12.2", "@stoplight/prism-cli": "5.16.0", echarts: "6.1.0" };

export const home = path.join(import.meta.dirname, "../../.slipway/bench");

/** Modules in that folder which hand on the packages that offer themselves to modules only. */
export const moduleOf = { emulate: path.join(home, "emulate.mjs"), echarts: path.join(home, "echarts.mjs") };

let installed = false;

export function installTools(): void {
  if (installed) return;
  installed = true;
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, "package.json"), JSON.stringify({ private: true, dependencies: versions }));
  for (const [name, file] of Object.entries(moduleOf)) writeFileSync(file, `export * from "${name}";\n`);
  progress(`installing ${Object.keys(versions).join(", ")}`);
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: home,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm could not install what the bench needs into ${home}:\n${stderr}`);
}
