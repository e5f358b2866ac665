import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { built } from "./dist";
import type { Stack } from "./pulumi";
import { root } from "./server";

const run = promisify(execFile);

export type Language = keyof typeof languages;

interface Driver {
  /** The file that holds the program. */
  main: string;
  /** As `pulumi package gen-sdk` and set-up call it; undefined where there is no SDK. */
  sdk?: "python" | "go" | "nodejs";
  /** Has the program find its SDK. */
  link?(folder: string): Promise<void>;
}

/** True if the language plugin of HCL is on PATH. Set-up cannot build it. */
export const hasHcl = (process.env.PATH ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "pulumi-language-hcl")));

/** How a program in each language finds the SDK that was made of the plugin. `pulumi package add` does it with the vendor's hosts. */
export const languages = {
  yaml: { main: "Pulumi.yaml" },
  hcl: { main: "main.tf" },
  python: {
    main: "__main__.py",
    sdk: "python",
    async link(folder) {
      const wanted = join(folder, "requirements.txt");
      const others = readFileSync(wanted, "utf8").split("\n");
      writeFileSync(
        wanted,
        [...others.filter((line) => !line.includes("sdks/")), "./sdks/python"].join("\n"),
      );
      await run("python3", ["-m", "venv", "venv"], { cwd: folder });
      await run("venv/bin/pip", ["install", "--quiet", "--requirement", "requirements.txt"], { cwd: folder });
    },
  },
  go: {
    main: "main.go",
    sdk: "go",
    async link(folder) {
      const module = "github.com/your-organization/slipway/sdk/go";
      await run("go", ["mod", "edit", "-require", `${module}@v0.0.0`, "-replace", `${module}=./sdks/go`], {
        cwd: folder,
      });
      await run("go", ["mod", "tidy"], { cwd: folder });
    },
  },
  typescript: {
    main: "index.ts",
    sdk: "nodejs",
    async link(folder) {
      const sdk = join(folder, "sdks/nodejs");
      const modules = join(folder, "node_modules");
      mkdirSync(join(modules, "@slipway"), { recursive: true });
      symlinkSync(sdk, join(modules, "@slipway/pulumi"));
      for (const name of ["@pulumi", "@types", "typescript"]) {
        symlinkSync(join(root, "node_modules", name), join(modules, name));
      }
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      await run(process.execPath, [tsc, "--project", sdk, "--ignoreDeprecations", "6.0"], { cwd: sdk });
      cpSync(join(sdk, "package.json"), join(sdk, "bin/package.json"));
    },
  },
} satisfies Record<string, Driver>;

/** Has the CLI find the plugin of this clone, and the program in this folder its SDK. */
export async function usePlugin(stack: Stack, language: Language): Promise<void> {
  const { sdk, link }: Driver = languages[language];
  const manifest = join(stack.folder, "Pulumi.yaml");
  const lines = readFileSync(manifest, "utf8").replace(/^(packages|plugins):\n( .*\n)+/gm, "");
  writeFileSync(
    manifest,
    lines.replace("\n", `\nplugins: { providers: [{ name: slipway, path: ${built("plugin")} }] }\n`),
  );
  if (!sdk || !link) return;
  rmSync(join(stack.folder, "sdks"), { recursive: true, force: true });
  const made = await stack.cli(["package", "gen-sdk", built("plugin"), "--language", sdk, "--out", "sdks"]);
  if (made.code !== 0) throw new Error(made.output);
  await link(stack.folder);
}

/** Takes the place of the program; in YAML, what stands beside the manifest's own lines. */
export function replaceProgram(stack: Stack, language: Language, text: string): void {
  const { main } = languages[language];
  const file = join(stack.folder, main);
  const kept = language === "yaml" ? readFileSync(file, "utf8").replace(/^config:[\s\S]*/m, "") : "";
  writeFileSync(file, kept + text);
}
