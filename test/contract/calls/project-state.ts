import type { Answered } from "../client";
import type { Contract } from "../contract";

const secret = "a".repeat(32);

export function stateCalls(contract: Contract): void {
  contract.it("POST /v1/projects/:projectId/pause", "pauses", async (client) => {
    const project = await contract.project();
    await client.call("POST /v1/projects/:projectId/pause", { projectId: project.id });
    expect(await contract.read(project)).toMatchObject({ paused: true, autoAssignCustomDomains: false });
  });

  contract.it("POST /v1/projects/:projectId/unpause", "unpauses", async (client) => {
    const project = await contract.project();
    await client.call("POST /v1/projects/:projectId/pause", { projectId: project.id });
    await client.call("POST /v1/projects/:projectId/unpause", { projectId: project.id });
    expect(await contract.read(project)).toMatchObject({ paused: false, autoAssignCustomDomains: true });
  });

  contract.it("POST /v1/projects/:idOrName/token", "creates a token", async (client) => {
    const { id } = await contract.project();
    const { token } = await client.call("POST /v1/projects/:idOrName/token", { idOrName: id });
    expect(token.split(".")).toHaveLength(3);
  });

  contract.it("PATCH /v1/data-cache/projects/:projectId", "turns the data cache off", async (client) => {
    const { id } = await contract.project();
    const project = await client.call("PATCH /v1/data-cache/projects/:projectId", {
      projectId: id,
      requestBody: { disabled: true },
    });
    expect(project).toMatchObject({ id, dataCache: { userDisabled: true } });
  });

  contract.it(
    "PATCH /v1/projects/:idOrName/protection-bypass",
    "makes and replaces secrets",
    async (client) => {
      const project = await contract.project();
      const update = (requestBody?: object): Promise<Answered> =>
        client.call("PATCH /v1/projects/:idOrName/protection-bypass", { idOrName: project.id, requestBody });
      const entry = {
        createdAt: expect.any(Number),
        createdBy: expect.any(String),
        scope: "automation-bypass",
      };
      expect(await update({ generate: { secret } })).toMatchObject({ protectionBypass: { [secret]: entry } });
      expect(Object.keys((await update({})).protectionBypass)).toHaveLength(2);
      const { protectionBypass } = await update({ revoke: { secret, regenerate: true } });
      expect(Object.keys(protectionBypass)).toHaveLength(2);
      expect(protectionBypass).not.toHaveProperty(secret);
      expect(Object.keys((await contract.read(project)).protectionBypass)).toEqual(
        Object.keys(protectionBypass),
      );
    },
  );
}
