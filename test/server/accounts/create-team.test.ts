import { useTestServer } from "../../support/world";

const world = useTestServer();
const create = (body: object, options: object = {}) =>
  world.call("POST", "/v1/teams", { body, team: null, ...options });

it("creates a team, whose owner is the caller", async () => {
  const { status, body } = await create({ slug: "designers", attribution: { landingPage: "/" } });
  expect([status, body]).toEqual([
    200,
    { id: expect.stringMatching(/^team_/), slug: "designers", billing: { plan: "pro" } },
  ]);
  const team = await world.call("GET", `/v2/teams/${body.id}`);
  expect(team.body).toMatchObject({ name: "designers", membership: { role: "OWNER" } });
  const project = await world.call("POST", "/v10/projects", { team: "designers", body: { name: "web" } });
  expect([project.status, project.body.accountId]).toEqual([200, body.id]);
});

it.each([
  [{ slug: "acme" }, 409],
  [{ slug: "Not A Slug" }, 400],
  [{}, 400],
  [{ slug: "fresh", plan: "enterprise" }, 400],
])("refuses %j with %d", async (body, status) => {
  expect((await create(body)).status).toBe(status);
});

it("refuses a token that is limited to a team", async () => {
  await world.seed({ tokens: [{ token: "bound", user: "dev", team: "acme" }] });
  expect((await create({ slug: "fresh" }, { token: "bound" })).status).toBe(403);
});
