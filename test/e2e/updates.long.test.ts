import { withoutDefault } from "../support/domains";
import { canary, type Run, Workspace } from "../support/pulumi";
import { step } from "../support/step";

let world: Workspace;

beforeAll(async () => {
  world = await Workspace.start({
    deployments: ["dpl_one", "dpl_two"].map((id, at) => ({
      id,
      team: "acme",
      project: "promoted",
      target: "production",
      readyState: "READY",
      createdAt: at + 1,
    })),
  });
});
afterAll(() => world.stop());

/** The steps of the engine, without unchanged resources. */
const did = ({ steps }: Run) => steps.map(({ op, type, name, diffs }) => ({ op, type, name, diffs }));

it("every input of a domain, a variable and a promotion changes in place", async () => {
  const stack = await world.stack("parts");

  const program = (domain: object, variables: Record<string, object>, promotion: object) => `
    const web = new Project("promoted");
    const apex = new ProjectDomain("apex", { project: web.id, name: "example.com" });
    const other = new ProjectDomain("other", { project: web.id, name: "other.example" });
    new ProjectDomain("domain", { project: web.id, name: "www.example.com", ...${JSON.stringify(domain)} } as never, { dependsOn: [apex, other] });
    const variables = ${JSON.stringify(variables)};
    for (const [name, inputs] of Object.entries(variables)) new EnvVar(name, { project: web.id, ...inputs } as never);
    new Promotion("live", { project: web.id, ...${JSON.stringify(promotion)} } as never);
  `;

  const variable = {
    key: "A",
    value: `${canary}-a`,
    type: "encrypted",
    target: ["production"],
    comment: "first",
  };
  const branched = {
    key: "B",
    value: `${canary}-b`,
    type: "plain",
    target: ["preview"],
    gitBranch: "next",
  };

  await step("up creates them", async () => {
    stack.program(
      program(
        { redirect: "example.com", redirectStatusCode: 307 },
        { variable, branched },
        { deployment: "dpl_one", onDelete: "keep" },
      ),
    );
    const run = await stack.up();
    expect(run.errors).toEqual([]);
  });

  await step("up changes all of them in place", async () => {
    stack.program(
      program(
        { redirect: "other.example", redirectStatusCode: 308 },
        {
          variable: {
            key: "A2",
            value: `${canary}-a2`,
            type: "plain",
            target: ["production", "development"],
            comment: "second",
          },
          branched: { ...branched, gitBranch: "later" },
        },
        { deployment: "dpl_two", onDelete: "rollback" },
      ),
    );
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(did(run).sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { op: "update", type: "EnvVar", name: "branched", diffs: ["gitBranch"] },
      { op: "update", type: "ProjectDomain", name: "domain", diffs: ["redirect", "redirectStatusCode"] },
      { op: "update", type: "Promotion", name: "live", diffs: ["deployment", "onDelete"] },
      {
        op: "update",
        type: "EnvVar",
        name: "variable",
        diffs: ["comment", "key", "target", "type"],
      },
    ]);
    const request = async (path: string) => (await world.server.request("GET", path)).body;
    expect(await request("/v9/projects/promoted/domains/www.example.com")).toMatchObject({
      redirect: "other.example",
      redirectStatusCode: 308,
    });
    const { envs } = await request("/v9/projects/promoted/env?decrypt=true");
    expect(envs).toHaveLength(2);
    expect(envs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: "A2",
          value: `${canary}-a2`,
          type: "plain",
          target: ["production", "development"],
          comment: "second",
        }),
        expect.objectContaining({ key: "B", gitBranch: "later" }),
      ]),
    );
    expect((await request("/v9/projects/promoted")).targets.production.id).toBe("dpl_two");
  });

  await step("a new name replaces the domain, the new one first", async () => {
    stack.program(program({ name: "web.example.com" }, { variable, branched }, { deployment: "dpl_two" }));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(run.steps.filter(({ name }) => name === "domain").map(({ op }) => op)).toEqual([
      "create-replacement",
      "replace",
      "delete-replaced",
    ]);
    const { body } = await world.server.request("GET", "/v9/projects/promoted/domains");
    expect(
      withoutDefault(body.domains)
        .map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(["example.com", "other.example", "web.example.com"]);
  });

  await step("another project replaces the variable, the old one first", async () => {
    const moved = program({ name: "web.example.com" }, { variable, branched }, { deployment: "dpl_two" })
      .replace(`const variables`, `const elsewhere = new Project("elsewhere"); const variables`)
      .replace(
        "{ project: web.id, ...inputs }",
        `{ project: name === "variable" ? elsewhere.id : web.id, ...inputs }`,
      );
    stack.program(moved);
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    const steps = run.steps.filter(({ name }) => name === "variable").map(({ op }) => op);
    expect(steps[0]).toBe("delete-replaced");
    expect(steps).toContain("create-replacement");
    const keys = async (path: string) =>
      (await world.server.request("GET", path)).body.envs.map(({ key }: { key: string }) => key);
    expect(await keys("/v9/projects/promoted/env")).toEqual(["B"]);
    expect(await keys("/v9/projects/elsewhere/env")).toEqual(["A"]);
  });

  await step("destroy leaves nothing", async () => {
    const run = await stack.destroy();
    expect(run.errors).toEqual([]);
    expect(await stack.resources()).toEqual([]);
    expect((await world.server.request("GET", "/v9/projects/promoted")).status).toBe(404);
  });
}, 600_000);
