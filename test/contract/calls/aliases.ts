import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function aliasCalls(contract: Contract): void {
  /** Makes a project with a production deployment that is ready. */
  async function deployed(): Promise<{ name: string; projectId: string; id: string }> {
    const { name, id: projectId } = await contract.project();
    const id = `dpl_${name.replaceAll("-", "")}`;
    await contract.server.control.deploy({ team: "acme", project: name, id, target: "production" });
    return { name, projectId, id };
  }
  const assign = (client: Client, id: string, alias: string): Promise<Answered> =>
    client.call("POST /v2/deployments/:id/aliases", { id, requestBody: { alias } });

  contract.it("POST /v2/deployments/:id/aliases", "assigns one, and moves it", async (client) => {
    const [first, second] = [await deployed(), await deployed()];
    const alias = `${first.name}-docs.vercel.app`;
    const { uid } = await assign(client, first.id, alias);
    expect(await assign(client, second.id, alias)).toMatchObject({ uid, alias, oldDeploymentId: first.id });
  });

  contract.it("GET /v4/aliases", "lists those of a project", async (client) => {
    const { name, projectId, id } = await deployed();
    await assign(client, id, `${name}-docs.vercel.app`);
    const { aliases, pagination } = await client.call("GET /v4/aliases", { projectId });
    expect(aliases.map(({ alias }: Answered) => alias).sort()).toEqual([
      `${name}-docs.vercel.app`,
      `${name}.vercel.app`,
    ]);
    expect(pagination).toMatchObject({ count: 2, next: null });
  });

  contract.it("GET /v4/aliases/:idOrAlias", "reads one by its name", async (client) => {
    const { name, projectId, id } = await deployed();
    const read = await client.call("GET /v4/aliases/:idOrAlias", { idOrAlias: `${name}.vercel.app` });
    expect(read).toMatchObject({ alias: `${name}.vercel.app`, projectId, deploymentId: id });
  });

  contract.it("GET /v2/deployments/:id/aliases", "lists those of a deployment", async (client) => {
    const { name, id } = await deployed();
    const { aliases } = await client.call("GET /v2/deployments/:id/aliases", { id });
    expect(aliases).toMatchObject([{ alias: `${name}.vercel.app` }]);
  });

  contract.it("DELETE /v2/aliases/:aliasId", "removes one", async (client) => {
    const { name, id } = await deployed();
    const { uid } = await assign(client, id, `${name}-docs.vercel.app`);
    expect(await client.call("DELETE /v2/aliases/:aliasId", { aliasId: uid })).toEqual({ status: "SUCCESS" });
    expect(await client.refused("GET /v4/aliases/:idOrAlias", { idOrAlias: uid })).toMatchObject({
      status: 404,
    });
  });

  contract.it("PATCH /v3/aliases/:id/protection-bypass", "makes every kind of exception", async (client) => {
    const { name, id } = await deployed();
    const alias = `${name}-docs.vercel.app`;
    await assign(client, id, alias);
    const change = (requestBody: object) =>
      client.call("PATCH /v3/aliases/:id/protection-bypass", { id: alias, requestBody });
    await change({ override: { scope: "alias-protection-override", action: "create" } });
    await change({ scope: { email: "grace@example.org", access: "granted" } });
    await change({ ttl: 60 });
    const { protectionBypass } = await client.call("GET /v4/aliases/:idOrAlias", { idOrAlias: alias });
    const scopes = Object.values(protectionBypass).map((one) => (one as Answered).scope);
    expect(scopes.sort()).toEqual(["alias-protection-override", "email_invite", "shareable-link"]);
  });
}
