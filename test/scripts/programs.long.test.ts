import { execFile, execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { provided } from "../support/clean-machine";
import { built } from "../support/dist";
import { type Block, blocksOf, pages } from "../support/pages";
import { root } from "../support/server";
import { inFull } from "../support/slices";

/** The programs on pages in the languages of the plugin, compiled with the SDKs that Pulumi generates. */

const run = promisify(execFile);
const files = {
  typescript: "index.ts",
  python: "__main__.py",
  go: "main.go",
  java: "App.java",
  csharp: "Program.cs",
  hcl: "main.tf",
};
type Language = keyof typeof files;

const nameOf = ({ page }: Block): string => basename(page, ".md");
const blocks = pages
  .filter((page) => page.startsWith("docs/resources/") || page === "docs/guides/other-languages.md")
  .flatMap(blocksOf);
const programsIn = (language: Language): Block[] => blocks.filter((block) => block.language === language);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-programs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a compiler. @throws Error with all that it has printed */
async function compile(
  file: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  await run(file, args, { cwd: folder, maxBuffer: 10_000_000, ...options }).catch(({ stdout, stderr }) => {
    throw new Error(`${basename(file)}:\n${stdout}${stderr}`);
  });
}

/** Generates the SDK of a language in the folder. */
async function generateSdk(language: string): Promise<string> {
  const pulumi = provided("pulumi");
  const hosts = language === "nodejs" ? [] : [provided(language)];
  await compile(
    pulumi,
    ["package", "gen-sdk", built("plugin"), "--language", language, "--out", join(folder, "sdks")],
    {
      env: {
        ...process.env,
        PATH: [...hosts, dirname(pulumi), process.env.PATH].join(delimiter),
        PULUMI_HOME: join(folder, "home"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
      },
    },
  );
  return join(folder, "sdks", language);
}

/** Writes the programs of a language, each in a folder of its own. @returns the files */
function write(language: Language, parent: string): string[] {
  return programsIn(language).map((block) => {
    const file = join(parent, nameOf(block), files[language]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.text);
    return file;
  });
}

/** A folder with the tools of Python. */
async function pythonTools(...packages: string[]): Promise<string> {
  const tools = join(folder, `tools-${packages[0]}`);
  await compile("python3", ["-m", "venv", tools]);
  await compile(join(tools, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]);
  return join(tools, "bin");
}

const has = (program: string): boolean => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

it("every page of a resource has its example in each language", () => {
  const examples = blocks.filter(({ id }) => id.endsWith(" yaml 1")).map(nameOf);
  for (const language of Object.keys(files) as Language[]) {
    const written = programsIn(language).map(nameOf);
    expect(examples.filter((name) => !written.includes(name))).toEqual(["provider"]);
  }
});

inFull("the programs in TypeScript compile", async () => {
  const sdk = await generateSdk("nodejs");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const compilerOptions = {
    ...{ target: "es2022", module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" },
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      paths: { "@slipway/pulumi": [sdk] },
    },
  };
  const config = join(folder, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions, files: write("typescript", join(folder, "typescript")) }),
  );
  await compile(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", config]);
});

inFull("the programs in Python have the types that the SDK expects", async () => {
  const sdk = await generateSdk("python");
  const tools = await pythonTools("mypy==1.18.2", sdk);
  for (const file of write("python", join(folder, "python")))
    await compile(join(tools, "mypy"), ["--cache-dir", join(folder, "mypy"), file]);
});

inFull("the programs in Go compile", async () => {
  const sdk = await generateSdk("go");
  write("go", join(sdk, "programs"));
  const module = "github.com/pulumi/pulumi/sdk/v3";
  const used = /pulumi\/sdk\/v3 (v\S+)/.exec(
    readFileSync(join(root, "scripts/setup/pulumi-cli/go.mod"), "utf8"),
  )?.[1];
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" };
  // The generated module names a version of Pulumi's SDK that is too old for its code.
  await compile("go", ["mod", "edit", "-go", "1.23.0", "-require", `${module}@${used}`], { cwd: sdk, env });
  await compile("go", ["mod", "tidy"], { cwd: sdk, env });
  await compile("go", ["vet", "./programs/..."], { cwd: sdk, env });
});

/** Maven downloads the libraries of Pulumi's SDK. */
(has("javac") && has("mvn") ? inFull : it.skip)("the programs in Java compile", async () => {
  const sdk = await generateSdk("java");
  const [libraries, classes] = [join(folder, "libraries"), join(folder, "classes")];
  const dependency = (group: string, artifact: string, version: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  writeFileSync(
    join(folder, "pom.xml"),
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>slipway</groupId><artifactId>programs</artifactId><version>1</version><dependencies>${dependency("com.pulumi", "pulumi", "1.16.0")}${dependency("com.google.code.findbugs", "jsr305", "3.0.2")}</dependencies></project>`,
  );
  await compile("mvn", ["-q", "-B", "dependency:copy-dependencies", `-DoutputDirectory=${libraries}`]);
  const sources = readdirSync(sdk, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".java"),
  );
  await compile("javac", [
    "-nowarn",
    "-d",
    classes,
    "-cp",
    `${libraries}/*`,
    ...sources.map((name) => join(sdk, name)),
  ]);
  for (const file of write("java", join(folder, "java")))
    await compile("javac", ["-d", join(folder, "java-classes"), "-cp", `${classes}:${libraries}/*`, file]);
});

/**
 * Checks programs with a grammar.
 * @param spoil makes an error, to see that the grammar finds it
 */
async function expectSyntax(
  language: Language,
  [name, version]: [string, string],
  spoil: (program: string) => string,
): Promise<void> {
  const tools = await pythonTools(`tree-sitter-${name}==${version}`, "tree-sitter==0.25.2");
  const check = (...programs: string[]) =>
    compile(join(tools, "python3"), [
      join(root, "test/scripts/syntax.py"),
      `tree_sitter_${name.replaceAll("-", "_")}`,
      ...programs,
    ]);
  const programs = write(language, join(folder, language));
  await check(...programs);
  const broken = join(folder, `broken.${language}`);
  writeFileSync(broken, spoil(readFileSync(programs[0] ?? "", "utf8")));
  await expect(check(broken)).rejects.toThrow(broken);
}

/** There is no compiler of C# in the registries that tests may use, so a grammar checks the programs. */
inFull("the programs in C# have no error of syntax", () =>
  expectSyntax("csharp", ["c-sharp", "0.23.1"], (program) => program.replace("new()", "new(")),
);

/** `pages.long.test.ts` runs them where the language plugin is on PATH. */
inFull("the programs in HCL have no error of syntax", () =>
  expectSyntax("hcl", ["hcl", "1.2.0"], (program) => program.replace("{", "")),
);
