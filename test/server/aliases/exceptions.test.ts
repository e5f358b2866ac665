import { beginTransfer } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const name = "docs.vercel.app";
const web = { team: "acme", project: "web" };
const url = "web-first.vercel.app";
const path = "/v4/aliases";

beforeEach(async () => {
  await world.seed({
    projects: [
      { id: "prj_web", team: "acme", name: "web" },
      { id: "prj_api", team: "acme", name: "api" },
    ],
    users: [{ id: "user_ada", username: "ada", email: "ada@example.com" }],
    deployments: [
      { ...web, id: "dpl_first", url, target: "production" },
      { ...web, id: "dpl_second" },
      { team: "acme", project: "api", id: "dpl_api" },
      { team: "acme", project: "gone", id: "dpl_gone", url: "gone.vercel.app" },
    ],
  });
  await assign("dpl_second");
});

const assign = (deployment: string) =>
  world.call("POST", `/v2/deployments/${deployment}/aliases`, { body: { alias: name } });
const change = (alias: string, body: object = {}, options: object = {}) =>
  world.call("PATCH", `/aliases/${alias}/protection-bypass`, { body, ...options });
const override = (action = "create") => ({ override: { scope: "alias-protection-override", action } });
const shown = async (alias = name, options: object = {}) =>
  (await world.call("GET", `${path}/${alias}`, options)).body.protectionBypass;
const stored = async () => (await world.control.snapshot()).protectionExceptions;

const created = { createdAt: expect.any(Number), createdBy: expect.any(String) };
const changed = { createdAt: expect.any(Number), lastUpdatedAt: expect.any(Number) };

it("lets everybody pass at an alias, until it is revoked", async () => {
  const everybody = { "*": { ...created, scope: "alias-protection-override" } };
  expect((await change(name, override())).body).toEqual({ protectionBypass: everybody });
  const before = await shown();
  expect(before).toEqual(everybody);
  await world.control.advanceClock(1000);
  await change(name, override());
  expect(await shown()).toEqual(before);
  expect((await change(name, override("revoke"))).body).toEqual({ protectionBypass: {} });
  expect(await shown()).toBeUndefined();
  expect((await change(name, override("revoke"))).status).toBe(200);
});

it("lets everybody pass at the URL of a deployment, by its id too, and lists it then", async () => {
  const listed = async () =>
    (await world.call("GET", path)).body.aliases.map(({ alias }: { alias: string }) => alias);
  expect(await listed()).not.toContain(url);
  await change("dpl_first", override());
  expect(await listed()).toContain(url);
  const read = await world.call("GET", `${path}/${url}`);
  expect(read.body).toMatchObject({ alias: url, deploymentId: "dpl_first", projectId: "prj_web" });
  expect(read.body.protectionBypass).toHaveProperty(["*", "scope"], "alias-protection-override");
  const removed = await world.call("DELETE", `/v2/aliases/${url}`);
  expect([removed.status, removed.body.error.message]).toEqual([
    400,
    expect.stringContaining("is the URL of"),
  ]);
});

it("makes, regenerates and revokes links, which expire", async () => {
  const { body } = await change(name, { ttl: 60 });
  const [[secret, link]] = Object.entries(body.protectionBypass) as [[string, object]];
  expect(link).toEqual({ ...created, scope: "shareable-link", expires: world.clock.now() + 60_000 });
  const again = await change(name, { revoke: { secret, regenerate: true } });
  const [next] = Object.keys(again.body.protectionBypass);
  expect(next).not.toBe(secret);
  expect((await change(name, { revoke: { secret, regenerate: false } })).status).toBe(404);
  await change(name, { ttl: 60 });
  await world.control.advanceClock(60_000);
  expect(Object.keys(await shown())).toEqual([next]);
  await change(name, { revoke: { secret: next, regenerate: false } });
  expect(await shown()).toBeUndefined();
});

it("shows no link to callers who may not see variables, and none in the control snapshot", async () => {
  await change(name, {});
  const [secret = ""] = Object.keys(await shown());
  expect(secret).toHaveLength(32);
  expect(JSON.stringify(await world.control.snapshot())).not.toContain(secret);
  await world.seed({
    teams: [{ slug: "acme", members: [{ user: "ada", role: "VIEWER" }] }],
    tokens: [{ token: "ada", user: "ada" }],
  });
  expect(await shown(name, { token: "ada" })).toBeUndefined();
});

it("grants access to a user, by id or address, and invites an unknown address", async () => {
  const granted = { access: "granted" };
  await change(name, { scope: { userId: "user_ada", ...granted } });
  await change(name, { scope: { email: "Ada@example.com", ...granted } });
  await change(name, { scope: { email: "grace@example.com", ...granted } });
  expect(await shown()).toEqual({
    user_ada: { ...changed, lastUpdatedBy: expect.any(String), scope: "user", access: "granted" },
    "grace@example.com": { ...changed, lastUpdatedBy: expect.any(String), scope: "email_invite" },
  });
  await change(name, { scope: { email: "grace@example.com", access: "denied" } });
  await change(name, { scope: { userId: "user_ada", access: "denied" } });
  expect(await shown()).toBeUndefined();
  expect((await change(name, { scope: { userId: "user_nobody", ...granted } })).status).toBe(404);
});

it.each([
  ["nothing.vercel.app", override(), 404],
  ["web.vercel.app", override(), 400],
  ["gone.vercel.app", override(), 400],
  [name, { override: { scope: "other", action: "create" } }, 400],
  [name, { ttl: 0 }, 400],
  [name, { scope: { access: "granted" } }, 400],
])("refuses %s with %j", async (alias, body, status) => {
  expect((await change(alias, body)).status).toBe(status);
  expect(await stored()).toEqual([]);
});

it.each([
  ["pro", [], 428, "upgrade_required"],
  ["hobby", [], 428, "plan_not_supported"],
  ["enterprise", [], 200, undefined],
] as const)(
  "answers an override on the plan %s with %j as add-ons with %d",
  async (plan, addons, status, code) => {
    await world.control.changeTeam("acme", { plan, addons: [...addons] });
    const answer = await change(name, override());
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect((await change(name, {})).status).toBe(200);
  },
);

it("refuses changes while the project is being transferred", async () => {
  await beginTransfer(world);
  expect((await change(name, override())).status).toBe(409);
});

it.each([
  ["the alias", () => world.call("DELETE", `/v2/aliases/${name}`), 1],
  ["its deployment", () => world.call("DELETE", "/v13/deployments/dpl_second"), 1],
  ["the deployment with the URL", () => world.call("DELETE", "/v13/deployments/dpl_first"), 1],
  ["the project", () => world.call("DELETE", "/v9/projects/web"), 0],
])("goes with %s", async (_, remove, left) => {
  await change(name, override());
  await change(url, override());
  expect((await remove()).status).toBeLessThan(300);
  expect(await stored()).toHaveLength(left);
});

it("stays with an alias that moves inside the project, and goes when it moves to another one", async () => {
  await change(name, override());
  await assign("dpl_first");
  expect(await shown()).toBeDefined();
  await assign("dpl_api");
  expect(await shown()).toBeUndefined();
  expect(await stored()).toEqual([]);
});
