import { useTestServer } from "../../support/world";

const world = useTestServer();
const list = async (query: Record<string, string> = {}, options: object = {}) =>
  (await world.call("GET", "/v3/events", { query, ...options })).body.events;
const texts = async (query: Record<string, string> = {}, options: object = {}) =>
  (await list(query, options)).map(({ text }: { text: string }) => text);

let ids: string[];
let between: number;
beforeEach(async () => {
  ids = [];
  for (const name of ["web", "docs"]) {
    ids.push((await world.call("POST", "/v10/projects", { body: { name } })).body.id);
    between = world.clock.now() + 1;
    await world.control.advanceClock(10);
  }
  await world.call("POST", "/v10/projects/web/env", {
    body: { key: "KEY", value: "canary", type: "plain", target: ["preview"] },
  });
});
const all = ["dev added the variable", "dev created the project", "dev created the project"];

it("lists what happened, the newest first, with its user", async () => {
  expect(await texts()).toEqual(all);
  const [added] = await list();
  expect(added).toEqual({
    ...{ id: expect.any(String), text: all[0], type: "env-variable-add", categories: ["env-variable"] },
    ...{ createdAt: world.clock.now(), principalId: added.userId, userId: expect.any(String) },
    entities: [{ type: "author", start: 0, end: 3 }],
    user: { uid: added.userId, username: "dev", email: "dev@example.com", avatar: "" },
  });
});

it("selects by type, project, user and time, and shows payloads without values", async () => {
  expect(await texts({ types: "env-variable-add,project-delete" })).toEqual(all.slice(0, 1));
  expect(await texts({ types: "none" })).toEqual([]);
  expect(await texts({ projectIds: ids[1] ?? "" })).toEqual(all.slice(1, 2));
  const [{ userId }] = await list();
  expect(await texts({ userId: "user_other", principalId: userId })).toEqual(all);
  expect(await texts({ userId: "user_other" })).toEqual([]);
  expect(await texts({ since: `${world.clock.now() - 1}` })).toEqual(all.slice(0, 1));
  expect(await texts({ until: new Date(between - 5).toISOString() })).toHaveLength(1);
  expect(await texts({ limit: "2" })).toEqual(all.slice(0, 2));
  const [entry] = await list({ withPayload: "true" });
  expect(entry.payload).toMatchObject({ projectId: ids[0] });
  expect(JSON.stringify(entry)).not.toContain("canary");
});

it("shows an installation on selected projects their events only", async () => {
  await world.seed({
    integrations: [
      {
        ...{ slug: "cron", owner: "dev", clientSecret: "s", redirectUrl: "http://127.0.0.1:9/cb" },
        scopes: ["team"],
      },
    ],
    installations: [
      { id: "icfg_cron", integration: "cron", team: "acme", token: "token-of-cron", projects: ["docs"] },
    ],
  });
  expect(await texts({}, { token: "token-of-cron" })).toEqual(all.slice(1, 2));
});

it("is that of the account of the request", async () => {
  expect(await texts({}, { team: null })).toEqual([]);
  expect((await world.call("GET", "/v3/events", { query: { entityId: "a" } })).status).toBe(400);
  expect((await world.call("GET", "/v3/events", { query: { since: "soon" } })).status).toBe(400);
});

it("describes its types", async () => {
  const { types, categories } = (await world.call("GET", "/v1/events/types")).body;
  expect(types).toContainEqual({
    ...{ name: "project-created", description: "Somebody created the project.", categories: ["project"] },
  });
  expect(categories).toContainEqual({ name: "project", label: "Project" });
});
