import { canary, type Stack, Workspace } from "../support/pulumi";
import { someHosts } from "../support/slices";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
  await world.server.control("POST", "/seed", {
    teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [
      { token: `${canary}-first`, user: "ada" },
      { token: `${canary}-second`, user: "ada" },
    ],
    projects: [{ team: "beta", name: "docs", framework: "vue" }],
  });
});
afterAll(() => world.stop());

const envVarMappings = { BETA_TOKEN: "SLIPWAY_TOKEN", BETA_TEAM: "SLIPWAY_TEAM" };

const hosts: Record<string, () => Promise<Stack>> = {
  dynamic: () =>
    world.stack(
      "dynamic",
      `import { getProject } from "slipway";
      const provider = new Provider("beta", {}, { envVarMappings: ${JSON.stringify(envVarMappings)} });
      new Project("web", { name: "web-dynamic" }, { provider });
      export const found = getProject({ project: "docs" }, { provider }).then(({ framework }) => framework);`,
    ),
  plugin: () =>
    world.yaml(
      "plugin",
      `resources:
  beta: { type: "pulumi:providers:slipway", options: { envVarMappings: ${JSON.stringify(envVarMappings)} } }
  web: { type: slipway:Project, properties: { name: web-plugin }, options: { provider: "\${beta}" } }
outputs:
  found:
    fn::invoke:
      { function: slipway:getProject, arguments: { project: docs }, return: framework, options: { provider: "\${beta}" } }
`,
    ),
};

it.each(someHosts(Object.keys(hosts)))(
  "a %s provider takes its token from the variable that it names, and no state has it",
  async (host) => {
    const stack = await (hosts[host] as () => Promise<Stack>)();
    // The usual variables name another account.
    const env = (token: string) => ({ BETA_TOKEN: `${canary}-${token}`, BETA_TEAM: "beta" });
    expect((await stack.up({ env: env("first"), preview: true })).errors).toEqual([]);
    expect(await stack.outputs()).toEqual({ found: "vue" });
    const { stdout } = await stack.cli(["stack", "export", "--show-secrets"], {}, false);
    expect(stdout).not.toContain(canary);
    const owned = async () => {
      const answer = await fetch(`${world.server.url}/v9/projects?slug=beta`, {
        headers: { authorization: `Bearer ${canary}-second` },
      });
      const { projects } = (await answer.json()) as { projects: { name: string }[] };
      return projects.map(({ name }) => name).filter((name) => name !== "docs");
    };
    expect(await owned()).toEqual([`web-${host}`]);

    // Another token changes nothing.
    expect((await stack.up({ env: env("second"), args: ["--expect-no-changes"] })).code).toBe(0);
    // These do not run the program.
    expect((await stack.refresh({ env: env("second"), args: ["--expect-no-changes"] })).code).toBe(0);
    expect((await stack.destroy({ env: env("second") })).errors).toEqual([]);
    expect(await owned()).toEqual([]);
  },
);
