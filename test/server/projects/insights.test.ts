import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
beforeEach(() => world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] }));

describe.each([
  ["/web/insights/toggle", "webAnalytics"],
  ["/speed-insights/toggle", "speedInsights"],
])("POST %s", (path, member) => {
  const toggle = (value: unknown, projectId = "prj_web") =>
    world.call("POST", path, { query: { projectId }, body: { value } });
  const shown = async () => (await world.call("GET", "/v9/projects/web")).body[member];

  it("turns them on and off, which the project shows", async () => {
    expect(await shown()).toBeUndefined();
    expect((await toggle(true)).body).toEqual({ value: true });
    const on = await shown();
    expect(on).toEqual({ id: expect.any(String), enabledAt: beginning });
    await world.control.advanceClock(10);
    await toggle(true);
    expect(await shown()).toEqual(on);
    await toggle(false);
    expect(await shown()).toEqual({ ...on, disabledAt: beginning + 10 });
    await toggle(true);
    expect(await shown()).toEqual({ ...on, enabledAt: beginning + 10 });
  });

  it("changes nothing when they were never on, and survives a change of the project", async () => {
    await toggle(false);
    expect(await shown()).toBeUndefined();
    await toggle(true);
    await world.call("PATCH", "/v9/projects/web", { body: { buildCommand: "make" } });
    expect(await shown()).toEqual({ id: expect.any(String), enabledAt: beginning });
  });

  it("is refused for another project and another value", async () => {
    expect((await toggle(true, "prj_none")).status).toBe(404);
    expect((await toggle("yes")).status).toBe(400);
  });
});
