import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

const matcher = { type: "startsWith", pattern: "release/" };

export function environmentCalls(contract: Contract): void {
  async function create(client: Client, idOrName: string): Promise<Answered> {
    await client.call("POST /v9/projects/:idOrName/custom-environments", {
      idOrName,
      requestBody: { slug: "staging", description: "before production", branchMatcher: matcher },
    });
    return client.body;
  }
  const staging = (idOrName: string) => ({ idOrName, environmentSlugOrId: "staging" });

  contract.it("POST /v9/projects/:idOrName/custom-environments", "creates", async (client) => {
    const project = await contract.project();
    const environment = await create(client, project.id);
    expect(environment).toMatchObject({ slug: "staging", type: "preview", branchMatcher: matcher });
    expect((await contract.read(project)).customEnvironments).toHaveLength(1);
  });

  contract.it("GET /v9/projects/:idOrName/custom-environments", "lists", async (client) => {
    const { id } = await contract.project();
    await create(client, id);
    const path = "GET /v9/projects/:idOrName/custom-environments";
    await client.call(path, { idOrName: id });
    expect(client.body.environments).toMatchObject([{ slug: "staging" }]);
  });

  contract.it("GET /v9/projects/:idOrName/custom-environments/:environment", "reads", async (client) => {
    const { id } = await contract.project();
    const environment = await create(client, id);
    const path = "GET /v9/projects/:idOrName/custom-environments/:environment";
    await client.call(path, staging(id));
    expect(client.body).toMatchObject({ id: environment.id });
  });

  contract.it("PATCH /v9/projects/:idOrName/custom-environments/:environment", "renames", async (client) => {
    const { id } = await contract.project();
    await create(client, id);
    const path = "PATCH /v9/projects/:idOrName/custom-environments/:environment";
    const request = { ...staging(id), requestBody: { slug: "canary" } };
    await client.call(path, request);
    expect(client.body).toMatchObject({ slug: "canary" });
  });

  contract.it("DELETE /v9/projects/:idOrName/custom-environments/:environment", "removes", async (client) => {
    const { id } = await contract.project();
    await create(client, id);
    const path = "DELETE /v9/projects/:idOrName/custom-environments/:environment";
    const request = { ...staging(id), requestBody: {} };
    await client.call(path, request);
    expect(client.body).toMatchObject({ slug: "staging" });
  });

  contract.it(
    "PATCH /v9/projects/:idOrName/env/:id",
    "gives a variable to an environment",
    async (client) => {
      const { id } = await contract.project();
      const environment = await create(client, id);
      const variable = { key: "ONE", value: "1", type: "plain", target: ["preview"] };
      const { created } = await client.call("POST /v10/projects/:idOrName/env", {
        idOrName: id,
        requestBody: variable,
      });
      await client.call("PATCH /v9/projects/:idOrName/env/:id", {
        idOrName: id,
        id: created.id,
        requestBody: { customEnvironmentIds: [environment.id] },
      });
      expect(client.body).toMatchObject({ key: "ONE", customEnvironmentIds: [environment.id] });
      const { envs } = await client.call("GET /v9/projects/:idOrName/env", { idOrName: id });
      expect(envs).toMatchObject([{ customEnvironmentIds: [environment.id] }]);
    },
  );
}
