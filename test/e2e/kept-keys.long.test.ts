import { Workspace } from "../support/pulumi";

/** Protected resources and their unique keys, with the real engine, which checks the resources of a program one by one. */

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start({});
});
afterAll(() => world.stop());

const variable = (name: string, key: string, options = "{ protect: true }"): string => `  ${name}:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: ${key}, value: canary-${name}, target: [production] }
    options: ${options}
`;
const program = (...variables: string[]): string =>
  `resources:\n  web: { type: slipway:Project, properties: { name: kept } }\n${variables.join("")}`;

it("two protected variables swap their keys; one that the program leaves out keeps its key", async () => {
  const stack = await world.yaml("kept", program(variable("one", "A"), variable("two", "B")));
  expect((await stack.up()).errors).toEqual([]);
  const keys = async () => {
    const { envs } = (await world.server.request("GET", "/v9/projects/kept/env")).body;
    return Object.fromEntries(
      envs.map(({ id, key }: { id: string; key: string }) => [id, key]).sort() as [string, string][],
    );
  };
  const before = await keys();
  stack.yaml(program(variable("one", "B"), variable("two", "A")));
  expect((await stack.up({ preview: true })).errors).toEqual([]);
  const swapped = await keys();
  expect(Object.keys(swapped)).toEqual(Object.keys(before));
  expect(Object.values(swapped)).toEqual(Object.values(before).reverse());

  stack.yaml(program(variable("one", "A", "{}")));
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.output).toMatch(/two.*cannot be deleted[\s\S]*because it is protected/);
  expect((await stack.up()).errors.join("\n")).toMatch(
    /which this run keeps \(protect\)|because it is protected/,
  );
  expect(await keys()).toEqual(swapped);

  const open = program(
    variable("one", "B", "{ protect: false }"),
    variable("two", "A", "{ protect: false }"),
  );
  stack.yaml(open);
  expect((await stack.up()).errors).toEqual([]);
  expect((await stack.destroy()).errors).toEqual([]);
}, 120_000);
