import type { Answered } from "../client";
import type { Contract } from "../contract";

export function promotionCalls(contract: Contract): void {
  /** A project with a domain, and the ids of two deployments that may serve it. */
  async function deployed(): Promise<{ project: Answered; first: string; second: string }> {
    const project = await contract.project();
    const { seed, deploy } = contract.server.control;
    const built = { team: "acme", project: project.name, target: "production", readyState: "READY" } as const;
    const [first = "", second = ""] = await deploy(
      { ...built, gitBranch: "main", gitSha: "a1b2c3d", creator: "dev", meta: { note: "one" } },
      { ...built, gitBranch: "main", gitSha: "e4f5a6b", creator: "dev" },
    );
    const name = `${project.name}.example.net`;
    await seed({ domains: [{ team: "acme", project: project.name, name, verified: true }] });
    return { project, first, second };
  }

  contract.it("POST /v10/projects/:projectId/promote/:deploymentId", "promotes", async (client) => {
    const { project, first, second } = await deployed();
    for (const deploymentId of [first, second]) {
      await client.call("POST /v10/projects/:projectId/promote/:deploymentId", {
        projectId: project.id,
        deploymentId,
      });
    }
    const promoted = await contract.read(project);
    expect(promoted).toMatchObject({
      live: true,
      targets: { production: { id: second, readyState: "READY", creator: { username: "dev" } } },
    });
    expect(promoted.latestDeployments.map(({ id }: Answered) => id).sort()).toEqual([first, second].sort());
  });

  contract.it(
    "GET /v1/projects/:projectId/promote/aliases",
    "is empty before a promotion",
    async (client) => {
      const { id } = await contract.project();
      await client.call("GET /v1/projects/:projectId/promote/aliases", { projectId: id });
      expect(client.body).toEqual({});
    },
  );

  contract.it("GET /v1/projects/:projectId/promote/aliases", "lists the last one's names", async (client) => {
    const { project, first } = await deployed();
    const promote = { projectId: project.id, deploymentId: first };
    await client.call("POST /v10/projects/:projectId/promote/:deploymentId", promote);
    const list = async (query: object) => {
      await client.call("GET /v1/projects/:projectId/promote/aliases", { projectId: project.id, ...query });
      return client.body;
    };
    const alias = { alias: `${project.name}.example.net`, id: expect.any(String), status: "completed" };
    expect(await list({ limit: 20 })).toMatchObject({
      aliases: expect.arrayContaining([expect.objectContaining(alias)]),
      pagination: { count: expect.any(Number), next: null, prev: expect.anything() },
    });
    expect((await list({ failedOnly: true })).aliases).toEqual([]);
  });

  contract.it("POST /v9/projects/:projectId/rollback/:deploymentId", "rolls back", async (client) => {
    const { project, first } = await deployed();
    const projectId = project.id;
    await client.call("POST /v9/projects/:projectId/rollback/:deploymentId", {
      projectId,
      deploymentId: first,
    });
    expect(await contract.read(project)).toMatchObject({
      lastRollbackTarget: expect.any(Object),
    });
  });

  const release = "/v1/projects/:idOrName/rolling-release";
  const stages = [{ targetPercentage: 10 }, { targetPercentage: 50 }, { targetPercentage: 100 }];

  /** A project whose rolling releases need approvals. The client's method that configures them sends no body. */
  async function configured() {
    const { project, first } = await deployed();
    const { id: idOrName } = project;
    const { url, token } = contract.server;
    await fetch(`${url}/v1/projects/${idOrName}/rolling-release/config?slug=acme`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ enabled: true, advancementType: "manual-approval", stages }),
    });
    return { idOrName, requestBody: { canaryDeploymentId: first } };
  }

  contract.it(`GET ${release}/config`, "reads the stages", async (client) => {
    const { idOrName } = await configured();
    const { rollingRelease } = await client.call(`GET ${release}/config`, { idOrName });
    expect(rollingRelease).toMatchObject({ target: "production", stages });
  });

  contract.it(`DELETE ${release}/config`, "disables rolling releases", async (client) => {
    const { idOrName } = await configured();
    await client.call(`DELETE ${release}/config`, { idOrName });
    expect(await client.call(`GET ${release}/config`, { idOrName })).toEqual({ rollingRelease: null });
  });

  contract.it(`GET ${release}/billing`, "tells that the plan has them", async (client) => {
    const { idOrName } = await configured();
    const status = await client.call(`GET ${release}/billing`, { idOrName });
    expect(status).toMatchObject({ reason: "unlimited_slots" });
  });

  contract.it(`GET ${release}`, "reads none before the first", async (client) => {
    const { idOrName } = await configured();
    expect(await client.call(`GET ${release}`, { idOrName })).toEqual({ rollingRelease: null });
  });

  contract.it(`POST ${release}/start`, "starts a release", async (client) => {
    const { idOrName, requestBody } = await configured();
    await client.call(`POST ${release}/start`, { idOrName, requestBody });
    const { rollingRelease } = await client.call(`GET ${release}`, { idOrName });
    expect(rollingRelease).toMatchObject({ state: "ACTIVE", activeStage: { targetPercentage: 10 } });
  });

  contract.it(`POST ${release}/approve-stage`, "begins the next stage", async (client) => {
    const { idOrName, requestBody } = await configured();
    await client.call(`POST ${release}/start`, { idOrName, requestBody });
    const approved = { ...requestBody, nextStageIndex: 1 };
    const { rollingRelease } = await client.call(`POST ${release}/approve-stage`, {
      idOrName,
      requestBody: approved,
    });
    expect(rollingRelease).toMatchObject({ state: "ACTIVE", activeStage: { targetPercentage: 50 } });
  });

  contract.it(`POST ${release}/complete`, "completes a release", async (client) => {
    const { idOrName, requestBody } = await configured();
    await client.call(`POST ${release}/start`, { idOrName, requestBody });
    const { rollingRelease } = await client.call(`POST ${release}/complete`, { idOrName, requestBody });
    expect(rollingRelease).toMatchObject({ state: "COMPLETE", activeStage: { isFinalStage: true } });
  });

  contract.it("GET /v6/deployments", "lists a project's, by state and target", async (client) => {
    const { project, first, second } = await deployed();
    const { deployments, pagination } = await client.call("GET /v6/deployments", {
      projectId: project.id,
      target: "production",
      state: "READY",
    });
    expect(deployments.map(({ uid }: Answered) => uid).sort()).toEqual([first, second].sort());
    expect(pagination).toMatchObject({ count: 2 });
  });

  contract.it("GET /v13/deployments/:id", "reads by id and by URL", async (client) => {
    const { project, first } = await deployed();
    const read = async (idOrUrl: string) => {
      await client.call("GET /v13/deployments/:id", { idOrUrl });
      return client.body;
    };
    const deployment = await read(first);
    expect(deployment).toMatchObject({ id: first, name: project.name, status: "READY", version: 2 });
    expect(await read(deployment.url)).toMatchObject({ id: first });
  });
}
