import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { parse } from "yaml";
import { resourceOfType } from "../../provider/hosting";
import { startPlugin } from "../provider/plugin-host";
import { built } from "../support/dist";
import { root } from "../support/server";

interface Property {
  type?: string;
  $ref?: string;
  oneOf?: Property[];
  items?: Property;
  additionalProperties?: Property;
  description?: string;
  secret?: boolean;
}
interface Shape {
  description?: string;
  properties: Record<string, Property>;
  required?: string[];
}
interface Schema {
  resources: Record<string, Shape & { inputProperties: Record<string, Property>; requiredInputs: string[] }>;
  functions: Record<string, { description: string; inputs: Shape; outputs: Shape }>;
  types: Record<string, Shape>;
}

const pluginFolder = built("plugin");
const schema: Schema = JSON.parse(readFileSync(join(pluginFolder, "schema.json"), "utf8"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-plugin-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the package schema", () => {
  it("has the inputs and outputs of each resource, and marks what is secret", () => {
    expect(Object.keys(schema.resources).sort()).toEqual(
      [...resourceOfType.keys(), "Site"].map((type) => `slipway:index:${type}`).sort(),
    );
    for (const [type, resource] of resourceOfType) {
      const { inputProperties, properties } = schema.resources[`slipway:index:${type}`] ?? fail(type);
      const inputs = Object.keys(resource.inputs.shape);
      expect(Object.keys(inputProperties)).toEqual(inputs);
      expect(Object.keys(properties).sort()).toEqual(
        [...inputs, ...Object.keys(resource.outputs.shape)].sort(),
      );
      const secrets = Object.keys(properties).filter((key) => properties[key]?.secret);
      expect(secrets.sort()).toEqual([...resource.secret].sort());
    }
    expect(schema.resources["slipway:index:Project"]?.requiredInputs).toEqual([]);
    expect(schema.functions["slipway:index:getEnvVars"]).toBeDefined();
  });

  it("describes everything, and refers to nothing that is not there", () => {
    const shapes = [
      ...Object.values(schema.resources),
      ...Object.values(schema.types),
      ...Object.values(schema.functions).flatMap(({ inputs, outputs }) => [inputs, outputs]),
    ];
    for (const { properties } of shapes) {
      for (const [key, property] of Object.entries(properties)) {
        for (const token of refsOf(property)) expect(schema.types).toHaveProperty([token]);
        if (property.type === undefined && !property.$ref && !property.oneOf) fail(`${key} has no type`);
      }
    }
    for (const [token, { description, inputProperties }] of Object.entries(schema.resources)) {
      expect([token, description]).toEqual([token, expect.stringMatching(/^[A-Z][\s\S]*```yaml/)]);
      for (const [key, property] of Object.entries(inputProperties)) {
        expect([key, property.description]).toEqual([key, expect.stringMatching(/\w/)]);
      }
    }
  });

  it("has examples that declare what it has", () => {
    for (const [token, { description = "" }] of Object.entries(schema.resources)) {
      const [, program = ""] = /```yaml\n([\s\S]*?)```/.exec(description) ?? [];
      const { resources } = parse(program) as {
        resources: Record<string, { type: string; properties?: object }>;
      };
      const declared = Object.values(resources);
      expect(declared.map(({ type }) => type)).toContain(token.replace(":index:", ":"));
      for (const { type, properties = {} } of declared) {
        const { inputProperties } = schema.resources[type.replace(":", ":index:")] ?? fail(type);
        for (const key of Object.keys(properties)) expect(inputProperties).toHaveProperty([key]);
      }
    }
  });
});

const fail = (what: string): never => {
  throw new Error(what);
};

function refsOf({ $ref, oneOf = [], items, additionalProperties }: Property): string[] {
  const inner = [...oneOf, items, additionalProperties].filter((one) => one !== undefined);
  return [...($ref ? [$ref.replace("#/types/", "")] : []), ...inner.flatMap(refsOf)];
}

it("the folder of the plugin runs wherever it is copied, among modules of another kind too", async () => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  cpSync(pluginFolder, join(folder, "copy"), { recursive: true });
  const plugin = await startPlugin({}, join(folder, "copy"));
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(version);
  await plugin.close();
});

it("slipway plugin install puts the plugin where Pulumi looks for it, again and again", async () => {
  const install = () =>
    execFileSync(process.execPath, [built("cli/main.js"), "plugin", "install"], {
      env: { PATH: process.env.PATH, PULUMI_HOME: folder },
      encoding: "utf8",
    }).trim();
  const target = join(folder, `plugins/resource-slipway-v${version}`);
  expect([install(), install()]).toEqual([target, target]);
  expect(readdirSync(join(folder, "plugins"))).toHaveLength(1);
  expect(statSync(join(target, "pulumi-resource-slipway")).mode & 0o111).toBe(0o111);
  const plugin = await startPlugin({}, target);
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(version);
  await plugin.close();
});
