import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type SeedDocument, seedDocument } from "../../../server/seed/document";
import { readSeedFile } from "../../../server/seed/file";
import { openServer } from "../../../server/server";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();

const document: SeedDocument = {
  users: [{ username: "ada", email: "ada@example.org" }],
  teams: [{ slug: "lovelace", plan: "pro", members: [{ user: "ada", role: "OWNER" }] }],
  tokens: [
    { token: "of-ada", user: "ada" },
    { token: "of-the-team", user: "ada", team: "lovelace" },
  ],
  projects: [
    {
      team: "lovelace",
      name: "web",
      framework: "nextjs",
      nodeVersion: "20.x",
      gitRepository: { type: "github", repo: "lovelace/web" },
      passwordProtection: { deploymentType: "all", password: "pass" },
    },
  ],
  deployments: [
    { team: "lovelace", project: "web", target: "production", gitBranch: "main", createdAt: 0 },
    { id: "dpl_second", team: "lovelace", project: "web", target: "production", createdAt: 5 },
  ],
  domains: [
    { team: "lovelace", project: "web", name: "Example.com", verified: true },
    {
      team: "lovelace",
      project: "web",
      name: "www.example.com",
      redirect: "example.com",
      redirectStatusCode: 308,
    },
    { team: "lovelace", project: "web", name: "example.org", challenge: "0123456789abcdef0123" },
  ],
  env: [
    { team: "lovelace", project: "web", key: "PLAIN", value: "v", type: "plain", target: ["preview"] },
    { team: "lovelace", project: "web", key: "SECRET", value: "hidden", target: ["production", "preview"] },
  ],
  dns: [{ name: "_vercel.Example.com.", type: "TXT", value: "v" }],
  gitProviders: [{ team: "lovelace", type: "github", repos: ["lovelace/web"], webhooks: "forbidden" }],
};

describe("a seed document", () => {
  it("counts negative times back from now", async () => {
    const hour = 3_600_000;
    const of = { team: "acme", project: "shop" };
    await world.seed({
      teams: [{ slug: "old", createdAt: -3 * hour }],
      projects: [{ team: "acme", name: "shop", createdAt: -2 * hour }],
      deployments: [{ ...of, id: "dpl_hour", createdAt: -hour }],
    });
    const { projects, deployments } = await world.control.snapshot();
    expect(projects).toMatchObject([{ name: "shop", createdAt: beginning - 2 * hour }]);
    expect(deployments).toMatchObject([{ id: "dpl_hour", createdAt: beginning - hour }]);
    const { createdAt } = await world.services.store.read((tx) =>
      tx
        .selectFrom("accounts")
        .select("created_at as createdAt")
        .where("slug", "=", "old")
        .executeTakeFirstOrThrow(),
    );
    expect(createdAt).toBe(beginning - 3 * hour);
  });

  it("has states, links and roles that no request can make, as copies of accounts do", async () => {
    const block = { code: "TEAM_ACCESS_REQUIRED", reason: "No seat.", link: "https://example.com/seats" };
    const of = { team: "acme", project: "shop", target: "production" as const };
    const link = { host: "git.example.com", org: "acme", repo: "shop", productionBranch: "main" };
    const project = { team: "acme", updatedAt: 1 };
    await world.seed({
      projects: [
        { ...project, name: "shop", link: { type: "github-custom-host", ...link } },
        { ...project, name: "limited", link: { type: "github-limited", ...link, deployHooks: [] } },
        { ...project, name: "own", link: { type: "vercel" } },
      ],
      deployments: [
        { ...of, id: "dpl_blocked", readyState: "BLOCKED", block },
        { ...of, id: "dpl_copied", readyState: "BLOCKED", block, url: "copied.example.com", createdAt: 1 },
        { ...of, id: "dpl_silent", readyState: "BLOCKED" },
      ],
      projectMembers: [{ team: "acme", project: "shop", user: "dev", role: "PROJECT_GUEST" }],
    });
    for (const id of ["dpl_blocked", "dpl_copied", "dpl_silent"]) {
      const { body } = await world.call("GET", `/v13/deployments/${id}`);
      expect(body).toMatchObject({ readyState: "BLOCKED", buildSkipped: id !== "dpl_silent" });
      if (id !== "dpl_silent")
        expect(body).toMatchObject({ readyStateReason: "No seat.", seatBlock: { blockCode: block.code } });
    }
    const { body } = await world.call("GET", "/v9/projects/shop");
    expect(body).toMatchObject({ link: { type: "github-custom-host", ...link, deployHooks: [] } });
    expect(body.targets.production).toBeUndefined();
    for (const name of ["limited", "own"])
      expect((await world.call("GET", `/v9/projects/${name}`)).status).toBe(200);
    const { members } = (await world.call("GET", "/v1/projects/shop/members")).body;
    expect(members).toMatchObject([{ role: "PROJECT_GUEST", computedProjectRole: "ADMIN" }]);
  });

  it("has a reason only for a deployment that is blocked", async () => {
    const row = { team: "acme", project: "shop", readyState: "ERROR" as const, block: {} };
    await expect(world.seed({ deployments: [row] })).rejects.toThrow("needs the readyState BLOCKED");
  });

  it("has deployments that were built with its variables", async () => {
    const of = { team: "acme", project: "shop" };
    const variable = { ...of, value: "v", type: "plain" as const, target: ["production" as const] };
    await world.seed({
      projects: [{ team: "acme", name: "shop" }],
      deployments: [{ ...of, id: "dpl_shop", target: "production" }],
      env: ["A", "B", "C"].map((key) => ({ ...variable, key })),
    });
    const { deployments } = await world.control.snapshot();
    const built = deployments.find(({ id }) => id === "dpl_shop")?.createdAt;
    const { body } = await world.call("GET", "/v9/projects/shop/env");
    const times = (body.envs as { createdAt: number }[]).map(({ createdAt }) => createdAt);
    expect(times).toHaveLength(3);
    for (const time of times) expect(time).toBeLessThan(Number(built));
  });

  it("has variables of one key for several branches", async () => {
    const of = { team: "acme", project: "shop" };
    const variable = { ...of, key: "KEY", value: "v", type: "plain" as const, target: ["preview" as const] };
    await world.seed({
      projects: [{ team: "acme", name: "shop" }],
      env: [{ ...variable }, { ...variable, gitBranch: "next" }, { ...variable, gitBranch: "beta" }],
    });
    const { body } = await world.call("GET", "/v9/projects/shop/env");
    const branches = (body.envs as { gitBranch?: string }[]).map(({ gitBranch }) => gitBranch);
    expect(branches.sort()).toEqual(["beta", "next", undefined]);
  });

  it("makes what it lists", async () => {
    await world.seed(document);
    const project = await world.call("GET", "/v9/projects/web", { token: "of-ada", team: "lovelace" });
    expect(project.status).toBe(200);
    expect(project.body).toMatchObject({
      framework: "nextjs",
      nodeVersion: "20.x",
      createdAt: beginning,
      passwordProtection: { deploymentType: "all" },
      link: { type: "github", org: "lovelace", repo: "web" },
      targets: { production: { id: "dpl_second" } },
    });
    const domains = await world.call("GET", "/v9/projects/web/domains?order=ASC", {
      token: "of-ada",
      team: "lovelace",
    });
    expect(domains.body.domains).toMatchObject([
      { name: "web.vercel.app", verified: true },
      { name: "example.com", verified: true },
      { name: "www.example.com", verified: true, redirect: "example.com", redirectStatusCode: 308 },
      {
        name: "example.org",
        verified: false,
        verification: [{ value: "vc-domain-verify=example.org,0123456789abcdef0123" }],
      },
    ]);
    const { envs } = (
      await world.call("GET", "/v9/projects/web/env?decrypt=true", { token: "of-ada", team: "lovelace" })
    ).body;
    expect(envs).toHaveLength(2);
    expect(envs).toContainEqual(
      expect.objectContaining({ key: "SECRET", type: "encrypted", value: "hidden" }),
    );
    expect(await world.services.lookupTxt("_vercel.example.com")).toEqual(["v"]);
  });

  it("ties a token with a team to that team", async () => {
    await world.seed(document);
    const bound = await world.call("GET", "/v9/projects", { token: "of-the-team", team: null });
    expect(bound.body.projects).toHaveLength(1);
    const elsewhere = await world.call("GET", "/v9/projects", { token: "of-the-team", team: "acme" });
    expect(elsewhere.status).toBe(403);
  });

  it("changes nothing when it is carried out again", async () => {
    await world.seed(document);
    const before = await world.control.snapshot();
    await world.seed(document);
    expect(await world.control.snapshot()).toEqual(before);
  });

  it("derives the same ids in every server", async () => {
    await world.seed(document);
    const here = await world.control.snapshot();
    await world.control.reset();
    await world.seed(document);
    expect(await world.control.snapshot()).toEqual(here);
    expect(here.projects).toEqual([
      expect.objectContaining({ id: expect.stringMatching(/^prj_[A-Za-z0-9]{28}$/) }),
    ]);
  });

  it("revokes the tokens that it marks, and no other", async () => {
    await world.seed(document);
    const statuses = async () => {
      const ask = (token: string) => world.call("GET", "/v9/projects/web", { token, team: "lovelace" });
      return [(await ask("of-ada")).status, (await ask("next")).status];
    };
    expect(await statuses()).toEqual([200, 401]);
    await world.seed({ tokens: [{ token: "next", user: "ada" }] });
    expect(await statuses()).toEqual([200, 200]);
    await world.seed({
      tokens: [
        { token: "of-ada", user: "ada", revoked: true },
        { token: "never-there", user: "ada", revoked: true },
      ],
    });
    expect(await statuses()).toEqual([401, 200]);
  });

  it("leaves a project that requests have changed as it is", async () => {
    await world.seed(document);
    await world.call("PATCH", "/v9/projects/web", {
      token: "of-ada",
      team: "lovelace",
      body: { framework: "astro" },
    });
    await world.seed(document);
    const { body } = await world.call("GET", "/v9/projects/web", { token: "of-ada", team: "lovelace" });
    expect(body.framework).toBe("astro");
  });

  it("lets a server start again, whatever requests have made of what it lists", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "slipway-seed-"));
    const team = { team: "lovelace" };
    const projects = ["web", "api", "moved"].map((name) => ({ ...team, name }));
    const domains = [
      { ...team, project: "api", name: "api.example.com" },
      { ...team, project: "moved", name: "moved.example.com" },
    ];
    const env = [{ ...team, project: "moved", key: "KEY", value: "v", target: ["preview"] }];
    const deployments = [{ id: "dpl_moved", ...team, project: "moved" }];
    const seed = seedDocument.parse({ ...document, projects, domains, env, deployments });
    const open = () => openServer({ port: 0, data: folder, seed, logLevel: "silent" });
    const headers = { authorization: "Bearer of-ada" };
    const first = await open();
    const call = async (method: "DELETE" | "PATCH" | "POST", url: string, body = {}) =>
      (await first.app.inject({ method, url: `/v9/projects/${url}?slug=lovelace`, headers, body }))
        .statusCode;
    expect(await call("DELETE", "api/domains/api.example.com")).toBe(200);
    expect(await call("POST", "web/domains", { name: "api.example.com" })).toBe(200);
    expect(await call("PATCH", "moved", { name: "renamed" })).toBe(200);
    await first.close();
    const again = await open();
    const answer = await again.app.inject({ url: "/v9/projects?slug=lovelace", headers });
    const names = answer.json().projects.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(["api", "renamed", "web"]);
    await again.close();
    rmSync(folder, { recursive: true });
  });

  it("never answers for a project with what was kept of one that had its id before", async () => {
    await world.seed(document);
    const url = "/v9/projects/web";
    await world.call("GET", url, { token: "of-ada", team: "lovelace" });
    await world.call("DELETE", url, { token: "of-ada", team: "lovelace" });
    await world.seed({ ...document, projects: [{ team: "lovelace", name: "web", framework: "vite" }] });
    const { body } = await world.call("GET", url, { token: "of-ada", team: "lovelace" });
    expect(body.framework).toBe("vite");
  });

  it.each<[string, SeedDocument, string]>([
    [
      "an unknown team",
      { projects: [{ team: "none", name: "a" }] },
      'projects[0].team: there is no team "none"',
    ],
    [
      "an unknown user",
      { tokens: [{ token: "t", user: "none" }] },
      'tokens[0].user: there is no user "none"',
    ],
    [
      "an unknown member",
      { teams: [{ slug: "new", members: [{ user: "none", role: "OWNER" }] }] },
      'teams[0].members[0].user: there is no user "none"',
    ],
    ["an id that is taken", { users: [{ username: "dev", id: "another" }] }, "users[0].id: "],
    [
      "an unknown creator",
      { deployments: [{ team: "acme", project: "a", creator: "none" }] },
      "deployments[0].creator",
    ],
  ])("refuses %s by its place", async (_, seed, message) => {
    const answer = await world.askControl("POST", "/seed", seed);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
  });

  it("is carried out whole or not at all", async () => {
    const before = await world.control.snapshot();
    const answer = await world.askControl("POST", "/seed", {
      users: [{ username: "ada" }],
      tokens: [{ token: "t", user: "none" }],
    });
    expect(answer.status).toBe(400);
    expect(await world.control.snapshot()).toEqual(before);
  });

  it("says where a variable with an id is wrong", async () => {
    const variable = {
      id: "env_1",
      team: "acme",
      project: "missing",
      key: "A",
      value: "v",
      target: ["preview"],
    };
    const answer = await world.askControl("POST", "/seed", { env: [variable] });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/env\[0\]/) } },
    });
  });

  it("has a custom environment of one slug in two projects", async () => {
    const projects = ["one", "two"].map((name) => ({ team: "acme", name }));
    const environments = projects.map(({ team, name: project }) => ({ team, project, slug: "staging" }));
    await world.seed({ projects, environments });
    for (const { name } of projects)
      expect(
        (await world.call("GET", `/v9/projects/${name}/custom-environments`)).body.environments,
      ).toMatchObject([{ slug: "staging" }]);
  });

  it("refuses what belongs to nobody, or to two", async () => {
    expect((await world.askControl("POST", "/seed", { projects: [{ name: "a" }] })).status).toBe(400);
    const two = { projects: [{ name: "a", team: "acme", user: "dev" }] };
    expect((await world.askControl("POST", "/seed", two)).status).toBe(400);
  });
});

describe("a seed file", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-seed-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (text: string, name = "seed.yaml"): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it("may be YAML or JSON", () => {
    const yaml = readSeedFile(write("users:\n  - username: ada\n"));
    const json = readSeedFile(write('{ "users": [{ "username": "ada" }] }', "seed.json"));
    expect(yaml.seed).toEqual(json.seed);
  });

  it.each([
    [
      "a value that does not fit",
      "teams:\n  - slug: a\n    plan: gold\n",
      /seed\.yaml:3: teams\[0\]\.plan: /,
    ],
    [
      "an unknown member",
      "users:\n  - username: ada\n    colour: red\n",
      /seed\.yaml:2: users\[0\]: .*colour/,
    ],
    ["a member that is missing", "tokens:\n  - token: t\n", /seed\.yaml:2: tokens\[0\]\.user: /],
    ["broken YAML", "users:\n  - username: [ada\n", /seed\.yaml:\d+: the seed file is not valid YAML/],
    ["nothing", " \n", /seed\.yaml is empty\. Write one with slipway snapshot\.$/],
    [
      "JSON that is cut off",
      '{\n  "users": [\n    { "username": "ada" },',
      /seed\.yaml:\d+: the seed file is not valid YAML: .* write it again with slipway snapshot\.$/,
    ],
    ["a list", "- a\n", /seed\.yaml:1: the document: /],
  ])("is refused for %s, naming file, line and place", (_, text, message) => {
    expect(() => readSeedFile(write(text))).toThrow(message);
    // One line, which quotes nothing of the file: it may hold secrets.
    expect(() => readSeedFile(write(text))).toThrow(/^[^\n]*$/);
  });

  it("is refused when it cannot be read", () => {
    expect(() => readSeedFile(path.join(folder, "none.yaml"))).toThrow(/none\.yaml cannot be read/);
  });

  it("names its line for what only the store can tell", async () => {
    const { seed, explain } = readSeedFile(
      write("users: []\ntokens:\n  - token: secret-1\n    user: none\n"),
    );
    const opened = openServer({ port: 0, data: "memory", seed, explainSeed: explain, logLevel: "silent" });
    await expect(opened).rejects.toThrow(/seed\.yaml:4: tokens\[0\]\.user: there is no user "none"/);
  });
});

it("a domain with only the time of its creation is verified by the domain of the account above it", async () => {
  await world.seed({
    projects: [{ team: "acme", name: "web" }],
    accountDomains: [{ team: "acme", name: "example.com", verified: true }],
    domains: [{ team: "acme", project: "web", name: "www.example.com", createdAt: 1_000 }],
  });
  const { body } = await world.call("GET", "/v9/projects/web/domains/www.example.com");
  expect(body.verified).toBe(true);
});
