import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/server";

interface Archive {
  pack(folder: string, file: string): Promise<void>;
}
const { pack }: Archive = require("../../scripts/release/archive.mjs");
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
  setOrigin(folder: string, publishing: object): void;
  setVersion(folder: string, version: string): void;
}
const { releaseVersion, setOrigin, setVersion }: Version = require("../../scripts/release/version.mjs");
interface Lock {
  installedWith(lock: { packages: object }): { name: string; version: string; license: string }[];
}
const { installedWith }: Lock = require("../../scripts/release/lock.mjs");
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

it("setOrigin names the repository, which npm compares with the provenance of a release", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-origin-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"name":"slipway"}');
    setOrigin(folder, { organization: "acme", repository: "slipway", publisher: "Acme" });
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
      name: "slipway",
      repository: { type: "git", url: "git+https://github.com/acme/slipway.git" },
      homepage: "https://github.com/acme/slipway#readme",
      author: "Acme",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("setVersion changes the version of the package and of its client, and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-version-"));
  const [manifest, client] = ["package.json", "provider/client/version.ts"].map((name) =>
    join(folder, name),
  ) as [string, string];
  const text = '{\n  "version": "0.1.0",\n  "dependencies": {\n    "version": "0.1.0"\n  }\n}\n';
  try {
    mkdirSync(join(folder, "provider/client"), { recursive: true });
    writeFileSync(manifest, text);
    writeFileSync(client, 'export const version = "0.1.0";\n');
    setVersion(folder, "1.2.3-alpha.7");
    expect(readFileSync(manifest, "utf8")).toBe(text.replace("0.1.0", "1.2.3-alpha.7"));
    expect(readFileSync(client, "utf8")).toBe('export const version = "1.2.3-alpha.7";\n');
    writeFileSync(client, "");
    expect(() => setVersion(folder, "1.2.3")).toThrow("provider/client/version.ts has no version");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("installedWith lists the packages that Node.js finds, each once, without those of development", () => {
  const installed = (version: string, ...names: string[]) => ({
    ...{ version, license: "MIT" },
    dependencies: Object.fromEntries(names.map((name) => [name, "*"])),
  });
  const packages = {
    "": { ...installed("0.1.0", "a"), optionalDependencies: { o: "*" }, devDependencies: { d: "*" } },
    "node_modules/a": installed("1.0.0", "b"),
    "node_modules/a/node_modules/b": installed("2.0.0", "c", "absent"),
    "node_modules/b": installed("1.0.0"),
    "node_modules/c": installed("3.0.0", "a"),
    "node_modules/d": installed("4.0.0"),
    "node_modules/o": installed("5.0.0"),
  };
  expect(installedWith({ packages }).map(({ name, version }) => `${name} ${version}`)).toEqual([
    "a 1.0.0",
    "b 2.0.0",
    "c 3.0.0",
    "o 5.0.0",
  ]);
});

it.each([
  ["an empty folder name", () => "", /^--out is empty\. Give a folder\.\n$/],
  ["a folder that has files", (folder: string) => folder, /has files already\. Give an empty folder/],
  ["a file", (folder: string) => join(folder, "file"), /is not a folder that can be written/],
])("npm run release refuses %s before it builds", (_, out, message) => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-out-"));
  try {
    writeFileSync(join(folder, "file"), "");
    const script = join(root, "scripts/release.mjs");
    const { status, stderr } = spawnSync(process.execPath, [script, "--out", out(folder)], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(readdirSync(folder)).toEqual(["file"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

it("pack writes the same bytes for the same contents, whenever they were written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-archive-"));
  const contents = join(folder, "contents");
  const packedAt = async (year: number): Promise<Buffer> => {
    const time = new Date(Date.UTC(year, 0));
    for (const path of ["docs/page.md", "docs", "main.js"]) utimesSync(join(contents, path), time, time);
    await pack(contents, join(folder, `${year}.tar.gz`));
    return readFileSync(join(folder, `${year}.tar.gz`));
  };
  try {
    mkdirSync(join(contents, "docs"), { recursive: true });
    for (const path of ["main.js", "docs/page.md"]) writeFileSync(join(contents, path), path);
    expect((await packedAt(2024)).equals(await packedAt(2025))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
