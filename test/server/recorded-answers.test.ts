import { useTestServer } from "../support/world";

/**
 * Members of answers that recorded answers of the hosted API have, with their types. The values in the tables are
 * matchers, because the values of an answer depend on its account.
 */

const world = useTestServer();

const [text, time, yesOrNo] = [expect.any(String), expect.any(Number), expect.any(Boolean)];
const get = async (path: string) => (await world.call("GET", path)).body;

describe("a deployment", () => {
  const listed = {
    uid: text,
    name: text,
    projectId: text,
    url: text,
    created: time,
    source: "git",
    state: text,
    readyState: text,
    type: "LAMBDAS",
    creator: { uid: text, email: text, username: text },
    inspectorUrl: expect.stringMatching(/^https?:\/\//),
    meta: { githubCommitRef: "main" },
    isRollbackCandidate: yesOrNo,
    createdAt: time,
    buildingAt: time,
    ready: time,
    projectSettings: { commandForIgnoringBuildStep: null },
  };
  const source = { gitSource: { type: "github", ref: "main", repoId: 1 } };
  const deploy = async (body: object = {}) =>
    (await world.call("POST", "/v13/deployments", { body: { project: "web", ...source, ...body } })).body;
  const inList = async (id: string) =>
    (await get("/v6/deployments")).deployments.find(({ uid }: { uid: string }) => uid === id);

  beforeEach(() => world.call("POST", "/v10/projects", { body: { name: "web" } }));

  it("has the time when its names were assigned, in the answers with a project and in lists", async () => {
    const { id } = await deploy({ target: "production" });
    await world.advance(1000);
    const { targets, latestDeployments } = await get("/v9/projects/web");
    const [project] = (await get("/v9/projects")).projects;
    const answers = [targets.production, latestDeployments[0], project.targets.production, await inList(id)];
    for (const answer of answers) {
      expect(answer).toMatchObject({ aliasAssigned: time, readySubstate: "PROMOTED" });
    }
  });

  it("has this time in a member of its own in the answer with a single deployment", async () => {
    const deployment = await deploy({ target: "production" });
    expect(deployment).toMatchObject({ aliasAssigned: false, aliasAssignedAt: null });
    await world.advance(1000);
    expect(await get(`/v13/deployments/${deployment.id}`)).toMatchObject({
      aliasAssigned: true,
      aliasAssignedAt: time,
      readySubstate: "PROMOTED",
    });
  });

  it("keeps this time when another deployment serves production", async () => {
    const { id } = await deploy({ target: "production" });
    await world.advance(1000);
    const { aliasAssigned } = await inList(id);
    await deploy({ target: "production" });
    await world.advance(1000);
    expect(await inList(id)).toMatchObject({ aliasAssigned, isRollbackCandidate: true });
  });

  it("has no such time while it is built", async () => {
    const deployment = await deploy({ target: "production" });
    expect(deployment).toMatchObject({ aliasAssigned: false, readyState: "BUILDING" });
    expect(deployment).not.toHaveProperty("readySubstate");
  });

  it("has a page on the dashboard of the server that the client knows", async () => {
    const { id } = await deploy();
    const { id: account } = await get("/v2/teams/acme");
    const { body } = await world.call("GET", `/v13/deployments/${id}`, {
      headers: { host: "localhost:4000" },
    });
    expect(body.inspectorUrl).toBe(`http://localhost:4000/#/deployments/${id}?account=${account}`);
  });

  it("has the members of recorded lists", async () => {
    const { id } = await deploy({ target: "production" });
    await world.advance(1000);
    expect(await inList(id)).toMatchObject({ ...listed, target: "production", isRollbackCandidate: false });
  });

  it("has the members of recorded lists after it failed", async () => {
    await world.control.planBuilds({ error: { code: "limit", message: "Too many functions" } });
    const { id } = await deploy({ target: "production" });
    await world.advance(1000);
    const problem = { errorCode: "limit", errorMessage: "Too many functions" };
    expect(await inList(id)).toMatchObject({ ...listed, ...problem, aliasAssigned: null });
  });

  it("has the members of recorded lists after it was canceled", async () => {
    const { id } = await deploy();
    await world.call("PATCH", `/v12/deployments/${id}/cancel`);
    expect(await inList(id)).toMatchObject({ ...listed, target: null, aliasAssigned: null });
  });

  it("says in lists why it is blocked", async () => {
    const block = { code: "COMMIT_AUTHOR_REQUIRED", reason: "No seat", link: "https://example.com/seats" };
    await world.control.planBuilds({ block });
    const { id } = await deploy();
    expect(await inList(id)).toMatchObject({
      readyState: "BLOCKED",
      readyStateReason: "No seat",
      errorLink: block.link,
    });
  });

  it("says in lists whether its files came from a client", async () => {
    const files = [{ file: "a", data: "b" }];
    const { id } = await deploy({ gitSource: undefined, gitMetadata: { commitRef: "main" }, files });
    expect((await inList(id)).source).toBe("cli");
  });

  it("has the members of recorded answers to its creation", async () => {
    await world.call("PATCH", "/v9/projects/web", { body: { framework: "nextjs", buildCommand: "make" } });
    expect(await deploy()).toMatchObject({
      project: { id: text, name: "web", framework: "nextjs" },
      inspectorUrl: expect.stringMatching(/^https?:\/\//),
      projectSettings: {
        framework: "nextjs",
        buildCommand: "make",
        devCommand: null,
        installCommand: null,
        outputDirectory: null,
        commandForIgnoringBuildStep: null,
      },
    });
  });
});

describe("a variable", () => {
  it.each(["encrypted", "sensitive"])("has the members of recorded lists: %s", async (type) => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const body = { key: "A", value: "v", type, target: ["production", "preview"] };
    await world.call("POST", "/v10/projects/web/env", { body });
    const listed = {
      type,
      value: type === "sensitive" ? "" : text,
      target: ["production", "preview"],
      configurationId: null,
      id: text,
      key: "A",
      createdAt: time,
      updatedAt: time,
      createdBy: text,
      updatedBy: null,
      decrypted: false,
      lastEditedByDisplayName: "dev",
    };
    expect((await get("/v9/projects/web/env")).envs).toMatchObject([listed]);
  });

  it("names the user who changed it last", async () => {
    const token = await world.member("MEMBER");
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const body = { key: "A", value: "v", type: "plain", target: ["preview"] };
    const { id } = (await world.call("POST", "/v10/projects/web/env", { body })).body.created;
    await world.call("PATCH", `/v9/projects/web/env/${id}`, { body: { value: "w" }, token });
    expect((await get("/v9/projects/web/env")).envs[0].lastEditedByDisplayName).toBe("member-of-acme");
  });
});

describe("the configuration of a domain", () => {
  it("has the members of recorded answers", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const recorded = {
      nameservers: [],
      serviceType: "external",
      cnames: [],
      conflicts: [],
      recommendedIPv4: [{ rank: 1, value: [text] }],
      recommendedCNAME: [{ rank: 1, value: text }],
    };
    const configured = { configuredBy: "CNAME", misconfigured: false, ipStatus: "no-change" };
    expect(await get("/v6/domains/web.vercel.app/config")).toMatchObject({
      ...{ ...recorded, ...configured, cnames: [text] },
      acceptedChallenges: expect.arrayContaining(["http-01"]),
    });
    const missing = { configuredBy: null, misconfigured: true, ipStatus: "required-change", aValues: [] };
    expect(await get("/v6/domains/example.com/config")).toMatchObject({ ...recorded, ...missing });
  });
});

describe("the headers of an answer", () => {
  it("have an id that the log of requests has too", async () => {
    const { headers } = await world.call("GET", "/v2/user");
    expect(headers["x-vercel-id"]).toBe(headers["x-request-id"]);
  });

  it("have the limit of the kind of request, also when requests are not counted", async () => {
    const { headers } = await world.call("GET", "/v5/domains");
    expect(headers).toMatchObject({
      "x-ratelimit-limit": "500",
      "x-ratelimit-remaining": "500",
      "x-ratelimit-reset": String((world.clock.now() + 60_000) / 1000),
    });
  });
});
