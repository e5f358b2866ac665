import { isLoopback, plainDevelopmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer("memory", { allowedHosts: ["slipway.internal"] });

const create = (host: string, token?: string) =>
  world.call("POST", "/v10/projects", {
    body: { name: "web" },
    headers: { host },
    ...(token === undefined ? {} : { token }),
  });

describe("the token of the development account", () => {
  it.each([
    ["rebound.example.com", undefined],
    ["rebound.example.com:4000", plainDevelopmentToken],
    ["127.0.0.1.example.com", undefined],
  ])("is not taken under %s, a name that a web page could have pointed here", async (host, token) => {
    const { status, body } = await create(host, token);
    expect([status, body.error]).toEqual([
      403,
      { code: "forbidden", message: expect.stringContaining("--allowed-hosts") },
    ]);
    expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([]);
  });

  it.each(["localhost:4000", "127.0.0.1:4000", "[::1]:4000", "slipway.internal"])(
    "is taken under %s",
    async (host) => {
      expect((await create(host)).status).toBe(200);
    },
  );

  it("leaves other tokens to any name, since no page knows them", async () => {
    const token = await world.team("crew");
    const answer = await world.call("GET", "/v9/projects", {
      token,
      team: "crew",
      headers: { host: "slipway.example.com" },
    });
    expect(answer.status).toBe(200);
  });
});

it.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.168.0.1", false],
  ["128.0.0.1", false],
  ["127.example.com", false],
  ["localhost.example.com", false],
])("a server that listens on %s is for its own machine alone: %p", (host, isOwn) => {
  expect(isLoopback(host)).toBe(isOwn);
});
