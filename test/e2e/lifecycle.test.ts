import { takenApexes, withoutDefault } from "../support/domains";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { isLong, stepInFull } from "../support/slices";
import { step } from "../support/step";
import { until } from "../support/until";

let world: Workspace;
let stack: Stack;

const deployments = ["dpl_one", "dpl_two"].map((id, at) => ({
  id,
  team: "acme",
  project: "web",
  target: "production",
  readyState: "READY",
  createdAt: at + 1,
}));

beforeAll(async () => {
  world = await Workspace.start({ deployments });
  await world.server.control("POST", "/seed", takenApexes("example.com"));
  stack = await world.stack("web");
});
afterAll(() => world.stop());

const request = async (path: string) => (await world.server.request("GET", path)).body;
const change = async (method: string, path: string, body?: object) => {
  const answer = await world.server.request(method, path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

const program = `
  const web = new Project("web", { framework: "nextjs", buildCommand: "npm run build", nodeVersion: "20.x" });
  const apex = new ProjectDomain("apex", { project: web.id, name: "example.com" });
  const www = new ProjectDomain("www", { project: web.id, name: "www.example.com", redirect: apex.name });
  new EnvVar("plain", { project: web.id, key: "PLAIN", value: "${canary}-plain", type: "plain", target: ["production"] });
  new EnvVar("secret", { project: web.id, key: "SECRET", value: "${canary}-secret", type: "sensitive", target: ["production", "preview"] });
  new EnvVar("branch", { project: web.id, key: "PLAIN", value: "${canary}-branch", target: ["preview"], gitBranch: "next" });
  const live = new Promotion("live", { project: web.id, deployment: "dpl_one" });
  export const projectId = web.id;
  export const verified = apex.verified;
  export const challenge = apex.verification;
  export const production = live.deployment;
`;

const names = ["apex", "branch", "live", "plain", "secret", "web", "www"];

it("a stack is previewed, created, repaired and destroyed", async () => {
  await step("a preview creates nothing", async () => {
    stack.program(program);
    const run = await stack.preview();
    expect(run.errors).toEqual([]);
    expect(run.steps.map(({ op, name }) => `${op} ${name}`).sort()).toEqual(
      names.map((name) => `create ${name}`),
    );
    expect((await request("/v9/projects")).projects).toEqual([]);
  });

  await step("up creates what the preview showed", async () => {
    const run = await stack.up({ preview: true });
    expect(run.errors).toEqual([]);
    expect(run.code).toBe(0);
    const web = await request("/v9/projects/web");
    expect(web).toMatchObject({ framework: "nextjs", buildCommand: "npm run build", nodeVersion: "20.x" });
    expect(web.targets.production.id).toBe("dpl_one");
    expect(withoutDefault((await request("/v9/projects/web/domains")).domains)).toHaveLength(2);
    expect((await request("/v9/projects/web/env")).envs).toHaveLength(3);
    expect(await stack.outputs()).toMatchObject({
      projectId: web.id,
      verified: false,
      production: "dpl_one",
      challenge: [{ type: "TXT", domain: "_vercel.example.com" }],
    });
  });

  await step("the state has a short text instead of code", async () => {
    const texts = new Set((await stack.resources()).map(({ outputs }) => String(outputs.__provider)));
    for (const text of texts) {
      expect(text).toContain("slipway/dynamic");
      expect(text.length).toBeLessThanOrEqual(100);
    }
  });

  await step("up, preview and refresh change nothing when the program stays the same", async () => {
    if (isLong) expect((await stack.up()).steps).toEqual([]);
    if (isLong) expect((await stack.preview({ args: ["--expect-no-changes"] })).code).toBe(0);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  });

  await stepInFull("DomainVerification waits for the DNS record", async () => {
    const waiting = `${program}
      new DomainVerification("proof", { project: web.id, name: apex.name, timeoutMs: 1000 });`;
    stack.program(waiting);
    const tooEarly = await stack.up();
    expect(tooEarly.errors.join("\n")).toMatch(/_vercel\.example\.com/);
    expect(tooEarly.code).not.toBe(0);

    const { challenge } = await stack.outputs();
    await world.server.control("PUT", `/dns/${challenge[0].domain}`, {
      type: "TXT",
      values: [challenge[0].value],
    });
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect((await request("/v9/projects/web/domains/example.com")).verified).toBe(true);
    stack.program(program);
    expect((await stack.up()).steps.map(({ op, name }) => `${op} ${name}`)).toEqual(["delete proof"]);
  });
  await step("up --refresh reverts changes made outside Pulumi", async () => {
    const { projectId } = await stack.outputs();
    const { envs } = await request("/v9/projects/web/env");
    const plain = envs.find((env: { type: string }) => env.type === "plain");
    await change("PATCH", "/v9/projects/web", { framework: "astro", buildCommand: "make" });
    await change("PATCH", `/v9/projects/web/env/${plain.id}`, { value: `${canary}-drifted` });
    await change("PATCH", "/v9/projects/web/domains/www.example.com", { redirect: null });
    await change("POST", `/v10/projects/${projectId}/promote/dpl_two`);
    // It takes effect later on the profile `hosted`.
    await until(
      "the promotion is served",
      async () => (await request("/v9/projects/web")).targets.production.id === "dpl_two",
    );

    const run = await stack.up({ args: ["--refresh"] });
    expect(run.errors).toEqual([]);
    const updates = run.steps.filter(({ op }) => op === "update");
    expect(updates.map(({ name, diffs }) => [name, diffs]).sort()).toEqual([
      ["live", ["deployment"]],
      ["plain", []],
      ["web", ["buildCommand", "framework"]],
      ["www", ["redirect"]],
    ]);

    const web = await request("/v9/projects/web");
    expect(web).toMatchObject({ framework: "nextjs", buildCommand: "npm run build" });
    expect(web.targets.production.id).toBe("dpl_one");
    expect((await request(`/v1/projects/web/env/${plain.id}`)).value).toBe(`${canary}-plain`);
    expect((await request("/v9/projects/web/domains/www.example.com")).redirect).toBe("example.com");
    expect((await stack.up({ args: ["--refresh"] })).steps.filter(({ op }) => op !== "refresh")).toEqual([]);
  });

  await stepInFull(
    "up --refresh reverts the value of a sensitive variable, which the API does not return",
    async () => {
      const { envs } = await request("/v9/projects/web/env");
      const { id } = envs.find(({ key }: { key: string }) => key === "SECRET");
      await change("PATCH", `/v9/projects/web/env/${id}`, { value: `${canary}-drifted` });
      const run = await stack.up({ args: ["--refresh"] });
      expect(run.errors).toEqual([]);
      expect(run.steps.filter(({ op }) => op === "update").map(({ name }) => name)).toEqual(["secret"]);
      expect((await stack.up({ args: ["--refresh"] })).steps.filter(({ op }) => op !== "refresh")).toEqual(
        [],
      );
    },
  );

  for (const [thing, path, made] of [
    ["a domain", "/v9/projects/web/domains/www.example.com", ["www"]],
    ["a project", "/v9/projects/web", names],
  ] as const)
    await stepInFull(
      `up --refresh creates ${thing} that was deleted again, with all that belongs to it`,
      async () => {
        await change("DELETE", path);
        // A project's deployments go with it: its sources were deployed again.
        await world.server.control("POST", "/deployments", deployments);
        const run = await stack.up({ args: ["--refresh"] });
        expect(run.errors).toEqual([]);
        expect(run.code).toBe(0);
        expect(
          run.steps
            .filter(({ op }) => op === "create")
            .map(({ name }) => name)
            .sort(),
        ).toEqual(made);
        expect(withoutDefault((await request("/v9/projects/web/domains")).domains)).toHaveLength(2);
        expect((await request("/v9/projects/web/env")).envs).toHaveLength(3);
        expect((await request("/v9/projects/web")).targets.production.id).toBe("dpl_one");
      },
    );

  await stepInFull("up of something deleted fails with the hint --refresh", async () => {
    await change("DELETE", "/v9/projects/web/domains/www.example.com");
    stack.program(program.replace("redirect: apex.name", "redirect: apex.name, redirectStatusCode: 308"));
    const run = await stack.up();
    expect(run.errors.join("\n")).toContain("--refresh");
    expect(run.code).not.toBe(0);
    const again = await stack.up({ args: ["--refresh"] });
    expect(again.errors).toEqual([]);
    expect((await request("/v9/projects/web/domains/www.example.com")).redirectStatusCode).toBe(308);
  });
  await step("destroy leaves nothing", async () => {
    // Something that is gone already is no trouble.
    await change("DELETE", "/v9/projects/web/domains/www.example.com");
    const run = await stack.destroy();
    expect(run.errors).toEqual([]);
    expect(run.code).toBe(0);
    expect((await request("/v9/projects")).projects).toEqual([]);
    expect(await stack.resources()).toEqual([]);
  });
}, 600_000);
