import { useTestServer } from "../../support/world";

const world = useTestServer();

describe("the list of requests", () => {
  beforeEach(async () => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    await world.call("GET", "/v9/projects/web");
    await world.call("GET", "/v9/projects/shop");
  });

  it.each([
    ["method=get", ["GET 404", "GET 200"]],
    ["status=409", ["POST 409"]],
    ["code=not_found", ["GET 404"]],
    ["path=/v9/projects/web", ["GET 200"]],
    ["path=/v9/*", ["GET 404", "GET 200"]],
    ["path=/v10/projects&status=200", ["POST 200"]],
    ["account=team_none", []],
  ])("holds with ?%s what fits that alone", async (query, expected) => {
    const { body } = await world.askControl("GET", `/requests?${query}`);
    const found: { method: string; status: number }[] = body.requests;
    expect(found.map(({ method, status }) => `${method} ${status}`)).toEqual(expected);
  });

  it("has queries without their secrets", async () => {
    await world.call("GET", "/v9/projects", {
      query: { search: "a b", access_token: "hidden", code: "hidden" },
    });
    const [latest] = (await world.askControl("GET", "/requests?limit=1")).body.requests;
    expect(latest).toMatchObject({
      path: "/v9/projects",
      query: expect.stringMatching(/search=a[+%20]+b&access_token=\*\*\*&code=\*\*\*/),
    });
    expect(JSON.stringify(latest)).not.toContain("hidden");
  });

  it.each([
    ["decoded", "Project%20w%C3%A9b", "Project wéb"],
    ["up to 200 characters", "x".repeat(201), "x".repeat(200)],
    ["as none where it is malformed", "Project%zz", null],
  ])("has the resource that sent a request, %s", async (_, sent, resource) => {
    await world.call("GET", "/v9/projects", { headers: { "x-slipway-resource": sent } });
    const [latest] = (await world.askControl("GET", "/requests?limit=1")).body.requests;
    expect(latest).toMatchObject({ path: "/v9/projects", resource });
  });

  // Work that grew with the square of the query would not end within the time limit of a test.
  it("keeps the start of a long query that names secrets again and again", async () => {
    await world.app.inject({
      url: `/nothing?${"code".repeat(200_000)}=hidden&token=${"hidden".repeat(200_000)}`,
    });
    const [latest] = (await world.askControl("GET", "/requests?limit=1")).body.requests;
    expect(latest).toMatchObject({ path: "/nothing", query: expect.stringMatching(/^(code)+$/) });
    expect(latest.query).toHaveLength(1000);
  });
});
