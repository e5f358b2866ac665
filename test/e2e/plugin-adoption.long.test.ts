import { type Run, type Stack, Workspace } from "../support/pulumi";
import { step } from "../support/step";

let world: Workspace;
let stack: Stack;
beforeEach(async () => {
  world = await Workspace.start();
  stack = await world.yaml("adoption", "resources: {}\n");
});
afterEach(() => world.stop());

const request = async (method: string, path: string, body?: object) =>
  (await world.server.request(method, path, body)).body;
const variables = async (): Promise<{ id: string }[]> => (await request("GET", "/v9/projects/web/env")).envs;

const web = "  web: { type: slipway:Project, properties: { name: web, adopt: true } }\n";
const variable = (name: string, target = "[production, preview]", options = ""): string => `  ${name}:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: K, value: canary-value, target: ${target}, adopt: true }
${options}`;

async function up(resources: string, args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
  stack.yaml(`resources:\n${resources}`);
  return stack.up({ args, env });
}

it("the plugin adopts objects that no resource of the stack has, and no others", async () => {
  await step(
    "an object that no resource of the stack has is adopted, and a second run changes nothing",
    async () => {
      await request("POST", "/v10/projects", { name: "web" });
      await request("POST", "/v10/projects/web/domains", { name: "example.com" });
      const K = { key: "K", value: "canary-old", type: "encrypted", target: ["production", "preview"] };
      await request("POST", "/v9/projects/web/env", K);
      const [before] = await variables();
      const www = `  apex:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: example.com, adopt: true }
`;
      const run = await up(web + www + variable("old"));
      expect(run.errors).toEqual([]);
      expect(await variables()).toEqual([expect.objectContaining({ id: before?.id })]);
      expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
      expect((await up(web + variable("old"))).errors).toEqual([]);
    },
  );

  await step("the key of a resource that leaves the program moves, but not to another provider", async () => {
    const own = "  own: { type: pulumi:providers:slipway, properties: { team: acme } }\n";
    const many = `  many:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", variables: { K: canary-value }, target: [production, preview], adopt: true }
`;
    const before = await variables();
    const ofOwn = own + variable("new", undefined, `    options: { provider: "\${own}" }\n`);
    expect((await up(web + ofOwn)).errors).toContainEqual(
      expect.stringMatching(/belongs to EnvVar "old", which has another provider/),
    );
    expect(await variables()).toEqual(before);
    for (const resources of [many, variable("old")]) {
      expect((await up(web + resources)).errors).toEqual([]);
      expect(await variables()).toEqual([expect.objectContaining({ key: "K" })]);
    }
    const last = await variables();
    const alias = "    options: { aliases: [{ name: old }] }\n";
    expect((await up(web + variable("new", undefined, alias))).errors).toEqual([]);
    expect(await variables()).toEqual(last);
  });

  await step("an adoption is refused with a hint when the stack's state cannot be read", async () => {
    await request("POST", "/v10/projects", { name: "other" });
    const other =
      "  other: { type: slipway:Project, properties: { name: other, framework: astro, adopt: true } }\n";
    const alias = "    options: { aliases: [{ name: old }] }\n";
    const all = web + variable("new", undefined, alias) + other;
    // The engine then records nothing before it is done.
    const run = await up(all, [], { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" });
    expect(run.errors).toContainEqual(
      expect.stringMatching(
        /is not adopted, because the state of the stack cannot be read .*`pulumi import`/,
      ),
    );
    expect(await request("GET", "/v9/projects/other")).toMatchObject({ framework: null });
    expect((await up(all)).errors).toEqual([]);
    expect(await request("GET", "/v9/projects/other")).toMatchObject({ framework: "astro" });
    expect((await stack.destroy()).errors).toEqual([]);
  });
}, 300_000);

it("the plugin adopts without writing what the program ignores, in one run with others", async () => {
  await request("POST", "/v10/projects", { name: "web", buildCommand: "live" });
  const keys = ["A", "B", "C"];
  for (const key of keys) {
    const live = { key, value: `canary-live-${key}`, type: "plain", target: ["production"] };
    await request("POST", "/v9/projects/web/env", live);
  }
  const ignoring = keys.map(
    (key) => `  ${key}:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: ${key}, value: placeholder, target: [production], comment: why, adopt: true }
    options: { ignoreChanges: [value] }
`,
  );
  const project = `  web:
    type: slipway:Project
    properties: { name: web, buildCommand: placeholder, framework: astro, adopt: true }
    options: { ignoreChanges: [buildCommand] }
`;
  expect((await up(project + ignoring.join(""))).errors).toEqual([]);
  const envs = (await request("GET", "/v9/projects/web/env")).envs as { value: string; comment: string }[];
  expect(envs.map(({ value, comment }) => [value, comment]).sort()).toEqual(
    keys.map((key) => [`canary-live-${key}`, "why"]),
  );
  expect(await request("GET", "/v9/projects/web")).toMatchObject({
    buildCommand: "live",
    framework: "astro",
  });
  expect((await stack.preview({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).errors).toEqual([]);
  expect((await stack.preview({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect((await stack.destroy()).errors).toEqual([]);
});
