import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startPlugin } from "../provider/plugin-host";
import { added, writeFiles } from "../support/added-programs";
import {
  cli,
  compileGo,
  importFiles,
  languageHost,
  limits,
  names,
  type Podman,
  provided,
  pythonModules,
  pythonPrefix,
  restOfCLibrary,
  startPodman,
  writePython,
  writeYaml,
} from "../support/clean-machine";
import { magic, signatureOf } from "../support/executables";
import { block } from "../support/pages";
import { type Stack, Workspace } from "../support/pulumi";
import { ownPlatform, ReleaseHost } from "../support/release-host";
import { root } from "../support/server";
import { inFull, isLong } from "../support/slices";

const { pathWithoutPackages }: { pathWithoutPackages(): string[] } = require("../../scripts/setup/paths.mjs");

/** One file for all tests of a release, since it takes a minute to build one; all platforms and languages take minutes. */
const describeLong = isLong ? describe : describe.skip;

jest.setTimeout(1_800_000);

let world: Workspace;
let host: ReleaseHost;
beforeAll(async () => {
  host = new ReleaseHost({
    platforms: isLong ? Object.keys(magic) : [ownPlatform],
    sdks: isLong ? ["nodejs", "python", "go", "dotnet", "java"] : ["nodejs"],
  });
  await host.start();
  world = await Workspace.start();
});
afterAll(async () => {
  host.close();
  await world.stop();
});

async function succeed(stack: Stack, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await stack.cli(args, env);
  if (code !== 0) throw new Error(output);
}

/** The CLI and the programs beside it, which run programs in TypeScript. */
const nodeHosts = (): Record<string, string> =>
  Object.fromEntries(readdirSync(dirname(cli())).map((name) => [name, join(dirname(cli()), name)]));

const filesOf = (archive: string): string[] =>
  execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n");

describe("npm run release", () => {
  it("says that it builds a pre-release while the changelog has unreleased changes", () => {
    expect(host.said).toContain(`building the pre-release ${host.version}\n`);
  });

  it("makes the package, the plugin, the SDKs, the image's context and the registry's pages", () => {
    // Python writes pre-releases in its own way.
    const wheelVersion = host.version.replace("-alpha.", "a");
    const names = readdirSync(host.files).map((name) =>
      name.replace(host.version, "V").replace(wheelVersion, "V"),
    );
    const sdks = [
      "pulumi_slipway-V-py3-none-any.whl",
      ...["dotnet", "go", "java"].map((language) => `slipway-sdk-${language}-V.tar.gz`),
    ];
    expect(names.sort()).toEqual(
      [
        "NOTES.md",
        "SHA256SUMS",
        "_index.md",
        "installation-configuration.md",
        ...(isLong ? Object.keys(magic) : [ownPlatform]).map(
          (name) => `pulumi-resource-slipway-vV-${name}.tar.gz`,
        ),
        "pulumi-resource-slipway-vV.cdx.json",
        "slipway-V.cdx.json",
        "slipway-V.tgz",
        "slipway-sdk-nodejs-V.tgz",
        "slipway-server-V.cdx.json",
        "slipway-server-V.tar.gz",
        ...(isLong ? sdks : []),
      ].sort(),
    );
  });

  it("lists the packages of each part in its bill of materials", () => {
    const bills: [string, string[], string[]][] = [
      [`slipway-${host.version}`, ["zod", "kysely", "preact", "@pulumi/pulumi"], ["jest", "node"]],
      [`slipway-server-${host.version}`, ["zod", "kysely", "preact"], ["jest", "@pulumi/pulumi"]],
      [`pulumi-resource-slipway-v${host.version}`, ["zod", "@grpc/grpc-js", "node"], ["jest", "kysely"]],
    ];
    for (const [subject, included, excluded] of bills) {
      const bill = JSON.parse(readFileSync(join(host.files, `${subject}.cdx.json`), "utf8"));
      expect(bill.bomFormat).toBe("CycloneDX");
      const components = bill.components.map((one: { name: string }) => one.name);
      expect(components).toEqual(expect.arrayContaining(included));
      for (const name of excluded) expect(components).not.toContain(name);
    }
  });

  it("lists the checksum of every file", () => {
    const sums = readFileSync(join(host.files, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums).toHaveLength(readdirSync(host.files).length - 1);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      const bytes = readFileSync(join(host.files, name));
      expect([name, createHash("sha256").update(bytes).digest("hex")]).toEqual([name, sum]);
    }
  });

  it("packs everything that the image copies", () => {
    expect(filesOf(host.file("slipway-server-"))).toEqual(
      expect.arrayContaining([
        "Dockerfile",
        "main.js",
        "command.js",
        "LICENSES.txt",
        "dashboard/app/index.html.gz",
      ]),
    );
  });

  it.each(isLong ? Object.keys(magic) : [ownPlatform])(
    "packs one executable for %s, with its licenses",
    (platform) => {
      const archive = host.file(`pulumi-resource-slipway-v${host.version}-${platform}`);
      const name = `pulumi-resource-slipway${platform.startsWith("windows") ? ".exe" : ""}`;
      expect(filesOf(archive)).toEqual(["LICENSE", "LICENSES.txt", name]);
      const folder = join(host.folder, platform);
      mkdirSync(folder);
      execFileSync("tar", ["-xzf", archive, "-C", folder]);
      expect(readFileSync(join(folder, "LICENSES.txt"), "utf8")).toContain("=== Node.js ");
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o755);
      const bytes = readFileSync(join(folder, name));
      const [format, processor] = magic[platform] ?? ["", ""];
      expect(bytes.toString("hex", 0, format.length / 2)).toBe(format);
      const at = platform.startsWith("linux")
        ? 18
        : platform.startsWith("darwin")
          ? 4
          : bytes.readUInt32LE(0x3c) + 4;
      expect(bytes.toString("hex", at, at + processor.length / 2)).toBe(processor);
      // Node.js finds its application by this mark, which is 1 where it carries one.
      expect(bytes.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
      expect(bytes.includes("slipway:index:")).toBe(true);
      // Signed ad hoc: the signature has its own magic number, and the name that was signed.
      if (platform.startsWith("darwin"))
        expect(signatureOf(bytes).includes("pulumi-resource-slipway\0")).toBe(true);
      if (platform.startsWith("windows")) expect(bytes.readUInt32LE(at - 4 + 24 + 112 + 32)).toBe(0);
    },
  );

  it("packs a plugin that starts without Node.js", async () => {
    const installed = join(host.folder, "plugin");
    mkdirSync(installed);
    const archive = host.file(`pulumi-resource-slipway-v${host.version}-${ownPlatform}`);
    execFileSync("tar", ["-xzf", archive, "-C", installed]);
    const env = { PATH: installed };
    expect(spawnSync("node", ["--version"], { env }).error).toMatchObject({ code: "ENOENT" });
    const plugin = await startPlugin(env, installed);
    expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(host.version);
    await plugin.close();
  });

  inFull("describes the SDK for Java as Maven Central asks for", () => {
    const archive = host.file("slipway-sdk-java");
    const text = execFileSync("tar", ["-xzOf", archive, "build.gradle"], { encoding: "utf8" });
    expect(text).toContain('name = "MIT License"');
    expect(text.slice(text.indexOf("pom {"), text.indexOf("javadoc {"))).not.toContain('""');
  });

  inFull("builds the same bytes each time", () => {
    const again = join(host.folder, "again");
    host.build(again);
    const [first, second] = [host.files, again].map((folder) =>
      readFileSync(join(folder, "SHA256SUMS"), "utf8"),
    );
    expect(second).toBe(first);
  });

  it("keeps nothing when the changelog has no section of the version", () => {
    const out = join(host.folder, "none");
    const { status, stderr } = host.withChangelog("# Changelog\n\n## 0.0.1\n", () => host.run("--out", out));
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("the newest version in CHANGELOG.md is 0.0.1, and package.json has 0.1.0"),
    ]);
    expect(existsSync(out)).toBe(false);
  });

  it("leaves nothing behind when it is interrupted", async () => {
    const temporary = join(host.folder, "temporary");
    mkdirSync(temporary);
    expect(await host.interrupted(temporary)).toBe(130);
    expect(readdirSync(temporary).filter((name) => name.startsWith("slipway-"))).toEqual([]);
  });

  it.each([
    ["an unknown flag", ["--outt", "x"], "Unknown option '--outt'"],
    [
      "an unknown platform",
      ["--platforms", "beos-amd64"],
      "Unknown platform 'beos-amd64'. Choose one of linux-amd64",
    ],
    ["an unknown language", ["--sdks", "cobol"], "Unknown language 'cobol'. Choose one of nodejs"],
  ])("refuses %s and prints its help", (_, args, message) => {
    const { status, stderr } = host.run(...args);
    expect(stderr).toContain(message);
    expect(stderr).toContain("npm run release [-- --out <folder>]");
    expect(status).toBe(1);
  });
});

/** Creates the program's project, sees no change after it, and destroys it. */
async function runThrough(stack: Stack, env: NodeJS.ProcessEnv): Promise<void> {
  const created = await stack.up({ env });
  if (created.code !== 0) throw new Error(created.output);
  expect([created.errors, created.steps.map(({ op, name }) => `${op} ${name}`)]).toEqual([
    [],
    ["create web"],
  ]);
  const again = await stack.preview({ env, args: ["--expect-no-changes"] });
  expect([again.code, again.errors]).toEqual([0, []]);
  expect((await stack.destroy({ env })).errors).toEqual([]);
}

it("pulumi plugin install installs the plugin, which runs a program in YAML without Node.js", async () => {
  const stack = await world.yaml("yaml", "resources: {}\n");
  writeYaml(stack);
  const env = host.machine("yaml", { pulumi: cli(), ...languageHost("yaml") });
  expect(spawnSync("node", [], { env }).error).toMatchObject({ code: "ENOENT" });
  const args = ["plugin", "install", "resource", "slipway", host.version, "--server", host.url];
  await succeed(stack, args, env);
  const installed = join(env.PULUMI_HOME ?? "", `plugins/resource-slipway-v${host.version}`);
  expect(existsSync(join(installed, "pulumi-resource-slipway"))).toBe(true);
  await runThrough(stack, env);
});

it("pulumi package add --server adds the package to a program in YAML", async () => {
  const stack = await world.yaml("added", "resources: {}\n");
  writeYaml(stack);
  const env = host.machine("added", { pulumi: cli(), ...languageHost("yaml") });
  await succeed(stack, ["package", "add", `slipway@${host.version}`, "--server", host.url], env);
  await runThrough(stack, env);
});

/** As a page shows them. */
const programs: Record<string, string> = {
  typescript: block("docs/guides/other-languages.md typescript 1"),
  python: block("docs/guides/other-languages.md python 1"),
  go: block("docs/guides/other-languages.md go 1"),
};

/** Their packages are fetched from registries, and the hosts built. */
(isLong ? it.each : it.skip.each)(["typescript", "python", "go"])(
  "pulumi package add --server adds the package to a program in %s",
  async (language) => {
    const stack = await world.yaml(`added-${language}`, "resources: {}\n");
    const { files, main } = added[language] as (typeof added)[string];
    writeFiles(stack, files);
    const hosts = language === "typescript" ? nodeHosts() : languageHost(language);
    const machine = host.machine(`added-${language}`, { ...hosts, pulumi: cli() });
    const env = {
      ...machine,
      // With the tools of the language, and what they have fetched before.
      PATH: [machine.PATH, ...pathWithoutPackages()].join(delimiter),
      HOME: process.env.HOME,
      // The plugin is there since it was added.
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: undefined,
    };
    await succeed(stack, ["package", "add", `slipway@${host.version}`, "--server", host.url], env);
    stack.file(main, programs[language] ?? "");
    await succeed(stack, ["install"], env);
    await runThrough(stack, env);
  },
);

it("the SDK for Node.js installs the plugin by its address", async () => {
  const stack = await world.stack("typescript", "", join(host.folder, "typescript/node_modules"));
  const sdk = join(host.folder, "typescript/node_modules", names.nodejs.packageName);
  mkdirSync(sdk, { recursive: true });
  execFileSync("tar", ["-xzf", host.file("slipway-sdk-nodejs-"), "-C", sdk, "--strip-components=1"]);
  symlinkSync(join(root, "node_modules/@pulumi"), join(host.folder, "typescript/node_modules/@pulumi"));
  stack.file(
    "index.ts",
    `import { Project } from "${names.nodejs.packageName}";\nnew Project("web", { framework: "nextjs" });\n`,
  );
  await runThrough(stack, host.machine("typescript", { ...nodeHosts(), node: process.execPath }));
});

const throughCli = `pulumi up --yes --skip-preview
      pulumi preview --expect-no-changes
      pulumi destroy --yes --skip-preview`;

/** Machines without Node.js and Go: containers with the CLI, the C library and, for Python, Python. */
describeLong("in a container with nothing but the CLI", () => {
  let folder: string;
  let podman: Podman;
  let clear: () => Promise<void>;
  let image: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "slipway-clean-"));
    ({ podman, clear } = await startPodman(folder));
    const paths = ["/bin/sh", "/usr/bin/env", ...restOfCLibrary()];
    const programs = Object.fromEntries(paths.map((path) => [path, path]));
    image = await importFiles(podman, folder, "localhost/clean", programs, [
      process.execPath,
      ...pythonModules(),
    ]);
  });
  afterAll(async () => {
    await clear();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["YAML", "yaml", writeYaml, throughCli],
    ["Python", "python", writePython, throughCli],
    ["Go", "go", compileGo, "./program"],
  ] as const)("a program in %s is created, unchanged and destroyed", async (_, language, write, commands) => {
    const stack = await world.yaml(`clean-${language}`, "resources: {}\n");
    write(stack, host);
    const mounts = [world.folder, dirname(cli()), provided(language)];
    if (language === "python") mounts.push(pythonPrefix);
    const { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE, SLIPWAY_API_URL, SLIPWAY_TOKEN, SLIPWAY_TEAM } =
      world.environment();
    const env = {
      ...{ PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE, SLIPWAY_API_URL, SLIPWAY_TOKEN, SLIPWAY_TEAM },
      PATH: `${dirname(cli())}:${provided(language)}:/usr/bin:/bin`,
      HOME: "/tmp",
      PULUMI_HOME: "/tmp/pulumi",
      PULUMI_STACK: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const script = `if command -v node || command -v go; then exit 9; fi
      pulumi plugin install resource slipway ${host.version} --server ${host.url}
      ${commands}`;
    const { output } = await podman([
      ...["run", "--rm", "--network", "host", "--workdir", stack.folder, ...limits],
      ...mounts.flatMap((path) => ["--volume", `${path}:${path}`]),
      ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
      ...[image, "/bin/sh", "-exc", script],
    ]);
    expect(output).toMatch(
      /\+ {2}slipway:index:Project web created[\s\S]+- {2}slipway:index:Project web deleted/,
    );
  });
});
