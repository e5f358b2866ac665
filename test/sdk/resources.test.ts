import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { resources } from "../../provider/resources";
import { Deployment, EnvVar, EnvVars, Project, ProjectDomain, Promotion, Provider } from "../../sdk";
import * as classes from "../../sdk/classes";
import { urnOf } from "../../sdk/core/run";

let registered: pulumi.runtime.MockResourceArgs[] = [];

beforeEach(async () => {
  // Resources of an earlier test may still be under way to its monitor.
  const own: typeof registered = [];
  registered = own;
  await pulumi.runtime.setMocks({
    newResource(args) {
      own.push(args);
      return { id: `${args.name}-id`, state: args.inputs };
    },
    call: () => ({}),
  });
});

const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply(resolve));
const inputsOf = async (resource: pulumi.CustomResource): Promise<Record<string, unknown>> => {
  await resolved(resource.urn);
  await resolved(resource.id);
  const id = await resolved(resource.id);
  return registered.find(({ name }) => `${name}-id` === id)?.inputs ?? {};
};

it("registers each resource as one of Pulumi's dynamic host, with a text that never changes", async () => {
  const project = new Project("web", { framework: "nextjs" });
  const all = Object.entries(classes).map(([type, Resource]) => {
    const args = type === "Project" ? {} : { project: project.id };
    return new Resource(type, args as never);
  });
  for (const resource of all) {
    const { __provider } = await inputsOf(resource);
    expect(__provider).toMatch(/^module\.exports=require\('slipway\/dynamic'\)\.[a-z]+$/);
  }
  const types = ["Project", ...Object.values(resources).map(({ type }) => type)];
  expect(registered.map(({ type }) => type).sort()).toEqual(
    types.map((type) => `pulumi-nodejs:dynamic/slipway:${type}`).sort(),
  );
});

it.each([
  ["web", undefined, "web"],
  ["My Web App!", undefined, "my-web-app"],
  ["a---b", undefined, "a-b"],
  ["__x__", undefined, "__x__"],
  ["Ünïcode", undefined, "n-code"],
  ["Проект 1", undefined, "1"],
  [".-web.-", undefined, "web"],
  ["a".repeat(120), undefined, "a".repeat(100)],
  ["web", "other", "other"],
])("calls the project of resource %s with name %s: %s", async (logical, name, expected) => {
  const project = new Project(logical, name === undefined ? {} : { name });
  expect(await resolved(project.name)).toBe(expected);
});

it.each(["!!!", "проект", "..-"])("refuses to call a project after %s", (logical) => {
  expect(() => new Project(logical)).toThrow(
    `"${logical}" contains no character that is valid in the name of a project`,
  );
  expect(() => new Project(logical)).toThrow(pulumi.RunError);
  expect(() => new Project(logical, { name: "web" })).not.toThrow();
});

it("keeps secret what is secret, whatever it is given as", async () => {
  const env = new EnvVar("env", {
    project: "p",
    key: "K",
    value: "canary",
    type: "plain",
    target: ["preview"],
  });
  expect(await pulumi.isSecret(env.value)).toBe(true);
  expect(await pulumi.isSecret(env.key)).toBe(false);
  const envs = new EnvVars("envs", { project: "p", variables: { K: "canary", L: { value: "canary" } } });
  expect(await pulumi.isSecret(envs.variables)).toBe(true);
  const project = new Project("web", {
    passwordProtection: { deploymentType: "all", password: "canary" },
    protectionBypass: { ci: {} },
  });
  expect(await pulumi.isSecret(project.passwordProtection)).toBe(true);
  expect(await pulumi.isSecret(project.protectionBypass)).toBe(true);
  expect(await pulumi.isSecret(project.name)).toBe(false);
});

it.each([
  [{}, true],
  [{ deleteBeforeReplace: false }, false],
])(
  "is deleted before its replacement where both cannot exist, unless the program says otherwise: %j",
  async (options, isFirst) => {
    const register = jest.spyOn(MockMonitor.prototype, "registerResource");
    const variable = { project: "p", key: "K", value: "canary", target: ["preview" as const] };
    const ignoreChanges = ["value"];
    const made = [
      new EnvVar("variable", variable, { ...options, ignoreChanges }),
      new Project("project", {}, options),
    ];
    for (const one of made) await resolved(one.urn);
    const requests = register.mock.calls.map(([request]) => request);
    const [ofVariable, ofProject] = ["variable", "project"].map((name) =>
      requests.find((request) => request.getName() === name),
    );
    expect(ofVariable?.getDeletebeforereplace()).toBe(isFirst);
    expect(ofProject?.getDeletebeforereplace()).toBe(false);
    expect(ofVariable?.getAdditionalsecretoutputsList()).toEqual(["value", "valueDigest"]);
    // The engine does not tell a dynamic provider what the program ignores.
    expect(await inputsOf(made[0] as EnvVar)).toMatchObject({ __ignored: ignoreChanges });
    register.mockRestore();
  },
);

it("tells a deployment its URN", async () => {
  const made = new Deployment("built", { project: "p", ref: "main" });
  const urn = urnOf("pulumi-nodejs:dynamic/slipway:Deployment", "built");
  expect(await inputsOf(made)).toMatchObject({ __urn: urn });
});

it("refuses two promotions of one project, and lets each project have its own", async () => {
  const claim = (name: string, project: string): Promise<unknown> =>
    resolved(new Promotion(name, { project, deployment: "dpl_1" }).project);
  await claim("a", "prj_1");
  await claim("b", "prj_2");
  // Under mocks a program has no stack resource, and so no end: nothing is claimed.
  expect(pulumi.runtime.getStackResource()).toBeUndefined();
  await claim("c", "prj_1");
});

it("hands an explicit provider's settings over under keys of their own, and the token as a secret", async () => {
  pulumi.runtime.setAllConfig({ "slipway:team": "stack-team" });
  const provider = new Provider("other", { token: "canary", apiUrl: "https://api.example.com", team: "" });
  expect(await inputsOf(provider)).toMatchObject({
    "slipway:provider.apiUrl": "https://api.example.com",
    "slipway:provider.team": "",
    "slipway:team": "stack-team",
  });
  const project = new Project("web", {}, { provider });
  await inputsOf(project);
  expect(registered.find(({ name }) => name === "web")?.provider).toContain("pulumi:providers:pulumi-nodejs");
});

it("has an output for every input, given or not", async () => {
  const project = new Project("web", { framework: "nextjs", buildCommand: undefined });
  expect(await resolved(project.framework)).toBe("nextjs");
  expect(await resolved(project.buildCommand)).toBeUndefined();
  expect(await resolved(project.rootDirectory)).toBeUndefined();
  expect(await resolved(pulumi.interpolate`${project.outputDirectory}`)).toBe("undefined");
  const there = Project.get("there", "prj_1");
  expect(await resolved(there.rootDirectory)).toBeUndefined();
});

it("has outputs of inputs that are not given, as the provider tells them", async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: `${name}-id`,
      state: { ...inputs, computed: { nodeVersion: "22.x" } },
    }),
    call: () => ({}),
  });
  const project = new Project("web", { framework: "nextjs" });
  expect(await resolved(project.nodeVersion)).toBe("22.x");
  expect(await resolved(project.framework)).toBe("nextjs");
  expect(await resolved(project.buildCommand)).toBeUndefined();
  expect(await resolved(project.passwordProtection)).toBeUndefined();
});

it("gets a project that exists without declaring anything of it", async () => {
  const project = Project.get("there", "prj_1");
  expect(await inputsOf(project)).not.toHaveProperty("name");
});

it("gets each resource by its id, with the options that are given", async () => {
  const read: string[] = [];
  for (const Kind of Object.values(classes)) {
    const name = `there-${Kind.name}`;
    const parent = new pulumi.ComponentResource("test:index:Parent", `of-${Kind.name}`);
    const resource = Kind.get(name, "some/id", { parent });
    expect(await resolved(resource.urn)).toContain("test:index:Parent$");
    expect(registered.find((one) => one.name === name)).toMatchObject({ id: "some/id" });
    read.push(Kind.name);
  }
  expect(read).toEqual(
    Object.values(resources)
      .map(({ type }) => type)
      .sort(),
  );
});

it("takes what is declared without any inputs to the check, which tells what is missing", () => {
  for (const Kind of [EnvVar, EnvVars, ProjectDomain, Promotion] as unknown as (new (
    name: string,
  ) => object)[])
    expect(() => new Kind("bare")).not.toThrow();
});

it("refuses the option import, and a name that is missing, in a sentence", () => {
  const made = (name: unknown, opts: pulumi.CustomResourceOptions) => () =>
    new Project(name as string, {}, opts);
  expect(made("web", { import: "prj_1" })).toThrow(
    /^Project "web": the option import is not available with the npm package.*Use `slipway import`.*Or set \{ adopt: true \}\.$/,
  );
  const variable = { project: "web", key: "K", value: "v", target: ["preview" as const] };
  expect(() => new EnvVar("k", variable, { import: "prj_1/env_1" })).toThrow(
    /\. Or set \{ adopt: true \}\.$/,
  );
  expect(() => new Promotion("live", { project: "web", deployment: "dpl_1" }, { import: "prj_1" })).toThrow(
    /\. Or declare it without the option\.$/,
  );
  expect(made(undefined, {})).toThrow(/^A Project has no resource name\. Pass it as the first argument/);
  expect(
    () => new EnvVar("" as string, { project: "web", key: "K", value: "v", target: ["preview"] }),
  ).toThrow(/^An EnvVar has no resource name/);
});

it("knows the URN of a resource before the engine tells it", async () => {
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: () => ({}),
  };
  await pulumi.runtime.setMocks(mocks, "project", "stack", false, "organization");
  await pulumi.runtime.runInPulumiStack(async () => {
    const outer = new pulumi.ComponentResource("acme:index:Outer", "outer");
    // Mocks do not know components in components.
    const inner = { __pulumiType: "acme:index:Inner", __parentResource: outer } as unknown as pulumi.Resource;
    // As `pulumi stack export` has them.
    for (const [parent, types] of [
      [undefined, ""],
      [outer, "acme:index:Outer$"],
      [inner, "acme:index:Outer$acme:index:Inner$"],
    ] as const)
      expect(urnOf("pulumi-nodejs:dynamic/slipway:Project", "site", parent)).toBe(
        `urn:pulumi:stack::project::${types}pulumi-nodejs:dynamic/slipway:Project::site`,
      );
  });
});

it("knows two promotions of one project while the project has no id yet", async () => {
  await pulumi.runtime.runInPulumiStack(async () => {
    const project = new Project("web");
    new Promotion("live", { project: project.id, deployment: "dpl_1" });
    expect(() => new Promotion("again", { project: project.name, deployment: "dpl_2" })).toThrow(
      'Promotion "again": the promotion "live" already selects the deployment that serves the same project. Remove one of them: a project can have one promotion.',
    );
    const other = new Project("other");
    new Promotion("other", { project: other.id, deployment: "dpl_3" });
  });
});

it("lets each account have a promotion of a project of the same name", async () => {
  await pulumi.runtime.runInPulumiStack(async () => {
    const promoted = ["acme", "globex"].map((team) => {
      const provider = new Provider(team, { token: "canary", team });
      return new Promotion(team, { project: "web", deployment: "dpl_1" }, { provider });
    });
    expect(await Promise.all(promoted.map(({ project }) => resolved(project)))).toEqual(["web", "web"]);
  });
});

it("tells where a transformation of a resource fails, and which line declares the resource", () => {
  const { stackTraceLimit } = Error;
  let seen: number | undefined;
  const failing: pulumi.ResourceTransformation = () => {
    seen = Error.stackTraceLimit;
    throw new Error("no such tag");
  };
  const declare = () => new Project("web", {}, { transformations: [failing] });
  const caught = (): Error | undefined => {
    try {
      declare();
    } catch (error) {
      return error as Error;
    }
  };
  const error = caught();
  expect(seen).toBe(1);
  expect(error?.stack).toMatch(/^Error: no such tag\n.* failing .*\n[\s\S]* declare /);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  new Project("web");
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
