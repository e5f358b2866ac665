import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../support/server";

interface BuildInputs {
  sources: string[];
  fingerprint(root: string): string;
  filesUnder(root: string, folder: string): string[];
}
const { filesUnder, fingerprint, sources }: BuildInputs = require("../../scripts/setup/build-inputs.mjs");

let folder: string;
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-inputs-"));
  for (const file of [
    "package.json",
    "package-lock.json",
    "publishing.json",
    "tsconfig.json",
    "tsconfig.build.json",
  ])
    write(file, "{}");
  write("scripts/setup/dist.mjs", "");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the fingerprint of the build", () => {
  it.each([
    "cli/main.ts",
    "sdk/index.ts",
    "provider/core/diff.ts",
    "server/dashboard/app/main.tsx",
    "server/dashboard/app/style.css",
    "server/dashboard/app/icon.svg",
    "server/dashboard/app/index.html",
    "scripts/setup/descriptions.mjs",
    "package.json",
    "package-lock.json",
  ])("changes with %s", (file) => {
    write(file, "before");
    const before = fingerprint(folder);
    expect(fingerprint(folder)).toBe(before);
    write(file, "after");
    expect(fingerprint(folder)).not.toBe(before);
  });

  it("changes when a file is added or renamed", () => {
    write("server/a.ts", "text");
    const before = fingerprint(folder);
    write("server/b.ts", "");
    expect(fingerprint(folder)).not.toBe(before);
    rmSync(join(folder, "server/a.ts"));
    rmSync(join(folder, "server/b.ts"));
    write("server/c.ts", "text");
    expect(fingerprint(folder)).not.toBe(before);
  });

  it("covers every file of the source folders", () => {
    const tracked = execFileSync("git", ["ls-files", ...sources], { cwd: root, encoding: "utf8" })
      .trim()
      .split("\n");
    expect(sources.flatMap((source) => filesUnder(root, source))).toEqual(expect.arrayContaining(tracked));
  });
});
