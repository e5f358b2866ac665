import { withoutDefault } from "../support/domains";
import { canary, type Stack, Workspace } from "../support/pulumi";

let world: Workspace;
let stack: Stack;
beforeAll(async () => {
  world = await Workspace.start({
    deployments: [
      { id: "dpl_1", team: "acme", project: "web", target: "production", readyState: "READY", createdAt: 1 },
    ],
  });
  stack = await world.stack("site");
});
afterAll(() => world.stop());

const program = (value: string) => `
  import { Site } from "slipway";
  const web = new Site("web", {
    project: { framework: "nextjs" },
    domains: [{ name: "www.example.com", redirect: "example.com" }, "example.com"],
    variables: {
      A: "${canary}-${value}",
      B: pulumi.secret({ value: "${canary}-b", type: "sensitive", target: ["production"] }),
    },
    production: { deployment: "dpl_1" },
  });
  export const { projectId, urls, challenges, production } = web;
`;

it("a Site is created, stays the same, and updates only the child that changes", async () => {
  stack.program(program("one"));
  const up = await stack.up();
  expect(up.errors).toEqual([]);
  expect(up.code).toBe(0);
  expect(await stack.outputs()).toEqual({
    projectId: expect.stringMatching(/^prj_/),
    urls: ["https://www.example.com", "https://example.com"],
    challenges: ["example.com", "www.example.com"].map((name) => ({
      type: "TXT",
      domain: "_vercel.example.com",
      value: expect.stringContaining(`=${name},`),
    })),
    production: "dpl_1",
  });
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect((await stack.preview({ args: ["--expect-no-changes"] })).code).toBe(0);

  stack.program(program("two"));
  expect((await stack.up()).steps).toEqual([
    { op: "update", type: "EnvVars", name: "web", diffs: expect.any(Array), detailed: {} },
  ]);
  const { projectId } = await stack.outputs();
  const before = (await requests()).length;
  expect((await stack.destroy()).code).toBe(0);
  expect((await world.server.request("GET", "/v9/projects")).body.projects).toEqual([]);
  // The service deletes the rest with the project.
  expect((await requests()).slice(before, -1)).toEqual([`DELETE /v9/projects/${projectId}`]);
});

it("a member that leaves a Site is deleted alone", async () => {
  const of = (variables: string) =>
    `import { Site } from "slipway"; new Site("shop", { domains: ["shop.test"]${variables} });`;
  stack.program(of(`, variables: { A: "${canary}-one" }`));
  expect((await stack.up()).code).toBe(0);
  stack.program(of(""));
  expect((await stack.up()).steps.map(({ op, type }) => [op, type])).toEqual([["delete", "EnvVars"]]);
  expect((await world.server.request("GET", "/v9/projects/shop/env")).body).toMatchObject({ envs: [] });
  expect(
    withoutDefault((await world.server.request("GET", "/v9/projects/shop/domains")).body.domains),
  ).toHaveLength(1);
  expect((await stack.destroy()).code).toBe(0);
});

/** The requests so far, the oldest first. */
async function requests(): Promise<string[]> {
  const { body } = await world.server.control("GET", "/requests?limit=1000");
  const { requests: all } = body as { requests: { method: string; path: string }[] };
  return all.map(({ method, path }) => `${method} ${path}`).reverse();
}
