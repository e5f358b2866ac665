import { beginTransfer } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
beforeEach(() => world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] }));

const set = (body: object) => world.call("PATCH", "/v1/projects/web/shared-connect-links", { body });
const shown = async () => (await world.call("GET", "/v9/projects/web")).body.staticIps;
const listed = async (staticIpsEnabled: string) =>
  (await world.call("GET", "/v9/projects", { query: { staticIpsEnabled } })).body.projects.length;

it("gives a project static IPs in regions, which it and the list of projects show", async () => {
  expect(await listed("1")).toBe(0);
  const { body } = await set({ regions: ["iad1", "fra1", "iad1"] });
  expect(
    body.map(({ dc, envId, buildsEnabled }: Record<string, unknown>) => [dc, envId, buildsEnabled]),
  ).toEqual([
    ...["production", "preview"].map((envId) => ["iad1", envId, false]),
    ...["production", "preview"].map((envId) => ["fra1", envId, false]),
  ]);
  expect(await shown()).toEqual({ enabled: true, builds: false, regions: ["iad1", "fra1"] });
  expect([await listed("1"), await listed("0")]).toEqual([1, 0]);
});

it("keeps what a request does not name, and has the same networks again", async () => {
  const [first] = (await set({ regions: ["iad1"] })).body;
  const [second] = (await set({ builds: true })).body;
  expect(second).toMatchObject({
    connectConfigurationId: first.connectConfigurationId,
    buildsEnabled: true,
  });
  await world.call("PATCH", "/v9/projects/web", { body: { staticIps: { enabled: false } } });
  expect(await shown()).toEqual({ enabled: false, builds: true, regions: ["iad1"] });
  expect(await set({ regions: [] })).toMatchObject({ status: 200, body: [] });
  expect(await shown()).toEqual({ enabled: false, builds: true, regions: [] });
});

it.each([{}, { builds: "yes" }, { regions: ["elsewhere"] }, { regions: [], other: 1 }])(
  "refuses %j",
  async (body) => {
    expect((await set(body)).status).toBe(400);
    expect(await shown()).toBeUndefined();
  },
);

it("is refused while the project is being transferred", async () => {
  await beginTransfer(world);
  expect((await set({ builds: true })).status).toBe(409);
});
