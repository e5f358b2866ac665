import { useTestServer } from "../../support/world";

const world = useTestServer();

const project = "/v9/projects/web";
const github = { type: "github", repo: "acme/web" };
const link = (body: object = github) => world.call("POST", `${project}/link`, { body });
const unlink = () => world.call("DELETE", `${project}/link`);
const branch = (name: unknown) => world.call("PATCH", `${project}/branch`, { body: { branch: name } });
const read = async () => (await world.call("GET", project)).body;
const refusal = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

beforeEach(() => world.call("POST", "/v10/projects", { body: { name: "web" } }));

describe("linking a project to a repository", () => {
  it("is shown by the answer and by later reads, and found by its filters", async () => {
    const { status, body } = await link({ ...github, repoId: 1 });
    expect(status).toBe(200);
    expect(body.link).toEqual({
      type: "github",
      org: "acme",
      repo: "web",
      repoId: expect.any(Number),
      repoOwnerId: expect.any(Number),
      productionBranch: "main",
      sourceless: true,
      gitCredentialId: "",
      deployHooks: [],
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(await read()).toEqual(body);
    const found = await world.call("GET", "/v9/projects", { query: { repo: "acme/web" } });
    expect(found.body.projects).toHaveLength(1);
  });

  it("is refused where there is a link, and where the provider gives no webhook", async () => {
    await link();
    expect(refusal(await link({ type: "gitlab", repo: "acme/other" }))).toEqual([400, "bad_request"]);
    expect((await read()).link.type).toBe("github");
    await unlink();
    await world.seed({
      gitProviders: [
        { team: "acme", type: "github", webhooks: "forbidden" },
        { team: "acme", type: "gitlab", webhooks: "unavailable" },
      ],
    });
    for (const type of ["github", "gitlab"]) {
      const answer = await link({ type, repo: "acme/web" });
      expect(refusal(answer)).toEqual([400, "bad_request"]);
      expect(answer.body.error.message).toContain("webhook");
    }
    expect(await read()).not.toHaveProperty("link");
  });

  it("is 404 for a project that is not there, as unlinking and naming a branch are", async () => {
    for (const [method, path, body] of [
      ["POST", "link", github],
      ["DELETE", "link", undefined],
      ["PATCH", "branch", { branch: "main" }],
    ] as const)
      expect(refusal(await world.call(method, `/v9/projects/none/${path}`, { body }))).toEqual([
        404,
        "not_found",
      ]);
  });

  it("ends with unlinking, which changes nothing where there is no link", async () => {
    await link();
    const { status, body } = await unlink();
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("link");
    const found = await world.call("GET", "/v9/projects", { query: { repo: "acme/web" } });
    expect(found.body.projects).toEqual([]);
    expect(await unlink()).toMatchObject({ status: 200, body });
    expect((await link()).status).toBe(200);
  });
});

describe("the production branch", () => {
  it("stays with its time when it is sent as it is", async () => {
    const before = (await link()).body;
    await world.advance(1000);
    expect((await branch("main")).body).toEqual(before);
  });

  it("is changed, and then refused to domains and variables instead of the one before", async () => {
    await link();
    const { status, body } = await branch("trunk");
    expect([status, body.link.productionBranch]).toEqual([200, "trunk"]);
    const add = (gitBranch: string) =>
      world.call("POST", `${project}/domains`, { body: { name: `${gitBranch}.example.com`, gitBranch } });
    expect(refusal(await add("trunk"))).toEqual([400, "bad_request"]);
    expect((await add("main")).status).toBe(200);
  });

  it("is not one that a domain or a variable is for", async () => {
    await link();
    await world.call("POST", `${project}/domains`, { body: { name: "next.example.com", gitBranch: "next" } });
    const body = { key: "K", value: "v", type: "plain", target: ["preview"], gitBranch: "beta" };
    await world.call("POST", `${project}/env`, { body });
    for (const name of ["next", "beta", "", 1])
      expect(refusal(await branch(name))).toEqual([400, "bad_request"]);
    expect((await read()).link.productionBranch).toBe("main");
  });

  it("needs a link", async () => {
    expect(refusal(await branch("trunk"))).toEqual([400, "bad_request"]);
  });
});

it("a project that is being transferred keeps its link", async () => {
  await link();
  await world.team("other");
  const { id } = await read();
  await world.control.startTransfer(id, { toTeam: "other" });
  for (const answer of [await unlink(), await branch("trunk")])
    expect(refusal(answer)).toEqual([409, "conflict"]);
  expect((await read()).link.productionBranch).toBe("main");
});

it("a project that is being transferred gets no link", async () => {
  await world.team("other");
  await world.control.startTransfer((await read()).id, { toTeam: "other" });
  expect(refusal(await link())).toEqual([409, "conflict"]);
  expect(await read()).not.toHaveProperty("link");
});
