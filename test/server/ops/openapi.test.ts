import { useWorld } from "../../support/world";

const world = useWorld();

test("the document's patterns are those that readers in other languages know, too", async () => {
  const { body } = await world.app.inject("/openapi.json");
  const patterns: string[] = [];
  JSON.parse(body, (key, value) => {
    if (key === "pattern" && typeof value === "string") patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(0);
  expect(patterns.filter((pattern) => /\\p\{|\(\?</.test(pattern))).toEqual([]);
});

describe("the page for readers", () => {
  it("is named in plain text to who asks without a browser", async () => {
    const { statusCode, headers, body } = await world.app.inject({ url: "/", headers: { accept: "*/*" } });
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    for (const told of ["/docs", "/openapi.json", "/_health", "Bearer slipway-dev-token"])
      expect(body).toContain(told);
  });

  it("loads nothing from elsewhere, and no script that is not the server's own", async () => {
    const { statusCode, headers, body } = await world.app.inject("/docs");
    expect(statusCode).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self';/);
    for (const [, path = ""] of body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)) {
      expect(path).toMatch(/^\/(docs\/|openapi\.json)/);
      expect((await world.app.inject(path)).statusCode).toBe(200);
    }
  });

  it("fills in the development account, and nothing where there is none", async () => {
    expect((await world.app.inject("/docs/development")).json()).toEqual({
      token: "slipway-dev-token",
      team: "acme",
    });
  });
});

describe("without a dashboard", () => {
  const bare = useWorld("memory", { dashboard: false });

  it("the server's address leads a browser to the page", async () => {
    const { statusCode, headers } = await bare.app.inject({ url: "/", headers: { accept: "text/html,*/*" } });
    expect([statusCode, headers.location]).toEqual([302, "/docs"]);
  });
});
