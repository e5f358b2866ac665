import { type Stack, Workspace } from "../support/pulumi";
import { someHosts } from "../support/slices";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
});
afterAll(() => world.stop());

const programs: [host: string, start: () => Promise<Stack>][] = [
  [
    "dynamic",
    () =>
      world.stack(
        "dynamic",
        `const web = new Project("web");
        new EnvVar("version", { project: web.id, key: "NODE", value: web.nodeVersion as any, target: ["production"] });
        export const version = web.nodeVersion;`,
      ),
  ],
  [
    "plugin",
    () =>
      world.yaml(
        "plugin",
        `resources:
  web: { type: slipway:Project }
  version:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: NODE, value: "\${web.nodeVersion}", target: [production] }
outputs: { version: "\${web.nodeVersion}" }
`,
      ),
  ],
];

it.each(someHosts(programs))(
  "%s: passes on what the service has of an input that is not given",
  async (_, start) => {
    const stack = await start();
    expect((await stack.preview()).errors).toEqual([]);
    expect((await stack.up()).errors).toEqual([]);
    const { stdout } = await stack.cli(["stack", "output", "version"]);
    expect(stdout.trim()).toBe("22.x");
    const { envs } = (await world.server.request("GET", "/v9/projects/web/env")).body;
    expect(envs).toEqual([expect.objectContaining({ key: "NODE" })]);
    const { body } = await world.server.request("GET", `/v1/projects/web/env/${envs[0].id}`);
    expect(body.value).toBe("22.x");
    for (const args of [["--expect-no-changes"], ["--refresh", "--expect-no-changes"]])
      expect(await stack.preview({ args })).toMatchObject({ code: 0, errors: [] });
    expect((await stack.destroy()).errors).toEqual([]);
  },
);
