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
}
