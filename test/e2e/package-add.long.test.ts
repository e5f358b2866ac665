import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { version } from "../../provider/client/version";
import { built } from "../support/dist";
import { type Stack, Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { inFull } from "../support/slices";

let world: Workspace;
/** The plugin's folder, copied anywhere: nothing of the clone is beside it. */
let plugin: string;
beforeAll(async () => {
  world = await Workspace.start();
  plugin = join(world.folder, "anywhere/plugin");
  cpSync(built("plugin"), plugin, { recursive: true });
});
afterAll(() => world.stop());

const resources = `resources:
  web:
    type: slipway:Project
    properties: { name: web, framework: nextjs }
outputs: { projectId: "\${web.id}" }
`;

const manifestOf = (stack: Stack) => parse(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8"));

/** A program that names the plugin nowhere, or only as a package. */
async function programOf(name: string, packages = ""): Promise<Stack> {
  const stack = await world.yaml(name, "resources: {}\n");
  stack.file("Pulumi.yaml", `name: ${name}\nruntime: yaml\n${packages}${resources}`);
  return stack;
}

async function makesAndRemoves(stack: Stack): Promise<void> {
  const made = await stack.up();
  expect([made.errors, made.steps.map(({ op, name }) => `${op} ${name}`)]).toEqual([[], ["create web"]]);
  expect((await world.server.request("GET", "/v9/projects/web")).body.framework).toBe("nextjs");
  expect((await stack.up()).steps).toEqual([]);
  expect((await stack.destroy()).errors).toEqual([]);
}

it("`pulumi package add` takes the folder as a package, which the program then uses", async () => {
  const stack = await programOf("added");
  const { code, output } = await stack.cli(["package", "add", plugin]);
  expect([code, output]).toEqual([0, expect.anything()]);
  expect(manifestOf(stack).packages).toEqual({ slipway: expect.stringContaining("anywhere/plugin") });
  expect(existsSync(join(stack.folder, "sdks/slipway"))).toBe(true);
  await makesAndRemoves(stack);
});

it("`packages:` in the manifest is made ready by `pulumi install`", async () => {
  const stack = await programOf("declared", `packages: { slipway: ${plugin} }\n`);
  const { code, output } = await stack.cli(["install"]);
  expect([code, output]).toEqual([0, expect.anything()]);
  await makesAndRemoves(stack);
});

it("`pulumi plugin install` takes the folder after a command installed its packages", async () => {
  const stack = await programOf("installed");
  expect((await stack.cli(["package", "get-schema", plugin])).code).toBe(0);
  const home = join(world.folder, "home");
  const args = ["plugin", "install", "resource", "slipway", version, "--file", plugin];
  const { code, output } = await stack.cli(args, { PULUMI_HOME: home });
  expect([code, output]).toEqual([0, expect.anything()]);
  const installed = join(home, `plugins/resource-slipway-v${version}`);
  expect(existsSync(join(installed, "pulumi-resource-slipway"))).toBe(true);
});

it("`pulumi package get-schema` reads the executable alone, and writes nothing", async () => {
  const stack = await programOf("alone");
  const folder = join(world.folder, "alone-plugin");
  const executable = join(folder, "pulumi-resource-slipway");
  cpSync(join(plugin, "pulumi-resource-slipway"), executable);
  const { code, stdout } = await stack.cli(["package", "get-schema", executable]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ name: "slipway", version });
  expect(readdirSync(folder)).toEqual(["pulumi-resource-slipway"]);
});

inFull("`pulumi package gen-sdk` writes an SDK for TypeScript that compiles as it is", async () => {
  const stack = await programOf("sdk");
  const { code, output } = await stack.cli([
    ...["package", "gen-sdk", plugin],
    ...["--language", "nodejs", "--out", stack.folder],
  ]);
  expect([code, output]).toEqual([0, expect.anything()]);
  const sdk = join(stack.folder, "nodejs");
  expect(JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")).name).toBe("@slipway/pulumi");
  symlinkSync(join(root, "node_modules"), join(sdk, "node_modules"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "--project", sdk, "--noEmit", "--ignoreDeprecations", "6.0"];
  expect(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout).toBe("");
});
