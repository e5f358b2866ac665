import { useTestServer } from "../../support/world";

const world = useTestServer();

it("finds a project by its id before one of that name, and by a name that begins like an id", async () => {
  await world.seed({
    projects: [
      { team: "acme", id: "prj_web", name: "web" },
      { team: "acme", id: "prj_docs", name: "prj_none" },
    ],
  });
  const { id: named } = (await world.call("POST", "/v10/projects", { body: { name: "prj_web" } })).body;
  for (const [key, id] of [
    ["web", "prj_web"],
    ["prj_web", "prj_web"],
    ["prj_none", "prj_docs"],
    [named, named],
  ])
    expect((await world.call("GET", `/v9/projects/${key}`)).body).toMatchObject({ id });
});

it("refuses a request that names two teams, by id and by slug", async () => {
  await world.team("other");
  const { id } = (await world.call("GET", "/v2/teams/acme")).body;
  for (const [slug, status] of [
    ["acme", 200],
    ["other", 403],
    ["none", 403],
  ] as const)
    expect(
      await world.call("GET", "/v9/projects", { team: null, query: { teamId: id, slug } }),
    ).toMatchObject({ status });
});
