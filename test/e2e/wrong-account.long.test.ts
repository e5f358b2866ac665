import { canary, type Stack, type StateResource, Workspace } from "../support/pulumi";

let world: Workspace;
let elsewhere: Workspace;
let stack: Stack;
beforeAll(async () => {
  world = await Workspace.start({
    deployments: [{ id: "dpl_one", team: "acme", project: "web", target: "production", readyState: "READY" }],
  });
  elsewhere = await Workspace.start();
  await world.server.control("POST", "/seed", {
    teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token: `${canary}-any-team`, user: "ada" }],
  });
  stack = await world.stack("account");
});
afterAll(async () => {
  await world.stop();
  await elsewhere.stop();
});

it("a run against another account or address is refused, and leaves the state as it is", async () => {
  stack.program(`
    const web = new Project("web", { framework: "nextjs" });
    new ProjectDomain("domain", { project: web.id, name: "example.com" });
    new EnvVar("variable", { project: web.id, key: "K", value: "${canary}-value", target: ["production"] });
    new Promotion("live", { project: web.id, deployment: "dpl_one" });
  `);
  expect((await stack.up()).errors).toEqual([]);
  // The engine itself encrypts again, and writes its notes in another way.
  const recorded = async () => {
    const { stdout } = await stack.cli(["stack", "export", "--show-secrets"], {}, false);
    const resources: StateResource[] = JSON.parse(stdout).deployment.resources;
    return JSON.stringify(resources.map(({ urn, id, inputs, outputs }) => [urn, id, inputs, outputs]));
  };
  const before = await recorded();

  const team = { SLIPWAY_TEAM: "beta", SLIPWAY_TOKEN: `${canary}-any-team` };
  const address = { SLIPWAY_API_URL: elsewhere.server.url, SLIPWAY_TOKEN: elsewhere.token };
  for (const [command, env, says] of [
    ["refresh", team, /created in another account.*Restore SLIPWAY_TEAM or slipway:team/],
    ["refresh", address, /created at another address.*Restore SLIPWAY_API_URL or slipway:apiUrl/],
    ["destroy", team, /created in another account/],
  ] as const) {
    const run = await stack[command]({ env });
    expect(run.errors.join("\n")).toMatch(says);
    expect(run.code).not.toBe(0);
    expect(await recorded()).toBe(before);
  }
  expect((await world.server.request("GET", "/v9/projects/web/env")).body.envs).toHaveLength(1);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
});
