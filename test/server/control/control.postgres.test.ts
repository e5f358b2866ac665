import { addIntegration, exchange, install } from "../../support/integrations";
import { beginning, type TestServer, useTestServer } from "../../support/world";

const world = useTestServer();
let replica: TestServer;

beforeEach(async () => {
  replica = await world.replica();
});

const create = (server: TestServer, name: string) => server.call("POST", "/v10/projects", { body: { name } });

describe("of two servers over one database", () => {
  test("the one takes the time that the other was told", async () => {
    await world.advance(1500);
    expect((await create(replica, "web")).body.createdAt).toBe(beginning + 1500);
    await replica.advance(500);
    expect((await create(world, "api")).body.createdAt).toBe(beginning + 2000);
  });

  test("both move on when both are told at once", async () => {
    await Promise.all([world.advance(1000), replica.advance(1000)]);
    expect((await replica.control.snapshot()).now).toBe(beginning + 2000);
    expect((await world.control.snapshot()).now).toBe(beginning + 2000);
  });

  test("neither takes a code that has expired by the other's clock", async () => {
    await addIntegration(world);
    const { code } = await install(world);
    await world.advance(30 * 60 * 1000);
    expect(await exchange(replica, { code })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_grant" } },
    });
  });

  test("the one promotes as the other was told", async () => {
    const { id } = (await create(world, "web")).body;
    await world.control.deploy({ team: "acme", project: "web", id: "dpl_a" });
    await world.control.planPromotions({ delayMs: 1000 });
    await replica.call("POST", `/v10/projects/${id}/promote/dpl_a`);
    const jobStatus = async () =>
      (await replica.call("GET", "/v9/projects/web?rollbackInfo=true")).body.lastAliasRequest.jobStatus;
    expect(await jobStatus()).toBe("in-progress");
    await world.advance(1000);
    expect(await jobStatus()).toBe("succeeded");
  });
});
