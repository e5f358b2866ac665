import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startPlugin } from "../provider/plugin-host";
import { root } from "../support/server";

const { ownPlatform }: { ownPlatform: string } = require("../../scripts/release/platforms.mjs");
interface Checks {
  licenseProblems(bundled: { name: string; version: string; license?: string | undefined }[]): string[];
}
const { licenseProblems }: Checks = require("../../scripts/release/checks.mjs");
interface Version {
  releaseVersion(
    changelog: string,
    packageVersion: string,
    build: number,
  ): { version: string; problems: string[] };
}
const { releaseVersion }: Version = require("../../scripts/release/version.mjs");
interface Windows {
  withoutSignature(bytes: Buffer): Buffer;
}
const { withoutSignature }: Windows = require("../../scripts/release/windows.mjs");

const released = "# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n- Something.\n\n## 1.1.0\n";
const unreleased = released.replace("Unreleased\n", "Unreleased\n\n- New.\n");

it.each([
  ["the version of package.json", released, "1.2.0", "1.2.0"],
  ["that version without a section Unreleased", released.replace("## Unreleased\n\n", ""), "1.2.0", "1.2.0"],
  ["a pre-release of the next minor version with unreleased changes", unreleased, "1.2.0", "1.3.0-alpha.7"],
  ["a pre-release of a version that package.json has already", unreleased, "2.0.0", "2.0.0-alpha.7"],
])("releaseVersion returns %s", (_, changelog, version, expected) => {
  expect(releaseVersion(changelog, version, 7)).toEqual({ version: expected, problems: [] });
});

it.each([
  [
    "another version on top of the changelog",
    "1.3.0",
    "in CHANGELOG.md is 1.2.0, and package.json has 1.3.0",
  ],
  ["a version that is not SemVer", "next", "is not SemVer"],
])("releaseVersion reports %s", (_, version, problem) => {
  expect(releaseVersion(released, version, 7).problems).toEqual([expect.stringContaining(problem)]);
});

it("withoutSignature removes the certificates of a Windows executable and keeps the rest", () => {
  const header = 0x80;
  const entry = header + 24 + 112 + 4 * 8;
  const program = Buffer.alloc(0x400, 7);
  program.writeUInt32LE(header, 0x3c);
  program.write("PE\0\0", header, "latin1");
  program.writeUInt32LE(program.length, entry);
  program.writeUInt32LE(16, entry + 4);
  const unsigned = withoutSignature(Buffer.concat([program, Buffer.alloc(16, 1)]));
  const expected = Buffer.from(program);
  expected.fill(0, entry, entry + 8);
  expect(unsigned.equals(expected)).toBe(true);
  expect(withoutSignature(unsigned).equals(expected)).toBe(true);
});

it.each([
  ["MIT", true],
  ["BSD-3-Clause AND Apache-2.0", true],
  ["GPL-3.0-only OR MIT", true],
  ["MIT AND GPL-3.0-only", false],
  ["UNLICENSED", false],
  [undefined, false],
])("a package under %s may be bundled: %s", (license, allowed) => {
  expect(licenseProblems([{ name: "some", version: "1.0.0", license }])).toHaveLength(allowed ? 0 : 1);
});

/** For what `npm run test:long` runs alone. */
const long = process.env.SLIPWAY_TEST_LONG ? it : it.skip;

/** The files of a release by their names, without the version. */
function namesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => name.replace(/\d+\.\d+\.\d+/, "V"));
}

const files = (archive: string): string => execFileSync("tar", ["-tzf", archive], { encoding: "utf8" });

describe("npm run release", () => {
  let folder: string;
  let clone: string;
  let out: string;
  let version: string;
  let said: string;
  const madeHere = new Set(["node_modules", ".git", ".slipway", "coverage", "site"]);
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/release.mjs", ...args], { cwd: clone, encoding: "utf8" });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-release-test-"));
    clone = join(folder, "clone");
    const filter = (path: string): boolean => !madeHere.has(relative(root, path));
    cpSync(root, clone, { recursive: true, filter, preserveTimestamps: true });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    writeFileSync(join(clone, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n");
    version = "0.2.0-alpha.0";
    out = join(folder, "out");
    const { status, stderr } = release("--out", out, "--platforms", ownPlatform);
    if (status !== 0) throw new Error(stderr);
    said = stderr;
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("says that it builds a pre-release while the changelog has unreleased changes", () => {
    expect(said).toContain(`building the pre-release ${version}\n`);
  });

  it("makes the package, the plugin and the image's context, each with its bill of materials", () => {
    expect(namesIn(out)).toEqual([
      "NOTES.md",
      "SHA256SUMS",
      `pulumi-resource-slipway-vV-${ownPlatform}.tar.gz`,
      "pulumi-resource-slipway-vV.cdx.json",
      "slipway-V.cdx.json",
      "slipway-V.tgz",
      "slipway-server-V.cdx.json",
      "slipway-server-V.tar.gz",
    ]);
    const bills: [string, string[], string[]][] = [
      [`slipway-${version}`, ["zod", "kysely", "preact", "@pulumi/pulumi"], ["jest", "node"]],
      [`slipway-server-${version}`, ["zod", "kysely", "preact"], ["jest", "@pulumi/pulumi"]],
      [`pulumi-resource-slipway-v${version}`, ["zod", "@grpc/grpc-js", "node"], ["jest", "kysely"]],
    ];
    for (const [subject, included, excluded] of bills) {
      const bill = JSON.parse(readFileSync(join(out, `${subject}.cdx.json`), "utf8"));
      expect(bill.bomFormat).toBe("CycloneDX");
      const names = bill.components.map((one: { name: string }) => one.name);
      expect(names).toEqual(expect.arrayContaining(included));
      for (const name of excluded) expect(names).not.toContain(name);
    }
  });

  it("lists the checksum of every file", () => {
    const sums = readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums).toHaveLength(readdirSync(out).length - 1);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      const bytes = readFileSync(join(out, name));
      expect([name, createHash("sha256").update(bytes).digest("hex")]).toEqual([name, sum]);
    }
  });

  it("packs everything that the image copies", () => {
    const packed = files(join(out, `slipway-server-${version}.tar.gz`)).split("\n");
    expect(packed).toEqual(
      expect.arrayContaining([
        "Dockerfile",
        "main.js",
        "command.js",
        "LICENSES.txt",
        "dashboard/app/index.html.gz",
      ]),
    );
  });

  it("packs a plugin that runs without Node.js", async () => {
    const archive = join(out, `pulumi-resource-slipway-v${version}-${ownPlatform}.tar.gz`);
    expect(files(archive).trim().split("\n")).toEqual(["LICENSE", "LICENSES.txt", "pulumi-resource-slipway"]);
    const installed = join(folder, "plugin");
    mkdirSync(installed);
    execFileSync("tar", ["-xzf", archive, "-C", installed]);
    expect(readFileSync(join(installed, "LICENSES.txt"), "utf8")).toContain("=== Node.js ");
    const env = { PATH: installed };
    expect(spawnSync("node", ["--version"], { env }).error).toMatchObject({ code: "ENOENT" });
    const plugin = await startPlugin(env, installed);
    expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(version);
    await plugin.close();
  });

  long(
    "builds the same bytes each time",
    () => {
      const again = join(folder, "again");
      expect(release("--out", again, "--platforms", ownPlatform).status).toBe(0);
      expect(readFileSync(join(again, "SHA256SUMS"), "utf8")).toBe(
        readFileSync(join(out, "SHA256SUMS"), "utf8"),
      );
    },
    300_000,
  );

  it("keeps nothing when the changelog has no section of the version", () => {
    const changelog = readFileSync(join(clone, "CHANGELOG.md"));
    writeFileSync(join(clone, "CHANGELOG.md"), "# Changelog\n\n## 0.0.1\n");
    const { status, stderr } = release("--out", join(folder, "none"));
    expect(stderr).toContain("the newest version in CHANGELOG.md is 0.0.1");
    expect(status).toBe(1);
    expect(existsSync(join(folder, "none"))).toBe(false);
    writeFileSync(join(clone, "CHANGELOG.md"), changelog);
  }, 120_000);

  it.each([
    ["an unknown flag", ["--outt", "x"], "Unknown option '--outt'"],
    [
      "an unknown platform",
      ["--platforms", "beos-amd64"],
      "Unknown platform 'beos-amd64'. Known: linux-amd64",
    ],
  ])("refuses %s and prints its help", (_, args, message) => {
    const { status, stderr } = release(...args);
    expect(stderr).toContain(message);
    expect(stderr).toContain("npm run release [-- --out <folder>]");
    expect(status).toBe(1);
  });
});
