import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Stack } from "./pulumi";
import type { ReleaseHost } from "./release-host";
import { root } from "./server";

/** Containers that have nothing but what a test gives them, and programs that run there. */

export type Podman = (args: string[]) => Promise<{ output: string }>;
interface Containers {
  startPodman(folder: string): Promise<{ podman: Podman; clear(): Promise<void>; flags: string[] }>;
  limits: string[];
}
export const { startPodman, limits }: Containers = require("../../scripts/image/podman.mjs");
interface Images {
  importFiles(
    podman: Podman,
    folder: string,
    name: string,
    programs: Record<string, string>,
    libraries: string[],
  ): Promise<string>;
}
export const { importFiles }: Images = require("../../scripts/image/base.mjs");

/** The names of the SDKs. */
export const { language: names } = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));

const setup = join(root, "scripts/install.mjs");
export const provided = (what: string): string =>
  execFileSync(process.execPath, [setup, `--print-${what}`], { encoding: "utf8" }).trim();
export const cli = (): string => provided("pulumi");
export const languageHost = (language: string): Record<string, string> => {
  const folder = provided(language);
  const names = readdirSync(folder).filter((name) => name.startsWith(`pulumi-language-${language}`));
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
};

const yaml = `resources:
  web: { type: "slipway:Project", properties: { framework: nextjs } }
`;

export function writeYaml(stack: Stack): void {
  stack.file("Pulumi.yaml", `name: ${stack.name}\nruntime: yaml\n${yaml}`);
}

export function writePython(stack: Stack, host: ReleaseHost): void {
  stack.file(
    "Pulumi.yaml",
    `name: ${stack.name}\nruntime: { name: python, options: { toolchain: pip, virtualenv: venv } }\n`,
  );
  const module = names.python.packageName;
  stack.file("__main__.py", `import ${module} as slipway\nslipway.Project("web", framework="nextjs")\n`);
  execFileSync("python3", ["-m", "venv", "venv"], { cwd: stack.folder });
  execFileSync("venv/bin/pip", ["install", "--quiet", host.file(`${module}-`)], { cwd: stack.folder });
}

const python = (code: string): string => execFileSync("python3", ["-c", code], { encoding: "utf8" }).trim();

/** Where Python is installed on this machine. */
export const pythonPrefix = python("import sys; print(sys.base_prefix)");

/** The parts of the C library that few programs name, and packages of Python expect. */
export function restOfCLibrary(): string[] {
  const libraries = execFileSync("ldd", [process.execPath], { encoding: "utf8" });
  const folder = dirname(/\/\S+\/libc\.so\.6/.exec(libraries)?.[0] ?? "");
  const parts = readdirSync(folder).filter((name) =>
    /^lib(rt|util|resolv|nss_files|nss_dns)\.so\.\d+$/.test(name),
  );
  return parts.map((name) => join(folder, name));
}

/** The modules of Python that are libraries, which need further libraries. */
export const pythonModules = (): string[] =>
  python(
    "import glob, sysconfig; print('\\n'.join(glob.glob(sysconfig.get_path('platstdlib') + '/lib-dynload/*.so')))",
  ).split("\n");

/**
 * A program in Go that runs itself by the Automation API, compiled with the SDK of the release: Pulumi's host of programs
 * in Go needs Go itself.
 */
export function compileGo(stack: Stack, host: ReleaseHost): void {
  stack.file("Pulumi.yaml", `name: ${stack.name}\nruntime: go\n`);
  stack.file(
    "main.go",
    `package main

import (
	"context"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"${names.go.importBasePath}"
)

func declare(ctx *pulumi.Context) error {
	_, err := slipway.NewProject(ctx, "web", &slipway.ProjectArgs{Framework: pulumi.String("nextjs")})
	return err
}

func main() {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "test", "${stack.name}", declare)
	if err == nil {
		_, err = stack.Up(ctx, optup.ProgressStreams(os.Stdout))
	}
	if err == nil {
		_, err = stack.Preview(ctx, optpreview.ExpectNoChanges(), optpreview.ProgressStreams(os.Stdout))
	}
	if err == nil {
		_, err = stack.Destroy(ctx, optdestroy.ProgressStreams(os.Stdout))
	}
	if err != nil {
		panic(err)
	}
}
`,
  );
  const sdk = join(stack.folder, "sdk");
  mkdirSync(sdk);
  execFileSync("tar", ["-xzf", host.file("slipway-sdk-go-"), "-C", sdk]);
  const module = dirname(names.go.importBasePath);
  const go = (...args: string[]): void => {
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod" };
    execFileSync("go", args, { cwd: stack.folder, env, stdio: "pipe" });
  };
  go("mod", "init", "program");
  go("mod", "edit", "-require", `${module}@v0.0.0`, "-replace", `${module}=./sdk`);
  go("mod", "tidy");
  go("build", "-o", "program", ".");
}
