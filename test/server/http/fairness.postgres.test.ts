import { runDueWork } from "../../../server/workers/due-work";
import { type Answer, TestServer } from "../../support/world";

/** While a write of one account holds its lock, only requests on the same account wait. */

const world = new TestServer();
let release: () => void;
let held: Promise<unknown>;

beforeEach(async () => {
  await world.open("memory");
  await world.seed({
    teams: [{ slug: "other", members: [{ user: "dev", role: "OWNER" }] }],
    projects: [
      { team: "acme", name: "web" },
      { team: "other", name: "web" },
    ],
    integrations: [
      {
        clientId: "oac_1",
        clientSecret: "secret",
        slug: "integration",
        owner: "dev",
        redirectUrl: "http://127.0.0.1:9/callback",
        scopes: ["read:project"],
      },
    ],
  });
  const { id } = (await world.call("GET", "/v2/teams/acme")).body;
  const inside = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  release = leave.resolve;
  held = world.services.store.write(async (tx) => {
    await tx.updateTable("accounts").set({ name: "Acme" }).where("id", "=", id).execute();
    inside.resolve();
    await leave.promise;
  }, id);
  await inside.promise;
});

afterEach(async () => {
  release();
  await held;
  await world.close();
});

const control = async (method: string, path: string, body?: object): Promise<Answer["body"]> => {
  const headers = { authorization: "Bearer control-token" };
  const answer = await world.call(method, `/_control${path}`, { token: null, team: null, headers, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

/** A write of the other account is answered. */
async function expectOthersGoOn(): Promise<void> {
  const { status } = await world.call("PATCH", "/v9/projects/web", {
    team: "other",
    body: { framework: "astro" },
  });
  expect(status).toBe(200);
}

const exchange = { client_id: "oac_1", client_secret: "secret", redirect_uri: "http://127.0.0.1:9/callback" };

it.each([
  ["of an unknown client", { ...exchange, client_id: "none", code: "none" }, 401],
  ["with an unknown code", { ...exchange, code: "none" }, 400],
])("an exchange of a token %s waits for no lock", async (_, body, status) => {
  const answer = await world.call("POST", "/v2/oauth/access_token", { token: null, team: null, body });
  expect(answer.status).toBe(status);
  await expectOthersGoOn();
});

it("an exchange of a token for the account that writes delays no other account", async () => {
  const { code } = await control("POST", "/integrations/integration/install", {
    team: "other",
    scopes: ["read:project"],
  });
  const answer = await world.call("POST", "/v2/oauth/access_token", {
    token: null,
    team: null,
    body: { ...exchange, code },
  });
  expect(answer.status).toBe(200);
  await expectOthersGoOn();
});

it("builds of other accounts finish", async () => {
  await world.call("POST", "/v13/deployments", { team: "other", body: { name: "web" } });
  await runDueWork(world.services);
  await expectOthersGoOn();
});

it("a reset that waits delays no other account", async () => {
  const reset = control("POST", "/reset");
  await expectOthersGoOn();
  release();
  await reset;
});

it.each<[string, string, string, object?]>([
  ["a seed", "POST", "/seed", { projects: [{ team: "other", name: "more" }] }],
  ["deployments", "POST", "/deployments", { team: "other", project: "web" }],
  ["a change of a team", "PATCH", "/teams/other", { plan: "enterprise" }],
  ["DNS records", "PUT", "/dns/example.com", { type: "TXT", values: ["a"] }],
  ["the clock", "POST", "/clock", { advanceMs: 1 }],
  ["a plan of builds", "POST", "/builds", {}],
  ["a plan of promotions", "POST", "/promotions", {}],
  ["a snapshot", "GET", "/snapshot"],
])(
  "the control plane's request for %s does not wait for a write of another account",
  async (_, ...request) => {
    await control(...request);
    await expectOthersGoOn();
  },
);
