import { routes } from "../../../server/routes";
import { type Endpoint, endpoints, seedEndpoints, sendTo } from "../../support/endpoints";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();
beforeEach(() => seedEndpoints(world));

const named = (list: readonly Endpoint[]) =>
  list.map((endpoint) => [`${endpoint[0]} ${endpoint[1]}`, endpoint] as const);
const ofProject = endpoints.filter(([, path]) => /\/projects\/(web|prj_web)/.test(path));

// AU-06
test.each(named(endpoints))("%s acts on the team of teamId", async (_, endpoint) => {
  const teamId: string = (await world.call("GET", "/v2/teams/acme")).body.id;
  const [, , , success] = endpoint;
  expect((await sendTo(world, endpoint, { query: { teamId } })).status).toBe(success);
});

// AU-12
test("each of them is refused for a team that there is not, and changes nothing", async () => {
  const before = await world.control.snapshot();
  for (const [name, endpoint] of named(endpoints)) {
    const { status, body } = await sendTo(world, endpoint, { query: { teamId: "team_none" } });
    expect([name, status, body.error.code]).toEqual([name, 403, "team_unauthorized"]);
  }
  expect(await world.control.snapshot()).toEqual(before);
});

// AU-12
test("each of them is refused with the id of one team and the slug of another, and changes nothing", async () => {
  await world.seed({ teams: [{ slug: "second", members: [{ user: "dev", role: "OWNER" }] }] });
  const teamId: string = (await world.call("GET", "/v2/teams/acme")).body.id;
  const before = await world.control.snapshot();
  for (const [name, endpoint] of named(endpoints)) {
    const { status, body } = await sendTo(world, endpoint, { query: { teamId, slug: "second" } });
    expect([name, status, body.error?.code]).toEqual([name, 403, "team_unauthorized"]);
  }
  expect(await world.control.snapshot()).toEqual(before);
});

// AU-08
test("none of them reaches a team's project without the team", async () => {
  const before = await world.control.snapshot();
  for (const [name, endpoint] of named(ofProject)) {
    const { status } = await sendTo(world, endpoint, { team: null });
    expect([name, status]).toEqual([name, /pause$/.test(name) ? 400 : 404]);
  }
  expect(await world.control.snapshot()).toEqual(before);
});

test("what there is not is refused by the name that it was asked for", async () => {
  // The code of a transfer is a secret.
  const named = routes.filter(({ open, path }) => !open && path.includes("/:") && !path.endsWith("/:code"));
  const missing: Answer[] = [];
  for (const { method, path } of named) {
    // The objects above it in the path exist.
    const asked = path
      .replace(/\/projects\/:(idOrName|projectId)(?=\/)/, "/projects/prj_web")
      .replace(/\/:(?!projectId\/deployments)\w+/g, "/none");
    const answer = await world.call(method, asked, { body: method === "GET" ? undefined : {} });
    if (answer.body.error?.code !== "not_found") continue;
    expect([method, path, answer.body.error.message]).toEqual([
      method,
      path,
      expect.stringContaining('"none"'),
    ]);
    missing.push(answer);
  }
  expect(missing.length).toBeGreaterThan(25);
});
