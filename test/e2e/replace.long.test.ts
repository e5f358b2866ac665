import { type Stack, Workspace } from "../support/pulumi";
import { inFull } from "../support/slices";

let world: Workspace;
let stack: Stack;

beforeAll(async () => {
  world = await Workspace.start();
  stack = await world.stack("replace");
});
afterAll(() => world.stop());

const program = (adopting: boolean) => `
  const given = ${adopting ? "{ adopt: true }" : "{}"};
  const options = ${adopting ? "{ deleteBeforeReplace: true }" : "{}"};
  const web = new Project("web", given, options);
  new ProjectDomain("www", { project: web.id, name: "www.example.com", ...given }, options);
  new EnvVar("key", { project: web.id, key: "K", value: "canary-value", target: ["production"], ...given }, options);
  new EnvVars("many", { project: web.id, variables: { A: "canary-a" }, ...given }, options);
`;
const replace = (...names: string[]) => names.flatMap((name) => ["--replace", `**::${name}`]);
const ids = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1), id]));

inFull(
  "--replace recreates variables and domains, and is refused for a project without adopt and deleteBeforeReplace",
  async () => {
    stack.program(program(false));
    expect((await stack.up()).errors).toEqual([]);
    const first = await ids();
    expect((await stack.up({ args: replace("www", "key", "many"), preview: true })).errors).toEqual([]);
    expect(await ids()).toMatchObject({
      web: first.web,
      www: first.www,
      key: expect.not.stringMatching(first.key ?? ""),
    });
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
    const refused = await stack.preview({ args: replace("web") });
    expect(refused.errors).toContainEqual(
      expect.stringMatching(
        /Project "web" must be replaced, and the project web cannot exist twice.*\{ adopt: true \}.*\{ deleteBeforeReplace: true \}.*pulumi state untaint/,
      ),
    );
    expect(refused.steps.filter(({ op }) => op.includes("delete"))).toEqual([]);

    stack.program(program(true));
    expect((await stack.up()).errors).toEqual([]);
    const before = await ids();
    const run = await stack.up({ args: replace("www", "key", "many"), preview: true });
    expect(run.errors).toEqual([]);
    expect(run.steps.filter(({ op }) => op === "create-replacement").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["www", "key", "many"]),
    );
    const after = await ids();
    expect(after.web).toBe(before.web);
    expect(after.key).not.toBe(before.key);
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);

    // A project takes along what is in it.
    expect((await stack.up({ args: replace("web") })).errors).toEqual([]);
    expect((await ids()).web).not.toBe(before.web);
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
  },
  300_000,
);

it("--replace recreates variables and domains of the plugin, and those with adopt only with deleteBeforeReplace", async () => {
  const yaml = (given: string, options: string) => `resources:
  web: { type: slipway:Project, properties: { name: site } }
  www:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: www.example.net${given} }
    options: { ${options} }
  key:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: K, value: canary-value, target: [production]${given} }
    options: { ${options} }
`;
  const plugin = await world.yaml("replace-yaml", yaml("", ""));
  expect((await plugin.up()).errors).toEqual([]);
  expect((await plugin.up({ args: replace("www", "key") })).errors).toEqual([]);
  expect((await plugin.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
  expect((await plugin.preview({ args: replace("web") })).errors).toContainEqual(
    expect.stringMatching(/Project "web" must be replaced, and the project site cannot exist twice/),
  );

  plugin.yaml(yaml(", adopt: true", ""));
  expect((await plugin.up()).errors).toEqual([]);
  for (const name of ["www", "key"])
    expect((await plugin.up({ args: replace(name) })).errors.join("\n")).toMatch(
      /\{ deleteBeforeReplace: true \}/,
    );
  plugin.yaml(yaml(", adopt: true", "deleteBeforeReplace: true"));
  expect((await plugin.up({ args: replace("www", "key") })).errors).toEqual([]);
  expect((await plugin.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
}, 300_000);
