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
  await world.server.control("POST", "/seed", {
    teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token: `${canary}-any-team`, user: "ada" }],
    accountDomains: [{ team: "acme", name: "example.net", verified: true }],
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

it.each(["npm package", "plugin"])("a Site takes its domains along to another team (%s)", async (host) => {
  const isPlugin = host === "plugin";
  const [domain, name] = isPlugin ? ["plugin.example.net", "of-plugin"] : ["npm.example.net", "of-npm"];
  const moved = isPlugin ? await world.yaml(name, "") : await world.stack(name);
  const declare = (team: string) =>
    isPlugin
      ? moved.yaml(`resources:
  account: { type: "pulumi:providers:slipway", properties: { team: ${team}, token: ${canary}-any-team } }
  site:
    type: slipway:Site
    properties:
      project: { name: ${name} }
      domains: [{ name: www.${domain}, redirect: ${domain} }, { name: ${domain} }]
      variables: { A: ${canary}-a }
    options: { provider: "\${account}" }
`)
      : moved.program(`
  import { Site } from "slipway";
  const provider = new Provider("account", { team: "${team}", token: "${canary}-any-team" });
  const domains = [{ name: "www.${domain}", redirect: "${domain}" }, "${domain}"];
  new Site("site", { project: { name: "${name}" }, domains, variables: { A: "${canary}-a" } }, { provider });
`);
  declare("acme");
  expect((await moved.up()).errors).toEqual([]);
  declare("beta");
  expect((await moved.up({ preview: true })).errors).toEqual([]);
  const statusOf = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${canary}-any-team` };
    return (await fetch(`${world.server.url}/v9/projects/${name}${path}`, { headers })).status;
  };
  expect(await statusOf("?slug=acme")).toBe(404);
  expect(await statusOf(`/domains/${domain}?slug=beta`)).toBe(200);
  expect(await statusOf(`/domains/www.${domain}?slug=beta`)).toBe(200);
  expect((await moved.destroy()).errors).toEqual([]);
});

/** The requests so far, the oldest first. */
async function requests(): Promise<string[]> {
  const { body } = await world.server.control("GET", "/requests?limit=1000");
  const { requests: all } = body as { requests: { method: string; path: string }[] };
  return all.map(({ method, path }) => `${method} ${path}`).reverse();
}
