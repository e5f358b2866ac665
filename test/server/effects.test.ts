import { addIntegration, installWithToken } from "../support/integrations";
import { useReceivers } from "../support/receiver";
import { useTestServer } from "../support/world";

/** Effects that reach further than the request, or not as far as it says. */

const world = useTestServer();
const receiver = useReceivers();

const create = async (name: string, body: object = {}): Promise<string> =>
  (await world.call("POST", "/v10/projects", { body: { name, ...body } })).body.id;
const count = (table: "log_drains" | "tokens" | "codes"): Promise<number> =>
  world.services.store.read(async (tx) => (await tx.selectFrom(table).selectAll().execute()).length);

// P-01, PR-49
it("a rename takes the deployments of its own account along, and nobody else's", async () => {
  const token = await world.team("other");
  await create("web");
  for (const team of ["acme", "other"]) {
    await world.control.deploy({ team, project: "web", target: "production", readyState: "READY" });
  }
  await world.control.deploy({ team: "acme", project: "web-2", readyState: "READY" });
  await world.call("PATCH", "/v9/projects/web", { body: { name: "shop" } });
  const named = async (options: object): Promise<string[]> =>
    (await world.call("GET", "/v6/deployments", options)).body.deployments.map(
      ({ name }: { name: string }) => name,
    );
  expect(await named({})).toEqual(["web-2", "shop"]);
  expect(await named({ token, team: "other" })).toEqual(["web"]);
});

//
it("the event of a rename tells the name before", async () => {
  const id = await create("web");
  await world.call("PATCH", "/v9/projects/web", { body: { name: "shop" } });
  const [event] = await world.control.events();
  expect(event).toMatchObject({
    type: "project.renamed",
    payload: { project: { id, name: "shop" }, previousName: "web" },
  });
});

//
it("null removes the password too: the next protection needs a new one", async () => {
  await create("web");
  const update = (passwordProtection: object | null) =>
    world.call("PATCH", "/v9/projects/web", { body: { passwordProtection } });
  await update({ deploymentType: "all", password: "secret" });
  await update(null);
  const stored = await world.services.store.read((tx) =>
    tx.selectFrom("projects").select("password").execute(),
  );
  expect(stored).toEqual([{ password: null }]);
  expect((await update({ deploymentType: "all" })).status).toBe(400);
});

// AU-30, X-80
it("an installation takes its log drains, tokens and codes along when it is removed", async () => {
  await addIntegration(world, ["log-drain"]);
  const kept = await installWithToken(world);
  const removed = await installWithToken(world);
  for (const { token } of [kept, removed]) {
    const body = { name: "drain", url: "https://logs.example.org/", deliveryFormat: "json" };
    expect((await world.call("POST", "/v2/integrations/log-drains", { token, body })).status).toBe(200);
  }
  const tokens = await count("tokens");
  await world.call("DELETE", `/v1/integrations/configuration/${removed.id}`);
  expect(await count("log_drains")).toBe(1);
  expect(await count("codes")).toBe(1);
  expect(await count("tokens")).toBe(tokens - 1);
  expect((await world.call("GET", "/v2/integrations/log-drains")).body).toHaveLength(1);
});

//
it("a webhook that is limited to projects hears nothing of what is about no project", async () => {
  const web = await create("web");
  const [limited, whole] = [await receiver(), await receiver()];
  for (const [{ url }, more] of [
    [limited, { projectIds: [web] }],
    [whole, {}],
  ] as const) {
    const body = { url, events: ["domain.created", "project.domain.created"], ...more };
    expect((await world.call("POST", "/v1/webhooks", { body })).status).toBe(200);
  }
  await world.call("POST", "/v10/projects/web/domains", { body: { name: "example.com" } });
  const types = (all: { body: { type: string } }[]): string[] => all.map(({ body }) => body.type);
  expect(types(await whole.waitForAccepted(2))).toEqual(["domain.created", "project.domain.created"]);
  expect(types(await limited.waitForAccepted(1))).toEqual(["project.domain.created"]);
});
