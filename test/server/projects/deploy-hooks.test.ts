import { useTestServer } from "../../support/world";

const world = useTestServer();

interface Hook {
  id: string;
  name: string;
  ref: string;
  url: string;
  createdAt: number;
}

const path = "/v2/projects/web/deploy-hooks";
const create = (body: unknown = { name: "content", ref: "main" }) => world.call("POST", path, { body });
const remove = (id: string) => world.call("DELETE", `${path}/${id}`);
const hooks = async (): Promise<Hook[]> =>
  (await world.call("GET", "/v9/projects/web")).body.link.deployHooks;

describe("deploy hooks", () => {
  beforeEach(() =>
    world.seed({
      projects: [
        { id: "prj_web", team: "acme", name: "web", gitRepository: { type: "github", repo: "acme/web" } },
      ],
    }),
  );

  it("are returned in the link of the project, the newest last", async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    await create({ name: " nightly ", ref: "next" });
    const found = await hooks();
    expect(found[0]).toEqual(body.link.deployHooks[0]);
    expect(found).toMatchObject([
      { name: "content", ref: "main", createdAt: world.clock.now() },
      { name: "nightly", ref: "next" },
    ]);
    expect(found[0]?.url).toMatch(/^https:\/\/\S+\/v1\/integrations\/deploy\/prj_web\/[A-Za-z0-9]{24}$/);
    expect(new Set(found.flatMap(({ id, url }) => [id, url])).size).toBe(4);
  });

  it("may share a name and a branch", async () => {
    await create();
    await create();
    expect(await hooks()).toHaveLength(2);
  });

  it("are deleted one by one", async () => {
    await create();
    const [kept] = await hooks();
    await create({ name: "other", ref: "main" });
    const [, deleted] = await hooks();
    const { status, body } = await remove(deleted?.id ?? "");
    expect(status).toBe(200);
    expect(body.link.deployHooks).toEqual([kept]);
    expect(await hooks()).toEqual([kept]);
  });

  it("stay when the production branch changes, and go with the link", async () => {
    await create();
    await world.call("PATCH", "/v9/projects/web/branch", { body: { branch: "next" } });
    expect(await hooks()).toHaveLength(1);
    await world.call("DELETE", "/v9/projects/web/link");
    await world.call("POST", "/v9/projects/web/link", { body: { type: "github", repo: "acme/web" } });
    expect(await hooks()).toEqual([]);
  });

  it("are refused with 400 for a project without a repository", async () => {
    await world.call("DELETE", "/v9/projects/web/link");
    expect(await create()).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
  });

  it("are refused with 400 above ten in a project", async () => {
    for (let at = 0; at < 10; at++) expect((await create()).status).toBe(200);
    expect((await create()).status).toBe(400);
    expect(await hooks()).toHaveLength(10);
  });

  it.each([
    ["no name", { ref: "main" }],
    ["an empty name", { name: " ", ref: "main" }],
    ["a name of 181 characters", { name: "n".repeat(181), ref: "main" }],
    ["no branch", { name: "content" }],
    ["an unknown member", { name: "content", ref: "main", url: "https://example.com" }],
  ])("are refused with 400 for %s", async (_what, body) => {
    expect((await create(body)).status).toBe(400);
    expect(await hooks()).toEqual([]);
  });

  it("are answered with 404 where the project has no such hook", async () => {
    expect((await remove("none")).body.error.code).toBe("not_found");
  });

  it("can be deleted after the link with which they went", async () => {
    await create();
    const [hook] = await hooks();
    await world.call("DELETE", "/v9/projects/web/link");
    expect((await remove(hook?.id ?? "")).status).toBe(200);
  });

  it("are refused with 409 while the project is transferred", async () => {
    await create();
    const [hook] = await hooks();
    await world.team("other");
    await world.control.startTransfer("prj_web", { toTeam: "other" });
    expect((await create()).status).toBe(409);
    expect((await remove(hook?.id ?? "")).status).toBe(409);
  });
});

describe("the URL of a deploy hook", () => {
  let url: string;
  beforeEach(async () => {
    await world.seed({
      projects: [
        { id: "prj_web", team: "acme", name: "web", gitRepository: { type: "github", repo: "acme/web" } },
      ],
    });
    await create();
    url = new URL((await hooks())[0]?.url ?? "").pathname;
  });
  const trigger = (at = url, method = "POST", options: object = {}) =>
    world.call(method, at, { token: null, team: null, ...options });
  const deployments = async () => (await world.call("GET", "/v6/deployments?app=web")).body.deployments;

  it.each(["POST", "GET"])("deploys its branch with %s and without a token", async (method) => {
    const { status, body } = await trigger(url, method);
    expect([status, body]).toEqual([
      201,
      { job: { id: expect.any(String), state: "PENDING", createdAt: world.clock.now() } },
    ]);
    const [{ uid }, ...others] = await deployments();
    expect(others).toEqual([]);
    expect((await world.call("GET", `/v13/deployments/${uid}`)).body).toMatchObject({
      target: "production",
      gitSource: { ref: "main" },
      meta: { deployHookName: "content", deployHookRef: "main" },
    });
  });

  it("deploys another branch as a preview, whatever the body and the query are", async () => {
    await create({ name: "nightly", ref: "next" });
    const { pathname } = new URL((await hooks())[1]?.url ?? "");
    const headers = { "content-type": "application/vnd.contentful.management.v1+json" };
    const answer = await trigger(`${pathname}?buildCache=false`, "POST", { headers, body: "{no json" });
    expect(answer.status).toBe(201);
    expect(await deployments()).toMatchObject([{ target: null, meta: { githubCommitRef: "next" } }]);
  });

  it("is answered with 404 if the project or the hook is unknown, and does not repeat the secret", async () => {
    for (const at of ["/v1/integrations/deploy/prj_web/none", url.replace("prj_web", "prj_none")]) {
      const { status, body } = await trigger(at);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
      expect(body.error.message).not.toContain(at.slice(at.lastIndexOf("/") + 1));
    }
    expect(await deployments()).toEqual([]);
  });

  it("stands in no log and in no list of requests", async () => {
    const logged: unknown[] = [];
    for (const level of ["debug", "info", "warn", "error"] as const)
      jest.spyOn(world.services.log, level).mockImplementation((...about: unknown[]) => {
        logged.push(about);
      });
    await trigger();
    const { requests } = (await world.askControl("GET", "/requests?limit=1")).body;
    expect(requests).toMatchObject([{ path: "/v1/integrations/deploy/prj_web/***", status: 201 }]);
    expect(JSON.stringify([logged, requests])).not.toContain(url.slice(url.lastIndexOf("/") + 1));
  });

  it("changes nothing with HEAD", async () => {
    expect((await trigger(url, "HEAD")).status).toBe(405);
    expect(await deployments()).toEqual([]);
  });

  it("is refused for a blocked account and for a project that is transferred", async () => {
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await trigger()).status).toBe(402);
    await world.control.changeTeam("acme", { softBlocked: false });
    await world.team("other");
    await world.control.startTransfer("prj_web", { toTeam: "other" });
    expect((await trigger()).status).toBe(409);
    expect(await deployments()).toEqual([]);
  });
});

it("the URL of a deploy hook is shown only to callers who may change the project", async () => {
  await world.seed({
    projects: [
      { id: "prj_web", team: "acme", name: "web", gitRepository: { type: "github", repo: "acme/web" } },
    ],
  });
  await create();
  const [hook] = await hooks();
  const token = await world.member("VIEWER");
  const { body } = await world.call("GET", "/v9/projects/web", { token });
  expect(hook?.url).not.toMatch(/\*/);
  expect(body.link.deployHooks).toEqual([{ ...hook, url: hook?.url.replace(/[^/]*$/, "***") }]);
});
