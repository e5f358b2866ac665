import type { Answered, Client } from "../client";
import { type Contract, installationToken } from "../contract";

export function checkCalls(contract: Contract): void {
  const checks = "POST /v2/projects/:idOrName/checks";
  const runs = "POST /v2/deployments/:id/check-runs";
  const installation = (client: Client): Client => client.as(installationToken);

  async function deployed(): Promise<{ projectIdOrName: string; deploymentId: string }> {
    const { name } = await contract.project();
    const id = `dpl_${name.replaceAll("-", "")}`;
    await contract.server.control.deploy({ team: "acme", project: name, id });
    return { projectIdOrName: name, deploymentId: id };
  }

  const add = async (client: Client) => {
    const at = await deployed();
    const requestBody = { name: "End to end", blocks: "deployment-promotion", source: { kind: "webhook" } };
    const check = await client.call(checks, { ...at, requestBody });
    return { at: { ...at, checkId: check.id }, check };
  };
  const begin = async (client: Client) => {
    const { at } = await add(client);
    const run = await client.call(runs, { ...at, requestBody: { checkId: at.checkId } });
    return { at: { ...at, checkRunId: run.id }, run };
  };
  const register = async (client: Client) => {
    const at = await deployed();
    const requestBody = { name: "Speed", blocking: true, rerequestable: true };
    const check = await installation(client).call("POST /v1/deployments/:id/checks", { ...at, requestBody });
    return { at: { ...at, checkId: check.id }, check };
  };

  contract.it(checks, "adds one", async (client) => {
    expect((await add(client)).check).toMatchObject({ name: "End to end", sourceKind: "webhook" });
  });

  contract.it("GET /v2/projects/:idOrName/checks", "lists those that block something", async (client) => {
    const { at, check } = await add(client);
    const list = (blocks: string) => client.call("GET /v2/projects/:idOrName/checks", { ...at, blocks });
    expect((await list("deployment-promotion")).checks).toEqual([check]);
    expect((await list("none")).checks).toEqual([]);
  });

  contract.it("GET /v2/projects/:idOrName/checks/:checkId", "reads one", async (client) => {
    const { at, check } = await add(client);
    expect(await client.call("GET /v2/projects/:idOrName/checks/:checkId", at)).toEqual(check);
  });

  contract.it("PATCH /v2/projects/:idOrName/checks/:checkId", "changes one", async (client) => {
    const { at } = await add(client);
    const requestBody = { targets: ["production"] };
    const changed = await client.call("PATCH /v2/projects/:idOrName/checks/:checkId", { ...at, requestBody });
    expect(changed).toMatchObject(requestBody);
  });

  contract.it("DELETE /v2/projects/:idOrName/checks/:checkId", "deletes one", async (client) => {
    const { at } = await add(client);
    await client.call("DELETE /v2/projects/:idOrName/checks/:checkId", at);
    const missing = await client.refused("GET /v2/projects/:idOrName/checks/:checkId", at);
    expect(missing).toMatchObject({ status: 404 });
  });

  contract.it(runs, "begins one", async (client) => {
    expect((await begin(client)).run).toMatchObject({ status: "queued", name: "End to end" });
  });

  contract.it("GET /v2/projects/:idOrName/checks/:checkId/runs", "lists those of a check", async (client) => {
    const { at, run } = await begin(client);
    const { runs } = await client.call("GET /v2/projects/:idOrName/checks/:checkId/runs", at);
    expect(runs.map(({ id }: Answered) => id)).toEqual([run.id]);
  });

  contract.it("GET /v2/deployments/:id/check-runs", "lists those of a deployment", async (client) => {
    const { at, run } = await begin(client);
    const { runs } = await client.call("GET /v2/deployments/:id/check-runs", at);
    expect(runs.map(({ id }: Answered) => id)).toEqual([run.id]);
  });

  contract.it("GET /v2/deployments/:id/check-runs/:checkRunId", "reads one", async (client) => {
    const { at, run } = await begin(client);
    expect(await client.call("GET /v2/deployments/:id/check-runs/:checkRunId", at)).toEqual(run);
  });

  contract.it("PATCH /v2/deployments/:id/check-runs/:checkRunId", "ends one", async (client) => {
    const { at } = await begin(client);
    const requestBody = { conclusion: "succeeded", externalUrl: "https://ci.example.com/1" };
    const ended = await client.call("PATCH /v2/deployments/:id/check-runs/:checkRunId", {
      ...at,
      requestBody,
    });
    expect(ended).toMatchObject({ ...requestBody, status: "completed", completedAt: expect.any(Number) });
  });

  contract.it("POST /v1/deployments/:id/checks", "registers one", async (client) => {
    expect((await register(client)).check).toMatchObject({ name: "Speed", status: "registered" });
  });

  contract.it("GET /v1/deployments/:id/checks", "lists those of a deployment", async (client) => {
    const { at, check } = await register(client);
    const { checks } = await client.call("GET /v1/deployments/:id/checks", at);
    expect(checks.map(({ id }: Answered) => id)).toEqual([check.id]);
  });

  contract.it("GET /v1/deployments/:id/checks/:checkId", "reads one", async (client) => {
    const { at, check } = await register(client);
    expect(await client.call("GET /v1/deployments/:id/checks/:checkId", at)).toEqual(check);
  });

  contract.it("PATCH /v1/deployments/:id/checks/:checkId", "ends one, with its metrics", async (client) => {
    const { at } = await register(client);
    const metric = { value: 1, source: "web-vitals" };
    const output = { metrics: { fcp: metric, lcp: metric, cls: metric, tbt: metric } };
    const requestBody = { status: "completed", conclusion: "succeeded", output };
    const operation = "PATCH /v1/deployments/:id/checks/:checkId";
    const ended = await installation(client).call(operation, { ...at, requestBody });
    expect(ended).toMatchObject({ status: "completed", conclusion: "succeeded", output });
  });

  contract.it("POST /v1/deployments/:id/checks/:checkId/rerequest", "asks again", async (client) => {
    const { at } = await register(client);
    await client.call("POST /v1/deployments/:id/checks/:checkId/rerequest", { ...at, autoUpdate: true });
    const check = await client.call("GET /v1/deployments/:id/checks/:checkId", at);
    expect(check).toMatchObject({ status: client.generation === "k28" ? "running" : "registered" });
  });
}
