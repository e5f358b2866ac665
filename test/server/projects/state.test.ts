import { useTestServer } from "../../support/world";

const world = useTestServer();
let id: string;
beforeEach(async () => {
  id = (await world.call("POST", "/v10/projects", { body: { name: "web" } })).body.id;
});
const get = async () => (await world.call("GET", `/v9/projects/${id}`)).body;
const post = (path: string) => world.call("POST", `/v1/projects/${path}`);
const bypass = (body: unknown, key = id) =>
  world.call("PATCH", `/v1/projects/${key}/protection-bypass`, { body });

// PR-78, PR-86
it.each(["pause", "unpause"])("%s takes the id alone: a name is 400", async (action) => {
  await world.call("POST", "/v10/projects", { body: { name: "by-name" } });
  const before = await world.control.snapshot();
  const { status, body } = await world.call("POST", `/v1/projects/by-name/${action}`);
  expect([status, body.error.code]).toEqual([400, "bad_request"]);
  expect(await world.control.snapshot()).toEqual(before);
});

describe("pausing", () => {
  // PR-76, S-01, S-02
  it("answers 200 without a body; the project is paused, its domains no longer assigned", async () => {
    expect(await post(`${id}/pause`)).toMatchObject({ status: 200, body: "" });
    expect(await get()).toMatchObject({ paused: true, autoAssignCustomDomains: false });
  });

  // PR-84, S-05, S-06
  it("is undone by unpausing", async () => {
    await post(`${id}/pause`);
    expect(await post(`${id}/unpause`)).toMatchObject({ status: 200, body: "" });
    expect(await get()).toMatchObject({ paused: false, autoAssignCustomDomains: true });
  });

  // S-03, S-07, X-39
  it("blocks the production deployment, and nothing else does", async () => {
    await world.control.deploy({ team: "acme", project: "web", target: "production", readyState: "READY" });
    const served = { alias: ["web.vercel.app"], aliasAssigned: expect.any(Number) };
    expect((await get()).live).toBe(true);
    expect((await get()).targets.production).toMatchObject(served);
    await post(`${id}/pause`);
    expect((await get()).live).toBe(false);
    expect((await get()).targets.production).toMatchObject({ alias: [], aliasAssigned: false });
    await world.call("PATCH", "/v9/projects/web", { body: { autoAssignCustomDomains: true } });
    expect((await get()).targets.production).toMatchObject({ alias: [], aliasAssigned: false });
    await post(`${id}/unpause`);
    expect((await get()).targets.production).toMatchObject(served);
  });

  it("leaves the time alone on a project that is so already", async () => {
    for (const verb of ["unpause", "pause", "pause"]) {
      const before = await get();
      await world.advance(1000);
      await post(`${id}/${verb}`);
      const isChanged = before.paused !== (verb === "pause");
      expect([verb, (await get()).updatedAt > before.updatedAt]).toEqual([verb, isChanged]);
    }
  });

  // S-04, S-08
  it("is 200 on a project that is so already", async () => {
    await post(`${id}/pause`);
    expect((await post(`${id}/pause`)).status).toBe(200);
    expect((await get()).paused).toBe(true);
    await post(`${id}/unpause`);
    expect((await post(`${id}/unpause`)).status).toBe(200);
    expect((await get()).paused).toBe(false);
  });

  // PR-78, PR-86, S-09
  it.each(["pause", "unpause"])("%s is 400 for a project that does not exist", async (verb) => {
    const before = await get();
    expect(await post(`prj_nothing/${verb}`)).toMatchObject({
      status: 400,
      body: { error: { code: "bad_request" } },
    });
    expect(await get()).toEqual(before);
  });

  // PR-80, PR-81
  it("is 402 for an account that is blocked or has to pay; unpausing is not", async () => {
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await post(`${id}/pause`)).status).toBe(402);
    expect((await post(`${id}/unpause`)).status).toBe(200);
    await world.control.changeTeam("acme", { softBlocked: false, paymentMethodNeedsUpdate: true });
    expect((await post(`${id}/pause`)).status).toBe(402);
  });

  // PR-83, PR-89
  it.each(["pause", "unpause"])("%s is 500 when the server fails", async (verb) => {
    const { store } = world.services;
    jest.spyOn(store, "write").mockRejectedValueOnce(new Error("the disk is broken"));
    const { status, body } = await post(`${id}/${verb}`);
    expect([status, body.error.code]).toEqual([500, "internal_server_error"]);
    const { paused } = await store.read((tx) =>
      tx.selectFrom("projects").select("paused").executeTakeFirstOrThrow(),
    );
    expect(paused).toBe(0);
    expect(world.failures.splice(0)).toHaveLength(1);
  });
});

describe("the data cache", () => {
  const change = (body: unknown, key = id) => world.call("PATCH", `/v1/data-cache/projects/${key}`, { body });

  // PR-90, PR-91, X-20
  it("is turned off and on, as the answer and a later get show", async () => {
    expect(await change({ disabled: true })).toMatchObject({
      status: 200,
      body: { dataCache: { userDisabled: true } },
    });
    expect((await get()).dataCache).toEqual({ userDisabled: true });
    expect(await change({ disabled: false })).toMatchObject({
      status: 200,
      body: { dataCache: { userDisabled: false } },
    });
    expect((await get()).dataCache).toEqual({ userDisabled: false });
  });

  // PR-92
  it("is 400 when disabled is no boolean", async () => {
    expect((await change({ disabled: "yes" })).status).toBe(400);
  });

  // PR-96
  it("is 404 for an unknown project", async () => {
    expect((await change({ disabled: true }, "prj_nothing")).status).toBe(404);
  });
});

describe("cron jobs", () => {
  const change = (enabled: unknown, key = id) =>
    world.call("PATCH", `/v1/projects/${key}/crons`, { body: { enabled } });

  it("are turned off and on, with the times of both", async () => {
    expect((await get()).crons).toBeUndefined();
    // They are on from the beginning.
    expect((await change(true)).body.crons).toBeUndefined();
    await world.advance(1000);
    const off = await change(false);
    expect(off).toMatchObject({
      status: 200,
      body: { crons: { enabledAt: off.body.createdAt, disabledAt: world.clock.now(), definitions: [] } },
    });
    expect((await get()).crons).toEqual(off.body.crons);
    await world.advance(1000);
    expect((await change(false)).body).toEqual(off.body);
    await change(true, "web");
    expect((await get()).crons).toMatchObject({
      disabledAt: null,
      enabledAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
  });

  it.each([["yes"], [undefined]])("are 400 when enabled is %p", async (enabled) => {
    expect((await change(enabled)).status).toBe(400);
  });

  it("are 404 for an unknown project", async () => {
    expect((await change(false, "prj_nothing")).status).toBe(404);
  });
});

describe("the retention of deployments", () => {
  const change = (body: object, key = id) =>
    world.call("PATCH", `/v9/projects/${key}/deployment-expiration`, { body });

  it("is answered as periods and returned as days, and an absent period stays", async () => {
    expect((await get()).deploymentExpiration).toEqual({});
    expect(await change({ expiration: "1w", expirationErrored: "1d" })).toMatchObject({
      status: 200,
      body: {
        deploymentExpiration: {
          expiration: "1w",
          expirationProduction: "unlimited",
          expirationCanceled: "unlimited",
          expirationErrored: "1d",
        },
      },
    });
    await change({ expirationProduction: "1y" });
    const { updatedAt } = await get();
    await world.advance(1000);
    await change({ expiration: "1w", expirationProduction: "1y" });
    expect((await get()).updatedAt).toBe(updatedAt);
    expect((await get()).deploymentExpiration).toEqual({
      expirationDays: 7,
      expirationDaysProduction: 365,
      expirationDaysCanceled: 36_500,
      expirationDaysErrored: 1,
    });
  });

  it.each([[{ expiration: "5d" }], [{ expiration: 7 }], [{ production: "1d" }]])(
    "is 400 for %j",
    async (body) => {
      expect((await change(body)).status).toBe(400);
    },
  );

  it("is 404 for an unknown project", async () => {
    expect((await change({ expiration: "1d" }, "prj_nothing")).status).toBe(404);
  });
});

describe("bypass secrets", () => {
  const secret = "abcdefghijklmnopqrstuvwxyz012345";

  // PR-97, PR-98, X-44, X-45
  it("makes the given secret, as the project then shows", async () => {
    const { status, body } = await bypass({ generate: { secret } });
    expect(status).toBe(200);
    expect(body).toEqual({
      protectionBypass: {
        [secret]: {
          createdAt: expect.any(Number),
          createdBy: expect.any(String),
          scope: "automation-bypass",
          isEnvVar: true,
        },
      },
    });
    expect((await get()).protectionBypass).toEqual(body.protectionBypass);
  });

  //
  it.each([{}, { generate: {} }])("makes a random secret with %p", async (body) => {
    const [made] = Object.keys((await bypass(body)).body.protectionBypass);
    expect(made).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  //
  it("keeps several at once", async () => {
    await bypass({});
    expect(Object.keys((await bypass({ generate: { secret } })).body.protectionBypass)).toHaveLength(2);
  });

  // PR-105, X-45
  it("is 409 for a secret that exists", async () => {
    await bypass({ generate: { secret } });
    expect((await bypass({ generate: { secret } })).status).toBe(409);
  });

  // PR-99, X-46
  it("revokes one, and the others stay", async () => {
    await bypass({ generate: { secret } });
    await bypass({});
    const { body } = await bypass({ revoke: { secret, regenerate: false } });
    expect(Object.keys(body.protectionBypass)).toEqual([expect.not.stringMatching(secret)]);
  });

  //
  it("replaces one by a random one", async () => {
    await bypass({ generate: { secret } });
    const { body } = await bypass({ revoke: { secret, regenerate: true } });
    expect(Object.keys(body.protectionBypass)).toEqual([expect.not.stringMatching(secret)]);
  });

  const other = "ABCDEFGHIJKLMNOPQRSTUVWXYZ543210";
  const variables = (body: { protectionBypass: Record<string, { isEnvVar: boolean }> }) =>
    Object.entries(body.protectionBypass)
      .filter(([, { isEnvVar }]) => isEnvVar)
      .map(([key]) => key);

  it("takes a note with a secret, and changes it later", async () => {
    const made = await bypass({ generate: { secret, note: "for the tests" } });
    expect(made.body.protectionBypass[secret].note).toBe("for the tests");
    const { status, body } = await bypass({ update: { secret, note: "for the checks" } });
    expect(status).toBe(200);
    expect(body.protectionBypass).toEqual({ [secret]: expect.objectContaining({ note: "for the checks" }) });
    expect((await get()).protectionBypass).toEqual(body.protectionBypass);
  });

  it("has one secret that is the variable of deployments, the first until another takes over", async () => {
    await bypass({ generate: { secret } });
    world.clock.advance(1);
    expect(variables((await bypass({ generate: { secret: other } })).body)).toEqual([secret]);
    expect(variables((await bypass({ update: { secret: other, isEnvVar: true } })).body)).toEqual([other]);
    expect((await bypass({ update: { secret: other, isEnvVar: false } })).status).toBe(400);
    expect(variables((await bypass({ revoke: { secret: other, regenerate: false } })).body)).toEqual([
      secret,
    ]);
  });

  it("hands the note and the variable of a rotated secret on to the new one", async () => {
    await bypass({ generate: { secret, note: "for the tests" } });
    await bypass({ generate: { secret: other } });
    const { body } = await bypass({ revoke: { secret, regenerate: true } });
    const [made] = variables(body);
    expect(made).not.toBe(other);
    expect(body.protectionBypass[made ?? ""]).toMatchObject({ isEnvVar: true, note: "for the tests" });
  });

  it("revokes, updates and generates in this order in one request", async () => {
    await bypass({ generate: { secret } });
    const again = await bypass({ revoke: { secret, regenerate: false }, generate: { secret } });
    expect([again.status, Object.keys(again.body.protectionBypass)]).toEqual([200, [secret]]);
    const unknown = { update: { secret: other, note: "n" }, generate: { secret: other } };
    expect((await bypass(unknown)).status).toBe(404);
    expect(Object.keys((await get()).protectionBypass)).toEqual([secret]);
  });

  it("is 404 for an unknown secret on update", async () => {
    expect((await bypass({ update: { secret, note: "n" } })).status).toBe(404);
  });

  //
  it("is 404 for an unknown secret on revoke", async () => {
    expect((await bypass({ revoke: { secret, regenerate: true } })).status).toBe(404);
    expect((await get()).protectionBypass).toEqual({});
  });

  it.each([
    ["too short a secret", { generate: { secret: "short" } }], // PR-100, X-45
    ["revoke without regenerate", { revoke: { secret } }],
    ["revoke without a secret", { revoke: { regenerate: true } }],
    ["an unknown member", { make: true }], // PR-100
    ["an update without a secret", { update: { note: "n" } }],
  ])("refuses %s with 400", async (_, body) => {
    expect((await bypass(body)).status).toBe(400);
  });

  // PR-104, PR-03
  it("finds the project by name, and is 404 for an unknown one", async () => {
    expect((await bypass({}, "web")).status).toBe(200);
    expect((await bypass({}, "nothing")).status).toBe(404);
  });
});
