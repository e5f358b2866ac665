import { useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() => world.seed({ projects: [{ team: "acme", id: "prj_web", name: "web" }] }));

const set = (body: object = {}) =>
  world.call("POST", "/v1/security/attack-mode", {
    body: { projectId: "prj_web", attackModeEnabled: true, ...body },
  });
const project = async () => (await world.call("GET", "/v9/projects/web")).body;
const security = async () => (await project()).security;

it("is absent until it is set, then kept with the project", async () => {
  expect(await security()).toBeUndefined();
  const attackModeUpdatedAt = world.clock.now();
  expect(await set()).toMatchObject({
    status: 200,
    body: { attackModeEnabled: true, attackModeUpdatedAt },
  });
  const shown = { attackModeEnabled: true, attackModeUpdatedAt, attackModeActiveUntil: null };
  expect(await security()).toEqual(shown);
  const { body } = await world.call("GET", "/v9/projects");
  expect(body.projects).toMatchObject([{ security: shown }]);
  world.clock.advance(10);
  await set({ projectId: "web", attackModeEnabled: false });
  expect(await security()).toMatchObject({
    attackModeEnabled: false,
    attackModeUpdatedAt: attackModeUpdatedAt + 10,
  });
});

it("keeps its time, and that of the project, when nothing changes", async () => {
  await set();
  const before = await project();
  world.clock.advance(10);
  expect((await set()).body.attackModeUpdatedAt).toBe(before.security.attackModeUpdatedAt);
  expect((await project()).updatedAt).toBe(before.updatedAt);
});

it("leaves the other settings of the project as they are", async () => {
  await world.call("PATCH", "/v9/projects/web", { body: { framework: "astro" } });
  await set();
  expect(await project()).toMatchObject({ framework: "astro", security: { attackModeEnabled: true } });
  await world.call("PATCH", "/v9/projects/web", { body: { framework: "vite" } });
  expect(await security()).toMatchObject({ attackModeEnabled: true });
});

it("ends when its time has passed", async () => {
  const attackModeActiveUntil = world.clock.now() + 1000;
  await set({ attackModeActiveUntil });
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil });
  world.clock.advance(999);
  expect(await security()).toMatchObject({ attackModeEnabled: true });
  world.clock.advance(1);
  expect(await security()).toMatchObject({ attackModeEnabled: false, attackModeActiveUntil });
  await set();
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil: null });
});

it.each([
  [{ attackModeEnabled: "yes" }],
  [{ attackModeEnabled: undefined }],
  [{ projectId: undefined }],
  [{ attackModeActiveUntil: -1 }],
  [{ attackModeActiveUntil: "tomorrow" }],
])("refuses %j", async (body) => {
  expect(await set(body)).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
});

it("refuses an unknown project, and one that is being transferred", async () => {
  expect((await set({ projectId: "nope" })).status).toBe(404);
  await world.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
  await world.control.startTransfer("prj_web", { toTeam: "beta" });
  expect(await set()).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
});

it("is refused to an account that is blocked or has to pay", async () => {
  await world.control.changeTeam("acme", { softBlocked: true });
  expect((await set()).status).toBe(402);
  await world.control.changeTeam("acme", { softBlocked: false, paymentMethodNeedsUpdate: true });
  expect((await set()).status).toBe(402);
});

it("is that of a copy's seed, without members of the hosted service that this server does not know", async () => {
  const known = { attackModeEnabled: true, attackModeUpdatedAt: 5, attackModeActiveUntil: null };
  await world.seed({
    projects: [
      {
        team: "acme",
        id: "prj_copy",
        name: "copy",
        createdAt: 1,
        settings: { security: { ...known, ja3Enabled: true } },
      },
    ],
  });
  expect((await world.call("GET", "/v9/projects/copy")).body.security).toEqual(known);
});
