import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const projectChecks = "/v2/projects/web/checks";
const runs = "/v2/deployments/dpl_1/check-runs";
const checks = "/v1/deployments/dpl_1/checks";
const token = "token-of-checkly";

beforeEach(() =>
  world.seed({
    projects: ["web", "api"].map((name) => ({ id: `prj_${name}`, team: "acme", name })),
    deployments: [
      { id: "dpl_1", team: "acme", project: "web" },
      { id: "dpl_api", team: "acme", project: "api" },
    ],
    integrations: ["checkly", "other"].map((slug) => ({
      ...{ clientId: `oac_${slug}`, slug, owner: "dev", clientSecret: "s" },
      ...{ redirectUrl: "http://127.0.0.1:9/cb", scopes: ["deployment-check" as const] },
    })),
    installations: ["checkly", "other"].map((slug) => ({
      ...{ id: `icfg_${slug}`, integration: slug, team: "acme", token: `token-of-${slug}` },
    })),
  }),
);

const call = async (method: string, path: string, body?: unknown, options: object = {}) => {
  const answer = await world.call(method, path, { ...(body !== undefined && { body }), ...options });
  return [answer.status, answer.body] as const;
};
const add = async (body: object = {}, options: object = {}) =>
  (await call("POST", projectChecks, { name: "End to end", ...body }, options))[1];

describe("a check of a project", () => {
  const shown = {
    ...{ id: expect.stringMatching(/^chk_/), ownerId: expect.any(String), projectId: "prj_web" },
    ...{ name: "End to end", isRerequestable: false, requires: "deployment-url", blocks: "none" },
    ...{ targets: [], timeout: 300_000, createdAt: beginning, updatedAt: beginning },
  };

  it("is added with defaults, changed, listed by what it blocks, and deleted", async () => {
    const { id, ...rest } = await add();
    expect({ id, ...rest }).toEqual({ ...shown, source: { kind: "webhook" }, sourceKind: "webhook" });
    const change = { blocks: "deployment-promotion", targets: ["production"], isRerequestable: true };
    expect(await call("PATCH", `${projectChecks}/${id}`, change)).toMatchObject([200, change]);
    expect((await call("GET", `${projectChecks}/${id}`))[1]).toMatchObject(change);
    const listed = async (blocks: string) =>
      (await call("GET", projectChecks, undefined, { query: { blocks } }))[1].checks.length;
    expect([await listed("deployment-promotion"), await listed("none")]).toEqual([1, 0]);
    await call("POST", runs, { checkId: id });
    expect(await call("DELETE", `${projectChecks}/${id}`)).toEqual([200, { success: true }]);
    expect((await call("GET", `${projectChecks}/${id}`))[0]).toBe(404);
    expect(await world.control.snapshot()).toMatchObject({ projectChecks: [], checkRuns: [] });
  });

  it("of an integration names it, and only the integration adds it", async () => {
    const source = { kind: "integration", externalResourceId: "suite" };
    expect(await add({ source }, { token })).toMatchObject({
      sourceKind: "integration",
      sourceIntegrationConfigurationId: "icfg_checkly",
      source: { ...source, integrationId: "oac_checkly", integrationConfigurationId: "icfg_checkly" },
    });
    expect(await add({}, { token })).toMatchObject({ sourceKind: "integration" });
    expect(await add({ source })).toMatchObject({
      error: { message: expect.stringContaining("Only an integration") },
    });
  });

  it.each([
    [{ blocks: "everything" }],
    [{ timeout: -1 }],
    [{ source: { kind: "git-provider", provider: "github" } }],
    [{ other: 1 }],
  ])("is refused with %j", async (body) => {
    expect((await call("POST", projectChecks, { name: "a", ...body }))[0]).toBe(400);
  });
});

describe("a run", () => {
  it("begins, reports and ends, and shows the settings of its check", async () => {
    const { id: checkId } = await add({ blocks: "deployment-alias" });
    const [, run] = await call("POST", runs, { checkId });
    expect(run).toMatchObject({
      checkId,
      deploymentId: "dpl_1",
      status: "queued",
      blocks: "deployment-alias",
    });
    const path = `${runs}/${run.id}`;
    await call("PATCH", path, { status: "running", externalUrl: "https://ci.example.com/1" });
    await world.control.advanceClock(5);
    const [, ended] = await call("PATCH", path, { conclusion: "succeeded", output: { tests: 3 } });
    expect(ended).toMatchObject({
      ...{ status: "completed", conclusion: "succeeded", completedAt: beginning + 5, output: { tests: 3 } },
      externalUrl: "https://ci.example.com/1",
    });
    expect((await call("GET", path))[1]).toEqual(ended);
    expect((await call("GET", runs))[1]).toEqual({ runs: [ended] });
    expect((await call("GET", `${projectChecks}/${checkId}/runs`))[1]).toEqual({ runs: [ended] });
    const [, again] = await call("PATCH", path, { status: "queued" });
    expect(again).not.toHaveProperty("conclusion");
  });

  it("is refused for a check of another project, and goes with its deployment", async () => {
    const { id: checkId } = await add();
    expect((await call("POST", "/v2/deployments/dpl_api/check-runs", { checkId }))[0]).toBe(404);
    const [, run] = await call("POST", runs, { checkId });
    expect((await call("GET", `/v2/deployments/dpl_api/check-runs/${run.id}`))[0]).toBe(404);
    await call("DELETE", "/v13/deployments/dpl_1");
    expect((await world.control.snapshot()).checkRuns).toEqual([]);
  });
});

describe("a check of an integration", () => {
  const register = async (body: object = {}) =>
    (await call("POST", checks, { name: "Lighthouse", blocking: true, ...body }, { token }))[1];
  const metric = (value: number) => ({ value, source: "web-vitals" });
  const output = { metrics: { FCP: metric(1), LCP: metric(2), CLS: metric(0.1), TBT: metric(4) } };

  it("is registered, reports and ends, and is seen by people", async () => {
    const check = await register({ path: "/", detailsUrl: "https://checks.example.com/1" });
    expect(check).toMatchObject({ integrationId: "oac_checkly", status: "registered", rerequestable: false });
    const path = `${checks}/${check.id}`;
    expect((await call("PATCH", path, { status: "running" }, { token }))[1].startedAt).toBe(beginning);
    const [, ended] = await call("PATCH", path, { conclusion: "failed", output }, { token });
    expect(ended).toMatchObject({
      status: "completed",
      conclusion: "failed",
      output,
      completedAt: beginning,
    });
    expect((await call("GET", path))[1]).toEqual(ended);
    expect((await call("GET", checks))[1]).toEqual({ checks: [ended] });
  });

  it("is requested again with an event, if the integration permits it", async () => {
    const check = await register({ rerequestable: true });
    const path = `${checks}/${check.id}`;
    await call("PATCH", path, { conclusion: "failed" }, { token });
    expect(await call("POST", `${path}/rerequest`)).toEqual([200, {}]);
    const [, waiting] = await call("GET", path);
    expect(waiting.status).toBe("registered");
    expect(waiting).not.toHaveProperty("conclusion");
    await call("POST", `${path}/rerequest`, undefined, { query: { autoUpdate: true } });
    expect((await call("GET", path))[1].status).toBe("running");
    const events = await world.control.events();
    expect(events.map(({ type }) => type)).toEqual(Array(2).fill("deployment.check-rerequested"));
    const fixed = await register();
    expect((await call("POST", `${checks}/${fixed.id}/rerequest`))[0]).toBe(400);
  });

  it("is registered by no person, and changed by no other integration", async () => {
    expect((await call("POST", checks, { name: "a", blocking: false }))[0]).toBe(400);
    const { id } = await register();
    expect((await call("PATCH", `${checks}/${id}`, { status: "running" }))[0]).toBe(400);
    const other = { token: "token-of-other" };
    expect((await call("PATCH", `${checks}/${id}`, { status: "running" }, other))[0]).toBe(403);
    expect((await call("GET", `/v1/deployments/dpl_api/checks/${id}`))[0]).toBe(404);
  });
});

it("are seeds, which write the same again", async () => {
  const seed = {
    projectChecks: [{ id: "chk_1", team: "acme", project: "web", name: "a", createdAt: 1 }],
    checkRuns: [
      ...[
        { team: "acme", project: "web", check: "chk_1", deployment: "dpl_1", conclusion: "failed" as const },
      ],
    ],
    deploymentChecks: [{ team: "acme", deployment: "dpl_1", name: "b", integrationId: "oac_checkly" }],
  };
  await world.seed(seed);
  await world.seed(seed);
  const { projectChecks: all, checkRuns, deploymentChecks } = await world.control.snapshot();
  expect([all, checkRuns, deploymentChecks]).toMatchObject([
    [{ id: "chk_1", projectId: "prj_web" }],
    [{ checkId: "chk_1", result: { conclusion: "failed" } }],
    [{ deploymentId: "dpl_1", integrationId: "oac_checkly" }],
  ]);
  await expect(
    world.seed({ checkRuns: [{ ...seed.checkRuns[0], check: "chk_2" } as never] }),
  ).rejects.toThrow(/no check/);
});
