import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "../support/server";

interface Checks {
  changelogProblems(changelog: string, version: string): string[];
  licenseProblems(bundled: { name: string; version: string; license?: string | undefined }[]): string[];
}
const { changelogProblems, licenseProblems }: Checks = require("../../scripts/release/checks.mjs");

const released = "# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n- Something.\n\n## 1.1.0\n";

it.each([
  ["a release", released, "1.2.0", []],
  ["no section of the next changes", released.replace("## Unreleased\n\n", ""), "1.2.0", []],
  ["another version on top", released, "1.3.0", ["tells of 1.2.0 last, and package.json says 1.3.0"]],
  ["changes without a version", released.replace("d\n", "d\n\n- New.\n"), "1.2.0", ["under Unreleased"]],
  ["a version that is none", released, "next", ["none of SemVer"]],
])("the changelog with %s", (_, changelog, version, expected) => {
  expect(changelogProblems(changelog, version)).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  );
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

describe("npm run release", () => {
  let folder: string;
  let clone: string;
  const madeHere = new Set(["node_modules", ".git", ".slipway", "coverage"]);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-release-test-"));
    clone = join(folder, "clone");
    const filter = (path: string): boolean => !madeHere.has(relative(root, path));
    cpSync(root, clone, { recursive: true, filter, preserveTimestamps: true });
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  });
  beforeEach(() => {
    const { version } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
    writeFileSync(join(clone, "CHANGELOG.md"), `# Changelog\n\n## ${version}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const release = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/release.mjs", ...args], { cwd: clone, encoding: "utf8" });

  it("makes the package and the image's context, each with its bill of materials and checksum", () => {
    const out = join(folder, "out");
    const { status, stderr } = release("--out", out);
    expect(stderr).not.toContain("release:");
    expect(status).toBe(0);
    const sums = readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums.map((line) => line.split("  ")[1]?.replace(/\d+\.\d+\.\d+/, "V"))).toEqual([
      "slipway-V.cdx.json",
      "slipway-V.tgz",
      "slipway-server-V.cdx.json",
      "slipway-server-V.tar.gz",
    ]);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      const bytes = readFileSync(join(out, name));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sum);
      if (!name.endsWith(".json")) continue;
      const bill = JSON.parse(bytes.toString());
      expect(bill.bomFormat).toBe("CycloneDX");
      const names = bill.components.map((one: { name: string }) => one.name);
      expect(names).toEqual(expect.arrayContaining(["zod", "kysely", "preact"]));
      expect(names).not.toContain("jest");
      expect(names.includes("@pulumi/pulumi")).toBe(!name.includes("server"));
    }
    const context = sums.map((line) => line.split("  ")[1] ?? "").find((name) => name.endsWith(".tar.gz"));
    const files = execFileSync("tar", ["-tzf", join(out, context ?? "")], { encoding: "utf8" });
    for (const file of [
      "Dockerfile",
      "main.js",
      "command.js",
      "LICENSES.txt",
      "dashboard/app/index.html.gz",
    ]) {
      expect(files).toContain(`./${file}\n`);
    }
  }, 120_000);

  it("keeps nothing when the changelog does not tell of the version", () => {
    writeFileSync(join(clone, "CHANGELOG.md"), "# Changelog\n\n## 0.0.1\n");
    const { status, stderr } = release("--out", join(folder, "none"));
    expect(stderr).toContain("CHANGELOG.md tells of 0.0.1 last");
    expect(status).toBe(1);
    expect(existsSync(join(folder, "none"))).toBe(false);
  }, 120_000);
});
