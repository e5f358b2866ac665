import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutDefault } from "../support/domains";
import { runSteps, startLanguageWorkspace } from "../support/language-steps";
import { byProfile } from "../support/profile";
import { canary, type Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { inFull } from "../support/slices";
import { step } from "../support/step";

let world: Workspace;
beforeAll(async () => {
  world = await startLanguageWorkspace();
});
afterAll(() => world.stop());

const request = async (path: string) => (await world.server.request("GET", path)).body;
const steps = (run: { steps: { op: string; name: string }[] }): string[] =>
  run.steps.map(({ op, name }) => `${op} ${name}`).sort();

it("a stack in YAML is previewed, created, changed, repaired, imported and destroyed", async () => {
  const stack = await world.program("yaml", join(root, "test/e2e/programs/yaml"));
  await step("a preview shows the values that are known, and creates nothing", async () => {
    const names = async (): Promise<string[]> =>
      (await request("/v9/projects")).projects.map(({ name }: { name: string }) => name);
    const before = await names();
    const { output, errors } = await stack.preview({ args: ["--diff", "--suppress-progress"] });
    expect(errors).toEqual([]);
    const shown = output
      .split("\n")
      .filter((line) => !/^\s*$|warning:|urn=|Previewing|Duration|Stack:|Resources:|to create$/.test(line))
      // Resources that do not depend on each other come in any order.
      .join("\n")
      .split(/(?=^ {4}(?:\+|--))/m)
      .map((part) => `${part.trimEnd()}\n`)
      .sort()
      .join("")
      // The answers of look-ups contain ids.
      .replace(/^ +lookups +: \{\n[\s\S]*?^ {4}\}\n/m, "");
    expect(shown).toBe(readFileSync(join(root, "test/e2e/preview.yaml.txt"), "utf8"));
    expect(await names()).toEqual(before);
  });
  await runSteps("yaml", world, stack);
}, 600_000);

inFull("a Site in YAML creates its children, updates one of them, and refuses invalid inputs", async () => {
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
  const challenge = { type: "TXT", domain: "_vercel.shop.test" };
  expect(challenges).toMatchObject(byProfile([challenge, challenge], []));
  stack.yaml(site(domains, "astro"));
  const changed = await stack.up();
  expect(changed.errors).toEqual([]);
  expect(changed.steps.map(({ op, type, detailed }) => [op, type, detailed])).toEqual([
    ["update", "Project", { framework: "update" }],
  ]);
  stack.yaml(site("[{ name: shop.test }, { name: shop.test }]", "astro"));
  expect((await stack.preview()).errors.join("\n")).toMatch(/the domain shop\.test is declared twice/);
  stack.yaml(site(domains, "astro, name: Not Valid"));
  expect((await stack.preview()).errors.join("\n")).toMatch(/name must consist of lower case letters/);
  expect((await stack.destroy()).errors).toEqual([]);
});

inFull("a Site in YAML takes outputs of other resources, and keeps secrets secret", async () => {
  const stack = await world.yaml(
    "of-others",
    `resources:
  first:
    type: slipway:Project
    properties: { name: of-others-first }
  shop:
    type: slipway:Site
    properties:
      project: { name: of-others, buildCommand: "build \${first.id}", installCommand: { "fn::secret": ${canary}-install } }
      domains: [{ name: of-others.test, gitBranch: "\${first.accountId}" }]
      variables: { A: "\${first.id}" }
`,
  );
  expect((await stack.up({ preview: true })).errors).toEqual([]);
  const { id } = await request("/v9/projects/of-others-first");
  expect(await request("/v9/projects/of-others")).toMatchObject({
    buildCommand: `build ${id}`,
    installCommand: `${canary}-install`,
  });
  expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
  expect((await stack.destroy()).errors).toEqual([]);
});

inFull("a retained Site in YAML keeps its objects at the service", async () => {
  const stack = await world.yaml(
    "retained",
    `resources:
  kept:
    type: slipway:Site
    properties: { domains: [{ name: kept.test }], variables: { A: ${canary}-kept } }
    options: { retainOnDelete: true }
`,
  );
  expect((await stack.up()).errors).toEqual([]);
  const { id } = await request("/v9/projects/kept");
  expect((await stack.destroy()).errors).toEqual([]);
  expect(await request("/v9/projects/kept")).toMatchObject({ id });
  expect(withoutDefault((await request("/v9/projects/kept/domains")).domains)).toHaveLength(1);
  expect((await request("/v9/projects/kept/env")).envs).toHaveLength(1);
});

inFull(
  "replaceOnChanges replaces resources, the old one first where both cannot exist",
  async () => {
    const program = (change: string) => `resources:
  web:
    type: slipway:Project
    properties: { name: replaced }
  key:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: K, value: "${canary}-${change}", target: [production] }
    options: { replaceOnChanges: [value] }
  many:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", variables: { A: "${canary}-${change}" } }
    options: { replaceOnChanges: [variables] }
  domain:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: replaced.test, gitBranch: ${change} }
    options: { replaceOnChanges: [gitBranch] }
  staging:
    type: slipway:CustomEnvironment
    properties: { project: "\${web.id}", slug: staging, description: ${change} }
    options: { replaceOnChanges: [description] }
`;
    const stack = await world.yaml("replaced", program("one"));
    expect((await stack.up()).errors).toEqual([]);
    const ids = async () => new Map((await stack.resources()).map(({ urn, id }) => [urn, id]));
    const before = await ids();
    stack.yaml(program("two"));
    const run = await stack.up({ preview: true });
    expect(run.errors).toEqual([]);
    const replaced = run.steps.filter(({ op }) => op === "create-replacement").map(({ name }) => name);
    expect(replaced).toEqual(expect.arrayContaining(["key", "many", "domain", "staging"]));
    const after = await ids();
    expect(
      [...after]
        .filter(([urn, id]) => before.get(urn) === id)
        .map(([urn]) => urn.split("::").at(-1))
        .sort(),
    ).toEqual(["domain", "many", "web"]);
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);

    const project = (framework: string, adopt: boolean, options = "") => `resources:
  web:
    type: slipway:Project
    properties: { name: replaced-web, framework: ${framework}, adopt: ${adopt} }
    options: { replaceOnChanges: [framework]${options} }
`;
    const whole = await world.yaml("replaced-whole", project("nextjs", false));
    expect((await whole.up()).errors).toEqual([]);
    for (const adopt of [false, true]) {
      whole.yaml(project("astro", adopt));
      expect((await whole.up()).errors.join("\n")).toMatch(/replace(d|ment).*deleteBeforeReplace/);
    }
    whole.yaml(project("astro", true, ", deleteBeforeReplace: true"));
    expect((await whole.up({ preview: true })).errors).toEqual([]);
    expect((await request("/v9/projects/replaced-web")).framework).toBe("astro");
    expect((await whole.destroy()).errors).toEqual([]);
    expect((await stack.destroy()).errors).toEqual([]);
  },
  120_000,
);

inFull(
  "an object kept by retainOnDelete is adopted by its own resource alone",
  async () => {
    const program = (type: string, home: string, adopt: boolean, more = ""): string => `resources:
  first: { type: slipway:Project, properties: { name: let-go-first } }
  second: { type: slipway:Project, properties: { name: let-go-second } }
  key:
    type: slipway:EnvVar
    properties: { project: "\${first.id}", key: K, value: ${canary}-let-go, type: ${type}, target: [production], adopt: ${adopt} }
    options: { retainOnDelete: true }
  domain:
    type: slipway:ProjectDomain
    properties: { project: "\${${home}.id}", name: let-go.test, adopt: ${adopt} }
    options: { retainOnDelete: true }
  other: { type: slipway:EnvVar, properties: { project: "\${first.id}", key: L, value: ${canary}-other, target: [production] } }
${more}`;
    const stack = await world.yaml("let-go", program("sensitive", "first", false));
    expect((await stack.up()).errors).toEqual([]);
    const ids = async () => new Map((await stack.resources()).map(({ urn, id }) => [urn, id]));
    const before = await ids();
    // Each in a run of its own: after the first error, the engine starts no other step.
    stack.yaml(program("encrypted", "first", false));
    const failed = async (target: string): Promise<string> =>
      (await stack.up({ args: ["--target", `**::${target}`] })).errors.join("\n");
    const kept =
      /is the object that is being replaced.* `retainOnDelete` kept it, take it over: set \{ adopt: true \}/;
    expect(await failed("key")).toMatch(kept);
    stack.yaml(program("encrypted", "second", false));
    expect(await failed("domain")).toMatch(kept);
    // Refused before anything changed, so the former program goes on.
    stack.yaml(program("sensitive", "first", false));
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).errors).toEqual([]);
    const thief = `  thief: { type: slipway:EnvVar, properties: { project: "\${first.id}", key: L, value: ${canary}-thief, target: [production], adopt: true } }\n`;
    stack.yaml(program("encrypted", "first", true, thief));
    const run = await stack.up();
    expect(run.errors.join("\n")).toMatch(
      /belongs to EnvVar "other" of this stack|both declare the variable L/,
    );
    stack.yaml(program("encrypted", "first", true));
    expect((await stack.up()).errors).toEqual([]);
    expect(await ids()).toEqual(before);
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
    stack.yaml(
      program("encrypted", "first", true).replaceAll("options: { retainOnDelete: true }", "options: {}"),
    );
    expect((await stack.up()).errors).toEqual([]);
    expect((await stack.destroy()).errors).toEqual([]);
  },
  120_000,
);

inFull("the YAML example creates the objects of the quickstart", async () => {
  const program = readFileSync(join(root, "examples/yaml/Pulumi.yaml"), "utf8");
  const stack = await world.yaml("example", program.slice(program.indexOf("config:")));
  const run = await stack.up();
  expect(run.errors).toEqual([]);
  expect(steps(run)).toHaveLength(6);
  expect(await stack.outputs()).toMatchObject({ challenges: byProfile([{ type: "TXT" }], []) });
  expect((await stack.destroy()).errors).toEqual([]);
});
