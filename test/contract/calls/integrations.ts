import type { Answered, Client } from "../client";
import { type Contract, installationToken } from "../contract";

export function integrationCalls(contract: Contract): void {
  const configuration = { id: "icfg_cron", slug: "cron", type: "integration-configuration" };

  contract.it("GET /v1/integrations/configurations", "lists, in both views", async (client) => {
    for (const view of ["account", "project"]) {
      const list = await client.call("GET /v1/integrations/configurations", { view });
      expect(list).toEqual(expect.arrayContaining([expect.objectContaining(configuration)]));
    }
  });

  contract.it(
    "GET /v1/integrations/configuration/:id",
    "reads, for a person and the installation",
    async (client) => {
      for (const caller of [client, client.as(installationToken)]) {
        const read = await caller.call("GET /v1/integrations/configuration/:id", { id: configuration.id });
        expect(read).toMatchObject({
          ...configuration,
          scopes: expect.arrayContaining(["read-write:project", "read-write:log-drain"]),
        });
      }
    },
  );

  contract.it(
    "GET /v1/integrations/configuration/:id",
    "reads one that is limited and disabled",
    async (client) => {
      const { control } = contract.server;
      const { id: projectId } = await contract.project();
      await control.seed({
        users: [{ username: "leaver" }],
        teams: [{ slug: "acme", members: [{ user: "leaver", role: "OWNER" }] }],
      });
      const { configurationId } = await control.install("cron", {
        team: "acme",
        installedBy: "leaver",
        projects: [projectId],
      });
      await control.removeMember("acme", "leaver");
      const read = await client.call("GET /v1/integrations/configuration/:id", { id: configurationId });
      expect(read).toMatchObject({
        projects: [projectId],
        disabledAt: expect.any(Number),
        disabledReason: "original-owner-left-the-team",
      });
    },
  );

  contract.it("DELETE /v1/integrations/configuration/:id", "uninstalls", async (client) => {
    const { configurationId: id } = await contract.server.control.install("cron", {
      team: "acme",
      installedBy: "dev",
    });
    await client.call("DELETE /v1/integrations/configuration/:id", { id });
    expect(await client.refused("GET /v1/integrations/configuration/:id", { id })).toEqual({
      status: 404,
      code: "not_found",
    });
  });

  const createDrain = async (client: Client): Promise<Answered> =>
    client.as(installationToken).call("POST /v2/integrations/log-drains", {
      requestBody: {
        name: "cron logs",
        url: "https://receiver.example.com/logs",
        deliveryFormat: "json",
        sources: ["static", "lambda"],
        environments: ["preview", "production"],
        projectIds: [(await contract.project()).id],
        secret: "shared secret",
        headers: { "x-tenant": "acme" },
      },
    });

  contract.it("POST /v2/integrations/log-drains", "creates", async (client) => {
    expect(await createDrain(client)).toMatchObject({ id: expect.stringMatching(/^ld_/), name: "cron logs" });
  });

  contract.it("GET /v2/integrations/log-drains", "lists", async (client) => {
    const { id } = await createDrain(client);
    const drains = await client.as(installationToken).call("GET /v2/integrations/log-drains");
    expect(drains).toEqual(expect.arrayContaining([expect.objectContaining({ id, name: "cron logs" })]));
  });

  contract.it("DELETE /v1/integrations/log-drains/:id", "deletes", async (client) => {
    const { id } = await createDrain(client);
    const installation = client.as(installationToken);
    await installation.call("DELETE /v1/integrations/log-drains/:id", { id });
    expect(await installation.refused("DELETE /v1/integrations/log-drains/:id", { id })).toEqual({
      status: 404,
      code: "not_found",
    });
  });
}
