import { addIntegration, eventsOf, installWithToken } from "../../support/integrations";
import { type Answer, beginning, useTestServer } from "../../support/world";

const world = useTestServer();
let other: string;

beforeEach(async () => {
  other = await world.team("other");
  const project = { team: "acme", project: "web" };
  await world.seed({
    projects: [{ id: "prj_web", team: "acme", name: "web" }],
    deployments: [
      { id: "dpl_1", ...project, target: "production" },
      { id: "dpl_2", ...project, target: "production" },
    ],
    domains: [
      { ...project, name: "www.example.com", verified: true },
      { ...project, name: "www.example.org" },
    ],
    env: [{ ...project, key: "KEY", value: "value", type: "encrypted", target: ["preview"] }],
  });
  await world.advance(1000);
});

const start = (body: object = { toTeam: "other" }): Promise<Answer> =>
  world.askControl("POST", "/projects/prj_web/transfer", body);
const complete = (): Promise<Answer> => world.askControl("POST", "/projects/prj_web/transfer/complete");
const get = (options: Parameters<typeof world.call>[2] = {}): Promise<Answer> =>
  world.call("GET", "/v9/projects/prj_web", options);
const inOther = (): { token: string; team: string } => ({ token: other, team: "other" });
const idOf = async (team: string, token?: string): Promise<string> =>
  (await world.call("GET", `/v2/teams/${team}`, { team: null, ...(token ? { token } : {}) })).body.id;

type Operation = [method: string, path: string, success: number, body: object | undefined];

/** The operations that the specification refuses during a transfer, with requests that succeed otherwise. */
const writes: Operation[] = [
  ["PATCH", "/v9/projects/web", 200, { gitLFS: true }],
  ["DELETE", "/v9/projects/web", 204, undefined],
  ["POST", "/v10/projects/web/domains", 200, { name: "api.example.com" }],
  ["PATCH", "/v9/projects/web/domains/www.example.com", 200, { redirect: null }],
  ["DELETE", "/v9/projects/web/domains/www.example.com", 200, undefined],
  ["POST", "/v10/projects/web/env", 201, { key: "NEW", value: "v", type: "plain", target: ["preview"] }],
  ["PATCH", "/v9/projects/web/env/:env", 200, { value: "w" }],
  ["DELETE", "/v9/projects/web/env/:env", 200, undefined],
];
/** All others. */
const others: Operation[] = [
  ["GET", "/v9/projects/web", 200, undefined],
  ["GET", "/v9/projects", 200, undefined],
  ["GET", "/v9/projects/web/domains", 200, undefined],
  ["GET", "/v9/projects/web/domains/www.example.com", 200, undefined],
  ["POST", "/v9/projects/web/domains/www.example.com/verify", 200, undefined],
  ["GET", "/v9/projects/web/env", 200, undefined],
  ["GET", "/v1/projects/web/env/:env", 200, undefined],
  ["POST", "/v1/projects/prj_web/pause", 200, undefined],
  ["POST", "/v1/projects/prj_web/unpause", 200, undefined],
  ["PATCH", "/v1/data-cache/projects/prj_web", 200, { disabled: true }],
  ["GET", "/v1/projects/prj_web/promote/aliases", 200, undefined],
];
const send = async (method: string, path: string, body?: object, options: object = {}): Promise<Answer> => {
  const { envs } = (await world.call("GET", "/v9/projects/web/env", options)).body;
  return world.call(method, path.replace(":env", envs[0].id), { ...options, ...(body ? { body } : {}) });
};

describe("while a project is being transferred", () => {
  //
  test("it tells when the transfer began and to whom, and is still its account's", async () => {
    const { status } = await start();
    expect(status).toBe(200);
    const { body } = await get();
    expect(body).toMatchObject({
      accountId: await idOf("acme"),
      transferStartedAt: beginning + 1000,
      transferToAccountId: await idOf("other", other),
    });
    expect(body).not.toHaveProperty("transferCompletedAt");
    expect(body).not.toHaveProperty("transferredFromAccountId");
    expect((await get(inOther())).status).toBe(404);
  });

  // T-06, PR-67, PR-75, DO-27, DO-56, DO-63, EN-19, EN-40, EN-47
  test.each(writes)("%s %s is refused with 409 and changes nothing", async (method, path, _success, body) => {
    await start();
    const before = await world.control.snapshot();
    const answer = await send(method, path, body);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe("conflict");
    expect(answer.body.error.message).toContain("being transferred");
    expect(await world.control.snapshot()).toEqual(before);
  });

  // T-07
  test.each(others)("%s %s is not refused for it", async (method, path, success, body) => {
    await start();
    expect((await send(method, path, body)).status).toBe(success);
  });

  // T-08
  test.each(writes)("%s %s passes once the transfer is complete", async (method, path, success, body) => {
    await start();
    await complete();
    const { status } = await send(method, path, body, inOther());
    expect(status).toBe(success);
  });
});

describe("a completed transfer", () => {
  //
  test("it tells when it ended and from whom, under the same id", async () => {
    await start();
    await world.advance(500);
    expect((await complete()).status).toBe(200);
    const { status, body } = await get(inOther());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "prj_web",
      accountId: await idOf("other", other),
      transferStartedAt: beginning + 1000,
      transferCompletedAt: beginning + 1500,
      transferredFromAccountId: await idOf("acme"),
    });
    expect(body).not.toHaveProperty("transferToAccountId");
    expect((await get()).status).toBe(404);
    expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([]);
  });

  //
  test("domains, variables and deployments came along, as they were", async () => {
    const domains = (await world.call("GET", "/v9/projects/web/domains")).body.domains;
    const [variable] = (await world.call("GET", "/v9/projects/web/env")).body.envs;
    await start();
    await complete();
    expect((await world.call("GET", "/v9/projects/web/domains", inOther())).body.domains).toEqual(domains);
    const read = await world.call("GET", `/v1/projects/web/env/${variable.id}`, inOther());
    expect(read.body).toMatchObject({ key: "KEY", value: "value" });
    const project = (await get(inOther())).body;
    expect(project.targets.production.id).toBe("dpl_2");
    const promoted = await world.call("POST", "/v10/projects/prj_web/promote/dpl_1", inOther());
    expect(promoted.status).toBe(201);
    expect((await world.call("GET", "/v6/deployments")).body.deployments).toEqual([]);
  });

  //
  test("the old account can use the name again, the new one's list holds both in order", async () => {
    await world.call("POST", "/v10/projects", { ...inOther(), body: { name: "first" } });
    await start();
    await complete();
    const { body } = await world.call("GET", "/v9/projects", inOther());
    expect(body.projects.map(({ name }: { name: string }) => name)).toEqual(["web", "first"]);
    const again = await world.call("POST", "/v10/projects", { body: { name: "web" } });
    expect(again.status).toBe(200);
  });

  //
  test("goes to a person as well, and on to a third account", async () => {
    const token = await world.user("ada");
    await start({ toUser: "ada" });
    await complete();
    expect((await get({ token, team: null })).status).toBe(200);
    await start();
    const moving = (await get({ token, team: null })).body;
    expect(moving).not.toHaveProperty("transferCompletedAt");
    await complete();
    const { body } = await get(inOther());
    expect(body.transferredFromAccountId).toBe(moving.accountId);
  });

  // AU-05
  test("the old account's installations no longer reach it", async () => {
    await addIntegration(world);
    const { token, id } = await installWithToken(world, { projects: ["web"] });
    await start();
    await complete();
    expect((await get({ token })).status).toBe(404);
    expect((await world.call("GET", `/v1/integrations/configuration/${id}`)).body.projects).toEqual([]);
  });

  test("its members stay behind, its custom environments and bypass secrets come along", async () => {
    await world.seed({ projectMembers: [{ team: "acme", project: "web", user: "dev", role: "ADMIN" }] });
    const environments = "/v9/projects/web/custom-environments";
    await world.call("POST", environments, { body: { slug: "staging" } });
    const { body: bypass } = await world.call("PATCH", "/v1/projects/web/protection-bypass", { body: {} });
    await start();
    await complete();
    expect((await world.control.snapshot()).projectMembers).toEqual([]);
    const { body } = await world.call("GET", environments, inOther());
    expect(body.environments).toMatchObject([{ slug: "staging" }]);
    expect((await get(inOther())).body.protectionBypass).toEqual(bypass.protectionBypass);
  });

  test("no event tells of it: the project was neither created nor removed", async () => {
    await start();
    await complete();
    expect(await eventsOf(world, "project.created")).toEqual([]);
    expect(await eventsOf(world, "project.removed")).toEqual([]);
  });
});

describe("a transfer that cannot be", () => {
  test.each([
    ["to the account that has it", { toTeam: "acme" }, 400],
    ["to nobody", {}, 400],
    ["to two accounts", { toTeam: "other", toUser: "dev" }, 400],
    ["to a team that there is not", { toTeam: "nothing" }, 404],
    ["to a person that there is not", { toUser: "nobody" }, 404],
  ])("%s is refused, and the project stays as it is", async (_what, body, status) => {
    const before = (await get()).body;
    expect((await start(body)).status).toBe(status);
    expect((await get()).body).toEqual(before);
  });

  test("a second one, one that did not begin, and one of an unknown project are refused", async () => {
    expect((await complete()).status).toBe(409);
    await start();
    expect((await start()).status).toBe(409);
    await complete();
    expect((await complete()).status).toBe(409);
    expect((await world.askControl("POST", "/projects/prj_none/transfer", { toTeam: "other" })).status).toBe(
      404,
    );
  });

  const takeName = (): Promise<Answer> =>
    world.call("POST", "/v10/projects", { ...inOther(), body: { name: "web" } });
  const takeDomain = async (): Promise<Answer> => {
    await world.call("POST", "/v10/projects", { ...inOther(), body: { name: "site" } });
    return world.call("POST", "/v10/projects/site/domains", {
      ...inOther(),
      body: { name: "www.example.org" },
    });
  };

  test.each([
    ["a project of the name", takeName, '"web"'],
    ["a domain of the project", takeDomain, "www.example.org"],
  ])("to an account that has %s is refused at its start, and at its end", async (_what, take, named) => {
    await start();
    expect((await take()).status).toBe(200);
    const end = await complete();
    expect(end.status).toBe(409);
    expect(end.body.error.message).toContain(named);
    expect((await get()).body.transferToAccountId).toBe(await idOf("other", other));
    expect((await get(inOther())).status).toBe(404);
  });

  test.each([
    ["a project of the name", takeName],
    ["a domain of the project", takeDomain],
  ])("to an account that has %s already does not begin", async (_what, take) => {
    await take();
    const { status, body } = await start();
    expect(status).toBe(409);
    expect(body.error.code).toBe("conflict");
    expect((await get()).body).not.toHaveProperty("transferStartedAt");
  });
});
