import { addIntegration, eventsOf, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() => addIntegration(world, ["project", "integration-configuration"]));

const configurationPath = (id: string): string => `/v1/integrations/configuration/${id}`;
const createProject = async (name: string, team = "acme", token?: string): Promise<string> => {
  const { body } = await world.call("POST", "/v10/projects", {
    body: { name },
    query: { slug: team },
    ...(token ? { token } : {}),
  });
  return body.id;
};

async function deletedProject(): Promise<string> {
  const id = await createProject("gone");
  await world.call("DELETE", `/v9/projects/${id}`);
  return id;
}

describe("an installation for selected projects", () => {
  // AU-05
  test("the token reaches the projects that the installation covers, and no other", async () => {
    const web = await createProject("web");
    const api = await createProject("api");
    const { token } = await installWithToken(world, { projects: ["web"] });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(200);
    const refused = await world.call("GET", `/v9/projects/${api}`, { token });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    const { body } = await world.call("GET", "/v9/projects", { token });
    expect(body.projects.map(({ id }: { id: string }) => id)).toEqual([web]);
  });

  // AU-05, AU-12
  test("a token does not reach another account's projects, whatever it asks for", async () => {
    const other = await world.team("other");
    const foreign = await createProject("web", "other", other);
    const { token } = await installWithToken(world);
    expect((await world.call("GET", `/v9/projects/${foreign}`, { token })).status).toBe(404);
    const asOther = await world.call("GET", `/v9/projects/${foreign}`, { token, team: "other" });
    expect(asOther.status).toBe(403);
    expect(asOther.body.error.code).toBe("team_unauthorized");
  });

  // AU-05
  test("a project that the installation creates is covered", async () => {
    const { token } = await installWithToken(world, { projects: [] });
    const { body } = await world.call("POST", "/v10/projects", { token, body: { name: "web" } });
    expect((await world.call("GET", `/v9/projects/${body.id}`, { token })).status).toBe(200);
  });

  // AU-05
  test("deployments of projects that are not covered are not found by a name that points to them", async () => {
    for (const name of ["web", "api"]) {
      await createProject(name);
      const built = { team: "acme", project: name, target: "production", readyState: "READY" } as const;
      await world.control.deploy({ ...built, id: `dpl_${name}` });
    }
    const { token } = await installWithToken(world, { projects: ["web"], scopes: ["deployment"] });
    const found = async (name: string) =>
      (await world.call("GET", `/v13/deployments/${name}.vercel.app`, { token })).status;
    expect([await found("web"), await found("api")]).toEqual([200, 404]);
  });

  // AU-05
  test("deployments of projects that are not covered are not shown", async () => {
    await createProject("web");
    await createProject("api");
    await world.control.deploy({ id: "dpl_web", team: "acme", project: "web" });
    await world.control.deploy({ id: "dpl_api", team: "acme", project: "api" });
    const { token } = await installWithToken(world, { projects: ["web"], scopes: ["deployment"] });
    const { body } = await world.call("GET", "/v6/deployments", { token });
    expect(body.deployments.map(({ uid }: { uid: string }) => uid)).toEqual(["dpl_web"]);
    expect((await world.call("GET", "/v13/deployments/dpl_web", { token })).status).toBe(200);
    expect((await world.call("GET", "/v13/deployments/dpl_api", { token })).status).toBe(404);
  });

  test("access to a project is given, told and taken, each time with an event", async () => {
    const web = await createProject("web");
    const { token, id } = await installWithToken(world, { projects: [] });
    const access = `${configurationPath(id)}/project/${web}`;
    expect((await world.call("GET", access)).body).toEqual({ allowed: false });
    const given = await world.call("POST", access, { body: { allowed: true } });
    expect(given.status).toBe(200);
    expect(given.body).toEqual({ allowed: true });
    expect((await world.call("GET", access)).body).toEqual({ allowed: true });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(200);
    await world.call("POST", access, { body: { allowed: true } });
    await world.call("POST", access, { body: { allowed: false } });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(403);
    expect(await eventsOf(world, "integration-configuration.permission-upgraded")).toMatchObject([
      {
        payload: {
          configuration: { id, projectSelection: "selected", projects: [web] },
          projects: { added: [web], removed: [] },
        },
      },
      {
        payload: {
          configuration: { id, projectSelection: "selected", projects: [] },
          projects: { added: [], removed: [web] },
        },
      },
    ]);
  });

  test("an installation for all projects that loses one keeps the others", async () => {
    const web = await createProject("web");
    const api = await createProject("api");
    const { token, id } = await installWithToken(world);
    await world.call("POST", `${configurationPath(id)}/project/${web}`, { body: { allowed: false } });
    expect((await world.call("GET", `/v9/projects/${web}`, { token })).status).toBe(403);
    expect((await world.call("GET", `/v9/projects/${api}`, { token })).status).toBe(200);
    expect((await world.call("GET", configurationPath(id))).body.projects).toEqual([api]);
  });

  // AU-05
  test("an installation for all projects that loses one gets no project of another account", async () => {
    const web = await createProject("web");
    const api = await createProject("api");
    await createProject("api", "other", await world.team("other"));
    const { id } = await installWithToken(world);
    await world.call("POST", `${configurationPath(id)}/project/${web}`, { body: { allowed: false } });
    expect((await world.call("GET", configurationPath(id))).body.projects).toEqual([api]);
  });

  test("it keeps them, even where they are more than one statement can name", async () => {
    const web = await createProject("web");
    const { id } = await installWithToken(world);
    const count = 33_000;
    await world.services.store.write(async (tx) => {
      const row = await tx.selectFrom("projects").selectAll().executeTakeFirstOrThrow();
      for (let at = 0; at < count; at += 500) {
        const rows = Array.from({ length: 500 }, (_, i) => {
          const n = at + i + 1;
          return { ...row, id: `prj_${n}`, name: `p${n}`, updated_at: row.updated_at + n };
        });
        await tx.insertInto("projects").values(rows).execute();
      }
    });
    const path = `${configurationPath(id)}/project/${web}`;
    expect((await world.call("POST", path, { body: { allowed: false } })).status).toBe(200);
    expect((await world.call("GET", configurationPath(id))).body.projects).toHaveLength(count);
  });

  test("a deleted project is not covered, an unknown installation is 404, and an installation does not widen its own", async () => {
    const web = await createProject("web");
    const { token, id } = await installWithToken(world);
    const path = (configuration: string, project: string): string =>
      `${configurationPath(configuration)}/project/${project}`;
    expect((await world.call("GET", path(id, web))).body).toEqual({ allowed: true });
    for (const gone of ["prj_none", await deletedProject()]) {
      expect(await world.call("GET", path(id, gone))).toMatchObject({
        status: 200,
        body: { allowed: false },
      });
      expect((await world.call("POST", path(id, gone), { body: { allowed: true } })).status).toBe(404);
    }
    expect((await world.call("GET", path("icfg_none", web))).status).toBe(404);
    const widened = await world.call("POST", path(id, web), { token, body: { allowed: true } });
    expect(widened.status).toBe(403);
    expect((await world.call("POST", path(id, web), { body: {} })).status).toBe(400);
  });
});

describe("an installation for selected projects, beside a project that it does not cover", () => {
  let token: string;
  const scopes = ["project", "deployment", "domain", "team", "user"];

  beforeEach(async () => {
    await addIntegration(world, ["project", "deployment", "domain", "team", "user"]);
    await createProject("web");
    await createProject("secret");
    for (const project of ["web", "secret"])
      await world.control.deploy({ id: `dpl_${project}`, team: "acme", project, target: "production" });
    await world.seed({ domains: [{ team: "acme", project: "secret", name: "secret.com", verified: true }] });
    ({ token } = await installWithToken(world, { projects: ["web"], scopes }));
  });

  test("takes no alias of the project", async () => {
    const path = (deployment: string): string => `/v2/deployments/${deployment}/aliases`;
    const body = { alias: "docs.vercel.app" };
    await world.call("POST", path("dpl_secret"), { body });
    const taken = await world.call("POST", path("dpl_web"), { token, body });
    expect([taken.status, taken.body.error.code]).toEqual([403, "forbidden"]);
    const { body: alias } = await world.call("GET", "/v4/aliases/docs.vercel.app");
    expect(alias.deploymentId).toBe("dpl_secret");
  });

  test("has no names verified by an apex of the project", async () => {
    const added = await world.call("POST", "/v10/projects/web/domains", {
      token,
      body: { name: "login.secret.com" },
    });
    expect(added.body).toMatchObject({ verified: false, verification: [expect.anything()] });
    const alias = await world.call("POST", "/v2/deployments/dpl_web/aliases", {
      token,
      body: { alias: "sso.secret.com" },
    });
    expect([alias.status, alias.body.error.code]).toEqual([403, "forbidden"]);
  });

  test("has names verified by an apex of its own project", async () => {
    await world.seed({ domains: [{ team: "acme", project: "web", name: "web.com", verified: true }] });
    const { body } = await world.call("POST", "/v10/projects/web/domains", {
      token,
      body: { name: "login.web.com" },
    });
    expect(body.verified).toBe(true);
  });

  test("takes no earlier deployments by creating or renaming a project", async () => {
    await world.control.deploy({ id: "dpl_early", team: "acme", project: "early" });
    const created = await world.call("POST", "/v10/projects", { token, body: { name: "early" } });
    const renamed = await world.call("PATCH", "/v9/projects/web", { token, body: { name: "early" } });
    expect([created.status, renamed.status]).toEqual([403, 403]);
    expect((await world.call("GET", "/v13/deployments/dpl_early", { token })).status).toBe(404);
  });

  test("invites, changes and removes no members, and does not change the team", async () => {
    const { id: uid } = (await world.call("GET", "/v2/user", { team: null })).body.user;
    const requests: [string, string, object?][] = [
      ["POST", "/v2/teams/acme/members", { email: "mallory@example.com", role: "OWNER" }],
      ["PATCH", `/v1/teams/acme/members/${uid}`, { role: "VIEWER" }],
      ["DELETE", `/v1/teams/acme/members/${uid}`],
      ["PATCH", "/v2/teams/acme", { sensitiveEnvironmentVariablePolicy: "off" }],
    ];
    for (const [method, path, body] of requests) {
      const { status, body: answer } = await world.call(method, path, { token, ...(body ? { body } : {}) });
      expect([method, path, status, answer.error?.code]).toEqual([method, path, 403, "forbidden"]);
    }
  });
});
