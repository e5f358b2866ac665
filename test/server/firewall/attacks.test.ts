import { useTestServer } from "../../support/world";

const world = useTestServer();
beforeEach(() => world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] }));

it.each([
  ["attack-status", { since: "7" }, { anomalies: [] }],
  ["events", { startTimestamp: "1", endTimestamp: "2", hosts: "www.example.com" }, { actions: [] }],
])("finds nothing in /v1/security/firewall/%s of a project of the account", async (name, query, empty) => {
  const path = `/v1/security/firewall/${name}`;
  const ask = (more: object) => world.call("GET", path, { query: { ...query, ...more } });
  expect((await ask({ projectId: "web" })).body).toEqual(empty);
  expect((await ask({ projectId: "none" })).status).toBe(404);
  expect((await ask({})).status).toBe(400);
});
