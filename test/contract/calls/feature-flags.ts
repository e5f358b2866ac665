import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

const base = "/v1/projects/:idOrName/feature-flags";

const listPath = "/v2/projects/:idOrName/feature-flags/flags";

const environments = {
  production: {
    active: true,
    pausedOutcome: { type: "variant", variantId: "off" },
    fallthrough: { type: "variant", variantId: "on" },
    rules: [],
  },
};

export function featureFlagCalls(contract: Contract): void {
  async function prepare(
    client: Client,
    to: string,
    body: object,
  ): Promise<{ project: string; made: Answered }> {
    const { id } = await contract.project();
    await client.call(`PUT ${base}/${to}` as "PUT /v1/projects/:idOrName/feature-flags/flags", {
      projectIdOrName: id,
      requestBody: body,
    });
    return { project: id, made: client.body };
  }
  const newFlag = (client: Client) =>
    prepare(client, "flags", { slug: "beta", kind: "boolean", environments, description: "who sees it" });
  const newSegment = (client: Client) =>
    prepare(client, "segments", { slug: "staff", label: "Staff", hint: "", data: { rules: [] } });
  const newKey = (client: Client) =>
    prepare(client, "sdk-keys", { sdkKeyType: "server", environment: "production" });
  const beta = (projectIdOrName: string) => ({ projectIdOrName, flagIdOrSlug: "beta" });
  const staff = (projectIdOrName: string) => ({ projectIdOrName, segmentIdOrSlug: "staff" });

  contract.it(`PUT ${base}/flags`, "creates a flag", async (client) => {
    const { made } = await newFlag(client);
    expect(made).toMatchObject({ slug: "beta", kind: "boolean", state: "active" });
  });

  contract.it(`GET ${listPath}`, "lists flags", async (client) => {
    const { project, made } = await newFlag(client);
    await client.call(`GET ${listPath}`, { projectIdOrName: project });
    expect(client.body.data).toMatchObject([{ id: made.id }]);
  });

  contract.it("GET /v2/teams/:teamIdOrSlug/feature-flags/flags", "lists flags of a team", async (client) => {
    const { made } = await newFlag(client);
    await client.call("GET /v2/teams/:teamIdOrSlug/feature-flags/flags", { teamId: made.ownerId });
    expect(client.body.data.map(({ id }: Answered) => id)).toContain(made.id);
  });

  contract.it(`GET ${base}/flags/:flag`, "reads a flag", async (client) => {
    const { project, made } = await newFlag(client);
    await client.call(`GET ${base}/flags/:flag`, beta(project));
    expect(client.body).toMatchObject({ id: made.id, description: "who sees it" });
  });

  contract.it(`PATCH ${base}/flags/:flag`, "archives a flag", async (client) => {
    const { project } = await newFlag(client);
    await client.call(`PATCH ${base}/flags/:flag`, { ...beta(project), requestBody: { state: "archived" } });
    expect(client.body).toMatchObject({ state: "archived" });
  });

  contract.it(`DELETE ${base}/flags/:flag`, "deletes an archived flag", async (client) => {
    const { project } = await newFlag(client);
    await client.call(`PATCH ${base}/flags/:flag`, { ...beta(project), requestBody: { state: "archived" } });
    await client.call(`DELETE ${base}/flags/:flag`, beta(project));
    await client.call(`GET ${listPath}`, { projectIdOrName: project });
    expect(client.body.data).toEqual([]);
  });

  contract.it(`GET ${base}/flags/:flag/versions`, "lists the versions of a flag", async (client) => {
    const { project } = await newFlag(client);
    await client.call(`GET ${base}/flags/:flag/versions`, beta(project));
    expect(client.body.versions).toMatchObject([{ revision: 0 }]);
  });

  contract.it(`PUT ${base}/segments`, "creates a segment", async (client) => {
    expect((await newSegment(client)).made).toMatchObject({ slug: "staff", label: "Staff" });
  });

  contract.it(`GET ${base}/segments`, "lists segments", async (client) => {
    const { project, made } = await newSegment(client);
    await client.call(`GET ${base}/segments`, { projectIdOrName: project });
    expect(client.body.data).toMatchObject([{ id: made.id }]);
  });

  contract.it(`GET ${base}/segments/:segment`, "reads a segment", async (client) => {
    const { project, made } = await newSegment(client);
    await client.call(`GET ${base}/segments/:segment`, staff(project));
    expect(client.body).toMatchObject({ id: made.id });
  });

  contract.it(`PATCH ${base}/segments/:segment`, "changes a segment", async (client) => {
    const { project } = await newSegment(client);
    await client.call(`PATCH ${base}/segments/:segment`, {
      ...staff(project),
      requestBody: { hint: "user-id" },
    });
    expect(client.body).toMatchObject({ hint: "user-id" });
  });

  contract.it(`DELETE ${base}/segments/:segment`, "deletes a segment", async (client) => {
    const { project } = await newSegment(client);
    await client.call(`DELETE ${base}/segments/:segment`, staff(project));
    await client.call(`GET ${base}/segments`, { projectIdOrName: project });
    expect(client.body.data).toEqual([]);
  });

  contract.it(`PUT ${base}/sdk-keys`, "creates an SDK key", async (client) => {
    expect((await newKey(client)).made.keyValue).toMatch(/^vf_server_/);
  });

  contract.it(`GET ${base}/sdk-keys`, "lists SDK keys", async (client) => {
    const { project, made } = await newKey(client);
    await client.call(`GET ${base}/sdk-keys`, { projectIdOrName: project });
    expect(client.body.data).toMatchObject([{ hashKey: made.hashKey }]);
  });

  contract.it(`DELETE ${base}/sdk-keys/:hashKey`, "deletes an SDK key", async (client) => {
    const { project, made } = await newKey(client);
    await client.call(`DELETE ${base}/sdk-keys/:hashKey`, {
      projectIdOrName: project,
      hashKey: made.hashKey,
    });
    await client.call(`GET ${base}/sdk-keys`, { projectIdOrName: project });
    expect(client.body.data).toEqual([]);
  });

  contract.it(`GET ${base}/settings`, "reads the settings", async (client) => {
    const { project } = await newFlag(client);
    await client.call(`GET ${base}/settings`, { projectIdOrName: project });
    expect(client.body).toMatchObject({ enabled: true, metadata: { activeFlagCount: 1 } });
  });

  contract.it(`PATCH ${base}/settings`, "changes the settings", async (client) => {
    const { project } = await newFlag(client);
    await client.call(`PATCH ${base}/settings`, {
      projectIdOrName: project,
      requestBody: { enabled: false },
    });
    expect(client.body).toMatchObject({ enabled: false });
  });

  contract.it("GET /v1/teams/:teamIdOrSlug/feature-flags/settings", "lists the settings", async (client) => {
    const { project, made } = await newFlag(client);
    await client.call("GET /v1/teams/:teamIdOrSlug/feature-flags/settings", { teamId: made.ownerId });
    expect(client.body.data.map(({ projectId }: Answered) => projectId)).toContain(project);
  });

  contract.it("GET /v1/deployments/:id/feature-flags", "finds no flags in a deployment", async (client) => {
    const { name } = await contract.project();
    const [deploymentId] = await contract.server.control.deploy({ team: "acme", project: name });
    await client.call("GET /v1/deployments/:id/feature-flags", { deploymentId });
    expect(client.body).toMatchObject({ flags: [] });
  });
}
