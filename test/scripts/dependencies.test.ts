import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { installed }: { installed(folder: string): boolean } = require("../../scripts/setup/dependencies.mjs");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-dependencies-"));
  mkdirSync(join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, packages: object): void =>
  writeFileSync(join(folder, file), JSON.stringify({ packages }));
const one = { version: "1.0.0", integrity: "sha512-one" };

describe("dependencies", () => {
  it.each([
    ["count", "that the lock file names", { a: one }],
    ["count", "without a package for another system", { a: one, "for-windows": undefined }],
    ["do not count", "of another version", { a: { ...one, version: "1.0.1" } }],
    ["do not count", "with other contents of the same version", { a: { ...one, integrity: "sha512-other" } }],
    ["do not count", "without one of the packages", {}],
  ])("%s as installed %s", (counts, _, present) => {
    write("package-lock.json", {
      "": { version: "1.0.0" },
      a: one,
      "for-windows": { ...one, optional: true },
    });
    write("node_modules/.package-lock.json", present);
    expect(installed(folder)).toBe(counts === "count");
  });

  it("of an interrupted installation do not count as installed", () => {
    write("package-lock.json", { a: one });
    expect(installed(folder)).toBe(false);
  });
});
