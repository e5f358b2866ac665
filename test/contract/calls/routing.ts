import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

const redirects = "/v1/bulk-redirects";
const routes = "/v1/projects/:projectId/routes";

export function routingCalls(contract: Contract): void {
  /** Stages a redirect in a new project. */
  async function staged(client: Client): Promise<{ projectId: string; version: Answered }> {
    const { id: projectId, accountId: teamId } = await contract.project();
    const body = { projectId, teamId, redirects: [{ source: "/old", destination: "/new", statusCode: 308 }] };
    const { version } = await client.call(`PUT ${redirects}`, { requestBody: body });
    return { projectId, version };
  }
  /** Stages a route in a new project. */
  async function added(client: Client): Promise<{ projectId: string; route: Answered; version: Answered }> {
    const { id: projectId } = await contract.project();
    const requestBody = { route: { name: "Blog", route: { src: "/blog", dest: "/news" } } };
    return { projectId, ...(await client.call(`POST ${routes}`, { projectId, requestBody })) } as never;
  }

  contract.it(`PUT ${redirects}`, "stages redirects", async (client) => {
    expect((await staged(client)).version).toMatchObject({ redirectCount: 1 });
  });

  contract.it(`GET ${redirects}`, "lists them", async (client) => {
    const { projectId, version } = await staged(client);
    const found = await client.call(`GET ${redirects}`, { projectId, versionId: version.id });
    expect(found.redirects).toMatchObject([{ source: "/old", destination: "/new" }]);
  });

  contract.it(`PATCH ${redirects}`, "changes one", async (client) => {
    const { projectId } = await staged(client);
    const requestBody = { redirect: { source: "/old", destination: "/newer" } };
    const { version } = await client.call(`PATCH ${redirects}`, { projectId, requestBody });
    expect(version).toMatchObject({ isStaging: true });
  });

  contract.it(`DELETE ${redirects}`, "removes them, and restores them", async (client) => {
    const { projectId } = await staged(client);
    const requestBody = { redirects: ["/old"] };
    const { version } = await client.call(`DELETE ${redirects}`, { projectId, requestBody });
    expect(version).toMatchObject({ isStaging: true });
  });

  contract.it(`POST ${redirects}/restore`, "restores them as in production", async (client) => {
    const { projectId, version } = await staged(client);
    const promote = { id: version.id, action: "promote" };
    await client.call(`POST ${redirects}/versions`, { projectId, requestBody: promote });
    await client.call(`DELETE ${redirects}`, { projectId, requestBody: { redirects: ["/old"] } });
    const requestBody = { redirects: ["/old"] };
    const { restored } = await client.call(`POST ${redirects}/restore`, { projectId, requestBody });
    expect(restored).toHaveLength(1);
  });

  contract.it(`GET ${redirects}/versions`, "lists versions", async (client) => {
    const { projectId, version } = await staged(client);
    const { versions } = await client.call(`GET ${redirects}/versions`, { projectId });
    expect(versions).toMatchObject([{ id: version.id, isStaging: true }]);
  });

  contract.it(`POST ${redirects}/versions`, "publishes one", async (client) => {
    const { projectId, version } = await staged(client);
    const requestBody = { id: version.id, action: "promote" };
    const published = await client.call(`POST ${redirects}/versions`, { projectId, requestBody });
    expect(published.version).toMatchObject({ id: version.id, isLive: true });
  });

  contract.it(`POST ${routes}`, "adds one", async (client) => {
    expect((await added(client)).route).toMatchObject({ name: "Blog" });
  });

  contract.it(`GET ${routes}`, "lists them", async (client) => {
    const { projectId, route } = await added(client);
    const found = await client.call(`GET ${routes}`, { projectId });
    expect(found.routes).toMatchObject([{ id: route.id, name: "Blog" }]);
  });

  contract.it(`PUT ${routes}`, "stages all", async (client) => {
    const { projectId } = await added(client);
    const requestBody = { overwrite: true, routes: [] };
    const { version } = await client.call(`PUT ${routes}`, { projectId, requestBody });
    expect(version).toMatchObject({ isStaging: true });
  });

  contract.it(`PATCH ${routes}/:routeId`, "changes one", async (client) => {
    const { projectId, route } = await added(client);
    const requestBody = { route: { name: "Blog", route: { src: "/blog", dest: "/other" } } };
    const changed = await client.call(`PATCH ${routes}/:routeId`, {
      ...{ projectId, routeId: route.id, requestBody },
    });
    expect(changed.route).toMatchObject({ id: route.id, route: { dest: "/other" } });
  });

  contract.it(`DELETE ${routes}`, "removes them", async (client) => {
    const { projectId, route } = await added(client);
    const requestBody = { routeIds: [route.id] };
    const { version } = await client.call(`DELETE ${routes}`, { projectId, requestBody });
    expect(version).toMatchObject({ isStaging: true });
  });

  contract.it(`GET ${routes}/versions`, "lists versions", async (client) => {
    const { projectId, version } = await added(client);
    const { versions } = await client.call(`GET ${routes}/versions`, { projectId });
    expect(versions).toMatchObject([{ id: version.id, isStaging: true }]);
  });

  contract.it(`POST ${routes}/versions`, "publishes one", async (client) => {
    const { projectId, version } = await added(client);
    const requestBody = { id: version.id, action: "promote" };
    const published = await client.call(`POST ${routes}/versions`, { projectId, requestBody });
    expect(published.version).toMatchObject({ id: version.id, isLive: true });
  });
}
