import type { Answered, Client } from "../client";
import { type Contract, installationToken } from "../contract";

const plain = { key: "API_URL", value: "https://api.example.com", type: "plain", target: ["preview"] };
const everyType = [
  { key: "PLAIN", value: "1", type: "plain", target: ["production", "preview", "development"] },
  { key: "ENCRYPTED", value: "2", type: "encrypted", target: ["production"], comment: "two" },
  { key: "SENSITIVE", value: "3", type: "sensitive", target: ["production"] },
  { key: "BRANCH", value: "4", type: "encrypted", target: ["preview"], gitBranch: "next" },
];

export function envCalls(contract: Contract): void {
  const create = (client: Client, idOrName: string, requestBody: object, query = {}): Promise<Answered> =>
    client.call("POST /v10/projects/:idOrName/env", { idOrName, requestBody, ...query });
  const list = (client: Client, idOrName: string, query = {}): Promise<Answered> =>
    client.call("GET /v9/projects/:idOrName/env", { idOrName, ...query });

  contract.it("POST /v10/projects/:idOrName/env", "creates one", async (client) => {
    const { id } = await contract.project();
    const { created, failed } = await create(client, id, plain);
    expect(created).toMatchObject({ ...plain, id: expect.any(String), configurationId: null });
    expect(failed).toEqual([]);
  });

  contract.it("POST /v10/projects/:idOrName/env", "creates several, of every type", async (client) => {
    const { id } = await contract.project();
    const { created } = await create(client, id, everyType);
    const shown = everyType.map(({ value: _, ...variable }) => variable);
    expect(created).toMatchObject(shown);
  });

  contract.it(
    "POST /v10/projects/:idOrName/env",
    "tells which of several failed, and why",
    async (client) => {
      const { id } = await contract.project();
      await create(client, id, plain);
      const { created, failed } = await create(client, id, [plain, { ...plain, key: "OTHER" }]);
      expect(created).toMatchObject([{ key: "OTHER" }]);
      expect(failed).toMatchObject([
        { error: { code: "ENV_CONFLICT", message: expect.any(String), envVarKey: plain.key } },
      ]);
    },
  );

  contract.it("POST /v10/projects/:idOrName/env", "upserts", async (client) => {
    const { id } = await contract.project();
    const first = await create(client, id, plain);
    const second = await create(client, id, { ...plain, value: "changed" }, { upsert: "true" });
    expect(second.created).toMatchObject({ id: first.created.id, value: "changed" });
  });

  contract.it("POST /v10/projects/:idOrName/env", "marks an installation's variables", async (client) => {
    const { id } = await contract.project();
    const { created } = await create(client.as(installationToken), id, plain);
    expect(created.configurationId).toBe("icfg_cron");
  });

  contract.it("GET /v9/projects/:idOrName/env", "lists, with every filter", async (client) => {
    const { id } = await contract.project();
    await create(client, id, everyType);
    const { envs } = await list(client, id);
    expect(envs.map(({ key }: Answered) => key).sort()).toEqual(everyType.map(({ key }) => key).sort());
    const decrypted = await list(client, id, { decrypt: "true", source: "contract", gitBranch: "next" });
    expect(decrypted.envs).toMatchObject([{ key: "BRANCH", value: "4" }, { key: "PLAIN" }]);
  });

  contract.it(
    "GET /v9/projects/:idOrName/env",
    "lists types that newer clients do not make",
    async (client) => {
      const project = await contract.project();
      const owner = { team: "acme", project: project.name };
      await contract.server.control.seed({
        env: [
          { ...owner, key: "SECRET", value: "5", type: "secret", target: ["development"] },
          { ...owner, key: "VERCEL_URL", value: "", type: "system", target: ["production"] },
        ],
      });
      const { envs } = await list(client, project.id);
      expect(envs.map(({ type }: Answered) => type).sort()).toEqual(["secret", "system"]);
      expect((await contract.read(project)).env).toHaveLength(2);
      for (const { id } of envs) {
        const request = { idOrName: project.id, id };
        await client.call("GET /v1/projects/:idOrName/env/:id", request);
        expect(client.body).toMatchObject({ id });
      }
    },
  );

  contract.it("GET /v1/projects/:idOrName/env/:id", "reads the value", async (client) => {
    const { id } = await contract.project();
    const { created } = await create(client, id, everyType);
    for (const { id: variable, key } of created) {
      await client.call("GET /v1/projects/:idOrName/env/:id", { idOrName: id, id: variable });
      const value = key === "SENSITIVE" ? "" : everyType.find((given) => given.key === key)?.value;
      expect(client.body).toMatchObject({ key, value });
    }
  });

  contract.it("PATCH /v9/projects/:idOrName/env/:id", "edits every member", async (client) => {
    const { id } = await contract.project();
    const { created } = await create(client, id, plain);
    const change = {
      key: "OTHER",
      value: "2",
      type: "plain",
      target: ["preview"],
      gitBranch: "next",
      comment: "changed",
    };
    const request = { idOrName: id, id: created.id, requestBody: change };
    await client.call("PATCH /v9/projects/:idOrName/env/:id", request);
    expect(client.body).toMatchObject(change);
  });

  contract.it("DELETE /v9/projects/:idOrName/env/:id", "removes", async (client) => {
    const { id } = await contract.project();
    const { created } = await create(client, id, plain);
    const request = { idOrName: id, id: created.id };
    expect(await client.call("DELETE /v9/projects/:idOrName/env/:id", request)).toMatchObject({
      key: plain.key,
    });
    expect((await list(client, id)).envs).toEqual([]);
  });

  contract.it("DELETE /v1/projects/:idOrName/env", "removes several", async (client) => {
    const { id } = await contract.project();
    const { created } = await create(client, id, everyType);
    const [kept, ...ids]: string[] = created.map((variable: Answered) => variable.id);
    expect(
      await client.call("DELETE /v1/projects/:idOrName/env", { idOrName: id, requestBody: { ids } }),
    ).toEqual({ deleted: 3, ids });
    expect((await list(client, id)).envs).toMatchObject([{ id: kept }]);
  });
}
