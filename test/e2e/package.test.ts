import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { World } from "../support/pulumi";
import { root } from "../support/server";

/** The package as it would be published, in a folder that has nothing but it and what it depends on. */
describe("the packed package", () => {
  let folder: string;
  let world: World;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "slipway-package-"));
    const [packed] = JSON.parse(
      execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    ) as [{ filename: string }];
    const target = join(folder, "node_modules/slipway");
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", target, "--strip-components=1"]);
    const { bin, dependencies } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, "node_modules", name), link);
    }
    world = await World.start({}, join(target, bin.slipway));
  });

  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("holds what is needed to run, and no sources or tests", () => {
    expect(readdirSync(join(folder, "node_modules/slipway")).sort()).toEqual([
      "LICENSE",
      "README.md",
      "dist",
      "package.json",
    ]);
    expect(readdirSync(join(folder, "node_modules/slipway/dist")).sort()).toEqual([
      "cli",
      "provider",
      "sdk",
      "server",
    ]);
  });

  it("serves, and runs a program to the end", async () => {
    const stack = await world.stack("packed", undefined, join(folder, "node_modules"));
    stack.program(`
      const web = new Project("web", { framework: "nextjs" });
      new EnvVar("key", { project: web.id, key: "KEY", value: "v", target: ["production"] });
      export const id = web.id;`);
    const up = await stack.up();
    expect(up.errors).toEqual([]);
    expect((await world.server.request("GET", "/v9/projects/web")).status).toBe(200);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
    expect((await stack.destroy()).code).toBe(0);
    expect((await world.server.request("GET", "/v9/projects/web")).status).toBe(404);
  });

  it("brings its types", () => {
    writeFileSync(
      join(folder, "program.mts"),
      `import { Project, EnvVar } from "slipway";
       const web = new Project("web", { framework: "nextjs" });
       new EnvVar("key", { project: web.id, key: "KEY", value: "v", target: ["production"] });
       // @ts-expect-error: no such framework
       new Project("other", { framework: "nextjss" });`,
    );
    execFileSync(
      process.execPath,
      [
        join(root, "node_modules/typescript/bin/tsc"),
        ..."--noEmit --strict --skipLibCheck --target es2023 --module nodenext program.mts".split(" "),
      ],
      { cwd: folder, stdio: "inherit" },
    );
  });
});
