import type { Answered, Client } from "../client";
import { type Contract, viewerToken } from "../contract";

/** Operations beside those that resources need. */
export function furtherCalls(contract: Contract): void {
  const ofProject = async () => ({ projectId: (await contract.project()).id });

  contract.it("GET /v1/security/firewall/attack-status", "finds no attack", async (client) => {
    const answer = await client.call("GET /v1/security/firewall/attack-status", await ofProject());
    // The older two keep the first shape that fits, which has no members.
    expect(answer).toEqual(client.generation === "k28" ? { anomalies: [] } : {});
  });

  contract.it("GET /v1/security/firewall/events", "finds no action", async (client) => {
    const answer = await client.call("GET /v1/security/firewall/events", await ofProject());
    expect(answer).toEqual({ actions: [] });
  });

  contract.it("POST /v1/projects/:idOrName/domains/:domain/move", "moves a domain", async (client) => {
    const { name: idOrName } = await contract.project();
    const { projectId } = await ofProject();
    const domain = `${idOrName}.example.com`;
    await client.call("POST /v10/projects/:idOrName/domains", { idOrName, requestBody: { name: domain } });
    const move = { idOrName, domain, requestBody: { projectId } };
    const moved = await client.call("POST /v1/projects/:idOrName/domains/:domain/move", move);
    expect(moved).toMatchObject({ name: domain, projectId });
  });

  contract.it("GET /v3/events", "lists the activity of a user in a project", async (client) => {
    const { projectId } = await ofProject();
    const { events } = await client.call("GET /v3/events", { limit: 5, types: "project-created" });
    expect(projectId).toMatch(/^prj_/);
    const text = client.generation === "k3" ? {} : { text: expect.stringContaining("created the project") };
    expect(events[0]).toMatchObject(text);
  });

  contract.it("GET /v1/events/types", "lists them", async (client) => {
    const { types } = await client.call("GET /v1/events/types");
    expect(types.map(({ name }: Answered) => name)).toContain("project-created");
  });

  contract.it("POST /v1/teams", "creates one", async (client) => {
    const slug = `team-${client.generation}`;
    const team = await client.as(viewerToken).call("POST /v1/teams", { slug });
    expect(team).toMatchObject({ id: expect.stringMatching(/^team_/) });
  });

  const change = async (client: Client) => {
    const { id } = await client.call("POST /v1/edge-config", {
      requestBody: { slug: "backups", items: { banner: "first" } },
    });
    return { edgeConfigId: id };
  };
  const newest = async (client: Client, at: object) =>
    (await client.call("GET /v1/edge-config/:id/backups", { ...at, metadata: "true" })).backups[0];

  contract.it("GET /v1/edge-config/:id/backups", "lists them with their metadata", async (client) => {
    const backup = await newest(client, await change(client));
    expect(backup).toMatchObject({ id: expect.any(String), metadata: { itemsCount: 1 } });
  });

  contract.it("GET /v1/edge-config/:id/backups/:backupId", "reads one", async (client) => {
    const at = await change(client);
    const { id } = await newest(client, at);
    const operation = "GET /v1/edge-config/:id/backups/:backupId";
    const { backup } = await client.call(operation, { ...at, edgeConfigBackupVersionId: id });
    expect(backup.items.banner).toMatchObject({ value: "first" });
  });

  contract.it("POST /v1/edge-config/:id/backups/:backupId/restore", "restores one", async (client) => {
    const at = await change(client);
    const { id } = await newest(client, at);
    const operation = "POST /v1/edge-config/:id/backups/:backupId/restore";
    const restored = await client.call(operation, { ...at, edgeConfigBackupVersionId: id });
    expect(restored).toMatchObject({ status: "ok", restoredFrom: id });
  });
}
