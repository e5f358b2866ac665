import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "../support/pages";
import { root } from "../support/server";

const files = globSync("{examples,templates}/*/gitignore", { cwd: root }).sort();

it("the example for CI and every template come with a gitignore", () => {
  const projects = ["examples/ci", ...globSync("templates/*", { cwd: root })];
  expect(files).toEqual(projects.map((project) => `${project}/gitignore`).sort());
});

it.each(files)("%s ignores the files with secrets that pages name", (file) => {
  const [, snapshot = ""] =
    /slipway snapshot -o (\S+) --with-values/.exec(textOf("docs/guides/rehearsal.md")) ?? [];
  const secrets = [snapshot, "account-2.json", "import.json", "secrets.sh"];
  const folder = mkdtempSync(join(tmpdir(), "slipway-gitignore-"));
  try {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    copyFileSync(join(root, file), join(folder, ".gitignore"));
    // It prints those that are ignored.
    const input = [...secrets, "package.json", "Pulumi.production.yaml"].join("\n");
    const ignored = execFileSync("git", ["check-ignore", "--stdin"], {
      cwd: folder,
      input,
      encoding: "utf8",
    });
    expect(ignored.trim().split("\n")).toEqual(secrets);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
