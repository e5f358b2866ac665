import type { Answered, Client } from "../client";
import { type Contract, viewerToken } from "../contract";

/** Operations on who owns teams, projects and domains, and on what an account has at others. */
export function ownershipCalls(contract: Contract): void {
  let count = 0;
  /** A team of the viewer's own. */
  const team = async (client: Client): Promise<{ teamId: string }> => {
    const slug = `own-${client.generation}-${++count}`;
    const { id } = await client.as(viewerToken).call("POST /v1/teams", { slug });
    return { teamId: id };
  };
  const request = async (client: Client): Promise<{ code: string }> => {
    const { name: idOrName } = await contract.project();
    await client.call("POST /projects/:idOrName/transfer-request", { idOrName, requestBody: {} });
    return client.body;
  };

  contract.it("POST /projects/:idOrName/transfer-request", "makes a code", async (client) => {
    expect((await request(client)).code).toMatch(/^\w{32}$/);
  });

  contract.it("PUT /projects/transfer-request/:code", "takes over a project", async (client) => {
    const { code } = await request(client);
    const target = await team(client);
    const requestBody = { newProjectName: "mine" };
    const viewer = client.as(viewerToken);
    await viewer.call("PUT /projects/transfer-request/:code", { code, ...target, requestBody });
    expect(viewer.body).toMatchObject({ transferredStoreIds: [] });
  });

  contract.it("DELETE /v1/teams/:teamIdOrSlug", "deletes a team", async (client) => {
    const viewer = client.as(viewerToken);
    const { teamId } = await team(client);
    const deleted = await viewer.call("DELETE /v1/teams/:teamIdOrSlug", { teamId, requestBody: {} });
    expect(deleted).toEqual({ id: teamId });
    expect((await viewer.refused("GET /v2/teams/:teamIdOrSlug", { teamId })).status).toBe(403);
  });

  contract.it("DELETE /v1/teams/:teamIdOrSlug/invites/:inviteId", "withdraws", async (client) => {
    const viewer = client.as(viewerToken);
    const { teamId } = await team(client);
    const invitation = { email: `asked-${client.generation}@example.net`, role: "MEMBER" };
    const requestBody = client.generation === "k28" ? [invitation] : invitation;
    await viewer.call("POST /v2/teams/:teamIdOrSlug/members", { teamId, requestBody });
    const at = { teamId, inviteId: viewer.body.uid };
    expect(await viewer.call("DELETE /v1/teams/:teamIdOrSlug/invites/:inviteId", at)).toEqual({ id: teamId });
  });

  contract.it("POST /v1/teams/:teamIdOrSlug/dsync-roles", "sets the roles of groups", async (client) => {
    const at = await team(client);
    const requestBody = { roles: { engineering: "DEVELOPER" } };
    const operation = "POST /v1/teams/:teamIdOrSlug/dsync-roles";
    expect(await client.as(viewerToken).call(operation, { ...at, requestBody })).toEqual({ ok: true });
  });

  const ask = async (client: Client) => {
    const { teamId } = await team(client);
    const requestBody = { joinedFrom: { origin: "teams" } };
    await client.call("POST /v1/teams/:teamIdOrSlug/request", { teamId, requestBody });
    return { teamId, ...client.body };
  };

  contract.it("POST /v1/teams/:teamIdOrSlug/request", "asks to join a team", async (client) => {
    expect(await ask(client)).toMatchObject({ confirmed: false, joinedFrom: { origin: "teams" } });
  });

  contract.it("GET /v1/teams/:teamIdOrSlug/request/:userId", "reads the request", async (client) => {
    const { teamId, teamSlug } = await ask(client);
    const { id: userId } = (await client.call("GET /v2/user")).user;
    const found = await client.call("GET /v1/teams/:teamIdOrSlug/request/:userId", { teamId, userId });
    expect(found).toMatchObject({ teamSlug, confirmed: false });
  });

  /** A domain of the team, of which nobody has a name. */
  const domainOf = (client: Client) => ({ domain: `claim${client.generation}${++count}.com` });
  const record = "GET /v9/domains/:domain/verification";

  contract.it(record, "tells the record with which a domain is claimed", async (client) => {
    const at = domainOf(client);
    expect(await client.call(record, at)).toMatchObject({ verificationDomain: `_vercel.${at.domain}` });
  });

  const claim = async (client: Client): Promise<Answered> => {
    const at = domainOf(client);
    const { verificationDomain, txtRecord } = await client.call(record, at);
    await contract.server.control.setTxt(verificationDomain, txtRecord);
    return (await client.call("POST /v9/domains/:domain/claim", at)).domain;
  };

  contract.it("POST /v9/domains/:domain/claim", "makes the domain the account's own", async (client) => {
    expect(await claim(client)).toMatchObject({ verified: true, serviceType: "external" });
  });

  contract.it("POST /v8/certs", "adds a certificate", async (client) => {
    const { name: idOrName } = await contract.project();
    const name = `${idOrName}.example.org`;
    await client.call("POST /v10/projects/:idOrName/domains", { idOrName, requestBody: { name } });
    const { verification } = client.body;
    if (verification) {
      await contract.server.control.setTxt(verification[0].domain, verification[0].value);
      await client.call("POST /v9/projects/:idOrName/domains/:domain/verify", { idOrName, domain: name });
    }
    const certificate = await client.call("POST /v8/certs", { requestBody: { cns: [name] } });
    expect(certificate).toMatchObject({ cns: [name], autoRenew: true });
  });

  contract.it("PATCH /v1/projects/:idOrName/shared-connect-links", "sets regions", async (client) => {
    const { name: idOrName } = await contract.project();
    const requestBody = { regions: ["iad1"] };
    const operation = "PATCH /v1/projects/:idOrName/shared-connect-links";
    const networks = await client.call(operation, { idOrName, requestBody });
    expect(networks).toMatchObject([
      { envId: "production", dc: "iad1" },
      { envId: "preview", dc: "iad1" },
    ]);
  });

  contract.it("GET /v1/integrations/git-namespaces", "lists owners of repositories", async (client) => {
    await contract.project({ gitRepository: { type: "github", repo: "acme/web" } });
    // It names no account, so it is about the caller's own.
    expect(await client.call("GET /v1/integrations/git-namespaces", { provider: "github" })).toEqual([]);
  });

  contract.it("GET /v1/integrations/search-repo", "finds repositories", async (client) => {
    await contract.project({ gitRepository: { type: "github", repo: "acme/web" } });
    await client.call("GET /v1/integrations/search-repo", { provider: "github", query: "web" });
    expect(client.body.repos).toMatchObject([{ namespace: "acme", slug: "web" }]);
  });

  contract.it("GET /v1/integrations/configuration/:id/products", "finds none", async (client) => {
    const operation = "GET /v1/integrations/configuration/:id/products";
    expect(await client.call(operation, { id: "icfg_cron" })).toMatchObject({
      ...{ products: [], integration: { slug: "cron" } },
    });
  });

  contract.it("POST /v1/drains/test", "tells that nothing is sent to a bucket", async (client) => {
    const delivery = {
      ...{ type: "s3", endpoint: "s3://bucket", encoding: "json", compression: "none" },
      ...{ fileStructure: "hive", roleArn: "role", region: "eu-central-1" },
    };
    const requestBody = { schemas: { audit_log: { version: "v1" } }, delivery };
    await client.call("POST /v1/drains/test", { requestBody });
    expect(client.body).toMatchObject({ endpoint: "s3://bucket", status: "error" });
  });
}
