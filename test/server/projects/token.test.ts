import { useTestServer } from "../../support/world";

const world = useTestServer();

const create = (project: string) =>
  world.call("POST", `/v1/projects/${project}/token`, { body: { source: "vercel-cli" } });
const claimsOf = (token: string) => JSON.parse(`${Buffer.from(token.split(".")[1] ?? "", "base64url")}`);

beforeEach(() => world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] }));

it("creates a token of a project, which says for whom and how long it counts", async () => {
  const { status, body } = await create("web");
  expect(status).toBe(200);
  const now = Math.floor(world.clock.now() / 1000);
  expect(claimsOf(body.token)).toMatchObject({
    iss: "https://oidc.vercel.com/acme",
    aud: "https://vercel.com/acme",
    sub: "owner:acme:project:web:environment:development",
    owner: "acme",
    project: "web",
    project_id: "prj_web",
    environment: "development",
    iat: now,
    exp: now + 12 * 60 * 60,
  });
});

it("creates another token each time", async () => {
  expect((await create("web")).body.token).not.toBe((await create("prj_web")).body.token);
});

it("creates a token without a body, whatever its content type", async () => {
  const { status, body } = await world.call("POST", "/v1/projects/web/token", {
    headers: { "content-type": "application/json" },
  });
  expect([status, body]).toEqual([200, { token: expect.any(String) }]);
});

it("creates no token of an unknown project", async () => {
  expect((await create("none")).status).toBe(404);
});
