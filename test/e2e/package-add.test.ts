import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { built } from "../support/dist";
import { type Stack, World } from "../support/pulumi";

let world: World;
/** The plugin's folder, copied anywhere: nothing of the clone is beside it. */
let plugin: string;
beforeAll(async () => {
  world = await World.start();
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

it("the folder gives an SDK, as which TypeScript has it", async () => {
  const stack = await programOf("sdk");
  const { code, output } = await stack.cli([
    ...["package", "gen-sdk", plugin],
    ...["--language", "nodejs", "--out", stack.folder],
  ]);
  expect([code, output]).toEqual([0, expect.anything()]);
  const made = (file: string): string => readFileSync(join(stack.folder, "nodejs", file), "utf8");
  expect(JSON.parse(made("package.json")).name).toBe("@slipway/pulumi");
  expect(made("project.ts")).toContain("export class Project extends pulumi.CustomResource");
});
