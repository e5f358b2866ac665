import { project } from "../../provider/project";
import { projectDomain } from "../../provider/project-domain";
import { canary, type Run, type Stack, World } from "../support/pulumi";

let world: World;

beforeAll(async () => {
  world = await World.start({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web"] }],
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

/** What the engine did, without what stayed. */
const did = ({ steps }: Run) => steps.map(({ op, type, name, diffs }) => ({ op, type, name, diffs }));

const secret = (text: string) => `${canary}${text}`.padEnd(32, "0").slice(0, 32);

describe("every input of a project changes in place", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await world.stack("project");
  });

  const before = {
    name: "web",
    framework: "nextjs",
    buildCommand: "npm run build",
    commandForIgnoringBuildStep: "exit 1",
    devCommand: "npm run dev",
    installCommand: "npm ci",
    outputDirectory: "out",
    rootDirectory: "apps/web",
    serverlessFunctionRegion: "iad1",
    enableAffectedProjectsDeployments: true,
    publicSource: true,
    skipGitConnectDuringLink: true,
    serverlessFunctionZeroConfigFailover: true,
    oidcTokenConfig: { enabled: false },
    nodeVersion: "20.x",
    autoAssignCustomDomains: false,
    autoAssignCustomDomainsUpdatedBy: "ada",
    autoExposeSystemEnvs: false,
    customerSupportCodeVisibility: true,
    directoryListing: true,
    enablePreviewFeedback: true,
    enableProductionFeedback: true,
    gitForkProtection: false,
    gitLFS: true,
    previewDeploymentsDisabled: true,
    sourceFilesOutsideRootDirectory: false,
    skewProtectionBoundaryAt: 1_700_000_000_000,
    skewProtectionMaxAge: 3600,
    optionsAllowlist: { paths: [{ value: "/api" }] },
    passwordProtection: { deploymentType: "all", password: `${canary}-password-1` },
    ssoProtection: { deploymentType: "all" },
    trustedIps: {
      deploymentType: "all",
      addresses: [{ value: "10.0.0.0/8", note: "office" }],
      protectionMode: "exclusive",
    },
    paused: true,
    dataCache: { disabled: true },
    protectionBypass: { ci: { secret: secret("bypass1") } },
  };
  const after: typeof before = {
    name: "website",
    framework: "astro",
    buildCommand: "make",
    commandForIgnoringBuildStep: "exit 0",
    devCommand: "make dev",
    installCommand: "make install",
    outputDirectory: "dist",
    rootDirectory: "apps/site",
    serverlessFunctionRegion: "fra1",
    enableAffectedProjectsDeployments: false,
    publicSource: false,
    skipGitConnectDuringLink: false,
    serverlessFunctionZeroConfigFailover: false,
    oidcTokenConfig: { enabled: true },
    nodeVersion: "22.x",
    autoAssignCustomDomains: true,
    autoAssignCustomDomainsUpdatedBy: "bob",
    autoExposeSystemEnvs: true,
    customerSupportCodeVisibility: false,
    directoryListing: false,
    enablePreviewFeedback: false,
    enableProductionFeedback: false,
    gitForkProtection: true,
    gitLFS: false,
    previewDeploymentsDisabled: false,
    sourceFilesOutsideRootDirectory: true,
    skewProtectionBoundaryAt: 1_800_000_000_000,
    skewProtectionMaxAge: 7200,
    optionsAllowlist: { paths: [{ value: "/rpc" }] },
    passwordProtection: { deploymentType: "preview", password: `${canary}-password-2` },
    ssoProtection: { deploymentType: "preview" },
    trustedIps: {
      deploymentType: "preview",
      addresses: [{ value: "192.0.2.1", note: "home" }],
      protectionMode: "additional",
    },
    paused: false,
    dataCache: { disabled: false },
    protectionBypass: { ci: { secret: secret("bypass2") } },
  };
  const repository = { type: "github", repo: "acme/web" };
  const program = (inputs: object) =>
    `export const id = new Project("web", ${JSON.stringify({ ...inputs, gitRepository: repository })} as never).id;`;

  /** What the server shows of declared inputs. */
  const shown = ({
    passwordProtection,
    dataCache,
    previewDeploymentsDisabled: _,
    protectionBypass,
    ...rest
  }: typeof before) => ({
    ...rest,
    passwordProtection: { deploymentType: passwordProtection.deploymentType },
    dataCache: { userDisabled: dataCache.disabled },
    protectionBypass: { [protectionBypass.ci.secret]: {} },
  });

  it("has one of each to change", () => {
    const known = [...Object.keys(before), "gitRepository", "adopt"].sort();
    expect(known).toEqual(Object.keys(project.inputs.shape).sort());
    const same = Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) === JSON.stringify(after[key as keyof typeof after]),
    );
    expect(same).toEqual([]);
  });

  it("makes it", async () => {
    stack.program(program(before));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    const { body } = await world.server.request("GET", "/v9/projects/web");
    expect(body).toMatchObject({ ...shown(before), link: { type: "github", repo: "web" } });
    expect((await stack.up()).steps).toEqual([]);
  });

  it("changes all at once, in place", async () => {
    const { id } = await stack.outputs();
    stack.program(program(after));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(did(run)).toEqual([
      {
        op: "update",
        type: "Project",
        name: "web",
        diffs: Object.keys(after)
          .filter((key) => !project.secret.includes(key))
          .sort(),
      },
    ]);
    const { body } = await world.server.request("GET", `/v9/projects/${id}`);
    expect(body).toMatchObject(shown(after));
    expect(Object.keys(body.protectionBypass)).toEqual([after.protectionBypass.ci.secret]);
    expect((await stack.up()).steps).toEqual([]);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  });

  it("goes back to the defaults when the inputs leave the program", async () => {
    stack.program(program({ name: "website" }));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(run.steps.map(({ op }) => op)).toEqual(["update"]);
    const { body } = await world.server.request("GET", "/v9/projects/website");
    expect(body).toMatchObject({
      framework: null,
      buildCommand: null,
      rootDirectory: null,
      nodeVersion: "22.x",
      gitForkProtection: true,
      autoAssignCustomDomains: true,
      passwordProtection: null,
      ssoProtection: null,
      trustedIps: null,
      optionsAllowlist: null,
      paused: false,
      dataCache: { userDisabled: false },
      protectionBypass: {},
    });
    expect((await stack.up()).steps).toEqual([]);
  });

  it("refuses another repository, and says what to do", async () => {
    stack.program(program({ name: "website" }).replace("acme/web", "acme/other"));
    const run = await stack.preview();
    expect(run.errors.join("\n")).toContain("gitRepository");
    expect(run.code).not.toBe(0);
  });

  it("gives away no secret", async () => {
    expect(await world.leaks()).toEqual([]);
  });
});

describe("every input of a domain, a variable and a promotion changes in place", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await world.stack("parts");
  });

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
  const branched = { key: "B", value: `${canary}-b`, type: "plain", target: ["preview"], gitBranch: "next" };

  it("makes them", async () => {
    stack.program(
      program(
        { redirect: "example.com", redirectStatusCode: 307 },
        { variable, branched },
        { deployment: "dpl_one", onDelete: "keep" },
      ),
    );
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect((await stack.up()).steps).toEqual([]);
    // `name` and `project` replace, `adopt` and waiting are about how it is made.
    expect(Object.keys(projectDomain.inputs.shape).sort()).toEqual([
      "adopt",
      "gitBranch",
      "name",
      "project",
      "redirect",
      "redirectStatusCode",
      "timeoutMs",
      "waitForVerification",
    ]);
  });

  it("changes them all in place", async () => {
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
    expect((await stack.up()).steps).toEqual([]);
  });

  it("turns a redirect into a branch", async () => {
    stack.program(program({ gitBranch: "next" }, { variable, branched }, { deployment: "dpl_two" }));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    const { body } = await world.server.request("GET", "/v9/projects/promoted/domains/www.example.com");
    expect(body).toMatchObject({ gitBranch: "next", redirect: null, redirectStatusCode: null });
  });

  it("replaces a domain when its name changes, the new one first", async () => {
    stack.program(program({ name: "web.example.com" }, { variable, branched }, { deployment: "dpl_two" }));
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(run.steps.filter(({ name }) => name === "domain").map(({ op }) => op)).toEqual([
      "create-replacement",
      "replace",
      "delete-replaced",
    ]);
    const { body } = await world.server.request("GET", "/v9/projects/promoted/domains");
    expect(body.domains.map(({ name }: { name: string }) => name).sort()).toEqual([
      "example.com",
      "other.example",
      "web.example.com",
    ]);
  });

  it("replaces a variable when its project changes, the old one first", async () => {
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

  it("destroys everything", async () => {
    const run = await stack.destroy();
    expect(run.errors).toEqual([]);
    expect(await stack.resources()).toEqual([]);
    expect((await world.server.request("GET", "/v9/projects/promoted")).status).toBe(404);
  });

  it("gives away no secret", async () => {
    expect(await world.leaks()).toEqual([]);
  });
});
