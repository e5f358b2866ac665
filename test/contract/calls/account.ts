import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

const receiver = "https://receiver.example.com/events";

export function accountCalls(contract: Contract): void {
  contract.it("GET /v2/user", "tells who calls", async (client) => {
    const { user } = await client.call("GET /v2/user");
    expect(user).toMatchObject({ id: expect.any(String), username: "dev", email: "dev@example.com" });
  });

  contract.it("GET /v2/teams", "lists the caller's", async (client) => {
    const { teams, pagination } = await client.call("GET /v2/teams");
    expect(teams.map(({ slug }: Answered) => slug).sort()).toEqual(["acme", "blocked"]);
    expect(pagination).toMatchObject({ count: 2, next: null });
  });

  contract.it("GET /v2/teams/:teamIdOrSlug", "reads by id and by slug", async (client) => {
    const { id } = (await client.call("GET /v2/teams")).teams.find(({ slug }: Answered) => slug === "acme");
    for (const teamId of [id, "acme"]) {
      expect(await client.call("GET /v2/teams/:teamIdOrSlug", { teamId })).toMatchObject({
        id,
        slug: "acme",
        membership: { role: "OWNER" },
      });
    }
  });

  contract.it("PATCH /v2/teams/:teamIdOrSlug", "sets the policy on sensitive variables", async (client) => {
    const { id } = (await client.call("GET /v2/teams")).teams.find(({ slug }: Answered) => slug === "acme");
    const requestBody = { sensitiveEnvironmentVariablePolicy: "default" };
    await client.call("PATCH /v2/teams/:teamIdOrSlug", { teamId: id, requestBody });
    expect(client.body).toMatchObject({ id, sensitiveEnvironmentVariablePolicy: "default" });
  });

  /** Creates a token of the caller. */
  async function token(client: Client): Promise<Answered> {
    const requestBody = { name: `${contract.generation}-${++count}`, expiresAt: Date.UTC(2100, 0, 1) };
    await client.call("POST /v3/user/tokens", { requestBody });
    return client.body;
  }

  contract.it("POST /v3/user/tokens", "creates a token, which only this answer shows", async (client) => {
    const made = await token(client);
    expect(made.bearerToken).toMatch(/^vcp_/);
    expect(made.token).toMatchObject({ type: "token", origin: "manual", expiresAt: Date.UTC(2100, 0, 1) });
  });

  contract.it("GET /v6/user/tokens", "lists those of the caller", async (client) => {
    const { token: made } = await token(client);
    const { tokens, pagination } = await client.call("GET /v6/user/tokens");
    expect(tokens.map(({ id }: Answered) => id)).toContain(made.id);
    expect(pagination).toMatchObject({ count: tokens.length, next: null });
  });

  contract.it("GET /v5/user/tokens/:tokenId", "reads a token by its id", async (client) => {
    const { token: made } = await token(client);
    const { token: read } = await client.call("GET /v5/user/tokens/:tokenId", { tokenId: made.id });
    expect(read).toMatchObject({ id: made.id, name: made.name });
  });

  contract.it("DELETE /v3/user/tokens/:tokenId", "deletes", async (client) => {
    const tokenId = (await token(client)).token.id;
    expect(await client.call("DELETE /v3/user/tokens/:tokenId", { tokenId })).toMatchObject({ tokenId });
    const again = await client.refused("DELETE /v3/user/tokens/:tokenId", { tokenId });
    expect(again).toEqual({ status: 404, code: "not_found" });
  });

  contract.it("GET /v3/teams/:teamIdOrSlug/members", "lists the people", async (client) => {
    const { members } = await client.call("GET /v3/teams/:teamIdOrSlug/members", { teamId: "acme" });
    expect(members.map(({ username, role }: Answered) => [username, role]).sort()).toEqual([
      ["dev", "OWNER"],
      ["viewer", "VIEWER"],
    ]);
    expect(client.body.pagination).toMatchObject({ count: 2, hasNext: false });
  });

  /** Invites a new address to a team whose members no other call lists. */
  async function invited(client: Client, role = "MEMBER"): Promise<{ teamId: string; uid: string }> {
    const teamId = "blocked";
    const invitation = { email: `${contract.generation}-${++count}@example.net`, role };
    const requestBody = contract.generation === "k28" ? [invitation] : invitation;
    await client.call("POST /v2/teams/:teamIdOrSlug/members", { teamId, requestBody });
    expect(client.body).toMatchObject(invitation);
    return { teamId, uid: client.body.uid };
  }
  let count = 0;

  contract.it("POST /v2/teams/:teamIdOrSlug/members", "invites by email address", async (client) => {
    const { uid } = await invited(client);
    expect(uid).toMatch(/^\w{24}$/);
  });

  contract.it("PATCH /v1/teams/:teamIdOrSlug/members/:uid", "changes a role", async (client) => {
    const { teamId, uid } = await invited(client);
    const requestBody = { role: "VIEWER" };
    await client.call("PATCH /v1/teams/:teamIdOrSlug/members/:uid", { teamId, uid, requestBody });
    expect(client.body).toEqual({ id: expect.stringMatching(/^team_/) });
  });

  contract.it("DELETE /v1/teams/:teamIdOrSlug/members/:uid", "removes", async (client) => {
    const { teamId, uid } = await invited(client);
    await client.call("DELETE /v1/teams/:teamIdOrSlug/members/:uid", { teamId, uid });
    const again = await client.refused("DELETE /v1/teams/:teamIdOrSlug/members/:uid", { teamId, uid });
    expect(again).toEqual({ status: 404, code: "not_found" });
  });

  contract.it("POST /v1/teams/:teamIdOrSlug/members/teams/join", "accepts", async (client) => {
    const teamId = "waiting";
    const requestBody = { inviteCode: "code" };
    await client.call("POST /v1/teams/:teamIdOrSlug/members/teams/join", { teamId, requestBody });
    expect(client.body).toMatchObject({ slug: teamId, from: "mail" });
    const { id: uid } = (await client.call("GET /v2/user")).user;
    await client.call("DELETE /v1/teams/:teamIdOrSlug/members/:uid", { teamId, uid });
  });

  /** A user who is invited to the team of the calls, and a project. */
  async function withProject(client: Client) {
    const { id: idOrName } = await contract.project();
    const { username } = (await client.call("GET /v2/user")).user;
    const add = (role: string) =>
      client.call("POST /v1/projects/:idOrName/members", { idOrName, requestBody: { username, role } });
    const list = async () => {
      await client.call("GET /v1/projects/:idOrName/members", { idOrName });
      return client.body.members;
    };
    return { idOrName, username, add, list };
  }

  contract.it("POST /v1/projects/:idOrName/members", "adds a member of the team", async (client) => {
    const { idOrName, add } = await withProject(client);
    await add("PROJECT_DEVELOPER");
    expect(client.body).toEqual({ id: idOrName });
  });

  contract.it("GET /v1/projects/:idOrName/members", "lists members with their roles", async (client) => {
    const { username, add, list } = await withProject(client);
    expect(await list()).toEqual([]);
    await add("PROJECT_VIEWER");
    expect(await list()).toEqual([
      expect.objectContaining({ username, role: "PROJECT_VIEWER", computedProjectRole: "ADMIN" }),
    ]);
  });

  contract.it("DELETE /v1/projects/:idOrName/members/:uid", "removes a member once", async (client) => {
    const { idOrName, add, list } = await withProject(client);
    await add("ADMIN");
    const [{ uid }] = await list();
    await client.call("DELETE /v1/projects/:idOrName/members/:uid", { idOrName, uid });
    const again = await client.refused("DELETE /v1/projects/:idOrName/members/:uid", { idOrName, uid });
    expect(again).toEqual({ status: 404, code: "not_found" });
  });

  const createWebhook = async (client: Client): Promise<Answered> =>
    client.call("POST /v1/webhooks", {
      requestBody: {
        url: receiver,
        events: ["project.created", "project.removed", "deployment.promoted"],
        projectIds: [(await contract.project()).id],
      },
    });

  contract.it("POST /v1/webhooks", "creates, and shows the secret once", async (client) => {
    const webhook = await createWebhook(client);
    expect(webhook).toMatchObject({ url: receiver, secret: expect.any(String) });
    expect(webhook.events).toContain("deployment.promoted");
  });

  contract.it("GET /v1/webhooks", "lists", async (client) => {
    const { id } = await createWebhook(client);
    const webhooks = await client.call("GET /v1/webhooks");
    expect(webhooks).toEqual(expect.arrayContaining([expect.objectContaining({ id, url: receiver })]));
  });

  contract.it("GET /v1/webhooks/:id", "reads", async (client) => {
    const { id } = await createWebhook(client);
    expect(await client.call("GET /v1/webhooks/:id", { id })).toMatchObject({ id, url: receiver });
  });

  contract.it("DELETE /v1/webhooks/:id", "deletes", async (client) => {
    const { id } = await createWebhook(client);
    await client.call("DELETE /v1/webhooks/:id", { id });
    expect(await client.refused("GET /v1/webhooks/:id", { id })).toMatchObject({ status: 404 });
  });

  async function createDrain(client: Client): Promise<Answered> {
    await client.call("POST /v1/log-drains", {
      requestBody: {
        name: "audit",
        url: receiver,
        deliveryFormat: "ndjson",
        sources: ["static", "lambda", "build", "edge", "external"],
        environments: ["production"],
        headers: { "x-tenant": "acme" },
        samplingRate: 0.5,
      },
    });
    return client.body;
  }

  contract.it("POST /v1/log-drains", "creates", async (client) => {
    expect(await createDrain(client)).toMatchObject({
      name: "audit",
      url: receiver,
      deliveryFormat: "ndjson",
    });
  });

  contract.it("GET /v1/log-drains", "lists", async (client) => {
    const { id } = await createDrain(client);
    await client.call("GET /v1/log-drains");
    expect(client.body).toEqual(expect.arrayContaining([expect.objectContaining({ id, url: receiver })]));
  });

  contract.it("GET /v1/log-drains/:id", "reads", async (client) => {
    const { id } = await createDrain(client);
    await client.call("GET /v1/log-drains/:id", { id });
    expect(client.body).toMatchObject({ id, url: receiver });
  });

  contract.it("DELETE /v1/log-drains/:id", "deletes", async (client) => {
    const id = client.has("POST /v1/log-drains") ? (await createDrain(client)).id : await plantDrain();
    await client.call("DELETE /v1/log-drains/:id", { id });
    expect(await client.refused("DELETE /v1/log-drains/:id", { id })).toMatchObject({ status: 404 });
  });

  async function createNewerDrain(client: Client): Promise<Answered> {
    const drain = await client.call("POST /v1/drains", {
      requestBody: {
        name: "audit",
        projects: "all",
        filter: {
          version: "v2",
          filter: {
            type: "basic",
            log: { sources: ["lambda", "redirect"] },
            deployment: { environments: ["production"] },
          },
        },
        schemas: { log: { version: "v1" } },
        delivery: { type: "http", endpoint: receiver, encoding: "ndjson", headers: { "x-tenant": "acme" } },
        sampling: [{ type: "head_sampling", rate: 0.5 }],
        source: { kind: "self-served" },
      },
    });
    return drain;
  }

  contract.it("POST /v1/drains", "creates", async (client) => {
    expect(await createNewerDrain(client)).toMatchObject({ name: "audit" });
    expect(client.body).toMatchObject({
      delivery: { type: "http", endpoint: receiver, encoding: "ndjson", headers: { "x-tenant": "acme" } },
      sampling: [{ type: "head_sampling", rate: 0.5 }],
    });
  });

  contract.it("GET /v1/drains", "lists", async (client) => {
    const { id } = await createNewerDrain(client);
    await client.call("GET /v1/drains");
    expect(client.body.drains).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
  });

  contract.it("GET /v1/drains/:id", "reads", async (client) => {
    const { id } = await createNewerDrain(client);
    expect(await client.call("GET /v1/drains/:id", { id })).toMatchObject({ id });
  });

  contract.it("PATCH /v1/drains/:id", "changes", async (client) => {
    const { id } = await createNewerDrain(client);
    const requestBody = {
      name: "audit-2",
      delivery: { type: "http", endpoint: receiver, encoding: "json", headers: {} },
    };
    expect(await client.call("PATCH /v1/drains/:id", { id, requestBody })).toMatchObject({
      id,
      ...requestBody,
    });
  });

  contract.it("DELETE /v1/drains/:id", "deletes", async (client) => {
    const { id } = await createNewerDrain(client);
    await client.call("DELETE /v1/drains/:id", { id });
    expect(await client.refused("GET /v1/drains/:id", { id })).toMatchObject({ status: 404 });
  });

  /** For the generation that can only delete one. */
  async function plantDrain(): Promise<string> {
    const { url, token } = contract.server;
    const response = await fetch(`${url}/v1/log-drains?slug=acme`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receiver, deliveryFormat: "json", sources: ["static"] }),
    });
    return ((await response.json()) as { id: string }).id;
  }
}
