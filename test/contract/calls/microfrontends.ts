import type { Client } from "../client";
import type { Contract } from "../contract";

export function microfrontendCalls(contract: Contract): void {
  let made = 0;
  /** Creates a group with a default application and another project. */
  async function create(client: Client) {
    const [{ id: app }, { id: child }] = [await contract.project(), await contract.project()];
    const groupName = `group-${made++}-${app.slice(-8).toLowerCase()}`;
    const requestBody = {
      groupName,
      defaultApp: { projectId: app, defaultRoute: "/" },
      otherApplications: [{ projectId: child, defaultRoute: "/docs" }],
    };
    await client.call("POST /v1/microfrontends/group", { requestBody });
    const { newMicrofrontendsGroup: group } = client.body as { newMicrofrontendsGroup: { id: string } };
    return { group, groupName, app, child };
  }

  contract.it("POST /v1/microfrontends/group", "creates with projects", async (client) => {
    const { group, groupName } = await create(client);
    expect(group).toMatchObject({ id: expect.stringMatching(/^mfe_/), name: groupName, slug: groupName });
  });

  contract.it("GET /v1/microfrontends/groups", "lists with projects", async (client) => {
    const { group, app, child } = await create(client);
    await client.call("GET /v1/microfrontends/groups");
    const { groups } = client.body as { groups: { group: { id: string }; projects: { id: string }[] }[] };
    const found = groups.find((one) => one.group.id === group.id);
    expect(found?.projects.map(({ id }) => id).sort()).toEqual([app, child].sort());
  });

  contract.it("GET /v1/microfrontends/groups/:groupId/projects", "lists whole projects", async (client) => {
    const { group, app, child } = await create(client);
    const operation = "GET /v1/microfrontends/groups/:groupId/projects";
    const { projects } = await client.call(operation, { groupId: group.id });
    const shown = (projects as { id: string; microfrontends: object }[]).map((one) => [
      one.id,
      one.microfrontends,
    ]);
    expect(Object.fromEntries(shown)).toMatchObject({
      [app]: { isDefaultApp: true },
      [child]: { defaultRoute: "/docs" },
    });
  });

  contract.it(
    "PATCH /v1/teams/:teamIdOrSlug/microfrontends/:groupId",
    "changes the settings",
    async (client) => {
      const { group, groupName } = await create(client);
      const requestBody = { name: `${groupName}-2`, fallbackEnvironment: "PRODUCTION" };
      const request = { teamId: "acme", groupId: group.id, requestBody };
      const operation = "PATCH /v1/teams/:teamIdOrSlug/microfrontends/:groupId";
      expect(await client.call(operation, request)).toMatchObject({
        updatedMicrofrontendsGroup: requestBody,
      });
    },
  );

  contract.it("DELETE /v1/teams/:teamIdOrSlug/microfrontends/:groupId", "deletes", async (client) => {
    const { group } = await create(client);
    const request = { teamId: "acme", groupId: group.id };
    const operation = "DELETE /v1/teams/:teamIdOrSlug/microfrontends/:groupId";
    await client.call(operation, request);
    expect(await client.refused(operation, request)).toEqual({ status: 404, code: "not_found" });
  });

  contract.it(
    "PATCH /v1/projects/:projectId/microfrontends",
    "changes and removes a project",
    async (client) => {
      const { child: projectId } = await create(client);
      const operation = "PATCH /v1/projects/:projectId/microfrontends";
      const changed = { defaultRoute: "/help", routeObservabilityToThisProject: true };
      expect(await client.call(operation, { projectId, requestBody: changed })).toMatchObject({
        microfrontends: { enabled: true, ...changed },
      });
      expect(await client.call(operation, { projectId, requestBody: { enabled: false } })).toMatchObject({
        microfrontends: { enabled: false, groupIds: [] },
      });
    },
  );

  contract.it("GET /v1/microfrontends/:deploymentId/config", "returns none", async (client) => {
    const { name: project } = await contract.project();
    const [deploymentId] = await contract.server.control.deploy({ team: "acme", project });
    const operation = "GET /v1/microfrontends/:deploymentId/config";
    expect(await client.call(operation, { deploymentId })).toEqual({ config: null });
  });

  const ofProject = "GET /v1/microfrontends/projects/:projectIdOrName/production-mfe-config";
  contract.it(ofProject, "returns none", async (client) => {
    const { id: projectIdOrName } = await contract.project();
    expect(await client.call(ofProject, { projectIdOrName })).toEqual({ config: null });
  });
}
