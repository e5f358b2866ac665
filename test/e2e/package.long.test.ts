import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { brokenLinks, pagesUnder } from "../support/links";
import { Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { isLong } from "../support/slices";

/** Files that a fresh clone does not have, except the dependencies: a test asks no registry for them. */
const madeHere = new Set(["node_modules", "dist", ".git", ".slipway", "coverage", "site"]);

/** Files that commands and people leave in a clone. */
const privateFiles = [
  "examples/ci/.slipway/passphrase",
  "examples/ci/node_modules/left/index.js",
  "examples/python/venv/bin/left",
  "examples/python/sdks/left/index.py",
  "examples/quickstart/.env",
  "docs/terraform.tfstate",
  "policies/Pulumi.dev.yaml",
  "templates/slipway-yaml/Pulumi.dev.yaml",
];

/** The package as it would be published, in a folder that has nothing but it and what it depends on. */
describe("the npm package, packed in a clone without set-up,", () => {
  let folder: string;
  let world: Workspace;
  let size: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "slipway-package-"));
    const clone = join(folder, "clone");
    cpSync(root, clone, { recursive: true, filter: (path) => !madeHere.has(relative(root, path)) });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    for (const file of privateFiles) {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      writeFileSync(join(clone, file), "private");
    }
    execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: clone, stdio: "pipe" });
    const [packed = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    size = statSync(join(folder, packed)).size;
    const target = join(folder, "node_modules/slipway");
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, packed), "-C", target, "--strip-components=1"]);
    const { bin, dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(target, "package.json"), "utf8"),
    );
    // npm installs peer dependencies too.
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, "node_modules", name), link);
    }
    world = await Workspace.start({}, join(target, bin.slipway));
  });

  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(privateFiles)("leaves out %s", (file) => {
    expect(existsSync(join(folder, "node_modules/slipway", file))).toBe(false);
  });

  it("names no file of the machine that built it", () => {
    for (const file of ["server/command.js", "plugin/pulumi-resource-slipway"]) {
      const text = readFileSync(join(folder, "node_modules/slipway/dist", file), "utf8");
      expect(text).toContain('"node_modules/');
      expect(text).not.toContain("../node_modules/");
    }
  });

  it("contains the files that it needs to run, and no sources or tests", () => {
    expect(readdirSync(join(folder, "node_modules/slipway")).sort()).toEqual([
      ".github",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "dist",
      "docs",
      "examples",
      "llms.txt",
      "package.json",
      "policies",
      "skills",
      "templates",
    ]);
    expect(readdirSync(join(folder, "node_modules/slipway/dist")).sort()).toEqual([
      "cli",
      "plugin",
      "provider",
      "sdk",
      "server",
    ]);
    expect(size).toBeLessThan(4_000_000);
  });

  it("has pages without broken links", () => {
    const target = join(folder, "node_modules/slipway");
    const pages = pagesUnder(target, ".");
    expect(pages).toContain("README.md");
    expect(brokenLinks(target, pages)).toEqual([]);
  });

  it("contains the license of every bundled package", () => {
    const dist = join(folder, "node_modules/slipway/dist");
    for (const [bundle, names] of [
      ["server", ["kysely", "pg", "preact", "zod"]],
      ["provider", ["zod"]],
      ["plugin", ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "zod"]],
    ] as const) {
      const text = readFileSync(join(dist, bundle, "LICENSES.txt"), "utf8");
      const sections = text.split(/^(?==== )/m).slice(1);
      expect(sections.map((section) => /^=== (\S+)/.exec(section)?.[1])).toEqual(
        expect.arrayContaining([...names]),
      );
      const short = sections.filter((section) => !/copyright|permission is hereby granted/i.test(section));
      expect(short).toEqual([]);
    }
  });

  it("serves, and runs a program from up to destroy", async () => {
    const stack = await world.stack("packed", undefined, join(folder, "node_modules"));
    stack.program(`
      const web = new Project("web", { framework: "nextjs" });
      new EnvVar("key", { project: web.id, key: "KEY", value: "v", target: ["production"] });
      export const id = web.id;`);
    const up = await stack.up();
    expect([up.errors, up.warnings]).toEqual([[], []]);
    // Messages of the Node.js host about packages that it finds are not diagnostics of the engine.
    expect(up.output).not.toMatch(/incompatible/i);
    expect((await world.server.request("GET", "/v9/projects/web")).status).toBe(200);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
    expect((await stack.destroy()).code).toBe(0);
    expect((await world.server.request("GET", "/v9/projects/web")).status).toBe(404);
  });

  it.each(isLong ? ["nodenext", "node16"] : ["nodenext"])(
    "brings types that compile with module %s, libraries included",
    (module) => {
      writeFileSync(
        join(folder, "program.mts"),
        `import { Project, EnvVar } from "slipway";
       import { startServer } from "slipway/server";
       const web = new Project("web", { framework: "nextjs" });
       new EnvVar("key", { project: web.id, key: "KEY", value: "v", target: ["production"] });
       // @ts-expect-error: a framework is a text
       new Project("other", { framework: 3 });
       export const url: Promise<string> = startServer().then((server) => server.url);`,
      );
      writeFileSync(join(folder, "program.cts"), readFileSync(join(folder, "program.mts")));
      const options = `--noEmit --strict --skipLibCheck false --target es2023 --module ${module} --types node`;
      const { stdout } = spawnSync(
        process.execPath,
        [
          join(root, "node_modules/typescript/bin/tsc"),
          ...options.split(" "),
          "--typeRoots",
          join(root, "node_modules/@types"),
          "program.mts",
          "program.cts",
        ],
        { cwd: folder, encoding: "utf8" },
      );
      expect(stdout).toBe("");
    },
  );

  it("names its module format", () => {
    const { type } = JSON.parse(readFileSync(join(folder, "node_modules/slipway/package.json"), "utf8"));
    expect(type).toBe("commonjs");
  });
});
