import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { built } from "../support/dist";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { inFull, stepInFull } from "../support/slices";
import { step } from "../support/step";

/** A stack is made with one version of the package or the plugin, then run with a later one, and with the first again. */

const versions = { first: "0.1.0", later: "0.2.0" };
type Version = keyof typeof versions;

let world: Workspace;

beforeAll(async () => {
  world = await Workspace.start();
  for (const version of ["first", "later"] as const) install(version);
});
afterAll(() => world.stop());

const folderOf = (version: Version): string => join(world.folder, version);

const isCode = /\.js(on)?$|^pulumi-resource-slipway$/;

/** Installs this build in a folder of its own. The code of the later version differs, and names its number. */
function install(version: Version): void {
  const folder = folderOf(version);
  cpSync(built(""), join(folder, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  if (version === "first") return;
  let named = 0;
  const files = readdirSync(join(folder, "dist"), { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files.filter((one) => one.isFile() && isCode.test(one.name))) {
    const file = join(parentPath, name);
    const text = readFileSync(file, "utf8");
    const renamed = text.replace(/(version\d*"?\s*[:=]\s*")0\.1\.0"/g, `$1${versions.later}"`);
    if (renamed !== text) named += 1;
    if (renamed !== text) writeFileSync(file, renamed);
    if (name.endsWith(".js")) appendFileSync(file, "\n// The code of the later version.\n");
  }
  expect(named).toBeGreaterThan(2);
}

/** The objects of a project, without the times of changes. */
async function objects(project: string): Promise<unknown> {
  const paths = ["", "/domains", "/env"].map((path) => `/v9/projects/${project}${path}`);
  const answers = await Promise.all(paths.map((path) => world.server.request("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const text = JSON.stringify(answers.map(({ body }) => body));
  return JSON.parse(text, (key, value) => (key === "updatedAt" ? undefined : value));
}

/** Runs a stack with the first version, the later one, and the first one again. */
async function upgrade(stack: Stack, use: (version: Version) => void, change: (framework: string) => void) {
  await step("the first version creates the objects", async () => {
    expect((await stack.up()).errors).toEqual([]);
  });
  const made = await objects(stack.name);
  for (const [version, framework] of [
    ["later", "astro"],
    ["first", "nextjs"],
  ] as const) {
    use(version);
    await stepInFull(`the ${version} version plans nothing by itself`, async () => {
      const run = await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect([run.code, run.errors]).toEqual([0, []]);
    });
    await step(`the ${version} version updates one input, and keeps the rest`, async () => {
      change(framework);
      const run = await stack.up({ args: ["--refresh"] });
      expect(run.errors).toEqual([]);
      const changes = run.steps.filter(({ op }) => op !== "refresh");
      expect(changes.map(({ op, type, diffs }) => [op, type, diffs])).toEqual([
        ["update", "Project", ["framework"]],
      ]);
    });
  }
  expect(await objects(stack.name)).toEqual(made);
  use("later");
  await step("the later version deletes what the first one created", async () => {
    expect((await stack.destroy()).errors).toEqual([]);
    expect((await world.server.request("GET", `/v9/projects/${stack.name}`)).status).toBe(404);
  });
}

it("a stack of the package runs with a later version, and with the first again", async () => {
  const modules = join(world.folder, "modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "slipway") symlinkSync(join(root, "node_modules", name), join(modules, name));
  const use = (version: Version): void => {
    rmSync(join(modules, "slipway"), { force: true });
    symlinkSync(folderOf(version), join(modules, "slipway"));
  };
  const program = (framework: string): string => `
    const web = new Project("package", { framework: "${framework}" });
    new ProjectDomain("www", { project: web.id, name: "www.package.example" });
    new EnvVar("plain", { project: web.id, key: "PLAIN", value: "${canary}-plain", target: ["production"] });
    new EnvVar("secret", { project: web.id, key: "SECRET", value: "${canary}-secret", type: "sensitive", target: ["production"] });
  `;
  use("first");
  const stack = await world.stack("package", program("nextjs"), modules);
  await upgrade(stack, use, (framework) => stack.program(program(framework)));
});

inFull("a stack of the plugin runs with a later version, and with the first again", async () => {
  let version: Version = "first";
  let framework = "nextjs";
  const program = (): string => `resources:
  plugin:
    type: slipway:Project
    properties: { framework: ${framework} }
  www:
    type: slipway:ProjectDomain
    properties: { project: "\${plugin.id}", name: www.plugin.example }
  plain:
    type: slipway:EnvVar
    properties: { project: "\${plugin.id}", key: PLAIN, value: ${canary}-plain, target: [production] }
  secret:
    type: slipway:EnvVar
    properties: { project: "\${plugin.id}", key: SECRET, value: ${canary}-secret, type: sensitive, target: [production] }
`;
  const stack = await world.yaml("plugin", program());
  const write = (): void => stack.yaml(program(), join(folderOf(version), "dist/plugin"));
  write();
  await upgrade(
    stack,
    (used) => {
      version = used;
      write();
    },
    (used) => {
      framework = used;
      write();
    },
  );
  expect(version).toBe("later");
});
