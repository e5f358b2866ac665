import { Workspace } from "../support/pulumi";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
});
afterAll(() => world.stop());

const program = (variables: string): string => `resources:
  web: { type: slipway:Project }
  settings:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", variables: { fn::secret: ${variables} } }
`;

it("preview --diff names the variables that change, without their values", async () => {
  const stack = await world.yaml("names", program("{ A: one, B: two, C: three }"));
  expect((await stack.up()).errors).toEqual([]);
  stack.yaml(program("{ A: other, C: three, D: four }"));
  const { output } = await stack.cli(["preview", "--diff"]);
  expect(output).toMatch(/~ A *: \[secret\] => \[secret\]\s+- B *: \[secret\]\s+\+ D *: \[secret\]\s+\}/);
  expect((await stack.destroy()).errors).toEqual([]);
});
