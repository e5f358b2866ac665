import { createHash } from "node:crypto";
import { engine } from "../../support/engine";
import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function deploymentCalls(contract: Contract): void {
  contract.it("POST /v13/deployments", "makes one of a git ref, for production", async (client) => {
    const { id, name } = await contract.project();
    const made = await client.call("POST /v13/deployments", {
      requestBody: {
        name,
        target: "production",
        gitSource: { type: "github", org: "acme", repo: "web", ref: "main", sha: "a1b2c3d" },
      },
    });
    expect(made).toMatchObject({ id: client.body.id, readyState: "BUILDING" });
    expect(client.body).toMatchObject({ name, target: "production", projectId: id, team: { slug: "acme" } });
    await contract.server.control.advanceClock(1000);
    const read = await client.call("GET /v13/deployments/:id", { idOrUrl: made.id });
    expect(read).toMatchObject({ readyState: "READY", meta: { githubCommitRef: "main" } });
  });

  contract.it("POST /v13/deployments", "builds another one again, as a preview", async (client) => {
    const { name } = await contract.project();
    const first = await client.call("POST /v13/deployments", { requestBody: { name, target: "production" } });
    const again = await client.call("POST /v13/deployments", {
      forceNew: "1",
      requestBody: { name, deploymentId: first.id },
    });
    expect(again).toMatchObject({ readyState: "BUILDING", target: null });
    expect(again.id).not.toBe(first.id);
  });

  contract.it(
    "GET /v13/deployments/:id",
    "reads builds that failed and that were skipped",
    async (client) => {
      const { control } = contract.server;
      const { name } = await contract.project({ commandForIgnoringBuildStep: "exit 0" });
      for (const [plan, readyState] of [
        [{ error: { message: "no space left" } }, "ERROR"],
        [{ skipIgnored: true }, "CANCELED"],
      ] as const) {
        await control.planBuilds({ buildMs: 0, ...plan });
        const { id } = await client.call("POST /v13/deployments", { requestBody: { name } });
        const read = await client.call("GET /v13/deployments/:id", { idOrUrl: id });
        expect(read).toMatchObject({ id, readyState });
      }
      await control.planBuilds({});
    },
  );

  contract.it("POST /v2/files", "uploads a file for a deployment", async (client) => {
    const { name } = await contract.project();
    const text = `of ${name}`;
    const sha = createHash("sha1").update(text).digest("hex");
    const deploy = {
      requestBody: { name, project: name, files: [{ file: "index.html", sha, size: text.length }] },
    };
    expect(await client.refused("POST /v13/deployments", deploy)).toEqual({
      status: 400,
      code: "missing_files",
    });
    await client.call("POST /v2/files", {
      contentLength: text.length,
      xVercelDigest: sha,
      requestBody: new TextEncoder().encode(text),
    });
    expect(await client.call("POST /v13/deployments", deploy)).toMatchObject({ readyState: "BUILDING" });
  });

  contract.it("GET /v6/deployments/:id/files", "shows the files as a tree", async (client) => {
    const { name } = await contract.project();
    const files = [{ file: "src/index.ts", data: "index" }];
    const { id } = await client.call("POST /v13/deployments", { requestBody: { name, files } });
    const [folder] = await client.call("GET /v6/deployments/:id/files", { id });
    expect(folder).toMatchObject({ name: "src", children: [{ name: "index.ts", type: "file" }] });
    // A server in a database keeps no contents.
    if (engine === "postgres") return;
    await client.call("GET /v8/deployments/:id/files/:fileId", { id, fileId: folder.children[0].uid });
    expect(client.body).toEqual({ data: Buffer.from("index").toString("base64") });
  });

  contract.it("GET /v3/deployments/:id/events", "reads the log of a build", async (client) => {
    const { name } = await contract.project();
    const { id } = await client.call("POST /v13/deployments", { requestBody: { name } });
    await contract.server.control.advanceClock(1000);
    await client.call("GET /v3/deployments/:id/events", { idOrUrl: id });
    expect(client.body.at(-1)).toMatchObject({ deploymentId: id, text: "Deployment completed" });
  });

  contract.it("PATCH /v12/deployments/:id/cancel", "ends a build", async (client) => {
    const { name } = await contract.project();
    const { id } = await client.call("POST /v13/deployments", { requestBody: { name } });
    const canceled = await client.call("PATCH /v12/deployments/:id/cancel", { id });
    expect(canceled).toMatchObject({ id, readyState: "CANCELED" });
  });

  contract.it("DELETE /v13/deployments/:id", "removes one", async (client) => {
    const { name } = await contract.project();
    const { id } = await client.call("POST /v13/deployments", { requestBody: { name } });
    expect(await client.call("DELETE /v13/deployments/:id", { id })).toMatchObject({
      uid: id,
      state: "DELETED",
    });
    expect(await client.refused("GET /v13/deployments/:id", { idOrUrl: id })).toMatchObject({ status: 404 });
  });

  contract.it("GET /v5/domains", "lists the apexes of the projects' domains", async (client) => {
    const apex = await apexOf();
    const { domains } = await client.call("GET /v5/domains", { limit: 100 });
    const listed = domains.find(({ name }: Answered) => name === apex);
    expect(listed).toMatchObject({ verified: true, creator: { username: "dev" } });
  });

  contract.it("GET /v5/domains/:domain", "reads one", async (client) => {
    const domain = await apexOf();
    const read = await client.call("GET /v5/domains/:domain", { domain });
    expect(read.domain).toMatchObject({ name: domain, serviceType: "external", boughtAt: null });
  });

  contract.it(
    "GET /v1/domains/:domain/project-domains",
    "lists what projects have of one",
    async (client) => {
      const domain = await apexOf();
      const { projectDomains } = await client.call("GET /v1/domains/:domain/project-domains", { domain });
      expect(projectDomains).toMatchObject([{ name: domain, apexName: domain }]);
    },
  );

  contract.it("DELETE /v6/domains/:domain", "removes one", async (client) => {
    const domain = await apexOf();
    await client.call("DELETE /v6/domains/:domain", { domain });
    expect(await client.refused("GET /v5/domains/:domain", { domain })).toMatchObject({ status: 404 });
  });

  contract.it("POST /v7/domains", "adds one without a project", async (client) => {
    const name = await addApex(client);
    const { domain } = await client.call("GET /v5/domains/:domain", { domain: name });
    expect(domain).toMatchObject({ name, serviceType: "external", verified: false });
  });

  contract.it("PATCH /v3/domains/:domain", "changes its settings", async (client) => {
    const domain = await addApex(client);
    const request = { domain, requestBody: { op: "update", zone: true } };
    // Of the two shapes of the body, the older two send the one without `zone`.
    expect(await client.call("PATCH /v3/domains/:domain", request)).toMatchObject({
      zone: client.generation === "k28",
    });
  });

  async function addApex(client: Client): Promise<string> {
    const { name: project } = await contract.project();
    const name = `${project}-added.com`;
    await client.call("POST /v7/domains", { requestBody: { name, method: "add" } });
    return name;
  }

  async function apexOf(): Promise<string> {
    const { name: project } = await contract.project();
    const name = `${project}-apex.com`;
    await contract.server.control.seed({ domains: [{ team: "acme", project, name, verified: true }] });
    return name;
  }
}
