import { useTestServer } from "../../support/world";

const world = useTestServer();
let id: string;
let first: string;
let second: string;
const get = async () => (await world.call("GET", "/v9/projects/web?rollbackInfo=true")).body;
const promote = (deployment = second, project = id) =>
  world.call("POST", `/v10/projects/${project}/promote/${deployment}`);
const rollBack = (deployment = second) => world.call("POST", `/v9/projects/${id}/rollback/${deployment}`);
const aliases = (query: Record<string, string> = {}, project = id) =>
  world.call("GET", `/v1/projects/${project}/promote/aliases`, { query });

beforeEach(async () => {
  id = (await world.call("POST", "/v10/projects", { body: { name: "web" } })).body.id;
  const deployment = { team: "acme", project: "web", readyState: "READY" as const };
  [first = ""] = await world.control.deploy({ ...deployment, target: "production", createdAt: 1 });
  [second = ""] = await world.control.deploy({ ...deployment, target: "preview", createdAt: 2 });
});

it("goes on under the new name of a project that is renamed meanwhile", async () => {
  await world.control.planPromotions({ delayMs: 1_000 });
  await promote();
  await world.call("PATCH", "/v9/projects/web", { body: { name: "shop" } });
  const names = async () => (await aliases()).body.aliases.map(({ alias }: { alias: string }) => alias);
  expect(await names()).toEqual(["shop.vercel.app"]);
  await world.advance(1_000);
  expect(await names()).toEqual(["shop.vercel.app"]);
  const { alias, targets } = (await world.call("GET", "/v9/projects/shop")).body;
  expect([alias[0].domain, targets.production.id]).toEqual(["shop.vercel.app", second]);
});

describe("promoting a deployment", () => {
  // PR-106, S-18, ER-05
  it("answers 201 without a body; the deployment serves in place of the one before", async () => {
    expect((await get()).targets.production.id).toBe(first);
    expect(await promote()).toMatchObject({ status: 201, body: "" });
    expect((await get()).targets.production).toMatchObject({ id: second, alias: ["web.vercel.app"] });
  });

  // S-19
  it("rebuilds nothing: no deployment is added", async () => {
    await promote();
    const ids = (await get()).latestDeployments.map((deployment: { id: string }) => deployment.id);
    expect(ids.sort()).toEqual([first, second].sort());
  });

  //
  it("is what lastAliasRequest tells of", async () => {
    expect((await get()).lastAliasRequest).toBeNull();
    await promote();
    expect((await get()).lastAliasRequest).toEqual({
      fromDeploymentId: first,
      toDeploymentId: second,
      jobStatus: "succeeded",
      requestedAt: expect.any(Number),
      type: "promote",
    });
  });

  it("is shown only with rollbackInfo=true, and in no list", async () => {
    await promote();
    const { body } = await world.call("GET", "/v9/projects/web");
    const { body: answer } = await world.call("PATCH", "/v9/projects/web", { body: { framework: "astro" } });
    const { body: list } = await world.call("GET", "/v9/projects");
    for (const project of [body, answer, ...list.projects]) expect(project.lastAliasRequest).toBeNull();
  });

  it("is refused with 409 when the deployment serves already, and a rollback to it with 422", async () => {
    await promote();
    const message = `The provided deploymentId (${second}) is already the current production deployment.`;
    expect(await promote()).toMatchObject({ status: 409, body: { error: { code: "conflict", message } } });
    expect(await rollBack()).toMatchObject({ status: 422, body: { error: { message } } });
  });

  it("is possible again when it did not move all names", async () => {
    await world.control.seed({
      domains: [{ team: "acme", project: "web", name: "example.com", verified: true }],
    });
    await world.control.planPromotions({ failAliases: ["example.com"] });
    await promote();
    await world.control.planPromotions({});
    expect((await promote()).status).toBe(201);
    expect((await get()).targets.production.alias).toContain("example.com");
  });

  it("comes from no deployment where none served before", async () => {
    const { id: fresh } = (await world.call("POST", "/v10/projects", { body: { name: "fresh" } })).body;
    const [only = ""] = await world.control.deploy({
      team: "acme",
      project: "fresh",
      target: "preview",
      readyState: "READY",
    });
    expect((await promote(only, fresh)).status).toBe(201);
    const { lastAliasRequest } = (await world.call("GET", "/v9/projects/fresh?rollbackInfo=true")).body;
    expect(lastAliasRequest).toMatchObject({ fromDeploymentId: "", toDeploymentId: only });
  });

  // X-08, S-20
  it("is 404 for an unknown deployment, another project's, and an unknown project; nothing changes", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "other" } });
    const [foreign = ""] = await world.control.deploy({
      team: "acme",
      project: "other",
      target: "preview",
      readyState: "READY",
    });
    for (const answer of [
      await promote("dpl_nothing"),
      await promote(foreign),
      await promote(second, "prj_nothing"),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
    }
    expect((await get()).targets.production.id).toBe(first);
  });

  it("is 409 for a deployment that is not ready; nothing changes", async () => {
    const [building = ""] = await world.control.deploy({
      team: "acme",
      project: "web",
      target: "preview",
      readyState: "BUILDING",
    });
    for (const answer of [await promote(building), await rollBack(building)])
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining("BUILDING") } },
      });
    expect((await get()).targets.production.id).toBe(first);
  });

  // PR-110, X-43
  it("is 409 while another one is running, and no longer once that is done", async () => {
    await world.control.planPromotions({ delayMs: 1000 });
    expect((await promote()).status).toBe(201);
    expect((await get()).targets.production.id).toBe(first);
    for (const answer of [await promote(first), await rollBack(first)])
      expect(answer).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    await world.advance(1000);
    expect((await get()).targets.production.id).toBe(second);
    expect((await promote(first)).status).toBe(201);
  });
});

describe("the event of a promotion", () => {
  const events = async (): Promise<unknown[]> =>
    (await world.control.events()).filter(({ type }) => type === "deployment.promoted");

  //
  it("tells which deployment serves production now, and who asked for it", async () => {
    await promote();
    const { id: user } = (await world.call("GET", "/v2/user")).body.user;
    expect(await events()).toEqual([
      expect.objectContaining({
        payload: {
          team: { id: expect.stringMatching(/^team_/) },
          user: { id: user },
          deployment: { id: second, name: "web", url: expect.stringMatching(/^web-/), meta: {} },
          links: { deployment: expect.stringMatching(/^https:/), project: "https://web.vercel.app" },
          project: { id },
          plan: "enterprise",
          regions: ["iad1"],
        },
      }),
    ]);
  });

  //
  it("comes when the names have moved, and not when none did", async () => {
    await world.control.planPromotions({ delayMs: 1000 });
    await promote();
    expect(await events()).toEqual([]);
    await world.advance(1000);
    expect(await events()).toMatchObject([{ payload: { deployment: { id: second }, user: { id: null } } }]);
    await world.control.planPromotions({ failAliases: ["web.vercel.app"] });
    expect((await promote(first)).status).toBe(201);
    expect(await events()).toHaveLength(1);
  });

  //
  it("comes when some of the names moved", async () => {
    await world.seed({
      domains: [{ team: "acme", project: "web", name: "example.com", verified: true }],
    });
    await world.control.planPromotions({ failAliases: ["example.com"] });
    await promote();
    expect(await events()).toMatchObject([{ payload: { deployment: { id: second } } }]);
  });
});

describe("the aliases of a promotion", () => {
  const verified = async (name: string): Promise<void> => {
    const { body } = await world.call("POST", `/v10/projects/${id}/domains`, { body: { name } });
    const [challenge] = body.verification ?? [];
    if (challenge) await world.control.setTxt(challenge.domain, challenge.value);
    expect((await world.call("POST", `/v9/projects/${id}/domains/${name}/verify`)).status).toBe(200);
  };

  //
  it("are {} when nothing was promoted", async () => {
    expect(await aliases()).toMatchObject({ status: 200, body: {} });
    expect((await aliases()).body).toEqual({});
  });

  // PR-111, X-41, D-03, D-04
  it("are those of the last request: the project's name and its verified domains", async () => {
    await verified("example.com");
    await world.call("POST", `/v10/projects/${id}/domains`, { body: { name: "unproved.org" } });
    await promote();
    const { body } = await aliases();
    expect(body.aliases).toEqual(
      ["example.com", "web.vercel.app"].map((alias) => ({
        alias,
        id: expect.any(String),
        status: "completed",
        deploymentId: second,
        createdAt: expect.any(Number),
      })),
    );
    expect(body.pagination).toMatchObject({ count: 2, next: null });
    expect((await get()).targets.production.alias).toEqual(["web.vercel.app", "example.com"]);
    await promote(first);
    expect((await aliases()).body.aliases).toMatchObject([{ deploymentId: first }, { deploymentId: first }]);
  });

  //
  it("are in progress until it is done, as lastAliasRequest says too", async () => {
    await world.control.planPromotions({ delayMs: 1000 });
    await promote();
    expect((await aliases()).body.aliases).toMatchObject([{ status: "in-progress" }]);
    expect((await get()).lastAliasRequest.jobStatus).toBe("in-progress");
    expect((await aliases({ failedOnly: "true" })).body.aliases).toEqual([]);
    await world.advance(1000);
    expect((await aliases()).body.aliases).toMatchObject([{ status: "completed" }]);
    expect((await get()).lastAliasRequest.jobStatus).toBe("succeeded");
  });

  it("that failed still point to the deployment before, also after they fail again", async () => {
    await verified("example.com");
    await world.control.planPromotions({});
    await promote(first);
    const pointsTo = async () => {
      const { body } = await world.call("GET", "/v4/aliases");
      const found = (body.aliases as { alias: string; deploymentId: string }[]).map(
        ({ alias, deploymentId }) => [alias, deploymentId],
      );
      return Object.fromEntries(found);
    };
    expect(await pointsTo()).toEqual({ "example.com": first, "web.vercel.app": first });
    await world.control.planPromotions({ failAliases: ["example.com"] });
    for (let time = 0; time < 2; time++) {
      await promote(second);
      expect(await pointsTo()).toEqual({ "example.com": first, "web.vercel.app": second });
    }
    const aliasesOf = async (id: string) =>
      (await world.call("GET", `/v2/deployments/${id}/aliases`)).body.aliases.map(
        ({ alias }: { alias: string }) => alias,
      );
    expect([await aliasesOf(first), await aliasesOf(second)]).toEqual([["example.com"], ["web.vercel.app"]]);
    await world.control.planPromotions({ failAliases: ["example.com", "web.vercel.app"] });
    await promote(first);
    expect(await pointsTo()).toEqual({ "example.com": first, "web.vercel.app": second });
    await world.control.planPromotions({});
    await promote(first);
    expect(await pointsTo()).toEqual({ "example.com": first, "web.vercel.app": first });
  });

  // PR-112, X-42
  it("with failedOnly are those that failed; the others have moved", async () => {
    await verified("example.com");
    await world.control.planPromotions({ failAliases: ["example.com"] });
    await promote();
    expect((await aliases()).body.aliases).toMatchObject([
      { alias: "example.com", status: "failed" },
      { alias: "web.vercel.app", status: "completed" },
    ]);
    expect((await aliases({ failedOnly: "true" })).body.aliases).toMatchObject([{ alias: "example.com" }]);
    expect(await get()).toMatchObject({
      lastAliasRequest: { jobStatus: "failed" },
      targets: { production: { id: second } },
    });
  });

  it("leave production as it was when none of them moved", async () => {
    await world.control.planPromotions({ failAliases: ["web.vercel.app"] });
    await promote();
    expect((await get()).targets.production.id).toBe(first);
  });

  // PR-113, PR-114, PR-115, LI-08
  it("are bounded by limit, since and until", async () => {
    await verified("example.com");
    await verified("example.org");
    await promote();
    const all = (await aliases()).body.aliases;
    expect((await aliases({ limit: "1" })).body.aliases).toEqual(all.slice(0, 1));
    expect((await aliases({ limit: "100" })).body.aliases).toEqual(all);
    expect((await aliases({ until: String(all[1].createdAt) })).body.aliases).toEqual(all.slice(2));
    expect((await aliases({ since: String(all[1].createdAt) })).body.aliases).toEqual(all.slice(0, 1));
  });

  it.each([
    ["failedOnly", { failedOnly: "maybe" }], // PR-116
    ["limit", { limit: "many" }], // PR-116
    ["a limit of nothing", { limit: "0" }], // PR-116
    ["a limit above 100", { limit: "101" }],
    ["since", { since: "now" }], // PR-116
    ["until", { until: "now" }], // PR-116
  ])("refuse an invalid value of %s with 400", async (_, query) => {
    expect((await aliases(query)).status).toBe(400);
  });

  // PR-119
  it("are 404 for an unknown project", async () => {
    expect((await aliases({}, "prj_nothing")).status).toBe(404);
  });
});

describe("a name that a promotion failed to move", () => {
  const names = async (): Promise<string[]> =>
    (await get()).alias.map(({ domain }: { domain: string }) => domain);
  const both = ["web.vercel.app", "example.com"];

  beforeEach(async () => {
    await world.seed({
      domains: [{ team: "acme", project: "web", name: "example.com", verified: true }],
    });
    await world.control.planPromotions({ failAliases: ["example.com"] });
    await promote();
    await world.control.planPromotions({});
  });

  //
  it("is not shown as served by the deployment", async () => {
    expect((await get()).targets.production).toMatchObject({ id: second, alias: ["web.vercel.app"] });
    expect(await names()).toEqual(["web.vercel.app"]);
    const { body } = await world.call("GET", `/v13/deployments/${second}`);
    expect(body.alias).toEqual(["web.vercel.app"]);
  });

  it("stays behind when a later promotion moves no name at all, and while one is running", async () => {
    await world.control.planPromotions({ failAliases: both });
    await promote(first);
    expect(await names()).toEqual(["web.vercel.app"]);
    await world.control.planPromotions({ delayMs: 1000 });
    await promote(first);
    expect(await names()).toEqual(["web.vercel.app"]);
    await world.advance(1000);
    expect(await names()).toEqual(both);
  });

  it("is served again once a promotion moves it, a build takes over, or it is added again", async () => {
    await promote(first);
    expect((await get()).targets.production).toMatchObject({ id: first, alias: both });
    await world.control.planPromotions({ failAliases: ["example.com"] });
    await promote();
    expect(await names()).toEqual(["web.vercel.app"]);
    await world.advance(10);
    await world.control.deploy({ team: "acme", project: "web", target: "production", readyState: "READY" });
    expect(await names()).toEqual(both);
    await promote(first);
    expect(await names()).toEqual(["web.vercel.app"]);
    await world.advance(10);
    await world.call("DELETE", `/v9/projects/${id}/domains/example.com`);
    await world.seed({
      domains: [{ team: "acme", project: "web", name: "example.com", verified: true }],
    });
    expect(await names()).toEqual(both);
  });
});

describe("rolling back", () => {
  it("has a reason, which can be changed", async () => {
    await promote();
    await world.call("POST", `/v9/projects/${id}/rollback/${first}`);
    await world.advance(10);
    const describe = (deployment: string, body: object) =>
      world.call("PATCH", `/v1/projects/${id}/rollback/${deployment}/update-description`, { body });
    expect((await describe(first, { description: "broken" })).status).toBe(200);
    expect(await get()).toMatchObject({ lastRollbackTarget: { deploymentId: first, description: "broken" } });
    expect((await describe(second, { description: "broken" })).status).toBe(404);
    expect((await describe(first, { reason: "broken" })).status).toBe(400);
    await describe(first, {});
    expect((await get()).lastRollbackTarget).toEqual({ deploymentId: first });
  });

  it("puts an earlier deployment back, and tells of it apart from promotions", async () => {
    await promote();
    expect((await world.call("POST", `/v9/projects/${id}/rollback/${first}`)).status).toBe(201);
    expect(await get()).toMatchObject({
      targets: { production: { id: first } },
      lastAliasRequest: { type: "rollback", toDeploymentId: first },
      lastRollbackTarget: { deploymentId: first },
    });
    expect((await aliases()).body.aliases).toMatchObject([{ deploymentId: second, status: "completed" }]);
    const { body } = await world.call("GET", `/v1/projects/${id}/rollback/aliases`);
    expect(body.aliases).toMatchObject([{ deploymentId: first, status: "completed" }]);
  });
});
