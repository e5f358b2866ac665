import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/server";

/** The check for changes of the package schema that break programs. */

const {
  breakingChanges,
  checkSchema,
}: {
  breakingChanges(before: object, after: object): { part: string; change: string }[];
  checkSchema(root: string): string[];
} = require("../../scripts/check/schema.mjs");

const current = readFileSync(join(root, "schema.json"), "utf8");
// biome-ignore lint/suspicious/noExplicitAny: each row changes another part of the schema
type Schema = any;
const resource = (schema: Schema, name: string) => schema.resources[`slipway:index:${name}`];

const breaking: [title: string, change: (schema: Schema) => void, expected: string[]][] = [
  ["a resource", (s) => delete s.resources["slipway:index:Webhook"], ["Webhook: is gone"]],
  ["a look-up", (s) => delete s.functions["slipway:index:getProject"], ["getProject: is gone"]],
  [
    "an input, and the output of its name",
    (s) => {
      delete resource(s, "EnvVar").inputProperties.comment;
      delete resource(s, "EnvVar").properties.comment;
    },
    ["EnvVar.comment: is gone", "EnvVar.comment: is gone"],
  ],
  [
    "the type of an input",
    (s) => Object.assign(resource(s, "EnvVar").inputProperties.key, { type: "number" }),
    ["EnvVar.key: has the type number instead of string"],
  ],
  [
    "an optional input that becomes required",
    (s) => resource(s, "EnvVar").requiredInputs.push("comment"),
    ["EnvVar.comment: is now required"],
  ],
  [
    "a new required input",
    (s) => {
      resource(s, "EnvVar").inputProperties.owner = { type: "string" };
      resource(s, "EnvVar").requiredInputs.push("owner");
    },
    ["EnvVar.owner: is now required"],
  ],
  [
    "an output that is no longer always there",
    (s) => {
      resource(s, "EnvVar").required = resource(s, "EnvVar").required.filter(
        (one: string) => one !== "revision",
      );
    },
    ["EnvVar.revision: is no longer always there"],
  ],
  [
    "a value of an enumeration",
    (s) => s.types["slipway:index:ProjectFramework"].enum.shift(),
    ["ProjectFramework: the value blitzjs is gone"],
  ],
  ["a setting of the provider", (s) => delete s.provider.inputProperties.team, ["Provider.team: is gone"]],
];

it.each(breaking)("finds %s", (_, change, expected) => {
  const [before, after] = [JSON.parse(current), JSON.parse(current)];
  change(after);
  const found = breakingChanges(before, after);
  expect(found.map(({ part, change }) => `${part}: ${change}`)).toEqual(expected);
});

it("accepts additions, and what becomes easier", () => {
  const [before, after] = [JSON.parse(current), JSON.parse(current)];
  after.resources["slipway:index:Another"] = { inputProperties: {}, properties: {} };
  resource(after, "EnvVar").inputProperties.owner = { type: "string" };
  resource(after, "EnvVar").properties.owner = { type: "string" };
  resource(after, "EnvVar").requiredInputs.pop();
  after.types["slipway:index:ProjectFramework"].enum.push({ value: "new" });
  expect(breakingChanges(before, after)).toEqual([]);
});

describe("the check", () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-schema-"));
    git("init", "--quiet", "--initial-branch", "main");
    write("schema.json", current);
    write(
      "CHANGELOG.md",
      "# Changelog\n\n## Unreleased\n\n### Changed\n\n- A line about `Webhook`.\n\n## 0.1.0\n",
    );
    git("add", ".");
    git("commit", "--quiet", "--message", "Begin");
    const schema = JSON.parse(current);
    delete schema.resources["slipway:index:Webhook"];
    write("schema.json", JSON.stringify(schema));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("compares with the last commit, and accepts what the changelog calls breaking", () => {
    expect(checkSchema(folder)).toEqual(["Webhook: is gone"]);
    const line = "- **Breaking**: `Webhook` is gone. Use `LogDrain`.";
    write("CHANGELOG.md", `# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n${line}\n`);
    expect(checkSchema(folder)).toEqual(["Webhook: is gone"]);
    write("CHANGELOG.md", `# Changelog\n\n## Unreleased\n\n### Changed\n\n${line}\n`);
    expect(checkSchema(folder)).toEqual([]);
  });

  it("compares with the branch of a pull request in CI", () => {
    git("add", ".");
    git("commit", "--quiet", "--message", "Remove the webhook");
    expect(checkSchema(folder)).toEqual([]);
    git("update-ref", "refs/remotes/origin/main", "HEAD~1");
    process.env.GITHUB_BASE_REF = "main";
    const found = checkSchema(folder);
    delete process.env.GITHUB_BASE_REF;
    expect(found).toEqual(["Webhook: is gone"]);
  });

  it("says nothing without git", () => {
    rmSync(join(folder, ".git"), { recursive: true });
    expect(checkSchema(folder)).toEqual([]);
  });
});
