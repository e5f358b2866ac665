import { type Stack, Workspace } from "../support/pulumi";

/** Each case is several runs of the CLI. */
const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
const inFull = isLong ? it : it.skip;

let world: Workspace;

beforeAll(async () => {
  world = await Workspace.start({
    projects: [{ team: "acme", name: "holder" }],
    domains: [{ team: "acme", project: "holder", name: "example.com", verified: true }],
    env: [{ team: "acme", project: "holder", key: "K", value: "v", type: "plain", target: ["production"] }],
  });
});
afterAll(() => world.stop());

const get = async (path: string) => (await world.server.request("GET", path)).body;

/** One run does it: nothing is left to do once everything was read again. */
async function inOneRun(stack: Stack, program: string, args: string[] = []): Promise<void> {
  stack.program(program);
  const run = await stack.up({ preview: true, args });
  expect(run.errors).toEqual([]);
  expect(run.code).toBe(0);
  expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
}

/** The value of each variable, by key and target. */
async function variables(project: string): Promise<Record<string, string>> {
  const { envs } = await get(`/v9/projects/${project}/env?decrypt=true`);
  return Object.fromEntries(
    envs.map(({ key, target, value }: { key: string; target: string[]; value: string }) => [
      `${key} ${target.join()}`,
      value,
    ]),
  );
}

describe("variables", () => {
  const program = (one: object) => `
    const web = new Project("vars");
    const shared = { project: web.id, type: "plain", target: ["production"] } as const;
    for (const [name, inputs] of Object.entries(${JSON.stringify(one)}))
      new EnvVar(name, { ...shared, ...(inputs as { key: string }), value: name });
  `;
  let stack: Stack;
  beforeAll(async () => {
    stack = await world.stack("vars");
  });

  it("rotate the keys of three", async () => {
    await inOneRun(stack, program({ a: { key: "ONE" }, b: { key: "TWO" }, c: { key: "THREE" } }));
    const ids = new Set((await get("/v9/projects/vars/env")).envs.map(({ id }: { id: string }) => id));
    await inOneRun(stack, program({ a: { key: "TWO" }, b: { key: "THREE" }, c: { key: "ONE" } }));
    expect(await variables("vars")).toEqual({
      "ONE production": "c",
      "THREE production": "b",
      "TWO production": "a",
    });
    expect(new Set((await get("/v9/projects/vars/env")).envs.map(({ id }: { id: string }) => id))).toEqual(
      ids,
    );
  });

  inFull("swap the targets of two, and shift keys onto one that becomes free", async () => {
    const at = (target: string) => ({ key: "ONE", target: [target] });
    const c = { key: "THREE" };
    await inOneRun(stack, program({ a: at("preview"), b: at("production"), c }));
    await inOneRun(stack, program({ a: at("production"), b: at("preview"), c }), ["--refresh"]);
    expect(await variables("vars")).toEqual({
      "ONE production": "a",
      "ONE preview": "b",
      "THREE production": "c",
    });
    await inOneRun(stack, program({ a: at("preview"), b: { key: "TWO" }, c: at("production") }));
    expect(await variables("vars")).toEqual({
      "ONE preview": "a",
      "ONE production": "c",
      "TWO production": "b",
    });
  });

  it("are refused at preview the key that another one of the program keeps", async () => {
    stack.program(program({ a: { key: "ONE" }, b: { key: "TWO" }, c: { key: "THREE" } }));
    expect((await stack.up()).errors).toEqual([]);
    stack.program(program({ a: { key: "TWO" }, b: { key: "TWO" }, c: { key: "THREE" } }));
    const run = await stack.preview();
    expect(run.errors.join("\n")).toMatch(
      /EnvVar prj_\w+\/\w+ cannot become the variable TWO\/production: EnvVar prj_\w+\/\w+ of this program is that, and stays it\. Give one of them another key, target or branch\./,
    );
  });

  inFull("are refused at preview when something else is there already, unless they adopt it", async () => {
    const other = await world.stack("taken");
    const declared = (more: string) =>
      `new EnvVar("new", { project: "holder", key: "K", value: "mine", target: ["production", "preview"]${more} });`;
    other.program(declared(""));
    const run = await other.preview();
    expect(run.errors.join("\n")).toMatch(
      /the variable K\/production and K\/preview exists already: it is EnvVar prj_\w+\/\w+\. Adopt it with \{ adopt: true \} if no program has it\./,
    );
    expect(run.steps.filter(({ type }) => type === "EnvVar")).toEqual([]);
    other.program(declared(", adopt: true"));
    expect((await other.preview()).errors).toEqual([]);
  });
});

it("two projects swap their names, and keep their ids and variables", async () => {
  const stack = await world.stack("projects");
  const program = (one: string, two: string) => `
    for (const [logical, name] of [["one", "${one}"], ["two", "${two}"]] as const) {
      const project = new Project(logical, { name });
      new EnvVar(logical, { project: project.id, key: "WHO", value: logical, type: "plain", target: ["production"] });
    }
  `;
  await inOneRun(stack, program("left", "right"));
  const [left, right] = [await get("/v9/projects/left"), await get("/v9/projects/right")];
  await inOneRun(stack, program("right", "left"));
  expect((await get("/v9/projects/right")).id).toBe(left.id);
  expect((await get("/v9/projects/left")).id).toBe(right.id);
  expect(await variables("right")).toEqual({ "WHO production": "one" });
});

describe("domains", () => {
  const program = (domains: readonly [logical: string, project: string, name: string][]) => `
    const projects = new Map(${JSON.stringify([...new Set(domains.map(([, project]) => project))])}.map((name) => [name, new Project(name)]));
    for (const [logical, project, name] of ${JSON.stringify(domains)} as string[][])
      new ProjectDomain(logical!, { project: projects.get(project!)!.id, name: name!, gitBranch: logical! });
  `;
  const branches = async (project: string) => {
    const { domains } = await get(`/v9/projects/${project}/domains`);
    return Object.fromEntries(
      domains.map(({ name, gitBranch }: { name: string; gitBranch: string }) => [name, gitBranch]),
    );
  };

  it.each<[string, string, string]>([
    ["of two projects", "q", "r"],
    ...(isLong ? [["of one project", "p", "p"] as [string, string, string]] : []),
  ])("swap their names, %s", async (_, one, other) => {
    const stack = await world.stack(`domains-${one}`);
    const [x, y] = [`x.${one}.example.com`, `y.${one}.example.com`];
    await inOneRun(
      stack,
      program([
        ["a", one, x],
        ["b", other, y],
      ]),
    );
    await inOneRun(
      stack,
      program([
        ["a", one, y],
        ["b", other, x],
      ]),
    );
    expect({ ...(await branches(one)), ...(await branches(other)) }).toEqual({ [y]: "a", [x]: "b" });
  });

  inFull(
    "are left as they are when the new name is not given up, and that is said before anything is removed",
    async () => {
      const stack = await world.stack("stuck");
      await inOneRun(
        stack,
        program([
          ["a", "s", "x.example.com"],
          ["b", "s", "y.example.com"],
        ]),
      );
      stack.program(program([["a", "s", "y.example.com"]]));
      const run = await stack.up();
      expect(run.errors.join("\n")).toMatch(
        /ProjectDomain prj_\w+\/x\.example\.com is left as it is: the domain y\.example\.com, which it is to become, is ProjectDomain prj_\w+\/y\.example\.com, and no resource of this program gives that up in this run\./,
      );
      expect(await branches("s")).toMatchObject({ "x.example.com": "a", "y.example.com": "b" });
    },
  );
});
