import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { goVersion } from "../setup/go-build.mjs";
import { provideLanguage } from "../setup/languages.mjs";
import { isExecutable, pathWithoutPackages, root } from "../setup/paths.mjs";
import { CommandError, run } from "../setup/run.mjs";
import { pack } from "./archive.mjs";
import { completeJavaProject } from "./java-project.mjs";

/** Python tools, pinned because the built files contain their versions. */
const pythonTools = ["setuptools==80.9.0", "wheel==0.45.1"];

/** The time of files in a wheel, in seconds: the same as in the other archives. */
const wheelTime = "499162500";

/**
 * The functions that pack the SDK of each language. The SDKs for Node.js and Python are built. The other SDKs are
 * released as sources, as their registries expect.
 */
const packers = { nodejs: packNode, python: packPython, go: packGo, dotnet: packSources, java: packJava };

export const sdkLanguages = Object.keys(packers);

/**
 * Generates the SDK of each language and packs it.
 * @param {string} plugin the folder of the plugin
 * @param {{ version: string, languages: string[], scratch: string, out: string, pulumi: string, say(text: string): void }} options
 * @returns {Promise<string[]>} notes about SDKs that are missing, with the reason
 */
export async function packSdks(plugin, { version, languages, scratch, out, pulumi, say }) {
  const sdks = join(scratch, "sdks");
  const notes = [];
  for (const language of languages) {
    say(`the SDK for ${language} …`);
    try {
      await generate(plugin, { language, scratch, sdks, pulumi });
      const folder = join(sdks, language);
      copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
      await packers[language](folder, { language, version, scratch, out });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      say(error.message);
      notes.push(`The SDK for ${language} is missing: ${error.message.split("\n")[0]}`);
    }
  }
  return notes;
}

async function generate(plugin, { language, scratch, sdks, pulumi }) {
  const hosts = [dirname(pulumi), ...pathWithoutPackages()];
  if (
    language === "dotnet" &&
    !hosts.some((folder) => isExecutable(join(folder, "pulumi-language-dotnet")))
  ) {
    return generateDotnet(join(plugin, "schema.json"), join(sdks, language));
  }
  const host = ["nodejs", "dotnet"].includes(language)
    ? dirname(pulumi)
    : await provideLanguage(language, pulumi);
  const executable = join(plugin, "pulumi-resource-slipway");
  await must(pulumi, ["package", "gen-sdk", executable, "--language", language, "--out", sdks], {
    cwd: scratch,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), host, ...hosts].join(delimiter),
      PULUMI_HOME: join(scratch, "pulumi-home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
  });
}

async function generateDotnet(schema, folder) {
  if (!(await goVersion())?.supported)
    throw new CommandError("neither pulumi-language-dotnet nor Go is on PATH.");
  const args = ["run", ".", schema, join(root, "docs/pictures/logo.png"), folder];
  await must("go", args, {
    cwd: join(root, "scripts/release/dotnet-sdk"),
    env: withoutPackages(),
    gentle: true,
  });
}

/** Compiles the SDK and packs it for npm. */
async function packNode(folder, { version, out }) {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await must(process.execPath, [tsc, "--project", folder, "--ignoreDeprecations", "6.0"], { cwd: folder });
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const built = join(folder, "bin");
  writeFileSync(join(built, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ["README.md", "LICENSE"]) {
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(built, name));
  }
  await must("npm", ["pack", "--silent", "--pack-destination", out], {
    cwd: built,
    env: { ...withoutPackages(), npm_config_dry_run: "false" },
  });
  // npm names the archive after the package, whose name is in publishing.json.
  const packed = `${manifest.name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  renameSync(join(out, packed), join(out, `slipway-sdk-nodejs-${version}.tgz`));
}

async function packPython(folder, { scratch, out }) {
  const venv = join(scratch, "venv");
  await must("python3", ["-m", "venv", venv]);
  const pip = join(venv, "bin/pip");
  await must(pip, ["install", "--quiet", "--disable-pip-version-check", ...pythonTools]);
  const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"];
  await must(pip, ["wheel", ...options, "--wheel-dir", out, folder], {
    env: { ...process.env, SOURCE_DATE_EPOCH: wheelTime },
  });
}

/** Replaces the version of Pulumi's SDK in the generated module, because it is too old for the generated code. */
async function packGo(folder, options) {
  const { code, stdout } = await run("go", ["list", "-m", "-f", "{{.Version}}", pulumiSdk], {
    cwd: join(root, "scripts/setup/pulumi-cli"),
    env: withoutPackages(),
  });
  if (code !== 0) throw new CommandError("Go is not on PATH. It is needed to complete the module.");
  const env = { ...withoutPackages(), GOFLAGS: "-mod=mod", GOWORK: "off" };
  await must("go", ["mod", "edit", "-go", "1.23.0", "-require", `${pulumiSdk}@${stdout.trim()}`], {
    cwd: folder,
    env,
  });
  await must("go", ["mod", "tidy"], { cwd: folder, env });
  await packSources(folder, options);
}

const pulumiSdk = "github.com/pulumi/pulumi/sdk/v3";

async function packJava(folder, options) {
  completeJavaProject(folder, JSON.parse(readFileSync(join(root, "publishing.json"), "utf8")));
  await packSources(folder, options);
}

async function packSources(folder, { language, version, scratch, out }) {
  const name = `slipway-sdk-${language}-${version}`;
  const archive = join(scratch, name);
  mkdirSync(archive);
  cpSync(folder, archive, { recursive: true });
  await pack(archive, join(out, `${name}.tar.gz`));
}

const withoutPackages = () => ({ ...process.env, PATH: pathWithoutPackages().join(delimiter) });

async function must(file, args, options) {
  const { code, output } = await run(file, args, options);
  if (code === 127) throw new CommandError(`${file} is not on PATH.`);
  if (code !== 0) throw new CommandError(`${file} ${args.slice(0, 2).join(" ")} failed:\n${output.trim()}`);
}
