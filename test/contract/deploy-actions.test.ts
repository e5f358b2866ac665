import { createHash } from "node:crypto";
import { type RunningServer, startServer } from "../../server";
import { takeStore } from "./contract";

/**
 * The requests that actions for GitHub send to deploy a working copy, with their versions and their ways to name a
 * deployment, and the members of the answers that they read.
 */
describe.each(["specification", "hosted"] as const)("with the profile %s", (profile) => {
  let server: RunningServer;
  let release: () => Promise<void>;
  let teamId: string;
  let project: string;

  beforeAll(async () => {
    const { release: releaseStore, ...store } = await takeStore();
    release = releaseStore;
    server = await startServer({ ...store, profile });
    await server.control.planBuilds({ buildMs: 0 });
    teamId = (await send("GET", "/v2/teams/acme")).body.id;
    project = (await send("POST", `/v10/projects?teamId=${teamId}`, { name: "web" })).body.id;
  });
  afterAll(async () => {
    await server?.close();
    await release?.();
  });

  // biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what the answer is
  async function send(method: string, path: string, body?: unknown, headers = {}): Promise<any> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  const page = "<h1>hi</h1>";
  const sha = createHash("sha1").update(page).digest("hex");
  const deploymentOf = (target: string) => ({
    name: "web",
    project,
    target,
    version: 2,
    files: [{ file: "index.html", sha, size: page.length, mode: 0o100644 }],
    meta: { githubCommitSha: "e4f5a6b", githubCommitRef: "main", githubDeployment: "1", githubOrg: "acme" },
    gitMetadata: {
      commitSha: "e4f5a6b",
      commitMessage: "Add a page",
      commitRef: "main",
      commitAuthorName: "ada",
      remoteUrl: "https://github.com/acme/web",
    },
    autoAssignCustomDomains: true,
    env: { A: "1" },
    build: { env: { B: "2" } },
    regions: ["iad1"],
  });

  it("an action of the client library uploads files, deploys, waits and assigns names by the deployment's host", async () => {
    const create = `/v13/deployments?teamId=${teamId}&skipAutoDetectionConfirmation=1`;
    const refused = await send("POST", create, deploymentOf("production"));
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: "missing_files", missing: [sha] } },
    });
    const headers = { "content-type": "application/octet-stream", "x-now-digest": sha, "x-now-size": "11" };
    expect((await send("POST", `/v2/files?teamId=${teamId}`, page, headers)).status).toBe(200);
    const { body } = await send("POST", create, deploymentOf("production"));
    expect((await send("GET", `/v13/deployments/${body.id}?teamId=${teamId}`)).body).toMatchObject({
      readyState: "READY",
      aliasAssigned: true,
      alias: ["web.vercel.app"],
    });
    expect((await send("GET", `/v13/deployments/${body.url}?teamId=${teamId}`)).body).toMatchObject({
      name: "web",
      inspectorUrl: expect.stringContaining(body.id),
    });
    const alias = await send("POST", `/v2/deployments/${body.url}/aliases?teamId=${teamId}`, {
      alias: "action-web.vercel.app",
    });
    expect(alias).toMatchObject({ status: 200, body: { alias: "action-web.vercel.app" } });
  });

  it("an action of the command line reads its deployment by the host alone, without a team", async () => {
    const body = { ...deploymentOf("preview"), files: [{ file: "index.html", data: page }] };
    const made = (await send("POST", `/v13/deployments?teamId=${teamId}`, body)).body;
    const alias = `/now/deployments/${made.url}/aliases?teamId=${teamId}`;
    expect((await send("POST", alias, { alias: "topic-7-web.vercel.app" })).status).toBe(200);
    expect(await send("GET", `/v11/now/deployments/get?url=${made.url}`)).toMatchObject({
      status: 200,
      body: { id: made.id, readyState: "READY", inspectorUrl: expect.stringContaining(made.id) },
    });
  });
});
