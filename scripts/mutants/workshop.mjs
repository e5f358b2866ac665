import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";

const copied = ["cli", "provider", "sdk", "server", "test", "scripts", "docs", "dist"];
const settings = ["jest.config.cjs", "package.json", "tsconfig.json", "Pulumi.yaml"];
const jest = join(root, "node_modules/jest/bin/jest.js");

/** A copy of the tree in which sources are broken on purpose. */
export class Workshop {
  #folder = mkdtempSync(join(tmpdir(), "slipway-mutants-"));

  constructor() {
    for (const path of [...copied, ...settings])
      cpSync(join(root, path), join(this.#folder, path), { recursive: true });
    // The package under its own name is this copy; everything else is shared.
    const packages = join(this.#folder, "node_modules");
    mkdirSync(packages);
    for (const name of readdirSync(join(root, "node_modules"))) {
      symlinkSync(name === "slipway" ? ".." : join(root, "node_modules", name), join(packages, name), "dir");
    }
  }

  /** @returns {string} the path of a file in the copy */
  path(file) {
    return join(this.#folder, file);
  }

  close() {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs a step with a fault in place, in the source and in what it compiles to. */
  async withFault({ file, from, to, replacement }, step) {
    const source = readFileSync(this.path(file), "utf8");
    const broken = source.slice(0, from) + replacement + source.slice(to);
    // Processes of Pulumi load the compiled provider; the server is compiled to one bundle, which no mutant is in.
    const compiled = file.startsWith("server/")
      ? undefined
      : this.path(`dist/${file.replace(/\.ts$/, ".js")}`);
    const before = compiled && readFileSync(compiled, "utf8");
    try {
      writeFileSync(this.path(file), broken);
      if (compiled) writeFileSync(compiled, transformSync(broken, { loader: "ts", format: "cjs" }).code);
      return await step();
    } finally {
      writeFileSync(this.path(file), source);
      if (compiled) writeFileSync(compiled, before);
    }
  }

  /** @returns what the tests said, and whether all passed or they came to no end */
  jest(args, timeoutMs, environment = {}) {
    const flags = ["--rootDir", this.#folder, "--selectProjects", "slipway", "--silent", "--no-color"];
    const env = { ...process.env, ...environment };
    return run(process.execPath, [jest, ...args, ...flags], { cwd: this.#folder, env, timeoutMs });
  }

  /** @returns whether the copy passes the type checker */
  async passesTypes() {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { code } = await run(process.execPath, [tsc, "-p", "tsconfig.json"], {
      cwd: this.#folder,
      env: process.env,
    });
    return code === 0;
  }
}
