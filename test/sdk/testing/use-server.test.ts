import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Hooks, RequestError, useServer } from "../../../sdk/testing";
import { developmentAccount, startServer } from "../../../server";

const seed = { projects: [{ team: "acme", name: "web" }] };

/** Hooks that a test runs itself. */
function ownHooks() {
  const registered: Record<keyof Hooks, (() => Promise<void>)[]> = {
    beforeAll: [],
    beforeEach: [],
    afterAll: [],
  };
  const names = Object.keys(registered) as (keyof Hooks)[];
  const hooks = Object.fromEntries(
    names.map((name) => [name, (run: () => Promise<void>) => registered[name].push(run)]),
  ) as unknown as Hooks;
  const run = async (name: keyof Hooks) => {
    for (const hook of registered[name]) await hook();
  };
  return { hooks, registered, run };
}

describe("with the hooks of Jest", () => {
  const server = useServer({ seed });

  it.each(["first", "second"])("starts the %s test with the objects of the seed alone", async () => {
    const { projects } = await server.request<{ projects: unknown[] }>("GET", "/v9/projects");
    expect(projects).toEqual([expect.objectContaining({ name: "web" })]);
    expect(await server.request("POST", "/v10/projects", { name: "api" })).toMatchObject({ name: "api" });
    await server.control.addFaults({ method: "GET", path: "/v9/projects", kind: "status", status: 503 });
  });

  it("names the team of the test, unless the path has another account", async () => {
    expect(await server.request("GET", "/v9/projects/web?decrypt=true")).toMatchObject({ name: "web" });
    await expect(server.request("GET", "/v9/projects/web?slug=other")).rejects.toMatchObject({ status: 403 });
  });

  it("rejects a refused request with its reason", async () => {
    const refused = await server
      .request("POST", "/v10/projects", { name: "web" })
      .catch((error: Error) => error);
    expect(refused).toBeInstanceOf(RequestError);
    expect(refused).toMatchObject({ status: 409, code: "conflict", body: { error: { code: "conflict" } } });
    expect(String(refused)).toMatch(/^RequestError: POST \/v10\/projects: 409 conflict: ./);
  });

  it("rejects a refusal without JSON with its text", async () => {
    await server.control.addFaults({
      method: "GET",
      path: "/v9/projects",
      kind: "status",
      status: 502,
      page: "<h1>Bad gateway</h1>",
    });
    await expect(server.request("GET", "/v9/projects")).rejects.toThrow("502 <h1>Bad gateway</h1>");
  });

  it("returns undefined for an answer without a body", async () => {
    expect(await server.request("DELETE", "/v9/projects/web")).toBeUndefined();
  });

  it("has the variables of a child process", () => {
    expect(server.env).toEqual({
      SLIPWAY_API_URL: server.url,
      SLIPWAY_TOKEN: server.token,
      SLIPWAY_TEAM: "acme",
    });
    expect(server.team).toBe("acme");
  });
});

it("keeps Pulumi's state in a folder that each test finds empty, and that is removed", async () => {
  const { hooks, run } = ownHooks();
  const server = useServer({ hooks });
  await run("beforeAll");
  const { PULUMI_BACKEND_URL: url, ...others } = server.pulumiEnv;
  expect(others).toMatchObject({ ...server.env, PULUMI_CONFIG_PASSPHRASE: "test" });
  const folder = fileURLToPath(url);
  writeFileSync(`${folder}/stack.json`, "{}");
  await run("beforeEach");
  expect(readdirSync(folder)).toEqual([]);
  expect(server.pulumiEnv.PULUMI_BACKEND_URL).toBe(url);
  await run("afterAll");
  expect(existsSync(folder)).toBe(false);
});

it("keeps the objects of earlier tests with reset: false", async () => {
  const { hooks, registered, run } = ownHooks();
  const server = useServer({ hooks, reset: false });
  await run("beforeAll");
  expect(registered.beforeEach).toEqual([]);
  expect(await server.request("GET", "/v9/projects")).toMatchObject({ projects: [] });
  await run("afterAll");
});

it("sets the variables of this process with processEnv, and restores them", async () => {
  const earlier = { SLIPWAY_TEAM: process.env.SLIPWAY_TEAM, SLIPWAY_TOKEN: process.env.SLIPWAY_TOKEN };
  process.env.SLIPWAY_TEAM = "mine";
  delete process.env.SLIPWAY_TOKEN;
  try {
    const { hooks, run } = ownHooks();
    const server = useServer({ hooks, processEnv: true, team: null });
    await run("beforeAll");
    expect(process.env).toMatchObject({ ...server.env, SLIPWAY_TEAM: "" });
    await run("afterAll");
    expect(process.env.SLIPWAY_TEAM).toBe("mine");
    expect(process.env).not.toHaveProperty("SLIPWAY_TOKEN");
  } finally {
    for (const [name, value] of Object.entries(earlier)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

it("calls the account of the token, without a team", async () => {
  const { hooks, run } = ownHooks();
  const server = useServer({
    hooks,
    developmentAccount: false,
    seed: {
      users: [{ username: "ci", email: "ci@example.com" }],
      tokens: [{ token: "ci-token", user: "ci" }],
    },
    token: "ci-token",
    team: null,
  });
  await run("beforeAll");
  expect(await server.request("GET", "/v2/user")).toMatchObject({ user: { username: "ci" } });
  expect(server.env).toMatchObject({ SLIPWAY_TOKEN: "ci-token", SLIPWAY_TEAM: "" });
  await run("afterAll");
});

it("uses a server that the test starts", async () => {
  const { hooks, run } = ownHooks();
  const server = useServer({ hooks, start: () => startServer({ seed }) });
  await run("beforeAll");
  await server.request("DELETE", "/v9/projects/web");
  await run("beforeEach");
  expect(await server.request("GET", "/v9/projects/web")).toMatchObject({ name: "web" });
  await run("afterAll");
});

it("says when its members can be used", async () => {
  const { hooks, run } = ownHooks();
  const server = useServer({ hooks });
  expect(() => server.url).toThrow("server.url: the server of useServer has not started yet. It starts in");
  await expect(server.request("GET", "/v9/projects")).rejects.toThrow("server.request: the server of");
  await run("beforeAll");
  await run("afterAll");
  expect(() => server.control).toThrow("server.control: the server of useServer has ended.");
});

it("ends without a server if the start fails", async () => {
  const { hooks, run } = ownHooks();
  useServer({ hooks, seed: { projects: [{ team: "other", name: "web" }] } });
  await expect(run("beforeAll")).rejects.toThrow(/other/);
  await run("afterAll");
});

it("refuses to start without hooks, and says how to pass them", () => {
  const global = globalThis as Partial<Hooks>;
  const { beforeAll: earlier } = global;
  delete global.beforeAll;
  try {
    expect(() => useServer()).toThrow(/^useServer finds no global beforeAll\. Pass .*hooks: { beforeAll/);
  } finally {
    Object.assign(global, { beforeAll: earlier });
  }
});

it("exports the development account as a seed", () => {
  expect(developmentAccount).toMatchObject({ users: [{ username: "dev" }], teams: [{ slug: "acme" }] });
});
