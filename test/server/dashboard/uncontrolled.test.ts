import { type DashboardSession, signIn } from "../../support/dashboard-session";
import { useTestServer } from "../../support/world";

/** A server without a control plane, whose data the dashboard must not replace. */

const world = useTestServer("memory", { controlToken: undefined });
let session: DashboardSession;
beforeEach(async () => {
  session = await signIn(world);
});

it.each<[string, object]>([
  ["save-state", { name: "a" }],
  ["load-state", { name: "a" }],
  ["remove-state", { name: "a" }],
  ["seed", { text: "projects: [{ team: acme, name: seeded }]" }],
  ["reset", {}],
])("refuses %s, and changes nothing", async (action, body) => {
  await world.call("POST", "/v10/projects", { body: { name: "web" } });
  expect(await session.act(action, body)).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining("--control-token") } },
  });
  const { projects } = (await world.call("GET", "/v9/projects")).body;
  expect(projects.map(({ name }: { name: string }) => name)).toEqual(["web"]);
});

it("says so to the page", async () => {
  expect((await session.view("state")).body).toMatchObject({ isControlled: false });
});
