import { addIntegration, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const deploy = (body: object, options: object = {}) =>
  world.call("POST", "/v13/deployments", { body, ...options });
const read = async (id: string) => (await world.call("GET", `/v13/deployments/${id}`)).body;
const project = async () => (await world.call("GET", "/v9/projects/web")).body;
const told = async () =>
  (await world.control.events())
    .map((event) => event as { type: string; payload: Record<string, unknown>; projectId?: string })
    .filter(({ type }) => type.startsWith("deployment."))
    .reverse();

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("a deployment without files", () => {
  it("accepts the members of vercel.json, which only affect real builds", async () => {
    const settings = {
      $schema: "https://openapi.vercel.sh/vercel.json",
      framework: null,
      cleanUrls: true,
      rewrites: [{ source: "/(.*)", destination: "/index.html" }],
      crons: [],
      git: { deploymentEnabled: false },
      bunVersion: "1.x",
    };
    expect((await deploy({ name: "web", ...settings })).status).toBe(200);
    expect((await deploy({ name: "web", rewritez: [] })).status).toBe(400);
  });

  it("is read by its URL in the query, as deploy actions do", async () => {
    const { body } = await deploy({ name: "web" });
    const find = (url: string) => world.call("GET", "/v11/now/deployments/get", { query: { url } });
    expect((await find(body.url)).body.id).toBe(body.id);
    expect((await find(`https://${body.url}/`)).body.id).toBe(body.id);
    expect((await find(`none-${body.url}`)).status).toBe(404);
  });

  it("is read without a team by its id and URL, with the token of a member that is bound to no team", async () => {
    const { body } = await deploy({ name: "web" });
    for (const path of [`/v13/deployments/${body.id}`, `/v11/now/deployments/get?url=${body.url}`]) {
      const found = await world.call("GET", path, { team: null });
      expect(found).toMatchObject({ status: 200, body: { id: body.id, team: { slug: "acme" } } });
    }
  });

  it("is not read without a team by a member whose role may not read deployments", async () => {
    const { body } = await deploy({ name: "web" });
    const token = await world.member("CONTRIBUTOR");
    const answer = await world.call("GET", `/v13/deployments/${body.id}`, { token, team: null });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
  });

  it("is not found without a team by users who have not joined the team, and by tokens of other teams", async () => {
    await world.seed({
      users: [
        { username: "eve", email: "eve@example.com" },
        { username: "guest", email: "guest@example.com" },
      ],
      teams: [
        { slug: "beta", members: [{ user: "eve", role: "OWNER" }] },
        {
          slug: "gamma",
          members: [
            { user: "eve", role: "OWNER" },
            { user: "guest", role: "MEMBER", confirmed: false },
          ],
        },
      ],
      tokens: [
        { token: "of-eve", user: "eve" },
        { token: "of-guest", user: "guest" },
        { token: "bound-to-beta", user: "eve", team: "beta" },
      ],
      projects: [{ team: "gamma", name: "secret" }],
    });
    const { body } = await world.call("POST", "/v13/deployments", {
      token: "of-eve",
      team: "gamma",
      body: { name: "secret" },
    });
    const statusFor = async (token: string | undefined, key: string) =>
      (
        await world.call("GET", `/v13/deployments/${key}`, {
          ...(token === undefined ? {} : { token }),
          team: null,
        })
      ).status;
    for (const key of [body.id, body.url]) {
      expect(await statusFor("of-eve", key)).toBe(200);
      for (const token of ["of-guest", "bound-to-beta", undefined])
        expect({ token, status: await statusFor(token, key) }).toEqual({ token, status: 404 });
    }
  });

  it("is read by the names that point to it", async () => {
    await world.seed({ domains: [{ team: "acme", project: "web", name: "example.com", verified: true }] });
    const { body: preview } = await deploy({ name: "web" });
    const { body: live } = await deploy({ name: "web", target: "production" });
    await world.advance(1000);
    const alias = "docs.vercel.app";
    await world.call("POST", `/v2/deployments/${preview.id}/aliases`, { body: { alias } });
    expect((await read(alias)).id).toBe(preview.id);
    for (const name of ["web.vercel.app", "example.com"]) expect((await read(name)).id).toBe(live.id);
    expect((await read("none.example.com")).error.code).toBe("not_found");
  });

  it.each(["slug", "id"])("goes to the custom environment whose %s is its target", async (member) => {
    const { body: qa } = await world.call("POST", "/v9/projects/web/custom-environments", {
      body: { slug: "qa" },
    });
    const { status, body } = await deploy({ name: "web", target: qa[member] });
    expect(status).toBe(200);
    expect(body.customEnvironment).toEqual({ id: qa.id, slug: "qa" });
    expect((await deploy({ name: "web", target: "none" })).status).toBe(400);
  });

  it("is built for a moment, and then ready: it serves production", async () => {
    const { status, body } = await deploy({ name: "web", target: "production" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "web", target: "production", readyState: "BUILDING", alias: [] });
    expect(body.projectId).toBe((await project()).id);
    await world.advance(999);
    expect((await read(body.id)).readyState).toBe("BUILDING");
    expect((await project()).targets).toEqual({});
    await world.advance(1);
    expect(await read(body.id)).toMatchObject({ readyState: "READY", alias: ["web.vercel.app"] });
    expect((await project()).targets.production.id).toBe(body.id);
    expect((await project()).live).toBe(true);
  });

  it("is a preview unless it says otherwise, and carries its ref, commit and meta", async () => {
    const gitSource = { type: "github", org: "acme", repo: "web", ref: "next", sha: "a1b2c3d" };
    const { body } = await deploy({ name: "web", gitSource, meta: { note: "one" } });
    expect(body).toMatchObject({ target: null });
    expect(body.meta).toEqual({ note: "one", githubCommitRef: "next", githubCommitSha: "a1b2c3d" });
    const found = await world.call("GET", "/v6/deployments", { query: { branch: "next" } });
    expect(found.body.deployments).toMatchObject([{ uid: body.id }]);
  });

  it("is created under the path of older clients, and names the variables of its build", async () => {
    const { status, body } = await world.call("POST", "/v12/now/deployments", {
      query: { skipAutoDetectionConfirmation: "1" },
      body: {
        name: "web",
        project: "web",
        projectSettings: { framework: null, buildCommand: null },
        env: { RUN: "a" },
        build: { env: { BUILD: "b" } },
        regions: ["fra1"],
        routes: [],
        functions: {},
      },
    });
    expect({ status, env: body.env, build: body.build }).toEqual({
      status: 200,
      env: ["RUN"],
      build: { env: ["BUILD"] },
    });
  });

  it("names the variables that its request set whenever it is read", async () => {
    const { body } = await deploy({ name: "web", env: { RUN: "a" }, build: { env: { BUILD: "b" } } });
    const named = { env: ["RUN"], build: { env: ["BUILD"] } };
    expect(await read(body.id)).toMatchObject(named);
    const canceled = await world.call("PATCH", `/v12/deployments/${body.id}/cancel`);
    expect(canceled.body).toMatchObject(named);
  });

  it("has no source in git if a client has uploaded its files, whatever branch the client names", async () => {
    await world.call("POST", "/v9/projects/web/link", { body: { type: "github", repo: "acme/web" } });
    const gitMetadata = { commitRef: "main", commitSha: "e4f5a6b" };
    const files = [{ file: "index.html", data: "<h1>hi</h1>" }];
    const uploaded = await deploy({ project: "web", gitMetadata, files });
    expect(uploaded.body).not.toHaveProperty("gitSource");
    expect(await read(uploaded.body.id)).not.toHaveProperty("gitSource");
    const built = await deploy({ project: "web", gitSource: { type: "github", ref: "main" } });
    expect(built.body.gitSource).toMatchObject({ type: "github", ref: "main" });
  });

  it("is named after its project, whatever name is sent beside it", async () => {
    const { id } = await project();
    const { status, body } = await deploy({ name: "prj_UPPER", project: id });
    expect({ status, name: body.name }).toEqual({ status: 200, name: "web" });
    expect((await deploy({ name: "prj_UPPER" })).status).toBe(400);
  });

  it("has its aliases assigned once it is ready, a preview too", async () => {
    const { body } = await deploy({ name: "web" });
    expect(body.aliasAssigned).toBe(false);
    await world.advance(1000);
    expect(await read(body.id)).toMatchObject({
      aliasAssigned: true,
      aliasAssignedAt: body.createdAt + 1000,
    });
  });

  it("takes ref and commit from the metadata of a client's working copy", async () => {
    const gitMetadata = { commitRef: "main", commitSha: "e4f5a6b", dirty: true };
    const { body } = await deploy({ project: "web", name: "web", gitMetadata });
    expect(body.meta).toEqual({ githubCommitRef: "main", githubCommitSha: "e4f5a6b" });
  });

  it("takes message and author from this metadata too, unless its meta has them", async () => {
    const gitMetadata = { commitRef: "main", commitMessage: "x".repeat(1000), commitAuthorName: "Ada" };
    const meta = { githubCommitAuthorName: "ada" };
    const { body } = await deploy({ project: "web", name: "web", gitMetadata, meta });
    expect(body.meta).toEqual({
      githubCommitRef: "main",
      githubCommitMessage: "x".repeat(1000),
      githubCommitAuthorName: "ada",
    });
  });

  it("is made of another one, for another target", async () => {
    const first = await deploy({ name: "web", gitSource: { type: "github", ref: "next" }, meta: { a: "1" } });
    const { body } = await deploy({
      name: "web",
      deploymentId: first.body.id,
      target: "production",
      meta: { action: "promote" },
    });
    expect(body.id).not.toBe(first.body.id);
    expect(body).toMatchObject({
      target: "production",
      meta: { a: "1", action: "promote", githubCommitRef: "next" },
    });
  });

  it("has the ref and commit of the one that it is made of, and is a preview without a target", async () => {
    const gitSource = { type: "github", ref: "main", sha: "a1b2c3d" };
    const { body: first } = await deploy({ name: "web", target: "production", gitSource });
    const again = { name: "web", deploymentId: first.id };
    const { body } = await deploy(again);
    expect(body.target).toBeNull();
    expect(body.meta).toEqual({ githubCommitRef: "main", githubCommitSha: "a1b2c3d" });
    expect((await deploy({ ...again, target: null })).body).toMatchObject({ target: null });
  });

  it("is not made of an unknown one, nor in a project that is not there", async () => {
    expect((await deploy({ project: "later", projectSettings: {} })).status).toBe(404);
    expect((await deploy({ name: "web", deploymentId: "dpl_none" })).status).toBe(404);
  });

  it("tells receivers that it was made and what it came to, and of whom it is", async () => {
    const { body } = await deploy({ name: "web", target: "production" });
    expect((await told()).map(({ type }) => type)).toEqual(["deployment.created"]);
    await world.advance(1000);
    const events = await told();
    expect(events.map(({ type }) => type)).toEqual(["deployment.created", "deployment.succeeded"]);
    const { id } = await project();
    for (const { payload } of events) {
      expect(payload).toMatchObject({
        deployment: { id: body.id, name: "web", url: body.url },
        project: { id },
        target: "production",
        user: { id: body.userId },
      });
    }
  });

  it("tells receivers of a preview its pages, and no target", async () => {
    const { body } = await deploy({ name: "web" });
    const [event] = await told();
    expect(event).toMatchObject({
      payload: {
        target: null,
        links: { deployment: `https://${body.url}`, project: "https://web.vercel.app" },
        plan: "enterprise",
        regions: ["iad1"],
      },
    });
  });

  it("can be promoted once it is ready", async () => {
    const { body } = await deploy({ name: "web" });
    const promote = `/v10/projects/web/promote/${body.id}`;
    expect((await world.call("POST", promote)).status).toBe(409);
    await world.advance(1000);
    expect((await world.call("POST", promote)).status).toBe(201);
    expect((await project()).targets.production.id).toBe(body.id);
  });
});

describe("the first deployment of a name", () => {
  const projectSettings = { framework: "astro", buildCommand: "make", rootDirectory: "site" };
  const names = async () =>
    (await world.call("GET", "/v9/projects")).body.projects.map(({ name }: { name: string }) => name);

  it("creates its project with the settings of the request, and serves production there", async () => {
    const first = {
      name: "later",
      target: "production",
      projectSettings: { ...projectSettings, nodeVersion: "20.x", sourceFilesOutsideRootDirectory: false },
    };
    const { status, body } = await deploy(first);
    expect({ status, settings: body.projectSettings }).toMatchObject({
      status: 200,
      settings: { framework: "astro", buildCommand: "make" },
    });
    await world.advance(1000);
    const { body: created } = await world.call("GET", "/v9/projects/later");
    expect(created).toMatchObject(first.projectSettings);
    expect(created.id).toBe(body.projectId);
    expect(created.targets.production.id).toBe(body.id);
    const list = await world.call("GET", "/v6/deployments", { query: { projectId: created.id } });
    expect(list.body.deployments).toHaveLength(1);
  });

  it("emits project.created before deployment.created", async () => {
    const { body } = await deploy({ name: "later", projectSettings });
    const payload = { project: { id: body.projectId } };
    expect((await world.control.events()).slice(0, 2).reverse()).toMatchObject([
      { type: "project.created", payload },
      { type: "deployment.created", payload },
    ]);
  });

  it("has the defaults of a project created by POST /projects", async () => {
    await deploy({ name: "later", projectSettings: {} });
    await world.call("POST", "/v10/projects", { body: { name: "other" } });
    const settings = async (name: string) => {
      const { id, createdAt, updatedAt, latestDeployments, alias, ...rest } = (
        await world.call("GET", `/v9/projects/${name}`)
      ).body;
      return { ...rest, name };
    };
    expect(await settings("later")).toEqual({ ...(await settings("other")), name: "later" });
  });

  it("returns missing_project_settings without settings, unless the client skips the detection", async () => {
    const { status, body } = await deploy({ name: "later" });
    expect([status, body.error.code]).toEqual([400, "missing_project_settings"]);
    expect(await names()).toEqual(["web"]);
    const query = { skipAutoDetectionConfirmation: "1" };
    expect((await deploy({ name: "later" }, { query })).status).toBe(200);
    expect(await names()).toEqual(["later", "web"]);
  });

  it("needs no settings when it is made of another deployment", async () => {
    const { body: source } = await deploy({ name: "web" });
    expect((await deploy({ name: "later", deploymentId: source.id })).status).toBe(200);
  });

  it("takes deployments that builds made before it into its project", async () => {
    const [before] = await world.control.deploy({ team: "acme", project: "later", target: "production" });
    await deploy({ name: "later", projectSettings });
    const { body } = await world.call("GET", "/v9/projects/later");
    expect(body.targets.production.id).toBe(before);
  });

  it.each([
    ["an unknown framework", { framework: "moon" }, "bad_request"],
    ["an unknown setting", { colour: "red" }, "bad_request"],
    ["a root directory above the root", { rootDirectory: "../site" }, "invalid_root_directory"],
  ])("returns 400 for %s, also for an existing project", async (_, settings, code) => {
    for (const name of ["later", "web"]) {
      const { status, body } = await deploy({ name, projectSettings: settings });
      expect([status, body.error.code]).toEqual([400, code]);
    }
    expect(await names()).toEqual(["web"]);
  });

  it("creates no project when its files are missing", async () => {
    const files = [{ file: "a", sha: "0".repeat(40) }];
    expect((await deploy({ name: "later", projectSettings, files })).body.error.code).toBe("missing_files");
    expect(await names()).toEqual(["web"]);
  });

  it("is one project, when two are sent at once", async () => {
    const answers = await Promise.all([1, 2].map(() => deploy({ name: "later", projectSettings })));
    expect(new Set(answers.map(({ body }) => body.projectId)).size).toBe(1);
  });

  it("returns 403 to an installation that may deploy and may not create projects", async () => {
    await addIntegration(world, ["deployment"]);
    const { token } = await installWithToken(world);
    const { status, body } = await deploy({ name: "later", projectSettings }, { token });
    expect([status, body.error.message]).toEqual([403, expect.stringContaining("read-write:project")]);
    expect(await names()).toEqual(["web"]);
  });
});

describe("a deployment is refused", () => {
  it.each([
    ["a target that is none", { name: "web", target: "moon" }],
    ["neither name nor project", { target: "production" }],
    ["an unknown member", { name: "web", colour: "red" }],
    ["a name in upper case, which no project can have", { name: "Web" }],
    ["a name with three dashes, which no project can have", { name: "a---b" }],
  ])("with 400 for %s", async (_, body) => {
    expect((await deploy(body)).status).toBe(400);
  });

  it("with what a name may have, like a project", async () => {
    for (const name of ["Web", "a---b"]) {
      const asProject = await world.call("POST", "/v10/projects", { body: { name } });
      expect((await deploy({ name })).body).toEqual(asProject.body);
    }
  });

  it("with 409 while its project is transferred", async () => {
    await world.team("other");
    await world.control.startTransfer((await project()).id, { toTeam: "other" });
    const { status, body } = await deploy({ name: "web" });
    expect([status, body.error.code]).toEqual([409, "conflict"]);
    expect((await world.call("GET", "/v6/deployments")).body.deployments).toEqual([]);
  });

  it("to an account that is blocked, to who may only read, and to an installation beside its projects", async () => {
    const token = await world.member("VIEWER");
    expect((await deploy({ name: "web" }, { token })).status).toBe(403);
    await addIntegration(world, ["deployment"]);
    const installed = await installWithToken(world);
    const { id } = await project();
    await world.call("POST", `/v1/integrations/configuration/${installed.id}/project/${id}`, {
      body: { allowed: false },
    });
    for (const [name, status] of [
      ["web", 403],
      ["later", 404],
    ])
      expect((await deploy({ name }, { token: installed.token })).status).toBe(status);
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await deploy({ name: "web" })).status).toBe(402);
  });
});

describe("the control plane's deployments", () => {
  it("tell receivers the same, and a change of state once", async () => {
    const web = { team: "acme", project: "web" };
    const [id = ""] = await world.control.deploy({ ...web, readyState: "BUILDING" });
    await world.control.deploy({ ...web, id, readyState: "BUILDING" });
    await world.control.deploy({ ...web, id, readyState: "ERROR" });
    await world.control.deploy({ ...web, id, readyState: "ERROR" });
    await world.control.deploy({ ...web, readyState: "CANCELED" }, { ...web, readyState: "READY" });
    expect((await told()).map(({ type }) => type)).toEqual([
      "deployment.created",
      "deployment.error",
      "deployment.created",
      "deployment.canceled",
      "deployment.created",
      "deployment.succeeded",
    ]);
  });

  it("tell nothing when they come with a seed", async () => {
    await world.seed({ deployments: [{ team: "acme", project: "web" }] });
    expect(await told()).toEqual([]);
  });

  it("end a build that would have been ready by itself", async () => {
    const { body } = await deploy({ name: "web", target: "production" });
    await world.control.deploy({ team: "acme", project: "web", id: body.id, readyState: "ERROR" });
    await world.advance(5000);
    expect((await read(body.id)).readyState).toBe("ERROR");
  });
});
