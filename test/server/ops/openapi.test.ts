import { useWorld } from "../../support/world";

const world = useWorld();

describe("the page for readers", () => {
  it("is where the server's address leads", async () => {
    const { statusCode, headers } = await world.app.inject("/");
    expect([statusCode, headers.location]).toEqual([302, "/docs"]);
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
