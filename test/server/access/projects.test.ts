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

describe("the team in the query", () => {
  const read = async (query: string) => (await world.call("GET", `/v9/projects${query}`)).status;

  it("counts as absent without a value", async () => {
    const { id } = (await world.call("GET", "/v2/teams/acme")).body;
    for (const query of ["?teamId=", "?slug=", "?teamId", "?teamId=&slug=acme", `?slug=&teamId=${id}`])
      expect([query, await read(query)]).toEqual([query, 200]);
    await world.call("POST", "/v10/projects", { body: { name: "of-team" } });
    expect((await world.call("GET", "/v9/projects?teamId=")).body.projects).toEqual([]);
    expect((await world.call("GET", "/v9/projects?teamId=&slug=acme")).body.projects).toHaveLength(1);
  });

  it("may be given several times with one value, and not with two", async () => {
    const { id } = (await world.call("GET", "/v2/teams/acme")).body;
    for (const [query, status] of [
      [`?teamId=${id}&teamId=${id}`, 200],
      ["?slug=acme&slug=acme&slug=", 200],
      ["?slug=acme&slug=other", 400],
    ] as const)
      expect([query, await read(query)]).toEqual([query, status]);
  });

  it.each([
    ["teamId=undefined", "a variable of the client is probably not set"],
    ["slug=null", "a variable of the client is probably not set"],
    ["teamId=acme", "send it as slug"],
    ["slug=team_1", "Send an id as teamId"],
  ])("is refused with a hint for %s", async (query, hint) => {
    const { status, body } = await world.call("GET", `/v9/projects?${query}`);
    expect([status, body.error.message]).toEqual([403, expect.stringContaining(hint)]);
  });
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
