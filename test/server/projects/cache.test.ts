import { useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

it.each([
  ["POST", "/v1/edge-cache/purge-all"],
  ["DELETE", "/v1/data-cache/purge-all"],
])("empties the caches of a project, which must exist: %s %s", async (method, path) => {
  const purge = (projectIdOrName: string) => world.call(method, path, { query: { projectIdOrName } });
  expect(await purge("web")).toMatchObject({ status: 200, body: {} });
  expect((await purge("none")).status).toBe(404);
  expect((await world.call(method, path)).status).toBe(400);
});
