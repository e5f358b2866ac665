import * as pulumi from "@pulumi/pulumi";
import { Client } from "../../provider/client/client";
import {
  type DeploymentsQuery,
  getDeployment,
  getDeploymentOutput,
  getDeployments,
  getDomainConfig,
  getEnvVars,
  getEnvVarsOutput,
  getProject,
  getProjectDomains,
  getProjectOutput,
  getProjects,
  getPromoteAliases,
  Provider,
} from "../../sdk";
import { type RunningServer, startServer } from "../../server";
import { openRecordingProxy } from "../support/recording-proxy";
import { until } from "../support/until";

let server: RunningServer;
const environment = { ...process.env };

beforeAll(async () => {
  server = await startServer({
    seed: {
      projects: [{ team: "acme", name: "web", framework: "nextjs" }],
      deployments: [
        {
          id: "dpl_1",
          team: "acme",
          project: "web",
          target: "production",
          readyState: "READY",
          createdAt: 1,
        },
        {
          id: "dpl_2",
          team: "acme",
          project: "web",
          readyState: "READY",
          gitBranch: "dev",
          gitSha: "abc",
          createdAt: 2,
        },
        { id: "dpl_3", team: "acme", project: "web", readyState: "ERROR", gitBranch: "bad", createdAt: 3 },
      ],
      domains: [{ team: "acme", project: "web", name: "www.example.com" }],
      env: [
        { team: "acme", project: "web", key: "K", value: "canary", type: "encrypted", target: ["preview"] },
      ],
    },
  });
  Object.assign(process.env, {
    SLIPWAY_API_URL: server.url,
    SLIPWAY_TOKEN: server.token,
    SLIPWAY_TEAM: "acme",
  });
});
afterAll(async () => {
  process.env = environment;
  await server.close();
});

const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply(resolve));

it("finds projects", async () => {
  const web = { name: "web", framework: "nextjs", paused: false, production: "dpl_1" };
  expect(await getProject({ project: "web" })).toMatchObject(web);
  expect(await getProjects({ search: "we" })).toMatchObject([web]);
  expect(await resolved(getProjectOutput({ project: pulumi.output("web") }))).toMatchObject(web);
});

it("tells a mistake in one message", async () => {
  await expect(getProject({ project: "nope" })).rejects.toThrow(/404 not_found/);
  const nobody = getProject({ project: "nope" });
  await expect(nobody).rejects.toBeInstanceOf(pulumi.RunError);
  await expect(nobody).rejects.toMatchObject({ stack: "" });
});

it("reads where the DNS records of a domain point", async () => {
  const [domain, project] = ["www.example.com", "web"];
  const recommendations = { recommendedCname: "cname.slipway.app", recommendedIpv4s: ["192.0.2.1"] };
  expect(await getDomainConfig({ domain, project })).toEqual({
    ...{ domain, configuredBy: undefined, misconfigured: true, acceptedChallenges: [] },
    ...recommendations,
  });
  await server.control.setRecords(domain, "CNAME", ["cname.slipway.app"]);
  expect(await getDomainConfig({ domain })).toEqual({
    ...{ domain, configuredBy: "CNAME", misconfigured: false, acceptedChallenges: ["http-01", "dns-01"] },
    ...recommendations,
  });
});

it("recommends the DNS records with the lowest rank", async () => {
  const proxy = await openRecordingProxy(server.url);
  const body = {
    misconfigured: true,
    recommendedCNAME: [
      { rank: 2, value: "second.example.net" },
      { rank: 1, value: "first.example.net" },
      { rank: 3, value: "third.example.net" },
    ],
    recommendedIPv4: [
      { rank: 2, value: ["192.0.2.2"] },
      { rank: 1, value: ["192.0.2.1", "192.0.2.11"] },
    ],
  };
  proxy.before = () => ({ status: 200, body: JSON.stringify(body) });
  process.env.SLIPWAY_API_URL = proxy.url;
  try {
    expect(await getDomainConfig({ domain: "www.example.com" })).toMatchObject({
      recommendedCname: "first.example.net",
      recommendedIpv4s: ["192.0.2.1", "192.0.2.11"],
    });
  } finally {
    process.env.SLIPWAY_API_URL = server.url;
    await proxy.close();
  }
});

it("finds domains, variables and the aliases of the last promotion", async () => {
  expect(await getProjectDomains({ project: "web" })).toContainEqual(
    expect.objectContaining({ name: "www.example.com", verified: false }),
  );
  expect(await getPromoteAliases({ project: "web" })).toEqual([]);
  const variable = (await getEnvVars({ project: "web" })).find(({ key }) => key === "K");
  expect(variable).toMatchObject({ key: "K", target: ["preview"] });
  expect(variable && (await pulumi.isSecret(variable.value))).toBe(true);
  expect(variable && (await resolved(variable.value))).toBe("canary");
  const value = getEnvVarsOutput({ project: pulumi.output("web") }).apply(
    (all) => all.find(({ key }) => key === "K")?.value,
  );
  expect(await resolved(value)).toBe("canary");
  expect(await pulumi.isSecret(value)).toBe(true);
});

it.each([[{ decrypted: false }], [{ type: "encrypted", decrypted: undefined }]])(
  "finds no value of a variable that the service did not decrypt: %j",
  async (listed) => {
    const { list } = Client.prototype;
    const sealed = jest.spyOn(Client.prototype, "list").mockImplementation(async function (
      this: Client,
      ...asked
    ) {
      const all = (await list.apply(this, asked)) as object[];
      return all.map((one) => ({ ...one, value: "sealed", ...listed })) as never;
    });
    try {
      const all = await getEnvVars({ project: "web" });
      expect(all.map(({ key }) => key)).toContain("K");
      for (const { value } of all) expect(await resolved(value)).toBeUndefined();
    } finally {
      sealed.mockRestore();
    }
  },
);

it("asks again each time, since resources are written in between", async () => {
  const names = async () => (await getProjectDomains({ project: "web" })).map(({ name }) => name);
  const keys = async () => (await getEnvVars({ project: "web" })).map(({ key }) => key);
  const [domains, variables] = [await names(), await keys()];
  const of = { team: "acme", project: "web" };
  await server.control.seed({
    domains: [{ ...of, name: "new.example.com" }],
    env: [{ ...of, key: "NEW", value: "canary", type: "plain", target: ["preview"] }],
  });
  expect((await names()).sort()).toEqual([...domains, "new.example.com"].sort());
  expect((await keys()).sort()).toEqual([...variables, "NEW"].sort());
});

it("finds a deployment by id, commit or branch", async () => {
  expect(await getDeployment({ project: "web", id: "dpl_1" })).toMatchObject({
    id: "dpl_1",
    readyState: "READY",
  });
  expect(await getDeployment({ project: "web", gitSha: "abc" })).toMatchObject({ id: "dpl_2" });
  expect(await resolved(getDeploymentOutput({ project: "web", branch: pulumi.output("dev") }))).toMatchObject(
    { id: "dpl_2" },
  );
  expect(await getDeployment({ project: "web", branch: "bad" })).toMatchObject({
    id: "dpl_3",
    readyState: "ERROR",
  });
});

/** Gives a project of its own three deployments, created after each other. */
async function withHistory(project: string, from: number): Promise<void> {
  const of = { team: "acme", project };
  await server.control.seed({ projects: [{ team: "acme", name: project }] });
  await server.control.deploy(
    { ...of, id: `dpl_${project}_1`, target: "production", readyState: "READY", createdAt: from + 1 },
    {
      ...of,
      id: `dpl_${project}_2`,
      gitBranch: "dev",
      gitSha: "def",
      readyState: "READY",
      createdAt: from + 2,
    },
    { ...of, id: `dpl_${project}_3`, readyState: "ERROR", createdAt: from + 3 },
  );
}

it("begins the message about a missing deployment with what was asked for", async () => {
  await server.control.seed({ projects: [{ team: "acme", name: "empty" }] });
  await expect(getDeployment({ project: "empty" })).rejects.toThrow(
    /^The newest deployment of the project empty was not found\./,
  );
  await expect(getDeployment({ project: "empty", branch: "main", gitSha: "abc" })).rejects.toThrow(
    /^The deployment of commit abc of branch main of the project empty was not found\./,
  );
});

it("finds the newest deployment that was created after a moment", async () => {
  await withHistory("moments", 1000);
  const query = { project: "moments" };
  expect(await getDeployment({ ...query, after: 1002 })).toMatchObject({ id: "dpl_moments_3" });
  await expect(getDeployment({ ...query, after: 1003 })).rejects.toThrow(
    /created after 1970-01-01T00:00:01.003Z .*was not found/,
  );
  const waiting = getDeployment({ ...query, after: 1003, waitUntilReady: true, timeoutMs: 10_000 });
  const built = { team: "acme", project: "moments", readyState: "READY" } as const;
  await server.control.deploy({ ...built, id: "dpl_moments_4", createdAt: 1004 });
  expect(await waiting).toMatchObject({ id: "dpl_moments_4", createdAt: 1004 });
});

it("lists deployments by branch, commit, target, state and time, the newest first", async () => {
  await withHistory("listed", 2000);
  const numbers = async (filter: Omit<DeploymentsQuery, "project">) =>
    (await getDeployments({ project: "listed", ...filter })).map(({ id }) => id.slice(-1)).join("");
  expect(await numbers({})).toBe("321");
  expect(await numbers({ limit: 1 })).toBe("3");
  expect(await numbers({ branch: "dev" })).toBe("2");
  expect(await numbers({ gitSha: "def" })).toBe("2");
  expect(await numbers({ readyState: "ERROR" })).toBe("3");
  expect(await numbers({ target: "production" })).toBe("1");
  expect(await numbers({ after: 2001 })).toBe("32");
});

it("lists 20 deployments at most, unless it is told another limit", async () => {
  await server.control.seed({ projects: [{ team: "acme", name: "long" }] });
  const built = { team: "acme", project: "long", readyState: "READY" } as const;
  const all = Array.from({ length: 21 }, (_, i) => ({ ...built, id: `dpl_long_${i}`, createdAt: 3000 + i }));
  await server.control.deploy(...all);
  expect(await getDeployments({ project: "long" })).toHaveLength(20);
  expect(await getDeployments({ project: "long", limit: 100 })).toHaveLength(21);
});

it("tells all that the service has of domains and variables", async () => {
  const of = { team: "acme", project: "detailed" };
  await server.control.seed({
    projects: [{ team: "acme", name: "detailed" }],
    domains: [
      { ...of, name: "a.example.net", verified: true },
      { ...of, name: "b.example.net", redirect: "a.example.net", redirectStatusCode: 308, verified: true },
      { ...of, name: "c.example.net", gitBranch: "next", verified: false },
    ],
    env: [
      {
        ...of,
        key: "A",
        value: "canary",
        type: "plain",
        target: ["preview"],
        gitBranch: "next",
        comment: "c",
      },
      { ...of, key: "B", value: "canary", type: "sensitive", target: ["production"] },
    ],
  });
  const { id: projectId } = await getProject({ project: "detailed" });
  const domain = { apexName: "example.net", projectId, verified: true, verification: [] };
  const challenge = {
    type: "TXT",
    domain: "_vercel.example.net",
    value: expect.stringContaining("c.example.net"),
  };
  const domains = await getProjectDomains({ project: "detailed" });
  expect(
    domains.filter(({ name }) => name.endsWith(".net")).sort((x, y) => (x.name < y.name ? -1 : 1)),
  ).toEqual([
    { ...domain, name: "a.example.net" },
    { ...domain, name: "b.example.net", redirect: "a.example.net", redirectStatusCode: 308 },
    { ...domain, name: "c.example.net", gitBranch: "next", verified: false, verification: [challenge] },
  ]);
  const variables = await getEnvVars({ project: "detailed" });
  const known = variables.map(async ({ value, ...one }) => ({ ...one, value: await resolved(value) }));
  expect((await Promise.all(known)).sort((x, y) => (x.key < y.key ? -1 : 1))).toEqual([
    {
      ...{ id: expect.any(String), key: "A", value: "canary", type: "plain", target: ["preview"] },
      ...{ gitBranch: "next", comment: "c", customEnvironmentIds: [] },
    },
    {
      ...{ id: expect.any(String), key: "B", type: "sensitive", target: ["production"] },
      customEnvironmentIds: [],
    },
  ]);
});

it.each([
  ["projects", () => getProjects({ search: "web" })],
  ["the aliases of a promotion", () => getPromoteAliases({ project: "web" })],
])("asks for as much of a list at a time as the service gives: %s", async (_, ask) => {
  const asked: string[] = [];
  const proxy = await openRecordingProxy(server.url);
  proxy.before = ({ path }) => void asked.push(path);
  process.env.SLIPWAY_API_URL = proxy.url;
  try {
    await ask();
  } finally {
    process.env.SLIPWAY_API_URL = server.url;
    await proxy.close();
  }
  expect(asked.at(-1)).toMatch(/[?&]limit=100(&|$)/);
});

it("asks for every page of a list as for the first: with the search and the limit", async () => {
  const asked: string[] = [];
  const proxy = await openRecordingProxy(server.url);
  proxy.before = ({ path }) => {
    const { searchParams } = new URL(path, proxy.url);
    asked.push(
      [...searchParams]
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join("&"),
    );
    if (searchParams.has("until")) return undefined;
    return {
      status: 200,
      body: JSON.stringify({ projects: [], pagination: { count: 0, next: 7, prev: 9 } }),
    };
  };
  process.env.SLIPWAY_API_URL = proxy.url;
  try {
    await getProjects({ search: "web" });
  } finally {
    process.env.SLIPWAY_API_URL = server.url;
    await proxy.close();
  }
  expect(asked).toEqual([
    expect.stringContaining("limit=100&search=web"),
    expect.stringMatching(/limit=100&search=web.*&until=7/),
  ]);
});

it("says at once what deployment it waits for", async () => {
  const said = jest.spyOn(pulumi.log, "info").mockResolvedValue(undefined);
  const waiting = getDeployment({ project: "web", gitSha: "later", waitUntilReady: true, timeoutMs: 60_000 });
  await until("it has said so", () => said.mock.calls.length > 0);
  expect(said.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^The deployment of commit later of the project web does not exist yet: waiting for up to (60|59) s\.$/,
      ),
    ],
  ]);
  said.mockRestore();
  const built = { id: "dpl_later", team: "acme", project: "web", readyState: "READY" } as const;
  await server.control.deploy({ ...built, gitSha: "later", createdAt: 9 });
  expect(await waiting).toMatchObject({ id: "dpl_later" });
});

it("waits for a deployment that is not there yet, and fails with one that failed", async () => {
  const waiting = getDeployment({ project: "web", gitSha: "def", waitUntilReady: true, timeoutMs: 10_000 });
  await server.control.deploy({
    id: "dpl_4",
    team: "acme",
    project: "web",
    readyState: "BUILDING",
    gitSha: "def",
    createdAt: 4,
  });
  await server.control.deploy({
    id: "dpl_4",
    team: "acme",
    project: "web",
    readyState: "READY",
    gitSha: "def",
    createdAt: 4,
  });
  expect(await waiting).toMatchObject({ id: "dpl_4" });
  await expect(getDeployment({ project: "web", branch: "bad", waitUntilReady: true })).rejects.toThrow(
    /is ERROR \(dpl_3\)/,
  );
  await expect(
    getDeployment({ project: "web", gitSha: "nope", waitUntilReady: true, timeoutMs: 0 }),
  ).rejects.toThrow(/was not found after 0 s/);
});

/** Runs what a program would in a test that mocks: nothing may reach the service. */
async function mocked<T>(
  call: (args: pulumi.runtime.MockCallArgs) => Record<string, unknown>,
  program: () => Promise<T>,
): Promise<T> {
  await pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call });
  try {
    return await program();
  } finally {
    pulumi.runtime.resetOptions("project", "stack", 1, "", "", false, "organization");
  }
}

it("asks as an explicit provider", async () => {
  const provider = await mocked(
    () => ({}),
    async () => new Provider("personal", { team: "" }),
  );
  expect(await getProjects({}, { provider })).toEqual([]);
});

it("says that nothing can be looked up with a provider whose settings are not known yet", async () => {
  const provider = await mocked(
    () => ({}),
    async () => new Provider("later", { token: pulumi.output(pulumi.unknown as unknown as string) }),
  );
  await expect(getProjects({}, { provider })).rejects.toThrow(
    "The settings of the provider are not known before the update, so look-ups cannot use the provider yet. " +
      "Set values that are known at preview.",
  );
});

it("asks the mocks of a test, and nothing else", async () => {
  const project = { id: "prj_mocked", name: "mocked" };
  const variable = { id: "e", key: "K", value: "canary", target: ["preview"] };
  const answers: Record<string, Record<string, unknown>> = {
    "slipway:index:getProject": project,
    "slipway:index:getProjects": { projects: [project] },
    "slipway:index:getProjectDomains": { domains: [{ name: "example.com" }] },
    "slipway:index:getEnvVars": { variables: [variable] },
    "slipway:index:getPromoteAliases": { aliases: [{ alias: "example.com", status: "completed" }] },
    "slipway:index:getDeployment": { id: "dpl_mocked" },
  };
  const asked: pulumi.runtime.MockCallArgs[] = [];
  const before = (await server.control.requests()).length;
  await mocked(
    (args) => {
      asked.push(args);
      return answers[args.token] ?? {};
    },
    async () => {
      const of = { project: "web" };
      expect(await getProject(of)).toEqual(project);
      expect(await resolved(getProjectOutput({ project: pulumi.output("web") }))).toEqual(project);
      expect(await getProjects({ search: "we" })).toEqual([project]);
      expect(await getProjectDomains(of)).toEqual([{ name: "example.com" }]);
      expect(await getPromoteAliases(of)).toEqual([{ alias: "example.com", status: "completed" }]);
      expect(await getDeployment({ ...of, branch: "dev", waitUntilReady: true })).toEqual({
        id: "dpl_mocked",
      });
      const [found] = await getEnvVars(of);
      expect(found).toMatchObject({ key: "K" });
      expect(found && (await pulumi.isSecret(found.value))).toBe(true);
      expect(found && (await resolved(found.value))).toBe("canary");
    },
  );
  expect(asked.map(({ token }) => token)).toContain("slipway:index:getDeployment");
  expect(asked.find(({ token }) => token.endsWith("getDeployment"))?.inputs).toMatchObject({ branch: "dev" });
  expect(await server.control.requests()).toHaveLength(before);
});

it("finds nothing where a mock knows of nothing", async () => {
  const lists = () =>
    Promise.all([getProjects(), getProjectDomains({ project: "web" }), getEnvVars({ project: "web" })]);
  expect(await mocked(() => ({}), lists)).toEqual([[], [], []]);
});

it("finds no deployment of another project by its id", async () => {
  await server.control.seed({ projects: [{ team: "acme", name: "other" }] });
  await expect(getDeployment({ project: "other", id: "dpl_1" })).rejects.toThrow(/was not found/);
});

it("finds on further pages of a list what it searches for, and nothing else", async () => {
  const named = (prefix: string) =>
    Array.from({ length: 101 }, (_, i) => ({ team: "acme", name: `${prefix}-${i}` }));
  await server.control.seed({ projects: [...named("shop"), ...named("blog")] });
  const found = await getProjects({ search: "shop" });
  expect(found).toHaveLength(101);
  expect(found.every(({ name }) => name.startsWith("shop-"))).toBe(true);
});
