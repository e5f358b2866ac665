import { beginning, useTestServer } from "../../support/world";

/** Whole answers of the control plane. */

const world = useTestServer();
const team = "acme";

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await world.askControl(method, path, body);
  return [answer.status, answer.body];
};
const refused = (status: number, code: string) => [status, { error: { code, message: expect.any(String) } }];
const idOf = async (slug: string): Promise<string> => {
  const { accounts } = await world.control.snapshot();
  return accounts.find((one) => one.slug === slug)?.id ?? "";
};

describe("accounts", () => {
  it("return a changed team", async () => {
    const change = {
      plan: "pro",
      addons: ["a"],
      softBlocked: true,
      paymentMethodNeedsUpdate: true,
      deniedDomains: ["bad.example"],
      sensitiveEnvironmentVariablePolicy: "on",
    };
    const id = await idOf(team);
    expect(await ask("PATCH", `/teams/${team}`, change)).toEqual([200, { id, slug: team, ...change }]);
    expect(await ask("PATCH", `/teams/${id}`, {})).toEqual([200, { id, slug: team, ...change }]);
    const calm = { softBlocked: false, paymentMethodNeedsUpdate: false };
    expect(await ask("PATCH", `/teams/${team}`, calm)).toEqual([200, { id, slug: team, ...change, ...calm }]);
    expect(await ask("PATCH", "/teams/none", {})).toEqual(refused(404, "not_found"));
  });

  it("transfer a project", async () => {
    await world.user("ada");
    await world.seed({ projects: [{ team, name: "web", id: "prj_web" }] });
    const [acme, ada] = [await idOf(team), await idOf("ada")];
    const project = {
      id: "prj_web",
      name: "web",
      accountId: acme,
      transferStartedAt: beginning,
      transferToAccountId: ada,
      transferCompletedAt: null,
      transferredFromAccountId: null,
    };
    const path = "/projects/prj_web/transfer";
    for (const body of [{}, { toUser: "ada", toTeam: team }])
      expect(await ask("POST", path, body)).toEqual(refused(400, "bad_request"));
    expect(await ask("POST", path, { toUser: team })).toEqual(refused(404, "not_found"));
    expect(await ask("POST", path, { toTeam: "ada" })).toEqual(refused(404, "not_found"));
    expect(await ask("POST", "/projects/web/transfer", { toUser: "ada" })).toEqual(refused(404, "not_found"));
    expect(await ask("POST", path, { toUser: "ada" })).toEqual([200, project]);
    expect(await ask("POST", `${path}/complete`)).toEqual([
      200,
      {
        ...project,
        accountId: ada,
        transferToAccountId: null,
        transferCompletedAt: beginning,
        transferredFromAccountId: acme,
      },
    ]);
  });
});

describe("the simulation", () => {
  it("returns an added deployment", async () => {
    const given = { team, project: "web", id: "dpl_1", url: "one.example.app", createdAt: 7 };
    const made = {
      id: "dpl_1",
      accountId: await idOf(team),
      project: "web",
      target: null,
      readyState: "READY",
      url: "one.example.app",
      createdAt: 7,
    };
    expect(await ask("POST", "/deployments", given)).toMatchObject([200, { deployments: [{ id: "dpl_1" }] }]);
    const [, { deployments }] = (await ask("POST", "/deployments", [given])) as [
      number,
      { deployments: object[] },
    ];
    expect(deployments).toEqual([{ ...made, target: expect.anything() }]);
  });

  it("returns records, the time and the promotion plan", async () => {
    const values = ["x", "y"];
    expect(await ask("PUT", "/dns/A.example.com.", { type: "TXT", values })).toEqual([
      200,
      { name: "a.example.com", type: "TXT", values },
    ]);
    for (const body of [{ type: "A", values }, { values }, { type: "TXT", values: [] }, { type: "TXT" }])
      expect(await ask("PUT", "/dns/a.example.com", body)).toEqual(refused(400, "bad_request"));
    for (const name of ["a..example.com", "a.example.com%20", `${"a".repeat(60)}.`.repeat(5)])
      expect(await ask("PUT", `/dns/${name}`, { type: "TXT", values })).toEqual(refused(400, "bad_request"));
    expect(await ask("PUT", "/dns/localhost", { type: "TXT", values })).toMatchObject([200, {}]);
    expect(await ask("DELETE", "/dns/localhost")).toEqual([204, ""]);
    expect(await ask("POST", "/clock", { advanceMs: 1 })).toEqual([200, { now: beginning + 1 }]);
    expect(await ask("POST", "/promotions", {})).toEqual([200, { delayMs: 0, failAliases: [] }]);
  });

  it("accepts the token in the Bearer scheme only", async () => {
    const statusWith = async (authorization: string) =>
      (await world.app.inject({ url: "/_control/snapshot", headers: { authorization } })).statusCode;
    for (const fine of ["Bearer control-token", "bearer  control-token "])
      expect(await statusWith(fine)).toBe(200);
    for (const other of ["xBearer control-token", "Bearer control-token x", "control-token", "Bearer"])
      expect(await statusWith(other)).toBe(401);
  });

  it("refuses host names that only look like an address", async () => {
    for (const host of ["[[::1]]:4000", "1.2.3", "example.com"]) {
      const headers = { host, authorization: "Bearer control-token" };
      expect((await world.app.inject({ url: "/_control/snapshot", headers })).statusCode).toBe(403);
    }
  });
});

describe("installations", () => {
  it("are returned as the API shows them, with pending scopes", async () => {
    await world.seed({
      users: [{ username: "ada" }],
      integrations: [
        {
          clientId: "oac_cron",
          clientSecret: "s",
          slug: "cron",
          owner: "dev",
          redirectUrl: "https://cron.example.com/callback",
          scopes: ["read:project"],
        },
      ],
    });
    const install = "/integrations/cron/install";
    expect(await ask("POST", install, { team, next: "nowhere" })).toEqual(refused(400, "bad_request"));
    expect(await ask("POST", install, { team, user: "dev" })).toEqual(refused(400, "bad_request"));
    expect(await ask("POST", "/integrations/none/install", { team })).toEqual(refused(404, "not_found"));
    const [, installed] = (await ask("POST", install, { team, next: "https://next.example.com/x" })) as [
      number,
      { redirectUrl: string; code: string; configurationId: string },
    ];
    expect(Object.fromEntries(new URL(installed.redirectUrl).searchParams)).toEqual({
      code: installed.code,
      configurationId: installed.configurationId,
      teamId: await idOf(team),
      next: "https://next.example.com/x",
      source: "external",
    });
    const path = `/installations/${installed.configurationId}`;
    expect(await ask("POST", `${path}/confirm-scopes`, {})).toEqual(refused(409, "conflict"));
    const shown = {
      id: installed.configurationId,
      scopes: ["read:project"],
      pendingScopes: ["read-write:project"],
    };
    expect(await ask("POST", "/integrations/oac_cron/scopes", { scopes: ["read-write:project"] })).toEqual([
      200,
      { installations: [expect.objectContaining(shown)] },
    ]);
    for (const user of ["ada", "none"])
      expect(await ask("POST", `${path}/confirm-scopes`, { user })).toEqual(refused(403, "forbidden"));
    expect(await ask("POST", `${path}/confirm-scopes`, { user: "dev" })).toMatchObject([
      200,
      { scopes: ["read-write:project"], pendingScopes: [] },
    ]);
    expect(await ask("POST", `${path}/owner`, { user: "ada" })).toEqual(refused(400, "bad_request"));
    expect(await ask("POST", `${path}/remove`, { user: "ada" })).toEqual(refused(403, "forbidden"));
    expect(await ask("POST", `${path}/remove`, {})).toEqual([204, ""]);
    expect(await ask("POST", `${path}/enable`, {})).toEqual(refused(404, "not_found"));
  });
});
