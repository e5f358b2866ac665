import { refuseForeignHost } from "../../../server/http/hosts";
import { useTestServer } from "../../support/world";

const allowed = ["slipway.internal"];

describe("a host name", () => {
  it.each([
    "evilslipway.internal",
    "sub.slipway.internal",
    "slipway.internal.example.com",
    "internal",
    "notlocalhost",
    "localhost.example.com",
    "127.0.0.1.example.com",
    "",
  ])("is refused unless it is exactly one that is allowed: %j", (host) => {
    expect(() => refuseForeignHost(host, allowed)).toThrow(/--allowed-hosts/);
  });

  it.each([
    "slipway.internal",
    "SLIPWAY.internal",
    "slipway.internal:4000",
    "localhost",
    "127.0.0.1:1",
    "[::1]:80",
  ])("is accepted without its port and in any case: %s", (host) => {
    expect(() => refuseForeignHost(host, allowed)).not.toThrow();
  });
});

describe("a page under a foreign host name", () => {
  const world = useTestServer();

  it("changes nothing with the development token", async () => {
    const headers = { host: "rebound.example.com" };
    const { status } = await world.call("POST", "/v10/projects", { body: { name: "web" }, headers });
    expect(status).toBe(403);
    // Writes of an account come one after the other, so that one of the page would be made by now.
    expect((await world.call("POST", "/v10/projects", { body: { name: "other" } })).status).toBe(200);
    expect((await world.call("GET", "/v9/projects/web")).status).toBe(404);
  });
});
