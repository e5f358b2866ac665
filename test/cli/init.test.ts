import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { slipwayHere } from "../support/cli";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const textOf = (...path: string[]): string => readFileSync(join(folder, ...path), "utf8");

describe("slipway init", () => {
  it.each([
    ["typescript", ["package.json", "tsconfig.json", "index.ts"], "nodejs"],
    ["yaml", [], "yaml"],
    ["hcl", ["main.tf"], "hcl"],
  ])("writes a program: %s", async (language, files, runtime) => {
    const target = join(folder, "My App");
    const { code, stdout } = await slipwayHere(["init", target, "--language", language]);
    expect(code).toBe(0);
    expect(stdout).toContain(`cd ${target}`);
    expect(stdout).toContain(language === "typescript" ? "npm install" : "slipway plugin install");
    expect(readdirSync(target).sort()).toEqual([".gitignore", "Pulumi.yaml", ...files].sort());
    const written = readdirSync(target).map((file) => textOf("My App", file));
    expect(written.join()).not.toMatch(/\$\{(PROJECT|DESCRIPTION)\}/);
    const project = parse(textOf("My App", "Pulumi.yaml"));
    expect(project.runtime.name ?? project.runtime).toBe(runtime);
    expect(project).toMatchObject({ name: "my-app", description: expect.any(String) });
    // The questions of `pulumi new` are left out.
    expect(project).not.toHaveProperty("template");
  });

  it("gives the projects another name", async () => {
    const target = join(folder, "app");
    expect((await slipwayHere(["init", target, "--language", "yaml", "--name", "web"])).code).toBe(0);
    expect(parse(textOf("app", "Pulumi.yaml"))).toMatchObject({
      name: "web",
      resources: { web: { properties: { name: "web" } } },
    });
  });

  it("changes nothing in a folder that is not empty", async () => {
    writeFileSync(join(folder, "mine.txt"), "kept");
    const { code, stderr } = await slipwayHere(["init", folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${folder} is not empty`)]);
    expect(readdirSync(folder)).toEqual(["mine.txt"]);
  });

  it("writes nothing into the folders of Slipway itself", async () => {
    mkdirSync(join(folder, ".slipway"));
    const { code, stderr } = await slipwayHere(["init", join(folder, ".slipway", "app")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("where Slipway keeps its own files")]);
    expect(readdirSync(join(folder, ".slipway"))).toEqual([]);
  });

  it.each(["Web", "a---b", "-a"])("refuses the name %j", async (name) => {
    const { code, stderr } = await slipwayHere(["init", join(folder, "app"), `--name=${name}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("lower-case letters")]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("says what to do where the folder gives no name", async () => {
    const { code, stderr } = await slipwayHere(["init", join(folder, "---")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--name")]);
  });
});
