import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function sharedEnvCalls(contract: Contract): void {
  let count = 0;
  /** Creates a variable of a key that no other test has. */
  async function create(client: Client, fields: object = {}): Promise<Answered> {
    count += 1;
    const evs = [{ key: `SHARED_${count}`, value: "secret", comment: "why" }];
    const requestBody = { evs, type: "encrypted", target: ["production"], ...fields };
    return (await client.call("POST /v1/env", { requestBody })).created[0];
  }

  contract.it("POST /v1/env", "creates, and links projects", async (client) => {
    const { id } = await contract.project();
    const shown = { type: "sensitive", target: ["preview"], projectId: [id] };
    expect(await create(client, shown)).toMatchObject({ ...shown, id: expect.stringMatching(/^env_/) });
  });

  contract.it("POST /v1/env", "tells which of several failed, and why", async (client) => {
    const { key } = await create(client);
    const evs = [key, `${key}_OTHER`].map((name) => ({ key: name, value: "v" }));
    const requestBody = { evs, type: "encrypted", target: ["production"] };
    const { created, failed } = await client.call("POST /v1/env", { requestBody });
    expect(created).toMatchObject([{ key: `${key}_OTHER` }]);
    expect(failed).toMatchObject([{ error: { code: "existing_key_and_target", envVarKey: key } }]);
  });

  contract.it("POST /v1/env", "is refused with 409 for a key and target twice", async (client) => {
    const { key } = await create(client);
    const requestBody = { evs: [{ key, value: "v" }], type: "encrypted", target: ["production"] };
    const refused = await client.refused("POST /v1/env", { requestBody });
    expect(refused).toEqual({ status: 409, code: "existing_key_and_target" });
  });

  contract.it("GET /v1/env", "lists those of a project", async (client) => {
    const { id } = await contract.project();
    const { key } = await create(client, { projectId: [id] });
    const { data } = await client.call("GET /v1/env", { projectId: id });
    expect(data).toMatchObject([{ key, comment: "why", projectId: [id] }]);
  });

  contract.it("GET /v1/env/:id", "returns the value", async (client) => {
    const { id } = await create(client);
    expect(await client.call("GET /v1/env/:id", { id })).toMatchObject({ value: "secret", decrypted: true });
  });

  contract.it("PATCH /v1/env", "changes", async (client) => {
    const { id } = await create(client);
    const requestBody = { updates: { [id]: { value: "other", comment: "because" } } };
    const { updated, failed } = await client.call("PATCH /v1/env", { requestBody });
    expect(updated).toMatchObject([{ id, comment: "because" }]);
    expect(failed).toEqual([]);
  });

  contract.it("PATCH /v1/env/:id/unlink/:projectId", "unlinks", async (client) => {
    const { id: projectId } = await contract.project();
    const { id } = await create(client, { projectId: [projectId] });
    await client.call("PATCH /v1/env/:id/unlink/:projectId", { id, projectId });
    expect((await client.call("GET /v1/env/:id", { id })).projectId).toEqual([]);
  });

  contract.it("DELETE /v1/env", "deletes", async (client) => {
    const { id } = await create(client);
    const { deleted } = await client.call("DELETE /v1/env", { requestBody: { ids: [id] } });
    expect(deleted).toEqual([id]);
    expect(await client.refused("GET /v1/env/:id", { id })).toEqual({ status: 404, code: "not_found" });
  });
}
