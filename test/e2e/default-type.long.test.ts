import { type Stack, Workspace } from "../support/pulumi";
import { someHosts } from "../support/slices";

let world: Workspace;
beforeAll(async () => {
  delete process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE;
  world = await Workspace.start();
});
afterAll(() => world.stop());

const stacks: Record<string, () => Promise<Stack>> = {
  "dynamic provider": () =>
    world.stack(
      "dynamic",
      `const web = new Project("web", { name: "dynamic" });
       new EnvVar("key", { project: web.id, key: "K", value: "canary-value", target: ["production"] });
       new EnvVars("more", { project: web.id, target: ["preview"], variables: { A: "canary-a" } });
       new EnvVar("local", { project: web.id, key: "L", value: "canary-local", target: ["development"] });`,
    ),
  plugin: () =>
    world.yaml(
      "plugin",
      `resources:
  web: { type: slipway:Project, properties: { name: plugin } }
  key:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: K, value: canary-value, target: [production] }
  more:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", target: [preview], variables: { A: canary-a } }
  local:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: L, value: canary-local, target: [development] }
`,
    ),
};

it.each(someHosts(Object.entries(stacks)))(
  "through the %s, new variables are write-only by default",
  async (_, begin) => {
    const stack = await begin();
    expect((await stack.up({ preview: true })).errors).toEqual([]);
    const { body } = await world.server.request("GET", `/v9/projects/${stack.name}/env`);
    const types = body.envs.map(({ key, type }: { key: string; type: string }) => `${key} ${type}`);
    expect(types.sort()).toEqual(["A sensitive", "K sensitive", "L encrypted"]);
    expect((await stack.up({ args: ["--refresh"] })).steps.filter(({ op }) => op !== "refresh")).toEqual([]);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  },
);
