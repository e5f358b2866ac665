import { useTestServer } from "../../support/world";

const world = useTestServer();
const deploy = async (body: object = {}) =>
  (await world.call("POST", "/v13/deployments", { body: { project: "web", ...body } })).body;
const read = async (id: string) => (await world.call("GET", `/v13/deployments/${id}`)).body;
const stateOf = async (id: string): Promise<string> => (await read(id)).readyState;
const project = async () => (await world.call("GET", "/v9/projects/web")).body;
const cancel = (id: string) => world.call("PATCH", `/v12/deployments/${id}/cancel`);
const remove = (id: string, query = {}) => world.call("DELETE", `/v13/deployments/${id}`, { query });
const eventTypes = async () =>
  (await world.control.events()).map(({ type }) => type as string).filter((type) => /^deployment/.test(type));

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("a planned build", () => {
  it("passes its states over its time", async () => {
    await world.control.planBuilds({ buildMs: 8000 });
    const { id, createdAt, readyState } = await deploy({ target: "production" });
    expect(readyState).toBe("QUEUED");
    const states = [];
    for (let step = 0; step < 8; step += 1) {
      await world.advance(1000);
      states.push(await stateOf(id));
    }
    const [first, second, third] = ["QUEUED", "INITIALIZING", "BUILDING"];
    expect(states).toEqual([first, second, second, third, third, third, third, "READY"]);
    expect(await read(id)).toMatchObject({ buildingAt: createdAt + 4000, ready: createdAt + 8000 });
    expect((await project()).targets.production.id).toBe(id);
    expect(await eventTypes()).toEqual(["deployment.succeeded", "deployment.created"]);
  });

  it("skips the states that nobody has looked at", async () => {
    await world.control.planBuilds({ buildMs: 8000 });
    const { id } = await deploy();
    await world.advance(100_000);
    expect(await stateOf(id)).toBe("READY");
  });

  it("is ready at once with a time of 0", async () => {
    await world.control.planBuilds({ buildMs: 0 });
    const { id, readyState } = await deploy({ target: "production" });
    expect(readyState).toBe("READY");
    expect((await project()).targets.production.id).toBe(id);
    expect(await eventTypes()).toEqual(["deployment.succeeded", "deployment.created"]);
  });

  it("fails with the planned error, and leaves production alone", async () => {
    await world.control.planBuilds({ error: { message: "Module not found" } });
    const { id } = await deploy({ target: "production" });
    expect(await read(id)).not.toHaveProperty("errorCode");
    await world.advance(1000);
    expect(await read(id)).toMatchObject({
      readyState: "ERROR",
      errorCode: "BUILD_FAILED",
      errorMessage: "Module not found",
      aliasAssigned: false,
    });
    expect((await project()).targets).toEqual({});
    expect(await eventTypes()).toContain("deployment.error");
  });

  it("is skipped in a project with a command for that", async () => {
    await world.control.planBuilds({ skipIgnored: true });
    const built = await deploy();
    await world.call("PATCH", "/v9/projects/web", { body: { commandForIgnoringBuildStep: "exit 0" } });
    const skipped = await deploy();
    await world.advance(1000);
    expect(await read(built.id)).toMatchObject({ readyState: "READY", buildSkipped: false });
    expect(await read(skipped.id)).toMatchObject({ readyState: "CANCELED", buildSkipped: true });
    const canceled = await deploy();
    await cancel(canceled.id);
    expect(await read(canceled.id)).toMatchObject({ readyState: "CANCELED", buildSkipped: false });
  });

  it("goes as it was planned when it began, and the next ones as usual again", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const { id } = await deploy();
    await world.control.planBuilds({});
    expect((await deploy()).readyState).toBe("BUILDING");
    expect(await stateOf(id)).toBe("QUEUED");
    await world.control.planBuilds({ buildMs: 4000 });
    await world.control.reset();
    await world.seed({ projects: [{ team: "acme", name: "web" }] });
    expect((await deploy()).readyState).toBe("BUILDING");
  });
});

describe("the cancellation of a build", () => {
  it.each([
    ["QUEUED", 0],
    ["INITIALIZING", 1000],
    ["BUILDING", 3000],
  ])("ends one that is %s", async (state, ms) => {
    await world.control.planBuilds({ buildMs: 4000 });
    const { id, createdAt } = await deploy({ target: "production" });
    if (ms > 0) await world.advance(ms);
    expect(await stateOf(id)).toBe(state);
    const body = { readyState: "CANCELED", buildSkipped: false };
    expect(await cancel(id)).toMatchObject({ status: 200, body });
    await world.advance(10_000);
    expect(await read(id)).toMatchObject({ readyState: "CANCELED", canceledAt: createdAt + ms });
    expect((await project()).targets).toEqual({});
    expect(await eventTypes()).toEqual(["deployment.canceled", "deployment.created"]);
  });

  it("ends one that the control plane has begun", async () => {
    const [id = ""] = await world.control.deploy({ team: "acme", project: "web", readyState: "QUEUED" });
    expect((await cancel(id)).body.readyState).toBe("CANCELED");
  });

  it("is refused once it has ended", async () => {
    const { id } = await deploy();
    await world.advance(1000);
    expect((await cancel(id)).status).toBe(400);
    expect((await cancel("dpl_none")).status).toBe(404);
  });
});

describe("the deletion of a deployment", () => {
  it("leaves nothing of it, and production empty", async () => {
    const { id } = await deploy({ target: "production" });
    await world.advance(1000);
    await world.call("POST", `/v2/deployments/${id}/aliases`, { body: { alias: "docs.vercel.app" } });
    expect(await remove(id)).toMatchObject({ status: 200, body: { uid: id, state: "DELETED" } });
    expect((await world.call("GET", `/v13/deployments/${id}`)).status).toBe(404);
    expect((await world.call("GET", "/v4/aliases/docs.vercel.app")).status).toBe(404);
    expect((await project()).targets).toEqual({});
    expect((await remove(id)).status).toBe(404);
  });

  it("leaves no record of its files and variables, and those of others", async () => {
    const files = [{ file: "index.html", data: "hi" }];
    const [first, second] = [await deploy({ files }), await deploy({ files })];
    await remove(first.id);
    const left = await world.services.store.read(async (tx) =>
      Promise.all(
        (["deployment_files", "deployment_variables"] as const).map((table) =>
          tx.selectFrom(table).select("deployment_id").execute(),
        ),
      ),
    );
    expect(left).toEqual([[{ deployment_id: second.id }], [{ deployment_id: second.id }]]);
  });

  it("takes its URL before its id", async () => {
    const [first, second] = [await deploy(), await deploy()];
    expect((await remove(first.id, { url: second.url })).body.uid).toBe(second.id);
    expect((await remove(first.url)).body.uid).toBe(first.id);
  });

  it("ends its build", async () => {
    const { id } = await deploy({ target: "production" });
    await remove(id);
    await world.advance(1000);
    expect((await project()).targets).toEqual({});
  });

  it("is refused while a promotion moves production to it", async () => {
    const { id } = await deploy();
    await world.advance(1000);
    await world.control.planPromotions({ delayMs: 1000 });
    await world.call("POST", `/v10/projects/web/promote/${id}`);
    expect((await remove(id)).status).toBe(409);
    await world.advance(1000);
    expect((await remove(id)).status).toBe(200);
  });
});
