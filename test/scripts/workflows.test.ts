import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../support/server";

interface Step {
  uses?: string;
  run?: string;
}
interface Job {
  needs?: string | string[];
  environment?: string;
  permissions?: Record<string, string>;
  steps: Step[];
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = join(root, ".github/workflows");
const workflows: Record<string, Workflow> = Object.fromEntries(
  readdirSync(folder).map((name) => [name, parse(readFileSync(join(folder, name), "utf8"))]),
);
const jobs = Object.entries(workflows).flatMap(([file, { jobs: all }]) =>
  Object.entries(all).map(([name, job]): [string, Job] => [`${file} ${name}`, job]),
);
const release = workflows["release.yml"]?.jobs ?? {};
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

it("a workflow can read the contents unless a job asks for more", () => {
  expect(Object.keys(workflows).sort()).toEqual(["codeql.yml", "long.yml", "release.yml", "test.yml"]);
  for (const { permissions } of Object.values(workflows)) expect(permissions).toEqual({ contents: "read" });
});

it.each(jobs)("%s runs scripts of package.json", (_, { steps }) => {
  const named = steps.flatMap(({ run = "" }) =>
    [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
  );
  expect(named.filter((name = "") => !(name in scripts))).toEqual([]);
});

describe("the action of the package", () => {
  const text = readFileSync(join(root, ".github/actions/slipway/action.yml"), "utf8");
  const { inputs, runs } = parse(text) as { inputs: object; runs: { using: string; steps: Step[] } };

  it("uses its inputs, and no expression within a script", () => {
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
    // A name of a stack or a branch could be a command.
    for (const { run = "" } of runs.steps) expect(run).not.toContain("${{");
  });

  it("runs scripts that bash accepts", () => {
    const scripts = runs.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(scripts.length).toBeGreaterThan(4);
    for (const script of scripts) execFileSync("bash", ["-n"], { input: script, stdio: "pipe" });
  });
});

it("a release publishes nothing before the plugin has run on clean machines", () => {
  const publishing = Object.entries(release).filter(([name]) => !["build", "clean"].includes(name));
  expect(publishing.map(([name]) => name)).toEqual(["npm", "python", "image", "github", "dotnet", "java"]);
  for (const [name, { needs, environment }] of publishing) {
    expect([name, needs, environment]).toEqual([name, ["build", "clean"], "release"]);
  }
});

it("a release publishes files that npm run release names", () => {
  const usage = readFileSync(join(root, "scripts/release.mjs"), "utf8");
  const names = [...JSON.stringify(release).matchAll(/release\/([\w-]+-)\$VERSION(\.[a-z.]+)/g)];
  expect(names.length).toBeGreaterThan(3);
  for (const [, name, end] of names) expect(usage.replace("LANGUAGE", "go")).toContain(`${name}V${end}`);
});

it("npm packages are published with provenance, and without a stored token", () => {
  const text = JSON.stringify(release.npm);
  expect(text).toContain("--provenance");
  expect(text).not.toContain("secrets.");
  expect(release.npm?.permissions).toEqual({ "id-token": "write" });
});

it("a release refuses a tag of another version, and names that nobody has filled in", () => {
  const script = release.build?.steps.map(({ run }) => run ?? "").join("\n") ?? "";
  expect(script).toContain('[ "v$version" != "$GITHUB_REF_NAME" ]');
  const [, pattern = ""] = /grep -qi (\S+) publishing\.json/.exec(script) ?? [];
  expect(readFileSync(join(root, "publishing.json"), "utf8")).toMatch(new RegExp(pattern, "i"));
});

it("dependency updates cover every Go module of the repository", () => {
  const { updates } = parse(readFileSync(join(root, ".github/dependabot.yml"), "utf8"));
  const gomod = updates.find((one: { "package-ecosystem": string }) => one["package-ecosystem"] === "gomod");
  const modules = readdirSync(join(root, "scripts"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("/go.mod"))
    .map((name) => `/scripts/${name.replace(/\/go\.mod$/, "")}`);
  const isCovered = (path: string): boolean =>
    gomod.directories.some((pattern: string) => new RegExp(`^${pattern.replace("*", "[^/]+")}$`).test(path));
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter((path) => !isCovered(path))).toEqual([]);
});
