import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function firewallCalls(contract: Contract): void {
  contract.it(
    "POST /v1/security/attack-mode",
    "turns the attack challenge mode on and off",
    async (client) => {
      const project = await contract.project();
      const set = (attackModeEnabled: boolean, more: object = {}) =>
        client.call("POST /v1/security/attack-mode", {
          requestBody: { projectId: project.id, attackModeEnabled, ...more },
        });
      const attackModeUpdatedAt = expect.any(Number);
      expect(await set(true)).toEqual({ attackModeEnabled: true, attackModeUpdatedAt });
      const attackModeActiveUntil = Date.UTC(2100, 0, 1);
      expect(await set(true, { attackModeActiveUntil })).toMatchObject({ attackModeEnabled: true });
      const shown = { attackModeEnabled: true, attackModeActiveUntil };
      expect(await contract.read(project)).toMatchObject({ security: shown });
      expect(await set(false)).toEqual({ attackModeEnabled: false, attackModeUpdatedAt });
      const { security } = await contract.read(project);
      expect(security).toEqual({
        attackModeEnabled: false,
        attackModeActiveUntil: null,
        attackModeUpdatedAt,
      });
    },
  );

  /** A project with the domain of a rule, and how to list its rules. */
  async function prepare(client: Client) {
    const { id: projectId, name } = await contract.project();
    const domain = `${name}.dev`;
    const requestBody = { name: domain };
    await client.call("POST /v10/projects/:idOrName/domains", { idOrName: projectId, requestBody });
    const list = async (filters: object = {}) => {
      await client.call("GET /v1/security/firewall/bypass", { projectId, ...filters });
      return client.body.result;
    };
    const add = (requestBody: object) =>
      client.call("POST /v1/security/firewall/bypass", { projectId, requestBody });
    return { projectId, domain, list, add };
  }

  contract.it("POST /v1/security/firewall/bypass", "creates rules", async (client) => {
    const { projectId, domain, list, add } = await prepare(client);
    await add({ domain, sourceIp: "192.0.2.1", note: "monitoring" });
    expect(client.body).toMatchObject({
      ok: true,
      result: [
        { Id: `${projectId}#${domain}#192.0.2.1`, Domain: domain, Ip: "192.0.2.1", Note: "monitoring" },
      ],
    });
    await add({ projectScope: true, sourceIp: "192.0.2.0/24" });
    await add({ domain, allSources: true });
    expect((await list()).map(({ Ip }: Answered) => Ip).sort()).toEqual([
      "0.0.0.0/0",
      "192.0.2.0/24",
      "192.0.2.1",
    ]);
  });

  contract.it("GET /v1/security/firewall/bypass", "finds rules by what they are for", async (client) => {
    const { domain, list, add } = await prepare(client);
    await add({ domain, sourceIp: "192.0.2.1" });
    await add({ projectScope: true, sourceIp: "192.0.2.2" });
    expect(await list({ sourceIp: "192.0.2.1", domain })).toMatchObject([
      { Domain: domain, IsProjectRule: false },
    ]);
    expect(await list({ projectScope: true })).toMatchObject([{ Ip: "192.0.2.2", IsProjectRule: true }]);
    expect(await list({ domain: "other.dev" })).toEqual([]);
  });

  contract.it("DELETE /v1/security/firewall/bypass", "deletes a rule once", async (client) => {
    const { projectId, domain, list, add } = await prepare(client);
    const requestBody = { domain, sourceIp: "192.0.2.1" };
    await add(requestBody);
    const call = { projectId, requestBody };
    await client.call("DELETE /v1/security/firewall/bypass", call);
    expect(client.body).toEqual({ ok: true });
    expect(await list()).toEqual([]);
    expect(await client.refused("DELETE /v1/security/firewall/bypass", call)).toEqual({
      status: 404,
      code: "not_found",
    });
  });

  const ip = { hostname: "*", ip: "192.0.2.1", action: "deny" };
  const active = (projectId: string) => ({ projectId, configVersion: "active" });

  contract.it("PUT /v1/security/firewall/config", "sets the configuration", async (client) => {
    const { id: projectId } = await contract.project();
    const conditions = [{ type: "header", key: "x-bot", op: "ex" }];
    const rule = { name: "Deny bots", active: true, action: { mitigate: { action: "deny" } } };
    const requestBody = {
      ...{ firewallEnabled: true, ips: [ip] },
      rules: [{ ...rule, conditionGroup: [{ conditions }] }],
    };
    await client.call("PUT /v1/security/firewall/config", { projectId, requestBody });
    expect(client.body.active).toMatchObject({ ...requestBody, version: 1, projectKey: projectId });
  });

  contract.it("PATCH /v1/security/firewall/config", "changes the configuration", async (client) => {
    const { id: projectId } = await contract.project();
    const requestBody = { action: "ip.insert", value: ip };
    await client.call("PATCH /v1/security/firewall/config", { projectId, requestBody });
    await client.call("GET /v1/security/firewall/config/:configVersion", active(projectId));
    expect(client.body).toMatchObject({ firewallEnabled: true, ips: [ip] });
  });

  contract.it(
    "GET /v1/security/firewall/config/:configVersion",
    "finds the active configuration",
    async (client) => {
      const { id: projectId } = await contract.project();
      const call = active(projectId);
      expect(await client.refused("GET /v1/security/firewall/config/:configVersion", call)).toEqual({
        status: 404,
        code: "not_found",
      });
      const requestBody = { action: "firewallEnabled", value: false };
      await client.call("PATCH /v1/security/firewall/config", { projectId: call.projectId, requestBody });
      await client.call("GET /v1/security/firewall/config/:configVersion", call);
      expect(client.body).toMatchObject({ firewallEnabled: false, rules: [], ips: [] });
    },
  );
}
