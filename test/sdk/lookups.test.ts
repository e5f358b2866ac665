import * as pulumi from "@pulumi/pulumi";
import {
  getDeployment,
  getDeploymentOutput,
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
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: () => ({}),
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

it("finds domains, variables and the aliases of the last promotion", async () => {
  expect(await getProjectDomains({ project: "web" })).toMatchObject([
    { name: "www.example.com", verified: false },
  ]);
  expect(await getPromoteAliases({ project: "web" })).toEqual([]);
  const [variable] = await getEnvVars({ project: "web" });
  expect(variable).toMatchObject({ key: "K", target: ["preview"] });
  expect(variable && (await pulumi.isSecret(variable.value))).toBe(true);
  expect(variable && (await resolved(variable.value))).toBe("canary");
  const value = getEnvVarsOutput({ project: pulumi.output("web") }).apply((all) => all[0]?.value);
  expect(await resolved(value)).toBe("canary");
  expect(await pulumi.isSecret(value)).toBe(true);
});

it("asks anew each time, since resources are written in between", async () => {
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

it("asks as an explicit provider", async () => {
  const provider = new Provider("personal", { team: "" });
  expect(await getProjects({}, { provider })).toEqual([]);
});
