import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function accessGroupCalls(contract: Contract): void {
  /** Creates a group that has the caller and a project. */
  async function create(client: Client) {
    const { id: uid } = (await client.call("GET /v2/user")).user;
    const { id: projectId } = await contract.project();
    const name = `group-of-${projectId}`;
    const projects = [{ projectId, role: "PROJECT_DEVELOPER" }];
    const requestBody = { name, membersToAdd: [uid], projects };
    await client.call("POST /v1/access-groups", { requestBody });
    return { group: client.body as Answered, name, uid, projectId };
  }

  contract.it("POST /v1/access-groups", "creates with members and projects", async (client) => {
    const { group, name } = await create(client);
    expect(group).toMatchObject({ name, membersCount: 1, projectsCount: 1 });
  });

  contract.it("GET /v1/access-groups", "lists those of a project", async (client) => {
    const { group, uid, projectId } = await create(client);
    const { accessGroupId } = group;
    await client.call("GET /v1/access-groups", { projectId, membersLimit: 5, projectsLimit: 5, limit: 10 });
    expect(client.body).toMatchObject({
      accessGroups: [{ accessGroupId, isDsyncManaged: false, members: [uid], projects: [projectId] }],
      pagination: { count: 1, next: null },
    });
  });

  contract.it("GET /v1/access-groups/:idOrName", "reads by id and by name", async (client) => {
    const { group, name } = await create(client);
    for (const idOrName of [group.accessGroupId, name])
      expect(await client.call("GET /v1/access-groups/:idOrName", { idOrName })).toMatchObject(group);
  });

  contract.it("POST /v1/access-groups/:idOrName", "changes all at once", async (client) => {
    const { group, name, uid, projectId } = await create(client);
    const projects = [{ projectId, role: null }];
    const requestBody = { name: `${name}-2`, membersToRemove: [uid], projects };
    await client.call("POST /v1/access-groups/:idOrName", { idOrName: group.accessGroupId, requestBody });
    expect(client.body).toMatchObject({ name: `${name}-2`, membersCount: 0, projectsCount: 0 });
  });

  contract.it("DELETE /v1/access-groups/:idOrName", "deletes", async (client) => {
    const { name: idOrName } = await create(client);
    await client.call("DELETE /v1/access-groups/:idOrName", { idOrName });
    const again = await client.refused("DELETE /v1/access-groups/:idOrName", { idOrName });
    expect(again).toEqual({ status: 404, code: "not_found" });
  });

  contract.it("GET /v1/access-groups/:idOrName/members", "lists members with their roles", async (client) => {
    const { name: idOrName, uid } = await create(client);
    const { members } = await client.call("GET /v1/access-groups/:idOrName/members", { idOrName });
    expect(members).toMatchObject([{ uid, username: "dev", teamRole: "OWNER" }]);
  });

  contract.it("GET /v1/access-groups/:idOrName/projects", "lists projects with the roles", async (client) => {
    const { name: idOrName, projectId } = await create(client);
    const { projects } = await client.call("GET /v1/access-groups/:idOrName/projects", { idOrName });
    expect(projects).toMatchObject([{ projectId, role: "PROJECT_DEVELOPER" }]);
  });

  contract.it(
    "POST /v1/access-groups/:accessGroupIdOrName/projects",
    "adds a project once",
    async (client) => {
      const { name: accessGroupIdOrName } = await create(client);
      const { id: projectId } = await contract.project();
      const request = { accessGroupIdOrName, requestBody: { projectId, role: "ADMIN" } };
      const operation = "POST /v1/access-groups/:accessGroupIdOrName/projects";
      expect(await client.call(operation, request)).toMatchObject({ projectId, role: "ADMIN" });
      expect(await client.refused(operation, request)).toMatchObject({ status: 400 });
    },
  );

  const ofProject = "/v1/access-groups/:accessGroupIdOrName/projects/:projectId";

  contract.it(`GET ${ofProject}`, "reads the role", async (client) => {
    const { name: accessGroupIdOrName, projectId } = await create(client);
    const answer = await client.call(`GET ${ofProject}`, { accessGroupIdOrName, projectId });
    expect(answer).toMatchObject({ projectId, role: "PROJECT_DEVELOPER" });
  });

  contract.it(`PATCH ${ofProject}`, "changes the role", async (client) => {
    const { name: accessGroupIdOrName, projectId } = await create(client);
    const request = { accessGroupIdOrName, projectId, requestBody: { role: "PROJECT_VIEWER" } };
    expect(await client.call(`PATCH ${ofProject}`, request)).toMatchObject({ role: "PROJECT_VIEWER" });
  });

  contract.it(`DELETE ${ofProject}`, "removes the project", async (client) => {
    const { name: accessGroupIdOrName, projectId } = await create(client);
    await client.call(`DELETE ${ofProject}`, { accessGroupIdOrName, projectId });
    const again = await client.refused(`GET ${ofProject}`, { accessGroupIdOrName, projectId });
    expect(again).toEqual({ status: 404, code: "not_found" });
  });
}
