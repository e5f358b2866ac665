import { hash } from "node:crypto";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const web = { team: "acme", project: "web" };

interface Page {
  pagination: { next: number | null };
}

/** Every item of a list, page by page. */
async function walk<P extends Page, T>(
  path: string,
  items: (page: P) => T[],
  options: object = {},
): Promise<T[]> {
  const found: T[] = [];
  let next: number | null | undefined;
  for (let pages = 0; pages < 20 && next !== null; pages++) {
    const query = { limit: 2, ...(next === undefined ? {} : { until: next }) };
    const { body } = await world.call("GET", path, { query, ...options });
    found.push(...items(body));
    ({ next } = body.pagination);
  }
  return found;
}
const ids = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await world.call("GET", "/v6/deployments", { query })).body.deployments.map(
    ({ uid }: { uid: string }) => uid,
  );
const listed = (options: object = {}) =>
  walk(
    "/v6/deployments",
    (page: Page & { deployments: { uid: string }[] }) => page.deployments.map(({ uid }) => uid),
    options,
  );

describe("the list of deployments", () => {
  it("is walked page by page, each once, those of one time too, the later ones first", async () => {
    await world.control.deploy(
      ...["a", "b", "c", "d", "e"].map((name) => ({ ...web, id: `dpl_${name}`, createdAt: 0 })),
    );
    await world.control.deploy({ ...web, id: "dpl_f" });
    expect(await listed()).toEqual(["dpl_f", "dpl_e", "dpl_d", "dpl_c", "dpl_b", "dpl_a"]);
  });

  it("is still, once those of another account with their times have joined it", async () => {
    const token = await world.team("other");
    for (const [at, team] of ["acme", "other"].entries()) {
      const names = ["a", "b", "c"].map((name) => ({ id: `dpl_${name}${at}`, createdAt: 0 }));
      await world.control.deploy(...names.map((each) => ({ ...each, team, project: `web-${at}` })));
    }
    const { body } = await world.call("POST", "/v10/projects", { body: { name: "web-0" } });
    await world.control.startTransfer(body.id, { toTeam: "other" });
    await world.control.completeTransfer(body.id);
    expect([...(await listed({ token, team: "other" }))].sort()).toEqual([
      "dpl_a0",
      "dpl_a1",
      "dpl_b0",
      "dpl_b1",
      "dpl_c0",
      "dpl_c1",
    ]);
  });

  it("is filtered by project, target, state, branch and commit", async () => {
    const { id } = (await world.call("POST", "/v10/projects", { body: { name: "web" } })).body;
    await world.control.deploy(
      { ...web, id: "dpl_1", target: "production", gitBranch: "main", gitSha: "aaa" },
      { ...web, id: "dpl_2", readyState: "ERROR", gitBranch: "next", gitSha: "bbb" },
      { ...web, id: "dpl_3", readyState: "BUILDING", gitBranch: "next", gitSha: "ccc" },
      { team: "acme", project: "api", id: "dpl_4" },
    );
    expect(await ids({ projectId: id })).toEqual(["dpl_3", "dpl_2", "dpl_1"]);
    expect(await ids({ app: "api" })).toEqual(["dpl_4"]);
    expect(await ids({ target: "production" })).toEqual(["dpl_1"]);
    expect(await ids({ state: "error, building" })).toEqual(["dpl_3", "dpl_2"]);
    expect(await ids({ branch: "next", state: "ERROR" })).toEqual(["dpl_2"]);
    expect(await ids({ sha: "aaa" })).toEqual(["dpl_1"]);
    expect(await ids({ projectId: "prj_none" })).toEqual([]);
  });
});

test("a team's project shows who made its deployments, with the address that they have now", async () => {
  await world.call("POST", "/v10/projects", { body: { name: "web" } });
  await world.user("ada", { email: "ada@old.example" });
  await world.control.deploy({ ...web, creator: "ada" });
  const creators = async (): Promise<string[]> =>
    (await world.call("GET", "/v9/projects/web")).body.latestDeployments.map(
      ({ creator }: { creator: { email: string } }) => creator.email,
    );
  expect(await creators()).toEqual(["ada@old.example"]);
  await world.user("ada", { email: "ada@new.example" });
  expect(await creators()).toEqual(["ada@new.example"]);
});

describe("one deployment", () => {
  it("names the team whose it is, and a person's own names none", async () => {
    const [id] = await world.control.deploy(web);
    const { body } = await world.call("GET", `/v13/deployments/${id}`);
    const team = (await world.call("GET", "/v2/teams/acme")).body;
    expect(body.team).toEqual({ id: team.id, name: "Acme", slug: "acme" });
    expect(body.ownerId).toBe(team.id);
    const [own] = await world.control.deploy({ user: "dev", project: "web" });
    const mine = await world.call("GET", `/v13/deployments/${own}`, { team: null });
    expect(mine.status).toBe(200);
    expect(mine.body).not.toHaveProperty("team");
  });

  it("shows the files it was created with as a tree, and those of its source", async () => {
    const text = (file: string, data: string, mode?: number) => ({ file, data, ...(mode && { mode }) });
    const { body: made } = await world.call("POST", "/v13/deployments", {
      body: {
        name: "tree",
        projectSettings: {},
        files: [
          text("src/pages/index.ts", "index"),
          text("README.md", "hello"),
          text("src/link", "pages", 0o120777),
          text("src/pages/about.ts", "about", 0o100755),
        ],
      },
    });
    const sha1 = (data: string): string => hash("sha1", data);
    const tree = [
      {
        ...{ name: "src", type: "directory", mode: 0o040755 },
        children: [
          {
            ...{ name: "pages", type: "directory", mode: 0o040755 },
            children: [
              { name: "about.ts", type: "file", mode: 0o100755, uid: sha1("about") },
              { name: "index.ts", type: "file", mode: 0o100644, uid: sha1("index") },
            ],
          },
          { name: "link", type: "symlink", mode: 0o120777, uid: sha1("pages") },
        ],
      },
      { name: "README.md", type: "file", mode: 0o100644, uid: sha1("hello") },
    ];
    expect((await world.call("GET", `/v6/deployments/${made.id}/files`)).body).toEqual(tree);
    const { body: again } = await world.call("POST", "/v13/deployments", {
      body: { name: "tree", deploymentId: made.id },
    });
    await world.call("DELETE", `/v13/deployments/${made.id}`);
    expect((await world.call("GET", `/v6/deployments/${again.id}/files`)).body).toEqual(tree);
    expect((await world.call("GET", `/v6/deployments/${made.id}/files`)).status).toBe(404);
    const [id] = await world.control.deploy(web);
    expect((await world.call("GET", `/v6/deployments/${id}/files`)).body).toEqual([]);
  });

  it("has no builds", async () => {
    const [id] = await world.control.deploy(web);
    expect((await world.call("GET", `/v11/deployments/${id}/builds`)).body).toEqual({ builds: [] });
    expect((await world.call("GET", "/v11/deployments/dpl_none/builds")).status).toBe(404);
  });
});

describe("the filters of the list of deployments", () => {
  it("finds members of meta by their whole key and value", async () => {
    await world.control.deploy(
      { ...web, id: "dpl_a", meta: { team: "docs", note: `x","stage":"one` } },
      { ...web, id: "dpl_b", meta: { stage: "one", "odd_%key": `a"b\\` } },
    );
    expect(await ids({ "meta-team": "docs" })).toEqual(["dpl_a"]);
    expect(await ids({ "meta-team": "doc" })).toEqual([]);
    expect(await ids({ "meta-eam": "docs" })).toEqual([]);
    expect(await ids({ "meta-stage": "one" })).toEqual(["dpl_b"]);
    expect(await ids({ "meta-odd_%key": `a"b\\` })).toEqual(["dpl_b"]);
    expect(await ids({ "meta-stage": "one", "meta-team": "docs" })).toEqual([]);
  });

  it("finds the branch and the commit as members of meta, too", async () => {
    await world.control.deploy(
      { ...web, id: "dpl_a", gitBranch: "main", gitSha: "abc" },
      { ...web, id: "dpl_b", meta: { githubCommitRef: "main" } },
      { ...web, id: "dpl_c", gitBranch: "next", meta: { githubCommitRef: "main" } },
    );
    expect(await ids({ "meta-githubCommitRef": "main" })).toEqual(["dpl_b", "dpl_a"]);
    expect(await ids({ "meta-githubCommitSha": "abc" })).toEqual(["dpl_a"]);
  });

  it.each(["github", "gitlab", "bitbucket"])(
    "finds a branch and a commit that only meta has: %s",
    async (provider) => {
      const meta = { [`${provider}CommitRef`]: "feature/x", [`${provider}CommitSha`]: "abc" };
      await world.control.deploy(
        { ...web, id: "dpl_a", meta },
        { ...web, id: "dpl_b", gitBranch: "feature/y", meta },
      );
      expect(await ids({ branch: "feature/x" })).toEqual(["dpl_a"]);
      expect(await ids({ sha: "abc", branch: "feature/x" })).toEqual(["dpl_a"]);
      expect(await ids({ branch: "other" })).toEqual([]);
    },
  );

  it("finds as many members of meta as can be given", async () => {
    const keys = [...Array(20).keys()];
    const meta = Object.fromEntries(keys.map((key) => [`${key}`, "x"]));
    await world.control.deploy({ ...web, id: "dpl_a", meta });
    expect(await ids(Object.fromEntries(keys.map((key) => [`meta-${key}`, "x"])))).toEqual(["dpl_a"]);
  });

  it.each([
    ["projectId together with projectIds", { projectId: "prj_a", projectIds: "prj_b" }],
    ["a policy", { "policy-errored": "6m" }],
    ["too many members of meta", Object.fromEntries([...Array(21).keys()].map((at) => [`meta-${at}`, "x"]))],
  ])("refuses %s with 400", async (_what, query: Record<string, string>) => {
    const answer = await world.call("GET", "/v6/deployments", { query });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
  });

  it("counts the production deployment among those that are no candidates for a rollback", async () => {
    await world.seed({ projects: [{ team: "acme", name: "web" }] });
    await world.control.deploy(
      { ...web, id: "dpl_old", target: "production" },
      { ...web, id: "dpl_failed", target: "production", readyState: "ERROR" },
      { ...web, id: "dpl_now", target: "production" },
    );
    expect(await ids({ rollbackCandidate: "true" })).toEqual(["dpl_old"]);
    expect((await ids({ rollbackCandidate: "false" })).sort()).toEqual(["dpl_failed", "dpl_now"]);
  });
});

describe("teams and members", () => {
  it("are walked page by page, those that came at the same time too", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await world.seed({
      users: names.map((username) => ({ username })),
      teams: names.map((slug) => ({
        slug,
        members: names.map((user) => ({ user, role: "MEMBER" as const })),
      })),
      tokens: [{ token: "token-of-a", user: "a" }],
    });
    const options = { token: "token-of-a", team: null };
    const teams = await walk(
      "/v2/teams",
      (page: Page & { teams: { slug: string }[] }) => page.teams.map(({ slug }) => slug),
      options,
    );
    expect(teams).toEqual([...names].reverse());
    const members = await walk(
      "/v3/teams/a/members",
      (page: Page & { members: { username: string }[] }) => page.members.map(({ username }) => username),
      options,
    );
    expect(members).toEqual([...names].reverse());
  });
});
