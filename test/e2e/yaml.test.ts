import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canary, type Stack, World } from "../support/pulumi";
import { root } from "../support/server";

let world: World;
beforeAll(async () => {
  world = await World.start({
    deployments: ["dpl_one", "dpl_two"].map((id, at) => ({
      id,
      team: "acme",
      project: "web",
      target: "production",
      readyState: "READY",
      createdAt: at + 1,
    })),
  });
});
afterAll(() => world.stop());

const request = async (path: string) => (await world.server.request("GET", path)).body;
const change = async (method: string, path: string, body?: object) => {
  const answer = await world.server.request(method, path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const steps = (run: { steps: { op: string; name: string }[] }): string[] =>
  run.steps.map(({ op, name }) => `${op} ${name}`).sort();

const resources = (
  over: { framework?: string; www?: string; deployment?: string } = {},
): string => `resources:
  web:
    type: slipway:Project
    properties: { name: web, framework: ${over.framework ?? "nextjs"} }
  apex:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: example.com }
  www:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: ${over.www ?? "www.example.com"}, redirect: "\${apex.name}" }
  secret:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: SECRET, value: ${canary}-value, type: sensitive, target: [production] }
  many:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", variables: { A: ${canary}-a, B: { value: ${canary}-b, type: plain } } }
  live:
    type: slipway:Promotion
    properties: { project: "\${web.id}", deployment: ${over.deployment ?? "dpl_one"} }
outputs:
  projectId: \${web.id}
  challenge: \${apex.verification}
`;

describe("a stack in YAML", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await world.yaml("yaml", resources());
  });

  it("is previewed with what is known of what will be made", async () => {
    const { output, errors } = await stack.preview({ args: ["--diff", "--suppress-progress"] });
    expect(errors).toEqual([]);
    const shown = output
      .split("\n")
      .filter((line) => !/^\s*$|warning:|urn=|Previewing|Duration|Stack:|Resources:|to create$/.test(line))
      // What does not depend on each other comes in any order.
      .join("\n")
      .split(/(?=^ {4}(?:\+|--))/m)
      .map((part) => `${part.trimEnd()}\n`)
      .sort()
      .join("");
    expect(shown).toBe(readFileSync(join(root, "test/e2e/golden/preview.yaml.txt"), "utf8"));
    expect((await request("/v9/projects")).projects).toEqual([]);
  });

  it("is made, and then stays as it is", async () => {
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(steps(run)).toEqual(
      ["apex", "live", "many", "secret", "web", "www"].map((name) => `create ${name}`),
    );
    expect((await request("/v9/projects/web")).targets.production.id).toBe("dpl_one");
    expect((await stack.up()).steps).toEqual([]);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  });

  it("names each property that an update changes", async () => {
    stack.yaml(resources({ framework: "astro", deployment: "dpl_two" }));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(run.steps.map(({ op, name, detailed }) => [op, name, detailed])).toEqual(
      expect.arrayContaining([
        ["update", "web", { framework: "update" }],
        ["update", "live", { deployment: "update" }],
      ]),
    );
    expect(run.steps).toHaveLength(2);
  });

  it("puts right what changed behind its back, and makes anew what has to be", async () => {
    await change("PATCH", "/v9/projects/web", { framework: "vue" });
    stack.yaml(resources({ framework: "astro", deployment: "dpl_two", www: "new.example.com" }));
    const run = await stack.up({ args: ["--refresh"] });
    expect(run.errors).toEqual([]);
    const done = run.steps
      .filter(({ op }) => op !== "refresh")
      .map(({ op, name, detailed }) => [op, name, detailed]);
    expect(done).toContainEqual(["update", "web", { framework: "update" }]);
    expect(done).toContainEqual(["replace", "www", { name: "update-replace" }]);
    const { domains } = await request("/v9/projects/web/domains");
    expect(domains.map(({ name }: { name: string }) => name).sort()).toEqual([
      "example.com",
      "new.example.com",
    ]);
  });

  it("holds a second account by an explicit provider, whose token is kept encrypted", async () => {
    await world.server.control("POST", "/seed", {
      teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }],
      tokens: [{ token: `${canary}-any-team`, user: "ada" }],
    });
    const both = await world.yaml(
      "accounts",
      `resources:
  beta:
    type: pulumi:providers:slipway
    properties: { token: ${canary}-any-team, team: beta }
  one:
    type: slipway:Project
  two:
    type: slipway:Project
    options: { provider: "\${beta}" }
outputs:
  found: { fn::invoke: { function: slipway:getProject, arguments: { project: web }, return: framework } }
`,
    );
    const run = await both.up();
    expect(run.errors).toEqual([]);
    expect(await both.outputs()).toEqual({ found: "astro" });
    const inBeta = await fetch(`${world.server.url}/v9/projects?slug=beta`, {
      headers: { authorization: `Bearer ${canary}-any-team` },
    });
    const { projects } = (await inBeta.json()) as { projects: { name: string }[] };
    expect(projects.map(({ name }) => name)).toEqual(["two"]);
    expect((await both.destroy()).errors).toEqual([]);
  });

  it("imports each type by id and by name, with a program that changes nothing", async () => {
    const { projectId } = await stack.outputs();
    const { envs } = await request("/v9/projects/web/env");
    const plain = envs.find(({ key }: { key: string }) => key === "B");
    for (const [name, project, variable] of [
      ["named", "web", "B/production"],
      ["identified", projectId, plain.id],
    ]) {
      const imported = await world.yaml(name, "resources: {}\n");
      const ids = {
        Project: project,
        ProjectDomain: `${project}/example.com`,
        EnvVar: `${project}/${variable}`,
        Promotion: project,
      };
      imported.file(
        "import.json",
        JSON.stringify({
          resources: Object.entries(ids).map(([type, id]) => ({
            type: `slipway:index:${type}`,
            name: type,
            id,
          })),
        }),
      );
      const { code, output } = await imported.cli(
        ["import", "--file", "import.json", "--out", "generated.yaml", "--protect=false", "--yes"],
        {},
        false,
      );
      expect([code, output]).toEqual([0, expect.any(String)]);
      imported.yaml(readFileSync(join(imported.folder, "generated.yaml"), "utf8"));
      const preview = await imported.preview({ args: ["--expect-no-changes"] });
      expect([preview.errors, preview.steps, preview.code]).toEqual([[], [], 0]);
    }
  });

  it("is destroyed, and leaves nothing", async () => {
    const run = await stack.destroy();
    expect(run.errors).toEqual([]);
    expect((await request("/v9/projects")).projects).toEqual([]);
  });
});

it("a stack of the dynamic provider moves to the plugin by an alias, and back, without a change", async () => {
  const dynamic = `const web = new Project("web", { framework: "nextjs" }, OPTS);
    new EnvVar("secret", { project: web.id, key: "S", value: "${canary}-moved", target: ["production"] }, OPTS_VAR);`;
  const stack = await world.stack("moved", dynamic.replace(/OPTS(_VAR)?/g, "{}"));
  const manifest = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
  expect((await stack.up()).errors).toEqual([]);
  const alias = (type: string): string => `{ aliases: [{ type: "pulumi-nodejs:dynamic/slipway:${type}" }] }`;
  stack.yaml(`resources:
  web:
    type: slipway:Project
    properties: { framework: nextjs }
    options: ${alias("Project")}
  secret:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: S, value: ${canary}-moved, target: [production] }
    options: ${alias("EnvVar")}
`);
  await world.yaml("unused", "resources: {}\n");
  const there = await stack.up();
  expect([there.errors, there.steps]).toEqual([[], []]);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  stack.file("Pulumi.yaml", manifest);
  const back = (type: string): string => `{ aliases: [{ type: "slipway:index:${type}" }] }`;
  stack.program(dynamic.replace("OPTS_VAR", back("EnvVar")).replace("OPTS", back("Project")));
  const again = await stack.up();
  expect([again.errors, again.steps]).toEqual([[], []]);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect((await stack.destroy()).errors).toEqual([]);
});

it("a site is made of the resources, changed in one of them, and refused with a sentence", async () => {
  const site = (domains: string, framework: string): string => `resources:
  shop:
    type: slipway:Site
    properties:
      project: { framework: ${framework} }
      domains: ${domains}
      variables: { A: ${canary}-site }
outputs: { urls: "\${shop.urls}", challenges: "\${shop.challenges}" }
`;
  const domains = "[{ name: www.shop.test, redirect: shop.test }, { name: shop.test }]";
  const stack = await world.yaml("site", site(domains, "nextjs"));
  const run = await stack.up({ preview: true });
  expect(run.errors).toEqual([]);
  expect(steps(run)).toEqual(
    expect.arrayContaining(["create shop", "create shop-shop.test", "create shop-www.shop.test"]),
  );
  const { urls, challenges } = await stack.outputs();
  expect(urls).toEqual(["https://www.shop.test", "https://shop.test"]);
  expect(challenges[0]).toMatchObject({ type: "TXT", domain: "_vercel.shop.test" });
  stack.yaml(site(domains, "astro"));
  const changed = await stack.up();
  expect(changed.errors).toEqual([]);
  expect(changed.steps.map(({ op, type, detailed }) => [op, type, detailed])).toEqual([
    ["update", "Project", { framework: "update" }],
  ]);
  stack.yaml(site("[{ name: shop.test }, { name: shop.test }]", "astro"));
  expect((await stack.preview()).errors.join("\n")).toMatch(/the domain shop\.test is declared twice/);
  stack.yaml(site(domains, "astro, name: Not Valid"));
  expect((await stack.preview()).errors.join("\n")).toMatch(/name may have lower case letters/);
  expect((await stack.destroy()).errors).toEqual([]);
});

it("the example makes what the quickstart makes", async () => {
  const program = readFileSync(join(root, "examples/yaml/Pulumi.yaml"), "utf8");
  const stack = await world.yaml("example", program.slice(program.indexOf("config:")));
  const run = await stack.up();
  expect(run.errors).toEqual([]);
  expect(steps(run)).toHaveLength(6);
  expect(await stack.outputs()).toMatchObject({ challenges: [{ type: "TXT" }] });
  expect((await stack.destroy()).errors).toEqual([]);
});

it("no secret is in clear in state, output or log", async () => {
  expect(await world.leaks()).toEqual([]);
});
